"""What an athlete may know and decide about the language model that writes."""

from dataclasses import dataclass

from django.utils.translation import gettext

from coach import annotating, budget, gateway, insights, scopes
from coach.models import Activity, Athlete
from coach.scopes.facts import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """How it stands between an athlete and the language model."""

    configured: bool
    is_on: bool  # as far as the athlete is concerned
    asks_model: bool
    standing: budget.Standing
    pages: tuple[dict[str, str], ...]  # the pages about which something may be sent


def of(athlete: Athlete) -> Writing:
    newest = Activity.objects.filter(athlete=athlete).newest_first()[:1]
    latest = dict(sorted(scopes.subjects_after(athlete, newest)))  # one of each scope, of the weeks the last
    pages = (
        {"scope": scope, "subject": latest[scope], "title": gettext(scopes.named(scope).title)}
        for scope in sorted(latest, key=scopes.ORDER.index)
    )
    return Writing(
        configured=gateway.configured(),
        is_on=athlete.uses_model,
        asks_model=insights.asks_model(athlete),
        standing=budget.standing(athlete),
        pages=tuple(pages),
    )


def as_sent(athlete: Athlete, facts: Facts) -> str:
    """Return what a request for this text would hold, letter for letter."""
    return gateway.as_sent(facts, language=athlete.language, recent=insights.recent_of(athlete, facts.scope))


def note_as_sent(athlete: Athlete, facts: Facts) -> str:
    """Return what a request for the sentence about a session would hold; of other pages there is none."""
    if facts.scope != "activity":
        return ""
    return gateway.note_as_sent(facts, language=athlete.language, recent=annotating.recent_of(athlete))


def use_model(athlete: Athlete, use: bool) -> None:
    """Let a model write for the athlete, or have nothing sent to one: not even for texts that wait in line."""
    Athlete.objects.filter(pk=athlete.pk).update(uses_model=use)
    athlete.uses_model = use
