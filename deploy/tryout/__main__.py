"""sh deploy/try: chooses what to do from the command line, and always stops what it started."""

import argparse
import fcntl
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from deploy.tryout import ENDINGS, StepFailed, address, children, ground, say
from deploy.tryout.children import Children


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="sh deploy/try",
        description="Set up Coach on this machine, import recordings, and leave the site up until Ctrl-C. "
        "Without a file or folder it imports a demo athlete of 18 months, made on the spot.",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE OR FOLDER", help="FIT, GPX, TCX, .gz or zip")
    parser.add_argument("--once", action="store_true", help="stop everything after the report")
    parser.add_argument("--trial-gateway", action="store_true", help="let a small slow gateway of our own write")
    parser.add_argument("--port", type=int, help="of the site on 127.0.0.1 (default: 8000, or one that is free)")
    return parser.parse_args()


@contextmanager
def alone(var: Path) -> Iterator[None]:
    """Let one run at a time work in a clone."""
    var.mkdir(parents=True, exist_ok=True)
    with (var / "try.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StepFailed("deploy/try already runs in this clone: end it there with Ctrl-C.") from None
        yield


def interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> int:
    chosen = options()
    for number in ENDINGS:
        if (number, signal.getsignal(number)) != (signal.SIGHUP, signal.SIG_IGN):  # nohup means it
            signal.signal(number, interrupt)
    started = Children()
    fine: bool | None = None  # None: not there yet
    try:
        missing = [str(path) for path in chosen.paths if not path.exists()]
        if missing:
            raise StepFailed(f"There is no {missing[0]}.")
        with alone(ground.var()), ground.database():
            try:
                listener = address.bind(chosen.port)
                ground.lay(chosen, started)
                from deploy.tryout import visit  # needs the settings, which need the ground

                fine = visit.through(chosen, started, listener)
                if not chosen.once:
                    visit.stay(started, listener)
            finally:
                children.stop(started)
    except StepFailed as failure:
        say(f"\ndeploy/try: {failure}")
        return 1
    except (ImproperlyConfigured, DatabaseError) as error:
        say(f"\ndeploy/try: {error}")
        return 1
    except KeyboardInterrupt:
        say("\nStopped. Everything is kept: run it again to go on.")
        return 130 if fine is None else 0 if fine else 1
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
