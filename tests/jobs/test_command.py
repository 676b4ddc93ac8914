"""`manage.py jobs`."""

import socket
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from jobs import api
from jobs.management.commands.jobs import by
from jobs.models import Audit, Lane, Pool, Seat, Worker
from jobs.testing import run_one
from jobs.transitions import pools
from tests.jobs import rows


def run(*words: Any) -> str:
    out = StringIO()
    call_command("jobs", *map(str, words), stdout=out)
    return out.getvalue()


def refused(*words: Any) -> str:
    with pytest.raises(CommandError) as error:
        run(*words)
    return str(error.value)


def test_list_shows_the_newest_first_with_what_they_wait_for(queue: None) -> None:
    first, second = (api.enqueue("plain", "ana", str(n)).id for n in range(2))
    heading, *listed = run("list").splitlines()
    assert heading.split()[:5] == ["ID", "STATE", "KIND", "OWNER", "SUBJECT"]
    assert [int(line.split()[0]) for line in listed] == [second, first]
    assert listed[0].endswith("No worker that serves it is running.")


def test_list_narrows_and_orders(queue: None) -> None:
    jobs = [api.enqueue("plain", owner, owner).id for owner in "abc"]
    api.promote(jobs[2], by="ana")
    rows.end(rows.started("items"), "rejected", error="No such thing.")
    queued = [int(line.split()[0]) for line in run("list", "--state", "queued").splitlines()[1:]]
    assert queued == [jobs[2], jobs[0], jobs[1]]
    assert "rejected: No such thing." in run("list", "--state", "failed")
    assert len(run("list", "--kind", "plain", "--owner", "b").splitlines()) == 2
    assert len(run("list", "--limit", 1).splitlines()) == 2
    assert run("list", "--owner", "nobody").splitlines()[-1] == "No jobs."


def test_show_tells_attempts_items_and_arguments_without_secrets(queue: None) -> None:
    job = api.enqueue("items", "ana", "17", items=["a", "bad b"], args={"api_key": "abcdef", "source": 3}).id
    run_one(rows.take("items"))
    shown = run("show", job)
    for part in ("partial.", "attempt 1: partial", "item bad b: failed. bad b cannot be done.", '"source": 3'):
        assert part in shown
    assert "abcdef" not in shown


def test_show_tells_the_place_of_a_queued_job(queue: None) -> None:
    api.enqueue("plain", "ana", "1")
    assert "place 2; before it: 1 plain" in run("show", api.enqueue("plain", "ana", "2").id)


def test_show_fails_for_a_job_that_is_not_there(queue: None) -> None:
    assert refused("show", 10**9) == "There is no job 1000000000."


def test_verbs_say_what_moved_and_why_the_rest_did_not(queue: None) -> None:
    running = rows.started("plain", "running")
    queued = api.enqueue("plain", "ana", "queued").id
    assert run("promote", queued, running.id) == "1 promoted. Not moved: 1 running already.\n"
    assert run("stop", queued) == "1 stopped.\n"
    assert run("retry", queued) == "1 put in line again.\n"
    assert {actor.split(":")[0] for actor in Audit.objects.values_list("actor", flat=True)} == {"shell"}


@pytest.mark.parametrize(
    ("verb", "why"), [("promote", "over"), ("stop", "over"), ("retry", "not the newest of its identity")]
)
def test_a_verb_that_moved_nothing_fails(queue: None, verb: str, why: str) -> None:
    old = rows.started("plain", "1", fingerprint="a")
    rows.end(old)
    rows.end(rows.started("plain", "1", fingerprint="b"))
    assert refused(verb, old.id) == f"Nothing moved. Not moved: 1 {why}."


def test_pools_shows_seats_and_lines(queue: None) -> None:
    running = rows.started("pooled")
    api.enqueue("pooled", "ana", "2")
    shown = run("pools")
    assert "gateway: open, capacity 1, gap 0 s" in shown
    assert f"running pooled {running.id} for 0 s" in shown
    assert "Pooled: 1 in line, 1 running" in shown


