"""What Garmin writes into the export of an account, besides the files of the watch."""

from coach.formats.garmin import days

__all__ = ["days"]
