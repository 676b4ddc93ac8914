"""What the facts of a session's parts and of its peers mean: intensity, zones, efforts, and sessions like it."""

from coach.scopes.basics import COACH, LEVEL, MEAN_EFFORT, MEDIAN_EFFORT
from coach.scopes.terms import Term

SPLIT = "By heart rate where measured, else by power, else by pace; easy below LT1, moderate up to LT2, hard above it."
LIKE = (
    "Like it: same sport and place, within the year before, timer and load an hour within 25 %, variability within "
    "0.06, load measured the same way."
)

PARTS = (
    Term(
        key="easy_share",
        label="Easy",
        kind="percent",
        unit="%",
        meaning="Share of time at easy intensity.",
        convention=SPLIT,
        source="Seiler 2010",
    ),
    Term(
        key="moderate_share",
        label="Moderate",
        kind="percent",
        unit="%",
        meaning="Share of time at moderate intensity.",
        convention=SPLIT,
        source="Seiler 2010",
    ),
    Term(
        key="hard_share",
        label="Hard",
        kind="percent",
        unit="%",
        meaning="Share of time above threshold.",
        convention=SPLIT,
        source="Seiler 2010",
    ),
    Term(
        key="zones_by",
        label="Zones by",
        kind="word",
        meaning="What the time in each zone below is measured by, with the thresholds of that day.",
        convention=(
            "Heart rate: shares of threshold heart rate where it is known (cycling 81, 90, 94, 100, 103, 106 %; else "
            "85, 90, 95, 100, 103, 106 %), or 50 to 90 % of reserve. Power: 55, 75, 90, 105, 120, 150 % of FTP. Pace, "
            "graded: 129, 114, 106, 101, 97, 90 % of threshold pace. In timer time; a bound is of the zone above."
        ),
        source="Friel (heart rate, pace); Karvonen 1957 (reserve); Allen & Coggan (power)",
    ),
    Term(
        key="interval_count",
        label="Efforts found",
        kind="count",
        meaning="Repeated efforts that are alike in length and level.",
        convention="Level that parts the session best in two; at least three efforts, clearly above the rest.",
        source=LEVEL,
    ),
    Term(
        key="interval_length",
        label="Length of an effort",
        kind="duration",
        unit="s",
        meaning="The median length of these efforts.",
        convention=MEDIAN_EFFORT,
        source=COACH,
    ),
    Term(
        key="interval_power",
        label="Power of the efforts",
        kind="power",
        unit="W",
        meaning="Average power during these efforts.",
        convention=MEAN_EFFORT,
        source=COACH,
    ),
    Term(
        key="interval_pace",
        label="Pace of the efforts",
        kind="pace",
        unit="m/s",
        meaning="Average graded pace during these efforts.",
        convention=MEAN_EFFORT,
        source=COACH,
    ),
)
PEERS = (
    Term(
        key="peer_day",
        label="Last session like it",
        kind="day",
        meaning="The newest earlier session to compare with.",
        convention=LIKE,
        source=COACH,
    ),
    Term(key="peer_measure", label="Compared by", kind="word", meaning="What the sessions are compared by."),
    Term(
        key="peer_change",
        label="Against that session",
        kind="signed_percent_tenths",
        unit="%",
        meaning="How this session's value differs from that one's; more is better.",
        convention=LIKE,
        good="up",
        source=COACH,
    ),
    Term(
        key="peer_count",
        label="Sessions like it",
        kind="count",
        meaning="Earlier sessions this one can be compared with.",
        convention=LIKE,
        source=COACH,
    ),
    Term(
        key="peer_rank",
        label="Rank among them",
        kind="count",
        meaning="Its place among the sessions like it and itself.",
        convention=LIKE,
        good="down",
        source=COACH,
    ),
)
