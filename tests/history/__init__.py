"""An athlete with years of training, made row by row without files: for how pages grow, and how they look when full."""

from django.db import connection

from coach.models import Athlete
from tests import factories
from tests.history import around, body, sessions

SESSIONS_A_YEAR = 400


def grown(name: str, *, years: float) -> Athlete:
    """Make an athlete whose history ends today: sessions, bests, nights, measures, and what stands around them.

    One original is written, to settings.DATA.
    """
    athlete = factories.athlete(name, birth_year=1986, weight_goal_kg=66)
    around.thresholds(athlete, years=years)
    made = sessions.make(athlete, days=round(years * 365), sessions_a_year=SESSIONS_A_YEAR)
    body.make(athlete, days=round(years * 365))
    around.plans(athlete, made)
    around.ways_in(athlete)
    around.table(athlete, made)
    around.questions(athlete, made)
    around.texts(athlete, made)
    around.line(athlete, made)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum would have by then
    return athlete
