"""sh deploy/database start|stop|status|url|drop: the embedded PostgreSQL of this clone."""

import argparse
import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from deploy.embedded import SetupError, kept, place, server
from deploy.embedded.place import Place
from deploy.embedded.process import postmaster

ROOT = Path(__file__).resolve().parent.parent.parent
IN_USE = "DATABASE_URL is set, so that database is used and no other is started."


def given_url() -> str:
    """Return the address of a database of the operator's own, or nothing."""
    path = os.environ.get("DATABASE_URL_FILE", "")
    return os.environ.get("DATABASE_URL", "").strip() or (Path(path).read_text().strip() if path else "")


def reach(url: str) -> None:
    try:
        psycopg.connect(url, connect_timeout=10).close()
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        raise SetupError(f"The database of DATABASE_URL cannot be reached: {reason}") from error


@contextmanager
def locked(var: Path) -> Iterator[Place]:
    """One script at a time works on a place; a second waits."""
    var.mkdir(parents=True, exist_ok=True)
    with (var / "database.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield place.find(var)


def start(options: argparse.Namespace) -> int:
    if given_url():
        print(IN_USE)
        reach(given_url())
        return 0
    with locked(options.var) as where:
        if postmaster(where) is None:
            print("Starting PostgreSQL." if where.data.exists() else "Making a database.", flush=True)
        server.start(where, throwaway=options.throwaway)
        print(describe(where))
    return 0


def stop(options: argparse.Namespace) -> int:
    if given_url():
        print(IN_USE)
        return 0
    with locked(options.var) as where:
        print("PostgreSQL is stopped." if server.stop(where) else "PostgreSQL was not running.")
    return 0


def status(options: argparse.Namespace) -> int:
    if given_url():
        print(IN_USE)
        return 0
    with locked(options.var) as where:
        running = postmaster(where) is not None
        print(describe(where) if running else f"PostgreSQL is not running; its files are in {where.home}.")
    return 0 if running else 3


def url(options: argparse.Namespace) -> int:
    mine = options.var / "database-url"
    if not given_url() and not mine.exists():
        raise SetupError("PostgreSQL is not running: start it with `sh deploy/database start`.")
    print(given_url() or mine.read_text())
    return 0


def drop(options: argparse.Namespace) -> int:
    if not options.yes:
        raise SetupError("This deletes the database and all it holds: say `sh deploy/database drop --yes`.")
    with locked(options.var) as where:
        server.drop(where)
        print("The database is deleted.")
    return 0


def describe(where: Place) -> str:
    connection = kept.read(where)
    port = connection.port if connection else "?"
    return f"PostgreSQL answers at 127.0.0.1:{port}; its files are in {where.home}."


def main() -> int:
    parser = argparse.ArgumentParser(prog="sh deploy/database", description="This clone's own PostgreSQL.")
    var = Path(os.environ.get("COACH_VAR") or ROOT / "var")
    parser.add_argument("--var", type=Path, default=var, help="default: var/")
    commands = parser.add_subparsers(required=True, metavar="start|stop|status|url|drop")
    for command in (start, stop, status, url, drop):
        sub = commands.add_parser(command.__name__)
        sub.set_defaults(command=command)
        if command is start:
            sub.add_argument("--throwaway", action="store_true", help="fast, unsafe on power loss: for tests")
        if command is drop:
            sub.add_argument("--yes", action="store_true", help="really delete")
    options = parser.parse_args()
    options.var = options.var.resolve()
    try:
        return int(options.command(options))
    except (SetupError, OSError, psycopg.Error) as error:
        print(f"deploy/database: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
