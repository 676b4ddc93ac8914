"""Which Chromium the browser tests and the screenshots use, and how it is started."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str | None:
    """Return the path of the first one that is installed."""
    return next((path for path in map(shutil.which, NAMES) if path), None)
