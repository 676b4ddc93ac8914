"""After a change of the rows: the texts whose facts changed are asked for, behind everybody who waits."""

import uuid
from collections.abc import Iterator

from coach import insights, scopes, suggesting
from coach.models import Activity, Athlete, Insight
from jobs import api

KIND = "backfill"
SUBJECT = "texts"
LAST = 20  # a priority behind what is looked at (0) and what probably will be (10)
LATEST = 3  # sessions: an archive of years does not ask for a text about each of its own


def after_change(athlete: Athlete) -> None:
    """Ask for a round; many changes on the way to it make one round, and one during it makes one more."""
    api.enqueue(KIND, athlete.owner, SUBJECT, fingerprint=uuid.uuid4().hex, priority=LAST, args={"athlete": athlete.pk})


def around(run: api.Run) -> dict[str, int]:
    """Find what thresholds the new efforts suggest, and ask for each text whose facts are not those it has."""
    athlete = Athlete.objects.select_related("user").filter(pk=run.args["athlete"]).first()
    if athlete is None:
        return {"asked": 0}
    with run.save():
        suggesting.renew(athlete)
    asked = 0
    for scope, subject in subjects(athlete):
        run.check()
        asked += ask(athlete, scope, subject, priority=LAST)
    return {"asked": asked}


def subjects(athlete: Athlete) -> Iterator[tuple[str, str]]:
    """Yield (scope, subject) in the order in which an athlete will want them."""
    newest = Activity.objects.filter(athlete=athlete).newest_first()[:LATEST]
    found = scopes.subjects_after(athlete, newest)
    yield from sorted(found, key=lambda pair: scopes.ORDER.index(pair[0]))


def ask(athlete: Athlete, scope: str, subject: str, *, priority: int = api.PREFETCH) -> int:
    """Enqueue one text unless it is written of these very facts; return how many were asked for."""
    facts = scopes.facts_for(scope, athlete, subject)
    wanted = insights.fingerprint(athlete, facts)
    known = Insight.objects.filter(athlete=athlete, scope=scope, subject=subject, fingerprint=wanted)
    if facts.insufficient or known.exists() or insights.refusal(athlete):
        return 0
    insights.ask(athlete, facts, fingerprint=wanted, priority=priority)
    return 1
