"""Week: how did this week go?"""
