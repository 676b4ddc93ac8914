"""The load of a session by the best way its data allows: power, pace, heart rate, how it felt, or an estimate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from coach.metrics.heart import threshold_trimp
from coach.metrics.power import stress_score
from coach.metrics.sports import Sport
from coach.metrics.thresholds import HeartProfile

MOST_POINTS = 1500.0
HARDEST_FACTOR = 1.4  # an intensity nobody holds for a session: the threshold or the data is wrong
LONGEST_SECONDS = 30 * 3600.0
SHORTEST_COVERED = 0.5
NO_FTP = "Power cannot be scored yet: set your functional threshold power in your settings."
NO_HEART_RATE = "Heart rate cannot be scored yet: set your maximum or threshold heart rate in your settings."
NO_PACE = "Pace cannot be scored yet: set your threshold pace in your settings."
EFFORT_AT_THRESHOLD = 7.0  # how an hour at threshold feels, of 10: "very hard" on Foster's scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a session can be judged by; None where it was not measured."""

    sport: Sport
    timer_s: float
    outdoors: bool
    normalized_power_w: float | None
    graded_speed_mps: float | None
    trimp: float | None
    heart_rate_s: float  # seconds with a heart rate
    heart: HeartProfile | None
    sex: str
    thresholds: Mapping[str, float]
    felt: int | None = None  # how hard it was, 1 to 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    points: float
    way: str  # "power", "pace", "heart_rate", "effort", "estimate"
    intensity_factor: float | None = None
    flags: tuple[str, ...] = ()


def measure(evidence: Evidence) -> Load:
    """Try the ways in order; what was tried and did not hold is said in the flags of the way that did."""
    doubts: list[str] = []
    ways: tuple[Callable[[Evidence, list[str]], Load | None], ...] = (by_power, by_pace, by_heart_rate, by_effort)
    for way in ways:
        found = way(evidence, doubts)
        if found is not None:
            return capped(found, doubts)
    return capped(estimate(evidence), [*unset(evidence), *doubts])


def unset(evidence: Evidence) -> tuple[str, ...]:
    """Return what was measured and has no threshold yet, so that an estimate says which one would end it."""
    family, known = evidence.sport.family, evidence.thresholds
    power = family == "cycling" and evidence.normalized_power_w and not known.get("ftp_w")
    graded = family == "running" and evidence.outdoors and evidence.graded_speed_mps
    pace = graded and not known.get("threshold_pace_s_per_km")
    return (*((NO_FTP,) if power else ()), *((NO_PACE,) if pace else ()))


def by_power(evidence: Evidence, doubts: list[str]) -> Load | None:
    """Use cycling power only: the power a running watch reports has a threshold of its own."""
    if evidence.sport.family != "cycling":
        return None
    threshold = evidence.thresholds.get("ftp_w")
    return against(evidence, evidence.normalized_power_w, threshold, way="power", doubts=doubts)


def by_pace(evidence: Evidence, doubts: list[str]) -> Load | None:
    """Use graded pace of runs outdoors: a treadmill's speed is not the runner's."""
    if evidence.sport.family != "running" or not evidence.outdoors:
        return None
    pace = evidence.thresholds.get("threshold_pace_s_per_km")
    threshold = 1000 / pace if pace else None
    return against(evidence, evidence.graded_speed_mps, threshold, way="pace", doubts=doubts)


def against(
    evidence: Evidence, effort: float | None, threshold: float | None, *, way: str, doubts: list[str]
) -> Load | None:
    """Score an effort against its threshold, unless the intensity is beyond belief."""
    if not effort or not threshold:
        return None
    factor = effort / threshold
    points = stress_score(effort, threshold=threshold, seconds=evidence.timer_s)
    if factor > HARDEST_FACTOR or points is None:
        doubts.append(
            f"The {way} of this session is far above your threshold, so its load is not taken from it: "
            "check the threshold in your settings."
        )
        return None
    return Load(points=points, way=way, intensity_factor=factor)


def by_heart_rate(evidence: Evidence, doubts: list[str]) -> Load | None:
    """Score TRIMP against an hour at threshold; a heart rate over under half the session is not enough."""
    heart = evidence.heart
    if evidence.heart_rate_s <= 0 or evidence.timer_s <= 0:
        return None
    if heart is None:
        doubts.append(NO_HEART_RATE)
        return None
    covered = min(evidence.heart_rate_s / evidence.timer_s, 1.0)
    hour = threshold_trimp(heart.lthr_bpm, rest_bpm=heart.rest_bpm, max_bpm=heart.max_bpm, sex=evidence.sex)
    if covered < SHORTEST_COVERED or not hour or evidence.trimp is None:
        return None
    flags = [heart.sentence] if heart.sentence else []
    if covered < 0.9:
        flags.append("Heart rate is missing for part of this session; the rest is taken to be like what was measured.")
    return Load(points=100 * evidence.trimp / hour / covered, way="heart_rate", flags=tuple(flags))


def by_effort(evidence: Evidence, doubts: list[str]) -> Load | None:
    """Score how hard it felt times how long it lasted, so that an hour at 7 of 10 counts 100.

    Source: Foster 2001, J Strength Cond Res 15:109 (session RPE: effort × minutes).
    """
    if not evidence.felt or evidence.timer_s <= 0:
        return None
    minutes = min(evidence.timer_s, LONGEST_SECONDS) / 60
    return Load(points=evidence.felt * minutes / (EFFORT_AT_THRESHOLD * 60) * 100, way="effort")


def estimate(evidence: Evidence) -> Load:
    points = min(evidence.timer_s, LONGEST_SECONDS) / 3600 * evidence.sport.points_per_hour
    sentence = (
        "Nothing that was measured could be scored against a threshold of yours, "
        f"so the load is estimated at {evidence.sport.points_per_hour:g} points an hour."
    )
    return Load(points=points, way="estimate", flags=(sentence,))


def capped(load: Load, doubts: list[str]) -> Load:
    flags = (*doubts, *load.flags)
    if load.points <= MOST_POINTS:
        return Load(points=load.points, way=load.way, intensity_factor=load.intensity_factor, flags=flags)
    return Load(
        points=MOST_POINTS,
        way=load.way,
        intensity_factor=load.intensity_factor,
        flags=(*flags, f"The load came out implausibly high and was cut to {MOST_POINTS:g} points."),
    )
