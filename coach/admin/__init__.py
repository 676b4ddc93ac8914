"""Athletes and what was made of their recordings, for staff. What is derived can only be read."""

from coach.admin import accounts, activities, evaluations, foreign, imports, insights, invites, people, writing

__all__ = ["accounts", "activities", "evaluations", "foreign", "imports", "insights", "invites", "people", "writing"]
