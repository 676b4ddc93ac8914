"""deploy/try as a newcomer meets it: two runs with files, one that stays up, and what it says when it cannot."""

import os
import signal
import socket
import subprocess
import zipfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
import requests

from coach.demo import athlete as demo

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 300
QUICK = {"AI_JOB_GAP_SECONDS": "0.5"}
OURS = ("DATABASE_URL", "COACH_", "AI_JOB", "JOBS_")


def environment(var: Path, **extra: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
    return kept | {"COACH_VAR": str(var)} | extra


def attempt(var: Path, *words: str | Path, **extra: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["sh", ROOT / "deploy" / "try", *words],
            env=environment(var, **extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        logs = [f"{log.name}:\n{log.read_text()[-3000:]}" for log in sorted(var.glob("log/*.log"))]
        return pytest.fail("\n".join([f"after {SECONDS} s:", (late.stdout or b"").decode(), *logs]))


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("clone") / "var"
    yield folder
    subprocess.run(["sh", ROOT / "deploy" / "database", "drop", "--yes"], env=environment(folder), check=True)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three weeks of recordings, some of them in a zip, and an empty file."""
    folder = tmp_path_factory.mktemp("recordings")
    today = date.today()  # noqa: DTZ011
    made = [file for ago in range(21, 0, -1) for file in demo.files_of(today - timedelta(days=ago))]
    for file in made[:-3]:
        (folder / file.name).write_bytes(file.data)
    with zipfile.ZipFile(folder / "rest.zip", "w") as archive:
        for file in made[-3:]:
            archive.writestr(file.name, file.data)
    (folder / "nothing.fit").touch()
    return folder


@pytest.fixture(scope="module")
def first(var: Path, files: Path) -> str:
    done = attempt(var, "--once", files, **QUICK)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_first_run_imports_and_writes_the_three_insights(first: str) -> None:
    assert "demo, password " in first
    assert "refused        nothing.fit: " in first
    assert "An archive of 3 files" in first
    for scope in ("-- activity ", "-- week ", "-- load current (builtin/"):
        assert scope in first


@pytest.fixture(scope="module")
def renewed(first: str, var: Path, files: Path) -> str:
    done = attempt(var, "--once", "--trial-gateway", files, **QUICK)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_second_run_reads_nothing_again_and_a_gateway_renews_what_the_narrator_wrote(renewed: str) -> None:
    assert "(shown this once)" not in renewed
    assert "files read" not in renewed
    assert "1 refused" in renewed
    assert "-- load current (model/trial/" in renewed


@pytest.mark.usefixtures("renewed")
def test_without_the_gateway_the_narrators_texts_are_back_and_the_site_stays_up_until_it_is_told_to_stop(
    var: Path, files: Path
) -> None:
    command = ["sh", str(ROOT / "deploy" / "try"), str(files)]
    with subprocess.Popen(command, env=environment(var), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address, said = "", ""
        for line in process.stdout:
            said += line
            address = line.split()[1] if line.startswith("Open http") else address
            if line.startswith("Ctrl-C"):
                break
        assert address, said
        assert requests.get(f"{address}healthz", timeout=10).text == "ok\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0, said
    assert "-- load current (builtin/" in said
    with pytest.raises(requests.ConnectionError):
        requests.get(f"{address}healthz", timeout=10)


def test_a_file_that_is_not_there_is_one_sentence(var: Path, tmp_path: Path) -> None:
    done = attempt(var, "--once", tmp_path / "ride.fit")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"deploy/try: There is no {tmp_path / 'ride.fit'}."


def test_a_port_that_is_taken_is_one_sentence(var: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        done = attempt(var, "--once", "--port", str(port))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"deploy/try: Port {port} on 127.0.0.1 is taken: choose another with --port."
