"""Takes a newcomer from a fresh clone to insights on a screen; sh deploy/try runs it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StepFailed(Exception):
    """What did not work, as one sentence for the person at the terminal."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Finish what must be finished whatever the person presses."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def step(title: str) -> None:
    print(f"\n== {title}", flush=True)


def say(text: str) -> None:
    print(text, flush=True)
