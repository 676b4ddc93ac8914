"""What can be wrong with how Coach is set up."""

from typing import Any

from django.conf import settings
from django.core import checks


@checks.register()
def watched_folder(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """The folder that is watched should be there; nothing makes it, for it may be a disk that is not mounted."""
    if settings.WATCH is None or settings.WATCH.is_dir():
        return []
    hint = "Make the folder, or mount its disk; files put there are imported as soon as it is back."
    return [checks.Warning(f"COACH_WATCH names {settings.WATCH}, which is no folder.", hint=hint, id="coach.W010")]
