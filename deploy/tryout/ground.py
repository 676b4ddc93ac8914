"""Lays the ground for Coach's settings: database, secret key, and a gateway if wished."""

import argparse
import logging
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.tryout import ROOT, StepFailed, say, step, undisturbed
from deploy.tryout.children import Child, Children, check, start

RUNS = 0
SECONDS = 30


def var() -> Path:
    return Path(os.environ.get("COACH_VAR") or ROOT / "var")


@contextmanager
def database() -> Iterator[None]:
    """Start the embedded server and stop it at the end, except one that ran before."""
    step("Database")
    ran_before = tell_database("status", quiet=True) == RUNS
    if tell_database("start") != 0:
        raise StepFailed("The database did not start; the sentence above says why.")
    try:
        yield
    finally:
        if not ran_before:
            with undisturbed():
                tell_database("stop", quiet=True)


def tell_database(word: str, *, quiet: bool = False) -> int:
    command = [sys.executable, "-P", "-m", "deploy.embedded", word]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    # In a session of its own, so that a Ctrl-C meant for the site does not break off the start or stop.
    done = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.DEVNULL if quiet else None,
        check=False,
        start_new_session=True,
    )
    return done.returncode


def lay(chosen: argparse.Namespace, started: Children) -> None:
    """Set what the settings of this process and of every child are read from."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "coach.settings",
        "COACH_VAR": str(var().resolve()),
        "COACH_HTTPS": "0",
        "COACH_HOSTS": "127.0.0.1,localhost",
        "PYTHONUNBUFFERED": "1",
    }
    keep_secret_key()
    if chosen.trial_gateway:
        start_gateway(started)
    import django

    django.setup()
    logging.getLogger().setLevel(logging.WARNING)  # the children keep logs; here a person reads


def keep_secret_key() -> None:
    path = var() / "secret-key"
    if os.environ.get("COACH_SECRET_KEY") or os.environ.get("COACH_SECRET_KEY_FILE") or path.exists():
        return
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
        handle.write(secrets.token_urlsafe(64))
    fresh.replace(path)


def start_gateway(started: Children) -> None:
    step("Trial gateway")
    log = var() / "gateway.jsonl"
    child = start(started, "gateway", ["manage.py", "trial_gateway", "--log", str(log)])
    url = announced(child, started)
    os.environ |= {"COACH_GATEWAY_URL": url, "COACH_GATEWAY_MODEL": "trial"}
    say(f"A small slow gateway writes at {url}; its log is {log}.")


def announced(child: Child, started: Children) -> str:
    """Wait for the address that the gateway prints when it listens."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = re.search(r" at (http\S+)\n", child.log.read_text())
        if found:
            return found[1]
        check(started)
        time.sleep(0.1)
    raise StepFailed(f"The trial gateway did not start within {SECONDS} s; see {child.log}.")
