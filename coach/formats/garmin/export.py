"""The directory of Garmin's account export: which files say something of training or of days."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

FOLDER = "di_connect"
READ = re.compile(r"summarizedactivities|sleepdata|healthstatusdata|^udsfile|biometrics?(?!profile)")
OTHER = frozenset({".json", ".csv", ".txt", ".html", ".htm", ".xml", ".pdf", ".jpg", ".jpeg", ".png", ".gif", ".mp4"})
NO_TRAINING = "It holds settings or other matters of your Garmin account, no training; it stays in the archive."


def holds(names: Iterable[str]) -> bool:
    """Say whether these are the names of Garmin's export."""
    return any(FOLDER in PurePosixPath(name.lower()).parts[:-1] for name in names)


def ignored(name: str) -> str:
    """Return why a file is not read; "" when it may say something."""
    path = PurePosixPath(name.lower())
    if path.suffix == ".json" and READ.search(path.name):
        return ""
    return NO_TRAINING if path.suffix in OTHER else ""
