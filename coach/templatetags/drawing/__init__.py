"""Geometry of the charts: plain data in, strings for SVG attributes out; the templates draw.

Horizontal places are percentages of the width and vertical ones are pixels, so that one drawing serves every
width and its text never shrinks. Paths live in a nested drawing that is 1000 wide and stretched.
"""
