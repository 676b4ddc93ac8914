"""Makes .venv and installs the pinned requirements, only when they changed; needs nothing but Python."""

import argparse
import fcntl
import hashlib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = "requirements.txt"
TESTS = "tests/requirements.txt"


class SetupError(Exception):
    """What went wrong, as one sentence for the person at the terminal."""


def say(text: str) -> None:
    print(text, flush=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let a second run that starts at the same moment wait for the first."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def works(venv: Path) -> bool:
    """Say whether the environment is whole: it runs, it has pip, and no installation broke off in it."""
    python = venv / "bin" / "python"
    if not python.exists() or (venv / "installing").exists():
        return False
    question = "import sys, pip; sys.exit(sys.version_info < (3, 12))"
    return subprocess.run([python, "-c", question], capture_output=True, check=False).returncode == 0


def make(venv: Path) -> None:
    if venv.exists() or venv.is_symlink():
        say("Making .venv anew: the one here is broken or half made.")
        venv.unlink() if venv.is_symlink() else shutil.rmtree(venv)
    else:
        say(f"Making .venv with Python {sys.version_info.major}.{sys.version_info.minor}.")
    done = subprocess.run([sys.executable, "-m", "venv", venv], capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(venv, ignore_errors=True)
        raise SetupError(f"{sys.executable} could not make .venv: {last_line(done.stdout + done.stderr)}")


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason was given."])[-1]


def stamp(names: Sequence[str]) -> str:
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in names)).hexdigest()


def is_current(venv: Path, name: str, wanted: str) -> bool:
    kept = venv / f"installed-{Path(name).parent.name or 'run'}"
    return kept.exists() and kept.read_text() == wanted


def record(venv: Path, name: str, wanted: str) -> None:
    (venv / f"installed-{Path(name).parent.name or 'run'}").write_text(wanted)


def install(venv: Path, name: str) -> None:
    """Run pip, showing a line for each package; a mark stays behind when it breaks off."""
    say(f"Installing {name} (a minute or two the first time).")
    (venv / "installing").touch()
    flags = ["--no-input", "--disable-pip-version-check", "-r", name]
    lines: list[str] = []
    with subprocess.Popen(
        [str(venv / "bin" / "python"), "-m", "pip", "install", *flags],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as pip:
        for line in pip.stdout or ():
            lines.append(line)
            if line.startswith("Collecting "):
                say("  " + line.split()[1])
            elif line.startswith("Installing collected"):
                say("  unpacking")
    if pip.returncode:
        sys.stderr.write("".join(lines[-15:]))
        raise SetupError(f"pip could not install {name}; its last lines are above.")
    (venv / "installing").unlink()


def prepare(*, with_tests: bool) -> None:
    venv = ROOT / ".venv"
    names = [RUN, TESTS] if with_tests else [RUN]
    with locked(ROOT / "var" / "setup.lock"):
        if not works(venv):
            make(venv)
        wanted = stamp(names)
        if is_current(venv, names[-1], wanted):
            return
        started = time.monotonic()
        install(venv, names[-1])
        for count in range(1, len(names) + 1):
            record(venv, names[count - 1], stamp(names[:count]))
        say(f"Installed in {time.monotonic() - started:.0f} s.")


def main() -> int:
    parser = argparse.ArgumentParser(description="Make or refresh .venv.")
    parser.add_argument("--tests", action="store_true", help="also what the checks need")
    try:
        prepare(with_tests=parser.parse_args().tests)
    except (SetupError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
