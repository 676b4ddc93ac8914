"""The job kinds of Coach, each calling one service."""

from typing import Any

from coach import imports, insights, prefetch, reading, schedules, thresholds
from jobs import api


@api.job(
    imports.KIND,
    label="An import",
    lane=lambda owner, subject, args: f"source:{args['source']}",
    timeout=6 * 3600,
)
def read_files(run: api.Run) -> dict[str, int]:
    return reading.read(run)


@api.job(insights.KIND, label="An insight", pool=lambda owner, subject, args: insights.pool())
def write_insight(run: api.Run) -> dict[str, Any]:
    return insights.write(run)


@api.job(thresholds.KIND, label="A recalculation", timeout=3600)
def recompute(run: api.Run) -> None:
    thresholds.recompute(run)


@api.job(schedules.PREFETCH, label="The morning round")
def go_around(run: api.Run) -> dict[str, int]:
    return prefetch.around(run)
