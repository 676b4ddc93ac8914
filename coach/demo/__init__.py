"""A demo athlete whose recordings are generated as real FIT, GPX and TCX files."""
