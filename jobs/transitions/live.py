"""The lines that a running job has logged so far: asked of the slot that runs it, and stored nowhere."""

import time
import uuid

from django.db import connection

from jobs import sql
from jobs.transitions import wake

MOST_BYTES = 7900  # PostgreSQL notifies of less than 8,000
PATIENCE_S = 0.5

# Asks the worker to have one of its slots tell.
ASK = "SELECT pg_notify('jobs_worker_' || replace(%(worker)s::text, '-', ''), 'lines ' || %(slot)s)"

TELL = "SELECT pg_notify(%(channel)s, %(text)s)"

UNLISTEN = "UNLISTEN "


def lines(worker: uuid.UUID, slot: int, token: uuid.UUID) -> str | None:
    """Return the newest lines of the attempt; None when nobody answers, as through a pooler that passes no word on.

    Whoever looks at the same attempt meanwhile hears the same answer.
    """
    if connection.in_atomic_block:  # what is asked in it goes out at its end
        return None
    channel = _channel(token)
    wake.listen(channel)
    try:
        sql.rows(ASK, worker=str(worker), slot=str(slot))
        until = time.monotonic() + PATIENCE_S
        while (left := until - time.monotonic()) > 0:
            for heard, text in wake.heard(left):
                if heard == channel:
                    return text
        return None
    finally:
        sql.run(UNLISTEN + channel)


def tell(token: uuid.UUID, text: str) -> None:
    """Answer whoever asked for the lines of this attempt."""
    sql.rows(TELL, channel=_channel(token), text=_newest(text))


def _newest(text: str) -> str:
    """Return the last whole lines that fit into one notification."""
    encoded = text.encode()
    if len(encoded) <= MOST_BYTES:
        return text
    _, _, whole = encoded[-MOST_BYTES:].partition(b"\n")
    return whole.decode()


def _channel(token: uuid.UUID) -> str:
    return f"jobs_lines_{token.hex}"
