"""What DATABASE_URL says."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError, conninfo


def parts(url: str) -> dict[str, Any]:
    """Return the parts of the address. No message holds its text: a password is in it."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql:// (Coach runs on PostgreSQL only).")
    try:
        found = dict(conninfo.conninfo_to_dict(url))
    except ProgrammingError:
        found = {"port": "none"}
    if not str(found.get("port") or 5432).isdecimal():
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read: write postgresql://user:password@host:port/name, "
            "and in the password %40 for @, %3A for :, %2F for / and %25 for %."
        )
    return found
