"""Trends: where am I going?"""
