"""How much an athlete may ask of the writing service in a day, and what of it is left."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from coach.models import Athlete, Spending
from jobs import api

LOOK_EVERY = timedelta(hours=1)  # so soon a job goes on whose athlete was given more


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What of the day's budget is spent, and when the next day begins."""

    calls: int
    tokens: int
    most_calls: int
    most_tokens: int
    anew_at: datetime  # on the athlete's clock

    @property
    def is_spent(self) -> bool:
        return self.calls >= self.most_calls or self.tokens >= self.most_tokens

    @property
    def sentence(self) -> str:
        """Say why nothing can be asked for now and when it can; nothing where it can."""
        if not self.is_spent:
            return ""
        if not self.most_calls or not self.most_tokens:
            return gettext("No language model may be asked for you. Here is the short version.")
        amount = {"n": self.most_calls, "day": f"{self.anew_at:%Y-%m-%d}", "at": f"{self.anew_at:%H:%M}"}
        if self.calls >= self.most_calls:
            said = gettext("Today's %(n)s calls to the language model are used up. From %(at)s on %(day)s a new text can be written. Here is the short version.")  # fmt: skip  # noqa: E501
            return said % amount
        said = gettext("Today's %(n)s tokens of the language model are used up. From %(at)s on %(day)s a new text can be written. Here is the short version.")  # fmt: skip  # noqa: E501
        return said % {**amount, "n": self.most_tokens}


def standing(athlete: Athlete, *, share: float = 1.0) -> Standing:
    """Return how the day stands; of calls that must leave off at a share of it, against that."""
    row = Spending.objects.filter(athlete=athlete, day=athlete.today()).first()
    calls, tokens = limits(athlete, share=share)
    return Standing(
        calls=row.calls if row else 0,
        tokens=row.tokens if row else 0,
        most_calls=calls,
        most_tokens=tokens,
        anew_at=anew_at(athlete),
    )


def limits(athlete: Athlete, *, share: float = 1.0) -> tuple[int, int]:
    """Return the calls and the tokens that the athlete may use in a day, or this share of them."""
    general: Mapping[str, int] = settings.BUDGET
    calls, tokens = athlete.calls_a_day, athlete.tokens_a_day
    most = general["calls"] if calls is None else calls, general["tokens"] if tokens is None else tokens
    return int(share * most[0]), int(share * most[1])


def anew_at(athlete: Athlete, *, after: date | None = None) -> datetime:
    """Return when the athlete's next day begins; a day that begins twice or an hour late begins all the same."""
    day = (after or athlete.today()) + timedelta(days=1)
    return datetime.combine(day, time(), tzinfo=ZoneInfo(athlete.time_zone))


class Meter:
    """Counts the calls of one athlete. A call is counted before it goes out, so that two at once cannot pass."""

    def __init__(self, athlete: Athlete, *, share: float = 1.0) -> None:
        """Count for the athlete; `share` is the part of the day's budget that these calls must leave off at."""
        self.athlete = athlete
        self.day = athlete.today()
        self.share = share

    def reserve(self) -> bool:
        """Count one call, on the day on which it goes out, unless that day's budget is spent."""
        self.day = self.athlete.today()
        calls, tokens = limits(self.athlete, share=self.share)
        Spending.objects.get_or_create(athlete=self.athlete, day=self.day)
        return bool(self.row.filter(calls__lt=calls, tokens__lt=tokens).update(calls=F("calls") + 1))

    def give_back(self) -> None:
        """Take back a call that reached nobody."""
        self.row.filter(calls__gt=0).update(calls=F("calls") - 1)

    def used(self, tokens: int) -> None:
        self.row.update(tokens=F("tokens") + tokens)

    def closed(self) -> api.Snooze:
        """Return what a job raises that has to wait for the next day; no attempt of it is spent.

        It looks in between whether the limits or the athlete's clock were changed.
        """
        soonest, latest = (timezone.now() + wait for wait in (timedelta(minutes=1), LOOK_EVERY))
        until = min(max(anew_at(self.athlete, after=self.day), soonest), latest)
        return api.Snooze("The athlete's calls of this day are used up.", until=until)

    @property
    def row(self) -> QuerySet[Spending]:
        return Spending.objects.filter(athlete=self.athlete, day=self.day)
