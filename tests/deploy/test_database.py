"""The embedded server starts, survives and stays private. Each test has a clone's var/ of its own."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("DATABASE_URL", "COACH_VAR"))}


def command(var: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "deploy.embedded", "--var", str(var), *words]


def database(var: Path, *words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(var, *words), cwd=ROOT, env=ENVIRONMENT | extra, capture_output=True, text=True, check=False
    )


@pytest.fixture
def var(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "a clone" / "var"
    folder.mkdir(parents=True)
    yield folder
    for left in tmp_path.glob("*/var"):
        database(left, "drop", "--yes")


@pytest.fixture
def url(var: Path) -> str:
    return started(var)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A server for the tests that only look."""
    folder = tmp_path_factory.mktemp("clone") / "var"
    started(folder)
    yield folder
    database(folder, "drop", "--yes")


def started(var: Path) -> str:
    done = database(var, "start", "--throwaway")
    assert done.returncode == 0, done.stderr
    return address(var)


def address(var: Path) -> str:
    return (var / "database-url").read_text()


def postmaster(url: str) -> int:
    """Return the process id of the server behind an address."""
    with psycopg.connect(url) as server:
        row = server.execute("SELECT pg_read_file('postmaster.pid')").fetchone()
    assert row is not None
    return int(row[0].split()[0])


def data(url: str) -> Path:
    with psycopg.connect(url) as server:
        row = server.execute("SHOW data_directory").fetchone()
    assert row is not None
    return Path(row[0])


def remember(url: str) -> None:
    with psycopg.connect(url) as server:
        server.execute("CREATE TABLE kept AS SELECT 1 AS value")


def remembers(var: Path) -> bool:
    with psycopg.connect(address(var)) as server:
        return server.execute("SELECT to_regclass('kept') IS NOT NULL").fetchone() == (True,)


def test_a_second_start_finds_the_server_running(running: Path) -> None:
    first = postmaster(address(running))
    assert database(running, "start").returncode == 0
    assert postmaster(address(running)) == first


def test_the_address_is_for_the_owner_alone(running: Path) -> None:
    assert (running / "database-url").stat().st_mode & 0o777 == 0o600
    assert data(address(running)).parent.stat().st_mode & 0o077 == 0


def test_a_wrong_password_is_refused(running: Path) -> None:
    place = address(running).partition("@")[2]
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://coach:guess@{place}")


def test_text_is_utf8_and_sorted_alike_on_every_machine(running: Path) -> None:
    columns = "pg_encoding_to_char(encoding), datlocprovider, datlocale"
    with psycopg.connect(address(running)) as server:
        found = server.execute(f"SELECT {columns} FROM pg_database WHERE datname = 'coach'").fetchone()  # noqa: S608
    assert found == ("UTF8", "b", "C.UTF-8")


def test_after_kill_9_the_next_start_recovers_everything(var: Path, url: str) -> None:
    remember(url)
    os.kill(postmaster(url), signal.SIGKILL)
    done = database(var, "start")
    assert done.returncode == 0, done.stderr
    assert remembers(var)


def test_a_process_number_that_another_program_has_now_stops_nothing(var: Path, url: str) -> None:
    folder = data(url)
    database(var, "stop")
    assert database(var, "status").returncode == 3
    (folder / "postmaster.pid").write_text(f"{os.getpid()}\n{folder}\n")
    done = database(var, "start")
    assert done.returncode == 0, done.stderr


def test_two_starts_at_the_same_moment_make_one_server(var: Path) -> None:
    both = [
        subprocess.Popen(command(var, "start", "--throwaway"), cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert [process.wait(60) for process in both] == [0, 0]
    assert database(var, "status").returncode == 0


def test_two_clones_run_side_by_side_and_a_copy_never_takes_its_originals_data(var: Path, url: str) -> None:
    remember(url)
    other = var.parent.parent / "a copy" / "var"
    shutil.copytree(var, other, ignore=shutil.ignore_patterns("postgres"))
    assert postmaster(started(other)) != postmaster(url)
    assert not remembers(other)


def test_a_clone_that_was_moved_keeps_its_data(var: Path, url: str) -> None:
    remember(url)
    database(var, "stop")
    moved = var.parent.rename(var.parent.parent / "moved") / "var"
    done = database(moved, "start")
    assert done.returncode == 0, done.stderr
    assert remembers(moved)


def test_a_port_that_somebody_took_is_left_to_them(var: Path, url: str) -> None:
    database(var, "stop")
    port = int(url.rpartition(":")[2].partition("/")[0])
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import socket\ns = socket.create_server(('127.0.0.1', {port}))\nprint(flush=True)\ninput()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert database(var, "start").returncode == 0
        assert f":{port}/" not in address(var)
        holder.terminate()


def test_a_given_database_is_used_and_none_is_started(var: Path) -> None:
    given = "postgresql://coach:wrong@127.0.0.1:1/coach"
    done = database(var, "start", DATABASE_URL=given)
    assert done.returncode == 1
    assert done.stderr.startswith("deploy/database: The database of DATABASE_URL cannot be reached: ")
    assert database(var, "url", DATABASE_URL=given).stdout.strip() == given
    assert list(var.iterdir()) == []


def test_the_data_are_deleted_only_when_that_was_said(var: Path, url: str) -> None:
    assert database(var, "drop").returncode == 1
    folder = data(url)
    assert database(var, "drop", "--yes").returncode == 0
    assert not folder.exists()
