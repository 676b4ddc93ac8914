"""What staff see and do, for the admin and for `manage.py jobs` alike. Reads here; changes go through transitions."""
