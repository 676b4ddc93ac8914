"""Who changed what, appended in the transaction of the change."""

import json
from typing import Any

from jobs import sql

WRITE = """
INSERT INTO jobs_audit (actor, action, target, old, new)
VALUES (%(actor)s, %(action)s, %(target)s, %(old)s::jsonb, %(new)s::jsonb)
"""


def write(actor: str, action: str, target: str, *, old: Any = None, new: Any = None) -> None:
    sql.run(
        WRITE,
        actor=actor[:150],
        action=action,
        target=target[:200],
        old=None if old is None else json.dumps(old),
        new=None if new is None else json.dumps(new),
    )
