"""Recovery: am I recovering?"""
