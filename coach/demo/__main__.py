"""Writes the demo athlete's files into a folder: python -m coach.demo OUTDIR --until 2026-11-30."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from coach.demo.athlete import MONTHS, recordings


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    files = size = 0
    for file in recordings(until=options.until, months=options.months, seed=options.seed):
        (folder / file.name).write_bytes(file.data)
        files, size = files + 1, size + len(file.data)
    sys.stdout.write(f"Wrote {files} files, {size / 1e6:.1f} MB, to {folder}.\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coach.demo", description="Write the demo athlete's recordings.")
    parser.add_argument("folder", type=Path, metavar="OUTDIR", help="the folder to write into; made when missing")
    parser.add_argument("--months", type=int, default=MONTHS, help="how many months (default: %(default)s)")
    parser.add_argument(
        "--until",
        type=date.fromisoformat,
        default=datetime.now(UTC).date() - timedelta(days=1),
        metavar="YYYY-MM-DD",
        help="the last day (default: yesterday)",
    )
    parser.add_argument("--seed", type=int, default=1, help="another number makes another athlete's weather and hills")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
