"""What the facts of a session mean, and by which convention."""

from coach.scopes.activity import chinese
from coach.scopes.activity.kind import RULE
from coach.scopes.terms import Term, with_chinese

SPLIT = "By heart rate where measured, else by power, else by pace; easy below LT1, moderate up to LT2, hard above it."
LIKE = (
    "Like it: same sport and place, within the year before, timer and load an hour within 25 %, variability within "
    "0.06, load measured the same way."
)

HEAD = (
    Term(key="timer", label="Time", kind="duration", unit="s", meaning="Time with the timer running."),
    Term(key="distance", label="Distance", kind="distance", unit="m", meaning="Distance covered."),
)
WHAT = (
    Term(key="load", label="Load", kind="points", meaning="100 points are an hour at threshold."),
    Term(
        key="kind",
        label="Kind",
        kind="word",
        meaning="What kind of session this was: what you said, else what its data looks like.",
        convention=RULE,
        source="Rule of this coach",
    ),
    Term(
        key="kind_found",
        label="By its data",
        kind="word",
        meaning="What kind of session the data looks like; you said what it was, and your word counts.",
        convention=RULE,
        source="Rule of this coach",
    ),
    Term(key="felt", label="How hard it felt", kind="word", meaning="The effort as you felt it, by your own word."),
    Term(
        key="load_from",
        label="Load taken from",
        kind="word",
        meaning="What the load was computed from.",
        convention=(
            "Power where there is a threshold for it, else graded pace, else heart rate, else how hard it felt "
            "(an hour at 7 of 10 counts 100), else an estimate."
        ),
        source="Coggan 2003 (power, pace); Banister 1991 (heart rate); Foster 2001 (effort × minutes)",
    ),
    Term(key="sport", label="Sport", kind="word", meaning="The sport of the recording."),
    Term(key="place", label="Where", kind="word", meaning="Outdoors, indoors, or in a virtual world."),
    Term(key="date", label="Date", kind="day", meaning="The day where it happened."),
    Term(
        key="moving",
        label="Moving",
        kind="duration",
        unit="s",
        meaning="Time on the move, a part of the timer.",
        convention="Faster than 0.5 m/s, walking and swimming 0.3 m/s; gaps up to 30 s judged by displacement.",
    ),
    Term(key="elapsed", label="Elapsed", kind="duration", unit="s", meaning="From start to end, pauses included."),
    Term(key="ascent", label="Ascent", kind="height", unit="m", meaning="Metres climbed, the device's own if given."),
    Term(
        key="pace",
        label="Pace",
        kind="pace",
        unit="m/s",
        meaning="Average pace.",
        convention="Distance over timer.",
    ),
    Term(
        key="swim_pace",
        label="Pace",
        kind="swim_pace",
        unit="m/s",
        meaning="Average pace.",
        convention="Distance over timer.",
    ),
    Term(
        key="speed",
        label="Speed",
        kind="speed",
        unit="m/s",
        meaning="Average speed.",
        convention="Distance over timer.",
    ),
    Term(
        key="graded_pace",
        label="Graded pace",
        kind="pace",
        unit="m/s",
        meaning="The pace on the flat that would have cost as much energy.",
        convention="Each stretch weighted by the cost of its grade, over at least 30 m of smoothed altitude.",
        source="Minetti 2002",
    ),
    Term(key="power_avg", label="Power", kind="power", unit="W", meaning="Average power, zeros counted."),
    Term(
        key="np",
        label="Normalized power",
        kind="power",
        unit="W",
        meaning="The even power that would have been as hard.",
        convention="Fourth root of the mean fourth power of the 30 s average; from 10 minutes on.",
        source="Coggan 2003",
    ),
    Term(
        key="intensity",
        label="Intensity factor",
        kind="ratio",
        meaning="How hard it was against your threshold, which is 1.00.",
        convention="Normalized power over FTP, or graded speed over threshold speed.",
        source="Coggan 2003",
    ),
    Term(
        key="variability",
        label="Variability",
        kind="ratio",
        meaning="How uneven power was; 1.00 is perfectly even. Intervals are uneven on purpose.",
        convention="Normalized power over average power.",
        source="Coggan",
    ),
    Term(
        key="heart_rate_avg",
        label="Heart rate",
        kind="heart_rate",
        unit="bpm",
        meaning="Average heart rate over timer time.",
    ),
    Term(
        key="heart_rate_max",
        label="Highest heart rate",
        kind="heart_rate",
        unit="bpm",
        meaning="The highest heart rate measured.",
    ),
    Term(
        key="efficiency",
        label="Effort per heartbeat",
        kind="ratio",
        meaning="What came out for each heartbeat.",
        convention="Normalized power in W, or graded speed in m/min, over average heart rate.",
        source="Friel",
        good="up",
    ),
    Term(
        key="decoupling",
        label="Decoupling",
        kind="signed_percent_tenths",
        unit="%",
        meaning="How much more the heart had to work for the same in the second half. Under 5 % is steady.",
        convention="Effort over heart rate, first against second half by timer; steady sessions from 40 minutes.",
        source="Friel",
        good="down",
    ),
    Term(key="cadence", label="Cadence", kind="cadence", unit="rpm", meaning="Average cadence, pauses left out."),
    Term(key="steps", label="Cadence", kind="steps", unit="rpm", meaning="Average steps a minute."),
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
    ),
    Term(
        key="interval_length",
        label="Length of an effort",
        kind="duration",
        unit="s",
        meaning="The median length of these efforts.",
    ),
    Term(
        key="interval_power",
        label="Power of the efforts",
        kind="power",
        unit="W",
        meaning="Average power during these efforts.",
    ),
    Term(
        key="interval_pace",
        label="Pace of the efforts",
        kind="pace",
        unit="m/s",
        meaning="Average graded pace during these efforts.",
    ),
    Term(
        key="trimp",
        label="Training impulse",
        kind="points",
        meaning="Minutes weighted by heart rate.",
        convention="Banister's TRIMP, summed by sample; where the sex is not said, with the weights for men.",
        source="Banister 1991",
    ),
    Term(key="energy", label="Energy", kind="energy", unit="kcal", meaning="Energy as the device gives it."),
    Term(
        key="peer_day",
        label="Last session like it",
        kind="day",
        meaning="The newest earlier session to compare with.",
        convention=LIKE,
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
    ),
    Term(
        key="peer_count",
        label="Sessions like it",
        kind="count",
        meaning="Earlier sessions this one can be compared with.",
        convention=LIKE,
    ),
    Term(
        key="peer_rank",
        label="Rank among them",
        kind="count",
        meaning="Its place among the sessions like it and itself.",
        convention=LIKE,
        good="down",
    ),
    Term(key="doubts", label="Doubts", kind="count", meaning="What was salvaged, masked or assumed; listed below."),
)
TERMS = with_chinese(HEAD + WHAT, chinese.TERMS)
