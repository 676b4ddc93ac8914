"""What ended when: an hour, a day and a week of attempts, from counts kept beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from jobs import sql

WELL = ("succeeded",)
KEPT = ("partial", "snoozed", "yielded", "drained", "stopped")  # nobody's failure
HEIGHT, WIDTH, GAP = 48, 480, 2

# Every bar of the range, also those in which nothing ended.
BARS = """
SELECT bar.at, coalesce(sum(t.number) FILTER (WHERE t.outcome = ANY(%(well)s)), 0)::int AS well,
       coalesce(sum(t.number) FILTER (WHERE t.outcome = ANY(%(kept)s)), 0)::int AS kept,
       coalesce(sum(t.number) FILTER (WHERE NOT t.outcome = ANY(%(quiet)s)), 0)::int AS badly
FROM generate_series(
    date_bin(make_interval(secs => %(step)s), clock_timestamp() - make_interval(secs => %(range)s), 'epoch')
        + make_interval(secs => %(step)s),
    clock_timestamp(), make_interval(secs => %(step)s)) bar(at)
LEFT JOIN jobs_tally t ON t.at >= bar.at AND t.at < bar.at + make_interval(secs => %(step)s)
GROUP BY bar.at ORDER BY bar.at
"""

RANGES = (
    ("hour", timedelta(hours=1), timedelta(minutes=5)),
    ("day", timedelta(days=1), timedelta(hours=1)),
    ("week", timedelta(days=7), timedelta(hours=6)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    at: datetime
    well: int
    kept: int
    badly: int
    x: float = 0  # in a drawing of WIDTH by HEIGHT
    width: float = 0
    tops: tuple[float, float, float] = (0, 0, 0)  # of well, kept, badly, stacked from the ground
    heights: tuple[float, float, float] = (0, 0, 0)

    @property
    def total(self) -> int:
        return self.well + self.kept + self.badly


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    name: str
    bars: tuple[Bar, ...]

    @property
    def sentence(self) -> str:
        well, kept, badly = (sum(getattr(bar, name) for bar in self.bars) for name in ("well", "kept", "badly"))
        if not well + kept + badly:
            return f"Nothing ended in the last {self.name}."
        said = [f"{well:,} succeeded"]
        said += [f"{kept:,} were stopped, put off or done in part"] if kept else []
        said += [f"{badly:,} failed or met an upstream that was down"] if badly else []
        return f"In the last {self.name}: {', '.join(said)}."

    @property
    def is_empty(self) -> bool:
        return not any(bar.total for bar in self.bars)

    @property
    def begins(self) -> datetime:
        return self.bars[0].at


def charts() -> tuple[Chart, ...]:
    return tuple(Chart(name=name, bars=_drawn(_bars(span, step))) for name, span, step in RANGES)


def _bars(span: timedelta, step: timedelta) -> list[Bar]:
    seconds = {"range": span.total_seconds(), "step": step.total_seconds()}
    return [Bar(**row) for row in sql.rows(BARS, **seconds, well=list(WELL), kept=list(KEPT), quiet=[*WELL, *KEPT])]


def _drawn(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    most = max((bar.total for bar in bars), default=0) or 1
    width = WIDTH / len(bars)
    return tuple(_placed(bar, number * width, width - GAP, HEIGHT / most) for number, bar in enumerate(bars))


def _placed(bar: Bar, x: float, width: float, scale: float) -> Bar:
    heights = (bar.well * scale, bar.kept * scale, bar.badly * scale)
    tops = (HEIGHT - heights[0], HEIGHT - heights[0] - heights[1], HEIGHT - sum(heights))
    return Bar(
        at=bar.at,
        well=bar.well,
        kept=bar.kept,
        badly=bar.badly,
        x=round(x, 1),
        width=round(width, 1),
        tops=(round(tops[0], 1), round(tops[1], 1), round(tops[2], 1)),
        heights=(round(heights[0], 1), round(heights[1], 1), round(heights[2], 1)),
    )
