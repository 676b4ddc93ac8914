"""The worker, as real processes: it runs, stops, times out, drains and is rescued."""

import os
import signal
import socket
from contextlib import suppress

import pytest

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.conf import code
from jobs.models import Attempt, Job, Seat, Worker
from jobs.transitions import pools
from tests.processes import descendants, until

pytestmark = pytest.mark.django_db(transaction=True)


def status(job_id: int) -> str:
    return Job.objects.get(pk=job_id).status


def test_a_worker_runs_what_is_enqueued_while_it_sleeps(start_worker):
    start_worker()
    until(lambda: Worker.objects.exists(), what="the worker registers")
    ticket = api.enqueue("plain", "ana", "1")
    assert testing.wait(ticket.id).status == "succeeded"


def test_it_says_which_code_it_runs(start_worker):
    start_worker()
    until(lambda: Worker.objects.exists(), what="the worker registers")
    assert Worker.objects.get().version == code()


def test_a_stop_ends_a_polite_job_without_a_kill(start_worker):
    worker = start_worker()
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 30})
    until(lambda: status(ticket.id) == "running")
    assert api.stop(ticket.id, by="ana") == "stopping"
    assert testing.wait(ticket.id, seconds=5).status == "cancelled"
    assert "slot.killed" not in worker.log


def test_a_job_that_never_checks_is_killed_after_the_grace(start_worker):
    worker = start_worker()
    ticket = api.enqueue("deaf", "ana", "1", args={"seconds": 60})
    until(lambda: status(ticket.id) == "running")
    api.stop(ticket.id, by="ana")
    assert testing.wait(ticket.id, seconds=10).status == "cancelled"
    assert "slot.killed" in worker.log
    after = api.enqueue("plain", "ana", "2")
    assert testing.wait(after.id).status == "succeeded"


def test_a_job_whose_process_dies_fails_after_three_crashes(start_worker):
    start_worker()
    ticket = api.enqueue("dies", "ana", "1")
    ended = testing.wait(ticket.id)
    assert (ended.status, ended.error_kind) == ("failed", "crash_loop")
    assert list(Attempt.objects.order_by("number").values_list("outcome", flat=True)) == ["crashed"] * 3


def test_the_jobs_of_a_killed_worker_move_on_within_a_lease(start_worker):
    first = start_worker()
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 1})
    until(lambda: status(ticket.id) == "running")
    first.kill()
    second = start_worker()
    assert testing.wait(ticket.id, seconds=20).status == "succeeded"
    assert "job.rescued" in second.log
    assert Attempt.objects.count() == 2


def test_the_slots_die_with_their_supervisor(start_worker):
    worker = start_worker(slots=2)
    ticket = api.enqueue("deaf", "ana", "1", args={"seconds": 60})
    until(lambda: status(ticket.id) == "running")
    slots = worker.slot_pids()
    assert len(slots) == 2
    worker.kill()
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in slots), seconds=5, what="the slots are gone")


def test_a_slot_that_hears_nothing_dies_with_its_supervisor_too(start_worker):
    """The code that it runs lets no other thread have a turn, so only the kernel can tell it."""
    worker = start_worker()
    ticket = api.enqueue("quick", "ana", "1", args={"act": "hog", "seconds": 20})
    until(lambda: status(ticket.id) == "running")
    (slot,) = worker.slot_pids()
    worker.kill()
    until(lambda: not os.path.exists(f"/proc/{slot}"), seconds=5, what="the slot is gone")


def test_sigterm_lets_a_running_job_finish(start_worker):
    worker = start_worker()
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 1})
    until(lambda: status(ticket.id) == "running")
    worker.signal(signal.SIGTERM)
    assert worker.wait() == 0
    assert status(ticket.id) == "succeeded"
    assert not Worker.objects.exists()


def test_sigterm_to_the_whole_group_interrupts_after_the_grace_and_spends_nothing(start_worker):
    worker = start_worker()
    ticket = api.enqueue("deaf", "ana", "1", args={"seconds": 60})
    until(lambda: status(ticket.id) == "running")
    os.killpg(worker.pid, signal.SIGTERM)
    until(lambda: "job.claimed" in worker.log)
    os.killpg(worker.pid, signal.SIGTERM)
    assert worker.wait(15) == 0
    job = Job.objects.get(pk=ticket.id)
    assert (job.status, job.attempts, job.crashes) == ("ready", 0, 0)


