"""Records: what is my best, and when?"""
