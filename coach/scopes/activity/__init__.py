"""Activity: what was this session?"""
