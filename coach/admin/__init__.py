"""Athletes and what was made of their recordings, for staff. What is derived can only be read."""

from coach.admin import activities, imports, insights, people

__all__ = ["activities", "imports", "insights", "people"]
