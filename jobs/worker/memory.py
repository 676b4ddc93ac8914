"""How much memory a process holds."""

import resource
from pathlib import Path

MEGABYTE = 1024 * 1024


def resident_mb(pid: int) -> float:
    """Return the megabytes that are in memory now; nothing of a process that has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * resource.getpagesize() / MEGABYTE
