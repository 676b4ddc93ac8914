"""Load: am I building, holding, overdoing?"""
