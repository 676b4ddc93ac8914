"""What is kept beside the data: port and password, the server's settings, and the address for Coach."""

import json
import os
import secrets
from dataclasses import dataclass, replace
from pathlib import Path

from deploy.embedded.place import Place

USER = DATABASE = "coach"

SETTINGS = """\
# Written by deploy/database at every start; ALTER SYSTEM overrides it.
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
max_connections = 100
shared_buffers = '256MB'
effective_cache_size = '1GB'
max_wal_size = '2GB'
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
"""
THROWAWAY = """\
fsync = off
full_page_writes = off
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    port: int
    password: str

    def on(self, port: int) -> "Connection":
        return replace(self, port=port)

    def to(self, database: str) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    @property
    def url(self) -> str:
        return self.to(DATABASE)


def new(port: int) -> Connection:
    return Connection(port=port, password=secrets.token_urlsafe(24))


def random_port() -> int:
    return 20_000 + secrets.randbelow(12_000)


def read(where: Place) -> Connection | None:
    try:
        kept = json.loads((where.home / "connection.json").read_text())
        return Connection(port=int(kept["port"]), password=str(kept["password"]))
    except (OSError, ValueError, KeyError):
        return None


def write(where: Place, connection: Connection, *, throwaway: bool) -> None:
    content = json.dumps({"port": connection.port, "password": connection.password})
    write_private(where, where.home / "connection.json", content)
    settings = SETTINGS.format(port=connection.port) + (THROWAWAY if throwaway else "")
    write_private(where, where.home / "coach.conf", settings)


def publish(where: Place, connection: Connection) -> None:
    """Tell Coach the address; the file is the caller's, not the server's."""
    if not where.url_file.exists() or where.url_file.read_text() != connection.url:
        replace_private(where.url_file, connection.url)


def write_private(where: Place, path: Path, content: str) -> Path:
    """Write a file of the server's account that nobody else reads."""
    replace_private(path, content)
    if where.account is not None:
        os.chown(path, where.account.uid, where.account.gid, follow_symlinks=False)
    return path


def replace_private(path: Path, content: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
        handle.write(content)
    fresh.replace(path)
