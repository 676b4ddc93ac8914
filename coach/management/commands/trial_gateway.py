"""Starts the trial gateway: a small slow upstream for trying Coach out, and for tests."""

import json
import signal
import threading
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from coach.trial import TrialGateway
from coach.trial.profiles import PROFILES, Profile
from coach.trial.server import Neighbourhood


class Command(BaseCommand):
    help = (
        "Serve chat completions on 127.0.0.1 slowly, with permits shared with made-up neighbours. "
        "GET /__log and /__stats tell what it saw; POST /__script tells what the next calls meet. With --profile it "
        "goes through a day of an upstream, such as a bad one, and says what each call meets."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=0, help="0 takes a free one and prints it")
        parser.add_argument("--delay", type=float, default=5.0, help="seconds until the first token")
        parser.add_argument("--pace", type=float, default=0.02, help="seconds a token")
        parser.add_argument("--permits", type=int, default=4, help="calls worked on at once")
        parser.add_argument("--neighbours", type=int, help="others who take permits: 3 with --profile, otherwise none")
        parser.add_argument("--hold", type=float, default=10.0, help="seconds a neighbour holds a permit")
        parser.add_argument("--rest", type=float, default=10.0, help="seconds a neighbour rests")
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same answers")
        parser.add_argument("--profile", choices=sorted(PROFILES), default="", help=days())
        parser.add_argument("--scale", type=float, default=1.0, help="seconds that a second of the profile lasts: 0.01")
        parser.add_argument("--log", type=Path, help="a file for one line of JSON a start and an end")
        parser.add_argument("--script", type=Path, help="a JSON file: the list of what the first calls meet")

    def handle(self, *args: Any, **options: Any) -> None:
        over = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: over.set())
        scale, asked = options["scale"], options["neighbours"]
        count = asked if asked is not None else 3 if options["profile"] else 0
        crowd = Neighbourhood(count=count, hold_s=options["hold"] * scale, rest_s=options["rest"] * scale)
        with TrialGateway(
            delay_s=options["delay"],
            pace_s=options["pace"],
            permits=options["permits"],
            seed=options["seed"],
            port=options["port"],
            log_path=options["log"],
            neighbourhood=crowd,
            profile=options["profile"],
            scale=scale,
            tell=self.tell,
        ) as gateway:
            if options["script"]:
                gateway.script(json.loads(options["script"].read_text(encoding="utf-8")))
            self.stdout.write(f"Trial gateway at {gateway.url}")
            if options["profile"]:
                self.explain(gateway.url, PROFILES[options["profile"]], scale=scale)
            self.stdout.flush()
            over.wait()

    def explain(self, url: str, profile: Profile, *, scale: float) -> None:
        self.stdout.write(f"{profile.name}: {profile.says}")
        self.stdout.write("".join(f"  {each.percent:5.1f} %  {each.name}\n" for each in profile.shares))
        if scale != 1:
            self.stdout.write(f"A minute of it lasts {60 * scale:g} s.")
        self.stdout.write(f"Have Coach use it: COACH_GATEWAY_URL={url}")
        self.stdout.write(f"What it saw: {url.removesuffix('/v1')}/__stats")

    def tell(self, said: str) -> None:
        """Say what a call meets, and when the weather changes."""
        self.stdout.write(f"{datetime.now(UTC):%H:%M:%S} {said}")
        self.stdout.flush()


def days() -> str:
    return "; ".join(f"{profile.name}: {profile.says}" for profile in PROFILES.values()).replace("%", "%%")
