"""Lays the ground for Coach's settings: database, secret key, addresses, and a gateway if wished."""

import argparse
import logging
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.embedded.process import is_free
from deploy.tryout import ROOT, StepFailed, say, step, undisturbed
from deploy.tryout.children import Children, start

RUNS = 0
PORT = 8000


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
    port = chosen.port or next((port for port in range(PORT, PORT + 100) if is_free(port)), 0)
    if not port or not is_free(port):
        raise StepFailed(f"Port {port or PORT} on 127.0.0.1 is taken: choose another with --port.")
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "coach.settings",
        "COACH_VAR": str(var().resolve()),
        "COACH_HTTPS": "0",
        "COACH_HOSTS": "127.0.0.1,localhost",
        "COACH_BIND": f"127.0.0.1:{port}",
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
    port = next((port for port in range(PORT + 100, PORT + 200) if is_free(port)), 0)
    start(
        started,
        "gateway",
        ["manage.py", "trial_gateway", "--port", str(port), "--log", str(var() / "gateway.jsonl")],
    )
    os.environ |= {"COACH_GATEWAY_URL": f"http://127.0.0.1:{port}/v1", "COACH_GATEWAY_MODEL": "trial"}
    say(f"A small slow gateway writes at 127.0.0.1:{port}; its log is {var() / 'gateway.jsonl'}.")
