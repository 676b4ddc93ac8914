"""Makes, starts and stops the server of one place; each function may be called again after being cut off."""

import os
import shutil
import time
from pathlib import Path

import psycopg
from psycopg import sql

from deploy.embedded import SetupError, binaries, kept, place
from deploy.embedded.account import run
from deploy.embedded.kept import Connection
from deploy.embedded.place import Place
from deploy.embedded.process import clear_stale_pid, end_of, free_port, is_free, last_line, postmaster

ATTEMPTS = 5
LOG_BYTES = 10 * 1024 * 1024


def start(where: Place, *, throwaway: bool = False) -> str:
    """Bring the server up and return its address; a throwaway one trades safety on power loss for speed."""
    connection = kept.read(where)
    if connection is not None and postmaster(where) and answers(connection):
        kept.publish(where, connection)
        return connection.url
    programs = binaries.folder(where.account, shared=place.SHARED)
    if connection is None or not where.data.exists():
        connection = make(where, programs)
    for attempt in range(ATTEMPTS):
        clear_stale_pid(where)
        if postmaster(where) is None and not is_free(connection.port):
            connection = connection.on(free_port())
        kept.write(where, connection, throwaway=throwaway)
        if launch(where, programs) and answers(connection):
            ensure_database(connection)
            kept.publish(where, connection)
            return connection.url
        time.sleep(attempt)  # the processes of a server that was killed may still be leaving
    raise SetupError(f"PostgreSQL did not start; {where.log} says: {end_of(where.log)}")


def make(where: Place, programs: Path) -> Connection:
    """Create the data folder whole or not at all."""
    if where.data.exists():
        raise SetupError(f"{where.home} lost its password: run `sh deploy/database drop --yes` to begin anew.")
    half = where.home / "data.new"
    shutil.rmtree(half, ignore_errors=True)
    connection = kept.new(free_port())
    password = kept.write_private(where, where.home / "initdb-password", connection.password)
    locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    login = ["--auth=scram-sha-256", f"--username={kept.USER}", f"--pwfile={password}"]
    done = run([programs / "initdb", "-D", half, *locale, *login], account=where.account, folder=where.home)
    password.unlink()
    if done.returncode:
        raise SetupError(f"PostgreSQL's data folder could not be made: {last_line(done.stdout)}")
    append(half / "postgresql.conf", "\ninclude = '../coach.conf'\n")
    kept.write(where, connection, throwaway=False)
    half.rename(where.data)
    return connection


def append(path: Path, content: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW), "a") as settings:
        settings.write(content)


def launch(where: Place, programs: Path) -> bool:
    if where.log.exists() and where.log.stat().st_size > LOG_BYTES:
        where.log.rename(where.log.with_suffix(".log.1"))
    return control(where, programs, "start", "-l", str(where.log), "-t", "60")


def control(where: Place, programs: Path, *words: str) -> bool:
    command = [str(programs / "pg_ctl"), *words, "-D", str(where.data), "-w", "-s"]
    return run(command, account=where.account, folder=where.home).returncode == 0


def stop(where: Place) -> bool:
    """Stop the server; False means that none ran."""
    pid = postmaster(where)
    if pid is not None:
        programs = binaries.folder(where.account, shared=place.SHARED)
        control(where, programs, "stop", "-m", "fast", "-t", "30")
        if postmaster(where) is not None:
            control(where, programs, "stop", "-m", "immediate", "-t", "30")
        if postmaster(where) is not None:
            raise SetupError(f"PostgreSQL (process {pid}) did not stop; {where.log} says: {end_of(where.log)}")
    where.url_file.unlink(missing_ok=True)
    return pid is not None


def drop(where: Place) -> None:
    """Stop the server and delete everything it holds."""
    stop(where)
    shutil.rmtree(where.home)
    place.forget(where)


def answers(connection: Connection) -> bool:
    """Say whether the server lets us in; one that is still recovering is given a minute."""
    until = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(connection.to("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError as error:
            if "starting up" not in str(error) or time.monotonic() > until:
                return False
            time.sleep(0.2)
        else:
            return True


def ensure_database(connection: Connection) -> None:
    with psycopg.connect(connection.to("postgres"), autocommit=True) as server:
        known = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [kept.DATABASE]).fetchone()
        if not known:
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(kept.DATABASE)))
