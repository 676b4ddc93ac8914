"""Body: what is my weight doing?"""