def test_pools_tells_a_closed_pool(queue: None) -> None:
    started = timezone.now() + timedelta(seconds=1)
    pools.down("gateway", job=1, started_at=started, reason="Refused.", hard=True, wait_s=600)
    shown = run("pools")
    assert "gateway: closed" in shown
    assert "(Refused); next try in 1" in shown


def test_pools_reset_takes_the_settings_again(queue: None) -> None:
    pools.change("gateway", by="ana", capacity=5, gap_s=9)
    shown = run("pools", "--reset")
    assert "gateway: capacity 5 → 1, gap 9 s → 0 s." in shown
    assert Seat.objects.filter(pool="gateway").count() == 1


def test_pause_and_resume(queue: None) -> None:
    assert run("pause", "gateway").startswith("gateway: paused no → yes.")
    assert Pool.objects.get(pk="gateway").paused
    assert refused("pause", "gateway") == "gateway is paused already."
    assert run("resume", "gateway").startswith("gateway: paused yes → no.")
    assert refused("resume", "gateway") == "gateway is not paused."
    assert refused("pause", "gatway") == "No pool is called 'gatway'; known: gateway, wide."


def test_pause_and_resume_a_lane(queue: None) -> None:
    job = api.enqueue("lined", "ana", "1", args={"lane": "lane:1"}).id
    assert run("pause", "--lane", "lane:1") == "lane:1: 1 paused.\n"
    assert rows.status(job) == "waiting"
    assert refused("pause", "--lane", "lane:1") == "lane:1: Nothing moved. Not moved: 1 paused already."
    assert run("resume", "--lane", "lane:1") == "lane:1: 1 resumed.\n"
    assert rows.status(job) == "ready"
    written = Audit.objects.filter(target="lane lane:1").order_by("pk").values_list("action", "old", "new")
    assert list(written) == [("lane.pause", False, True), ("lane.resume", True, False)]
    assert set(Audit.objects.values_list("actor", flat=True)) == {by()}


def test_a_misspelt_lane_is_not_made(queue: None) -> None:
    assert (
        refused("pause", "--lane", "lane:no") == "lane:no: Nothing moved. Not moved: 1 no lane that anything ever used."
    )
    assert not Lane.objects.exists()
    with pytest.raises(CommandError, match="not allowed with argument"):
        run("pause", "gateway", "--lane", "lane:1")


def test_a_wrong_word_is_a_mistake(queue: None) -> None:
    assert "invalid choice" in refused("halt")
    assert "required" in refused("stop")


def test_workers_shows_who_is_heard_from_and_what_they_serve(queue: None) -> None:
    assert run("workers") == "No worker is running.\n"
    fields: dict[str, Any] = {"host": "north", "slots": 2, "pools": ["gateway"]}
    Worker.objects.create(id=uuid4(), pid=1, kinds=["plain", "items"], version="1.2", **fields)
    beat = timezone.now() - timedelta(minutes=5)
    Worker.objects.create(id=uuid4(), pid=2, kinds=["pooled"], heartbeat_at=beat, **fields)
    working, silent = run("workers").split("north:")[1:]
    assert working.startswith("1: working, 0 of 2 slots busy, version 1.2\n")
    assert "serves plain, items; pools gateway\n" in working
    assert silent.startswith("2: silent, 0 of 2 slots busy\n")
    assert "heard from 5 min ago" in silent


def test_alive_is_told_of_this_host_alone(queue: None) -> None:
    assert "keeps its lease" in refused("alive")
    worker = Worker.objects.create(id=uuid4(), host="elsewhere", pid=1, slots=1, pools=[], kinds=[])
    refused("alive")
    worker.host = socket.gethostname()
    worker.save()
    assert run("alive") == f"A worker of {socket.gethostname()} keeps its lease.\n"
    worker.heartbeat_at = timezone.now() - timedelta(minutes=5)
    worker.save()
    refused("alive")
