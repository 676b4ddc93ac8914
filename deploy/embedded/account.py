"""Who runs PostgreSQL: whoever runs the script, except root, for whom it is a system user of its own."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.embedded import SetupError

NAME = "coach-postgres"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account other than the one that runs the script; only root can act as one."""

    uid: int
    gid: int


def current() -> Account | None:
    """Return the account to run PostgreSQL as, made when missing; None means as oneself."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(NAME)
    except KeyError:
        create()
        entry = pwd.getpwnam(NAME)
    return Account(uid=entry.pw_uid, gid=entry.pw_gid)


def create() -> None:
    if not shutil.which("useradd"):
        raise SetupError(f"PostgreSQL does not run as root: add a system user {NAME}, or set DATABASE_URL.")
    command = [
        "useradd",
        "--system",
        "--user-group",
        "--no-create-home",
        "--shell",
        "/usr/sbin/nologin",
        NAME,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and not exists():  # another run may have made it at the same moment
        raise SetupError(f"The system user {NAME} could not be made: {done.stderr.strip()}")


def exists() -> bool:
    try:
        pwd.getpwnam(NAME)
    except KeyError:
        return False
    return True


def run(
    command: Sequence[str | Path], *, account: Account | None, folder: Path, seconds: float = 90
) -> subprocess.CompletedProcess[str]:
    """Run a program as the account, in a folder it may enter, blind to the caller's PG* variables."""
    given = {} if account is None else {"user": account.uid, "group": account.gid, "extra_groups": []}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command,
        cwd=folder,
        env={"PATH": os.defpath, "LC_ALL": "C", "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=seconds,
        start_new_session=True,
        check=False,
        **given,
    )
