"""Today: what should I do today?"""
