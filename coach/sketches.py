"""Keeps the sketch of each session beside it; called wherever what is derived of an activity is written."""

from collections.abc import Mapping
from typing import Any

from coach.models import Sketch


def keep(activity: int, drawn: Mapping[str, Any], *, is_new: bool) -> None:
    """Write the sketch of an activity in place of the one it had; none where there are no samples."""
    if drawn:
        Sketch.objects.bulk_create(
            [Sketch(activity_id=activity, drawn=drawn)],
            update_conflicts=True,
            unique_fields=["activity"],
            update_fields=["drawn"],
        )
    elif not is_new:
        Sketch.objects.filter(activity=activity).delete()
