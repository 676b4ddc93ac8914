"""Which sessions count as hard: the athlete's word first, else how the session looks."""

from django.db.models import Q

KINDS = ("threshold", "intervals", "race")
LOOKS = ("intervals", "hard")  # of coach.metrics.kind; what looks hard was ridden or run near threshold throughout
EFFORT = 8
POINTS = 120.0
RULE = (
    f"Hard is a race, intervals or threshold work, by your word or else by its looks, an effort of {EFFORT} "
    f"or more, or a load of {POINTS:.0f} points or more."
)
HARD = (
    Q(stated_type__in=KINDS)
    | Q(stated_type="", session_type__in=LOOKS)
    | Q(is_race=True)
    | Q(effort__gte=EFFORT)
    | Q(load__gte=POINTS)
)
