"""Where the server of one clone keeps its files."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from deploy.embedded import SetupError, account
from deploy.embedded.account import Account

SHARED = Path("/var/lib/coach")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    var: Path  # of the clone: holds the address
    home: Path  # of the server: its data, settings, log and password
    account: Account | None

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def log(self) -> Path:
        return self.home / "postgres.log"

    @property
    def url_file(self) -> Path:
        return self.var / "database-url"


def find(var: Path) -> Place:
    """Return the clone's place and make its folders; as root they lie outside the clone."""
    var.mkdir(parents=True, exist_ok=True)
    within = var / "postgres"
    if os.geteuid() != 0:
        if (var / "database-id").exists():
            raise SetupError(f"Root made the database of {var}: run this as root, or set DATABASE_URL.")
        within.mkdir(mode=0o700, exist_ok=True)
        return Place(var=var, home=within, account=None)
    if within.exists():
        raise SetupError(f"The database in {within} is not root's: run this as its owner.")
    who = account.current()
    SHARED.mkdir(mode=0o755, parents=True, exist_ok=True)
    return Place(var=var, home=outside(var, who), account=who)


def outside(var: Path, who: Account | None) -> Path:
    """Return this clone's own folder: a clone that was moved keeps it, a copy of a clone gets a new one."""
    mark = var / "database-id"
    name = mark.read_text().strip() if mark.exists() else ""
    if not name or is_of_another(var, name):
        name = secrets.token_hex(6)
        mark.write_text(name)
    home = SHARED / name
    if not home.exists():
        home.mkdir(mode=0o700)
        if who is not None:
            os.chown(home, who.uid, who.gid)
    owner_file(name).write_text(str(var.resolve()))
    return home


def owner_file(name: str) -> Path:
    """Name the file that says whose a folder is; it lies beside it, as the folder is not root's to trust."""
    return SHARED / f"{name}.belongs-to"


def is_of_another(var: Path, name: str) -> bool:
    try:
        owner = Path(owner_file(name).read_text())
        return owner != var.resolve() and (owner / "database-id").read_text().strip() == name
    except OSError:
        return False


def forget(where: Place) -> None:
    owner_file(where.home.name).unlink(missing_ok=True)
    (where.var / "database-id").unlink(missing_ok=True)
