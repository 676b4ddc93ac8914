"""The job kinds of Coach, each calling one service."""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore

from coach import (
    accounts,
    aftermath,
    annotating,
    backfill,
    evaluating,
    exports,
    folders,
    imports,
    insights,
    mails,
    prefetch,
    quality,
    reading,
    schedules,
    thresholds,
    undo,
    uploads,
)
from jobs import api


@api.job(
    imports.KIND,
    label="An import",
    lane=lambda owner, subject, args: f"source:{args['source']}",
    timeout=6 * 3600,
    on_end=aftermath.of_import,
)
def read_files(run: api.Run) -> dict[str, int]:
    return reading.read(run)


@api.job(
    undo.KIND,
    label="Undoing an import",
    lane=lambda owner, subject, args: f"source:{args['source']}",
    timeout=6 * 3600,
    on_end=aftermath.of_undo,
)
def take_out(run: api.Run) -> dict[str, int]:
    return undo.undo(run)


@api.job(
    insights.KIND,
    label="An insight",
    pool=lambda owner, subject, args: insights.pool(model=args.get("model", True)),
    route=lambda: insights.route(),
)
def write_insight(run: api.Run) -> dict[str, Any]:
    return insights.write(run)


@api.job(
    annotating.KIND,
    label="Sentences about sessions",
    lane=lambda owner, subject, args: f"source:{args['source']}",
    pool=lambda owner, subject, args: annotating.pool(model=args.get("model", True)),
    route=lambda: insights.route(),
    timeout=24 * 3600,
)
def annotate(run: api.Run) -> dict[str, int]:
    return annotating.write(run)


@api.job(evaluating.KIND, label="An evaluation", pool="gateway", timeout=24 * 3600)
def evaluate(run: api.Run) -> dict[str, int]:
    return evaluating.write(run)


@api.job(thresholds.KIND, label="A recalculation", timeout=3600, on_end=thresholds.ended)
def recompute(run: api.Run) -> None:
    thresholds.recompute(run)


@api.job(thresholds.UPGRADE, label="A look at what an upgrade measures again", timeout=3600)
def after_upgrade(run: api.Run) -> dict[str, int]:
    return thresholds.upgrade(run)


@api.job(schedules.PREFETCH, label="The morning round")
def go_around(run: api.Run) -> dict[str, int]:
    return prefetch.around(run)


@api.job(backfill.KIND, label="A round of texts", timeout=600)
def fill_back(run: api.Run) -> dict[str, int]:
    return backfill.around(run)


@api.job(
    quality.KIND,
    label="A check of the data",
    lane=lambda owner, subject, args: f"source:{args['source']}",
    timeout=3600,
)
def check_source(run: api.Run) -> None:
    quality.profile(run)


@api.job(exports.KIND, label="An export", timeout=6 * 3600)
def export(run: api.Run) -> dict[str, int]:
    return exports.make(run)


@api.job(accounts.KIND, label="The end of an account", timeout=3600)
def close_account(run: api.Run) -> None:
    accounts.delete(run)


@api.job(folders.KIND, label="A look into the watched folders", timeout=3600)
def look_into_folders(run: api.Run) -> dict[str, int | str]:
    return folders.scan(run)


@api.job(uploads.KIND, label="Clearing up old uploads, exports and sessions")
def sweep_uploads(run: api.Run) -> dict[str, int]:
    SessionStore.clear_expired()
    return {"uploads": uploads.sweep(run), "exports": exports.prune()}


@api.job(mails.KIND, label="A letter", timeout=300)
def send_letter(run: api.Run) -> dict[str, int]:
    return mails.send(run)
