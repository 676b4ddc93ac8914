"""Which jobs are meant: the filters of the list and its search, for a page of it and for all that match."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Q

from jobs import sql
from jobs.models import Status
from jobs.models.job import ENDED_SHORT, QUEUED

NONE = "-"  # no pool
TROUBLE = [Status.FAILED, Status.PARTIAL, Status.INTERRUPTED]
GROUPS: dict[str, tuple[str, list[Status]]] = {
    "queued": ("in line", QUEUED),
    "trouble": ("in trouble", TROUBLE),
}
HOUR_S = 3600
AGES = {
    "hour": ("an hour at most", HOUR_S),
    "day": ("a day at most", 24 * HOUR_S),
    "week": ("a week at most", 7 * 24 * HOUR_S),
    "older": ("over a week", 7 * 24 * HOUR_S),
}
FEW = 2000  # rows of a kind, an owner or a subject that are found by an index and then sorted

# The first job put in line since then: ids and times grow together, so it is sought by halves, a row a step.
SINCE = """
WITH RECURSIVE s(low, high) AS (
    SELECT (SELECT min(id) FROM jobs_job), (SELECT max(id) + 1 FROM jobs_job)
    UNION ALL
    SELECT CASE WHEN p.old THEN m.middle + 1 ELSE low END, CASE WHEN p.old THEN high ELSE m.middle END
    FROM s CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) m CROSS JOIN LATERAL (
        SELECT coalesce((SELECT created_at < clock_timestamp() - make_interval(secs => %(seconds)s) FROM jobs_job
                         WHERE id >= m.middle ORDER BY id LIMIT 1), false) AS old) p
    WHERE low < high
)
SELECT low AS id FROM s WHERE low = high
"""

# Ids by what their index begins with, up to a bound; from kind to kind, as every index by owner begins with it.
OF_KIND = "SELECT id FROM jobs_job WHERE kind = %(name)s LIMIT %(most)s"
OF_OWNER = """
WITH RECURSIVE k(kind) AS (
    (SELECT kind FROM jobs_job ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT j.kind FROM jobs_job j WHERE j.kind > k.kind ORDER BY j.kind LIMIT 1) FROM k WHERE k.kind IS NOT NULL
)
SELECT j.id FROM k CROSS JOIN LATERAL (
    SELECT id FROM jobs_job WHERE kind = k.kind AND owner = %(name)s LIMIT %(most)s) j LIMIT %(most)s
"""
OF_SUBJECT = "SELECT id FROM jobs_job WHERE subject LIKE %(like)s LIMIT %(most)s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What somebody looks for; "" leaves it open."""

    state: str = ""
    kind: str = ""
    owner: str = ""
    pool: str = ""
    lane: str = ""
    error: str = ""
    age: str = ""
    q: str = ""

    @property
    def asked(self) -> dict[str, str]:
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}

    @property
    def sentence(self) -> str:
        """Return "state failed, kind import"; "all jobs" when nothing is asked."""
        named = {"q": "found by"}
        return ", ".join(f"{named.get(name, name)} {value}" for name, value in self.asked.items()) or "all jobs"

    @property
    def condition(self) -> Q:
        """Return what a job must be; of the age see `span`."""
        found = Q()
        for name, value in self.asked.items():
            if name != "age":
                found &= CONDITIONS[name](value)
        return found

    def narrowed(self) -> Iterator[Q]:
        """Yield conditions that say nothing new, yet let an index find the few rows of a rare kind or owner."""
        for name, statement in (("kind", OF_KIND), ("owner", OF_OWNER)):
            if value := getattr(self, name):
                ids = _ids(statement, name=value)
                if len(ids) <= FEW:
                    yield Q(pk__in=ids)


def sought(given: Mapping[str, str]) -> Sought:
    return Sought(**{name: given.get(name, "") for name in Sought.__slots__})


def of_state(value: str) -> Q:
    if value in GROUPS:
        return Q(status__in=GROUPS[value][1])
    return Q(status=value) if value in Status.values else Q()


def of_pool(value: str) -> Q:
    return Q(pool="" if value == NONE else value)


def of_age(value: str) -> Q:
    if value not in AGES:
        return Q()
    first = first_since(AGES[value][1])
    if value == "older":
        return Q() if first is None else Q(pk__lt=first)
    return Q(pk__in=[]) if first is None else Q(pk__gte=first)


def first_since(seconds: float) -> int | None:
    """Return the id from which jobs were put in line within so many seconds; None when there is no job."""
    return (sql.row(SINCE, seconds=seconds) or {}).get("id")


def id_of(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 19 else None


def by_words(term: str) -> Q:
    """Return the jobs that every word names: by id, by whole owner, or by the beginning of the subject."""
    found = Q()
    for word in term.split():
        named = Q(owner=word) | Q(subject__startswith=word)
        if (number := id_of(word)) is not None:
            named |= Q(pk=number)
        found &= named
    return found


def searched(term: str) -> Q | None:
    """Return the same by ids; None where a word names too many of them."""
    found = Q()
    for word in term.split():
        escaped = word.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
        owned, about = _ids(OF_OWNER, name=word), _ids(OF_SUBJECT, like=f"{escaped}%")
        if len(owned) > FEW or len(about) > FEW:
            return None
        ids = {*owned, *about}
        if (number := id_of(word)) is not None:
            ids.add(number)
        found &= Q(pk__in=sorted(ids))
    return found


def _ids(statement: str, **values: str) -> list[int]:
    return [row["id"] for row in sql.rows(statement, most=FEW + 1, **values)]


CONDITIONS: dict[str, Callable[[str], Q]] = {
    "state": of_state,
    "kind": lambda value: Q(kind=value),
    "owner": lambda value: Q(owner=value),
    "pool": of_pool,
    "lane": lambda value: Q(lane=value),
    "error": lambda value: Q(error_kind=value) & ~Q(error_kind=""),
    "age": of_age,
    "q": by_words,
}


def base(wanted: Sought) -> Q:
    """Return the widest of its conditions that an index of its order serves: what a page looks through."""
    if wanted.error:
        return CONDITIONS["error"](wanted.error)
    if wanted.state in ("queued", *QUEUED):
        return Q(status__in=QUEUED)
    if wanted.state in ("trouble", *TROUBLE, Status.CANCELLED):
        return Q(status__in=ENDED_SHORT)
    return of_state(wanted.state) if wanted.state == Status.RUNNING else Q()