def test_a_time_out_spends_an_attempt(start_worker, monkeypatch):
    start_worker(env={"AI_JOB_CLAIM_TIMEOUT": "1"})
    ticket = api.enqueue("deaf", "ana", "1", args={"seconds": 60})
    until(lambda: Attempt.objects.filter(job=ticket.id).exists(), seconds=15)
    assert Attempt.objects.get(job=ticket.id).outcome == "timeout"
    job = Job.objects.get(pk=ticket.id)
    assert (job.status, job.attempts) == ("scheduled", 1)


def test_a_stopped_supervisor_is_fenced_and_its_job_moves_on_once(start_worker):
    first = start_worker()
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 2})
    until(lambda: status(ticket.id) == "running")
    slots = first.slot_pids()
    first.signal(signal.SIGSTOP)
    start_worker()
    assert testing.wait(ticket.id, seconds=30).status == "succeeded"
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in slots), seconds=5)
    first.signal(signal.SIGCONT)
    assert Attempt.objects.filter(job=ticket.id, outcome="succeeded").count() == 1


def test_a_worker_that_was_given_up_begins_a_new_life(start_worker):
    first = start_worker()
    until(lambda: Worker.objects.exists())
    given_up = Worker.objects.get().pk
    first.signal(signal.SIGSTOP)
    second = start_worker()
    until(lambda: not Worker.objects.filter(pk=given_up).exists(), what="the silent worker is forgotten")
    second.end()
    first.signal(signal.SIGCONT)
    ticket = api.enqueue("plain", "ana", "1")
    assert testing.wait(ticket.id).status == "succeeded"
    assert Job.objects.get(pk=ticket.id).attempts == 0


@pytest.mark.full
def test_the_clock_of_a_worker_ticks(start_worker):
    from django_q.models import Schedule

    start_worker(args=())
    start_worker(args=())
    Schedule.objects.filter(name="morning").update(next_run="2026-01-01T05:00Z")
    until(lambda: Job.objects.filter(kind="prefetch").exists(), seconds=90, what="the tick arrives")
    until(lambda: Job.objects.get(kind="prefetch").status == "succeeded")
    assert Job.objects.filter(kind="prefetch").count() == 1


def test_the_clock_runs_in_whatever_folder_its_worker_was_started(start_worker, tmp_path):
    worker = start_worker(args=(), folder=tmp_path)
    until(lambda: "Q Cluster" in worker.log and " running." in worker.log, what="the cluster runs")


def test_the_clock_dies_with_its_worker(start_worker):
    worker = start_worker(args=())
    until(lambda: "clock.started" in worker.log)
    pid = int(worker.log.rpartition("clock.started pid=")[2].split()[0])
    until(lambda: len(descendants(pid)) >= 2, what="the cluster runs")
    cluster = [pid, *descendants(pid)]
    worker.kill()
    until(lambda: not any(os.path.exists(f"/proc/{one}") for one in cluster), seconds=20, what="the cluster is gone")


def test_a_clock_that_hangs_dies_with_its_worker_too(start_worker):
    worker = start_worker(args=())
    until(lambda: "Q Cluster" in worker.log and " running." in worker.log, what="the cluster runs")
    pid = int(worker.log.rpartition("clock.started pid=")[2].split()[0])
    cluster = [pid, *descendants(pid)]
    for one in cluster[1:]:
        os.kill(one, signal.SIGSTOP)
    worker.kill()
    until(lambda: not any(os.path.exists(f"/proc/{one}") for one in cluster), seconds=20, what="the cluster is gone")


def test_a_slot_is_replaced_after_its_share_of_jobs(start_worker):
    worker = start_worker(args=("--no-clock", "--recycle-jobs", "2"))
    tickets = [api.enqueue("plain", "ana", str(number)) for number in range(5)]
    for ticket in tickets:
        assert testing.wait(ticket.id).status == "succeeded"
    assert set(Attempt.objects.values_list("slot", flat=True)) == {1, 2, 3}
    assert "slot.died" not in worker.log


def test_a_slot_that_has_grown_is_replaced(start_worker):
    worker = start_worker(args=("--no-clock", "--recycle-mb", "1"))
    tickets = [api.enqueue("plain", "ana", str(number)) for number in range(3)]
    assert [testing.wait(ticket.id).status for ticket in tickets] == ["succeeded"] * 3
    assert sorted(Attempt.objects.values_list("slot", flat=True)) == [1, 2, 3]
    assert "slot.died" not in worker.log


def test_a_slot_that_has_not_grown_stays(start_worker):
    start_worker(args=("--no-clock", "--recycle-mb", "4000"))
    tickets = [api.enqueue("plain", "ana", str(number)) for number in range(3)]
    assert [testing.wait(ticket.id).status for ticket in tickets] == ["succeeded"] * 3
    assert set(Attempt.objects.values_list("slot", flat=True)) == {1}


def test_a_slot_is_replaced_after_the_job_that_made_it_grow(start_worker):
    start_worker(args=("--no-clock", "--recycle-mb", "300"))
    for number, megabytes in enumerate([1, 400, 1, 1]):
        ticket = api.enqueue("grows", "ana", str(number), args={"megabytes": megabytes})
        assert testing.wait(ticket.id).status == "succeeded"
    assert list(Attempt.objects.order_by("ended_at").values_list("slot", flat=True)) == [1, 1, 2, 2]


def test_systemd_is_told(start_worker, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(20)
        worker = start_worker(env={"NOTIFY_SOCKET": str(tmp_path / "notify")})
        assert systemd.recv(100) == b"READY=1"
        assert systemd.recv(100) == b"WATCHDOG=1"
        worker.signal(signal.SIGTERM)
        while systemd.recv(100) != b"STOPPING=1":
            continue


def test_a_systemd_that_does_not_listen_holds_nobody_up(start_worker, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as full, suppress(BlockingIOError):
            while True:
                full.sendto(b"", str(tmp_path / "notify"))
        worker = start_worker(env={"NOTIFY_SOCKET": str(tmp_path / "notify")})
        assert testing.wait(api.enqueue("plain", "ana", "1").id).status == "succeeded"
        worker.signal(signal.SIGTERM)
        assert worker.wait(30) == 0


def test_drain_empties_the_queue_and_leaves(start_worker):
    tickets = [api.enqueue("plain", "ana", str(number)) for number in range(20)]
    worker = start_worker(slots=2, args=("--drain",))
    assert worker.wait(30) == 0
    assert {status(ticket.id) for ticket in tickets} == {"succeeded"}


@pytest.mark.parametrize("slots", [1, 2])
def test_drain_waits_for_the_gap_of_a_pool_that_has_jobs_in_line(start_worker, slots):
    pools.change("gateway", by="test", capacity=1, gap_s=0.4)
    with TrialGateway() as gateway:
        tickets = [api.enqueue("calls", "ana", str(number), args={"url": gateway.url}) for number in range(4)]
        worker = start_worker(slots=slots, args=("--drain",))
        assert worker.wait(30) == 0
    assert {status(ticket.id) for ticket in tickets} == {"succeeded"}


@pytest.mark.parametrize("slots", [1, 2])
def test_drain_empties_the_queue_also_when_slots_wear_out_die_or_are_ended(start_worker, slots):
    kinds = {"dies": "failed", "deaf": "cancelled", "plain": "succeeded", "pooled": "succeeded"}
    tickets = {kind: api.enqueue(kind, "ana", kind, args={"seconds": 60}) for kind in kinds}
    worker = start_worker(slots=slots, args=("--drain", "--recycle-jobs", "1"))
    until(lambda: status(tickets["deaf"].id) == "running")
    api.stop(tickets["deaf"].id, by="ana")
    assert worker.wait(30) == 0
    assert {kind: status(ticket.id) for kind, ticket in tickets.items()} == kinds


def test_every_seat_of_a_crashed_job_comes_back(start_worker):
    start_worker()
    ticket = api.enqueue("pooled", "ana", "1")
    testing.wait(ticket.id)
    assert not Seat.objects.filter(job__isnull=False).exists()
