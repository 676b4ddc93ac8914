"""One way or more to break each rule of the self-audit, by hand, as no statement of the queue does."""

import uuid

from django.db import connection

from jobs import api
from jobs.models import Idle, Item, Lane, Watch
from jobs.transitions import workers
from tests.jobs.rows import end, enqueue, started, take


def sql(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def seatless():
    job = started("pooled")
    sql("DELETE FROM jobs_seat WHERE job = %s", job.id)
    sql("INSERT INTO jobs_seat (pool, free_at, why) VALUES ('gateway', now(), '')")


def orphaned():
    job = started("pooled")
    sql("UPDATE jobs_seat SET token = %s WHERE job = %s", uuid.uuid4(), job.id)


def miscounted():
    sql("DELETE FROM jobs_seat WHERE pool = 'wide' AND id = (SELECT min(id) FROM jobs_seat WHERE pool = 'wide')")


def unrescued():
    started("plain")
    unforgotten()
    sql("UPDATE jobs_job SET worker = (SELECT id FROM jobs_worker WHERE host = 'there')")


def overdue():
    started("plain")
    sql("UPDATE jobs_job SET deadline = now() - interval '1 hour'")


def misplaced():
    enqueue("1", kind="lined")
    sql("UPDATE jobs_job SET status = 'waiting'")


def first_though_paused():
    enqueue("1", kind="lined")
    Lane.objects.update(paused=True)


def undue():
    enqueue("1")
    sql("UPDATE jobs_job SET status = 'scheduled', run_at = now() - interval '1 hour'")


def unwatched():
    api.enqueue("plain", "ana", "1", watch="7")
    Watch.objects.all().delete()


def stale_call():
    sql(
        "INSERT INTO jobs_call (job, token, pool, streamed, started_at, call_until, spoke) "
        "VALUES (77, %s, 'gateway', true, now(), now(), false)",
        uuid.uuid4(),
    )


def stale_item():
    api.enqueue("items", "ana", "1", items=["a"])
    Item.objects.update(status="running")


def stale_idle():
    Idle.objects.create(worker=uuid.uuid4(), slot=1)


def unserved():
    enqueue("1", kind="sleeps")


def seats_too_many():
    sql("INSERT INTO jobs_seat (pool, free_at, why) VALUES ('wide', now() - interval '1 hour', '')")


def seat_of_a_finished_job():
    job = started("pooled")
    sql(
        "UPDATE jobs_job SET status = 'cancelled', ended_at = now(), worker = NULL, slot = NULL, token = NULL, "
        "seat = NULL, deadline = NULL WHERE id = %s",
        job.id,
    )


def workerless():
    started("plain")
    sql("UPDATE jobs_job SET worker = gen_random_uuid(), started_at = now() - interval '1 hour'")


def first_though_held():
    enqueue("1", kind="lined")
    Lane.objects.update(held_kind="test-edit", held_token=uuid.uuid4(), held_until="2099-01-01T00:00Z")


def idle_of_a_silent_worker():
    silent = uuid.uuid4()
    workers.register(silent, host="there", pid=1, slots=1, pools=[], kinds=[], version="test")
    workers.sleep(silent, 1)
    sql("UPDATE jobs_worker SET heartbeat_at = now() - interval '1 hour' WHERE id = %s", silent)


def promoted_by_nobody():
    enqueue("1")
    sql("UPDATE jobs_job SET band = 0, turn = '2020-01-01T00:00Z'")


def watched_and_not_first():
    api.enqueue("plain", "ana", "1", watch="7")
    sql("UPDATE jobs_job SET band = 1")


def crowding():
    for number in range(5):
        api.enqueue("plain", "ana", str(number), watch=str(number))
    sql("UPDATE jobs_watch SET \"user\" = '7'")


def overstayed():
    api.enqueue("plain", "ana", "1", watch="7")
    sql("UPDATE jobs_watch SET until = now() - interval '1 hour'")


def watch_of_an_ended_job():
    api.enqueue("plain", "ana", "1", watch="7")
    end(take())
    sql("UPDATE jobs_watch SET until = now() - interval '1 hour'")


def ungranted():
    end(started(fingerprint="f1"))
    sql("UPDATE jobs_job SET wanted_fingerprint = 'f2'")


def ungranted_and_stopped():
    end(started(fingerprint="f1"), "stopped")
    sql("UPDATE jobs_job SET wanted_fingerprint = 'f2'")


def timed():
    enqueue("1")
    sql("UPDATE jobs_job SET run_at = now() + interval '1 hour'")


def misdirected():
    started()
    sql("UPDATE jobs_job SET stop_token = gen_random_uuid()")


def poolless():
    enqueue("1", kind="pooled")
    sql("DELETE FROM jobs_seat WHERE pool = 'gateway'")
    sql("DELETE FROM jobs_pool WHERE name = 'gateway'")


def stray_seat():
    sql("INSERT INTO jobs_seat (pool, free_at, why) VALUES ('gone', now(), '')")


def never_tried():
    sql("UPDATE jobs_pool SET admit = 1, closed_until = NULL WHERE name = 'gateway'")


def admits_nobody():
    sql("UPDATE jobs_pool SET admit = 0, closed_at = now(), closed_until = now() WHERE name = 'gateway'")


def closed_for_ever():
    sql("UPDATE jobs_pool SET admit = 1, closed_at = now(), closed_until = now() + interval '3 years'")


def overslept():
    sql("UPDATE jobs_seat SET free_at = now() + interval '3 years' WHERE pool = 'gateway'")


def chores_overdue():
    sql("UPDATE jobs_worker SET started_at = now() - interval '2 hours'")
    sql("INSERT INTO jobs_chore (name, due_at) VALUES ('quick', now() - interval '1 h'), ('thorough', now())")


def hold_is_over():
    enqueue("1", kind="lined")
    Lane.objects.update(held_kind="test-edit", held_token=uuid.uuid4(), held_until="2020-01-01T00:00Z")


def unforgotten():
    silent = uuid.uuid4()
    workers.register(silent, host="there", pid=1, slots=1, pools=[], kinds=[], version="test")
    sql("UPDATE jobs_worker SET heartbeat_at = now() - interval '1 hour' WHERE id = %s", silent)


def beside_nothing():
    enqueue("1", kind="items", items=["a", "b"])
    api.enqueue("plain", "ana", "1", watch="7")
    sql("INSERT INTO jobs_progress (job, done, total, note, at) SELECT id, 1, 2, '', now() FROM jobs_job")
    sql("DELETE FROM jobs_job")


def payloadless():
    enqueue("1")
    sql("DELETE FROM jobs_payload")


def unwritten():
    end(started())
    sql("DELETE FROM jobs_attempt")


def open_item_of_a_stopped_job():
    api.stop(api.enqueue("items", "ana", "1", items=["a"]).id, by="ana")
    Item.objects.update(status="pending", ended_at=None)


CASES = {
    "running-job-has-its-seat": [seatless],
    "taken-seat-has-its-job": [orphaned, seat_of_a_finished_job],
    "seats-are-the-capacity": [miscounted, seats_too_many],
    "silent-worker-is-rescued": [unrescued, workerless],
    "time-out-ends-a-job": [overdue],
    "lane-has-its-head": [misplaced, first_though_paused, first_though_held],
    "due-job-is-in-line": [undue],
    "watched-job-is-watched": [unwatched],
    "call-has-its-job": [stale_call],
    "running-item-has-its-job": [stale_item],
    "sleeping-slot-has-its-worker": [stale_idle, idle_of_a_silent_worker],
    "ready-job-is-served": [unserved],
    "promoted-job-has-a-reason": [promoted_by_nobody, watched_and_not_first],
    "promotions-are-few": [crowding],
    "watch-ends": [overstayed, watch_of_an_ended_job],
    "ended-job-has-no-wish": [ungranted, ungranted_and_stopped],
    "only-a-scheduled-job-has-a-time": [timed],
    "stop-means-its-attempt": [misdirected],
    "queued-job-has-its-pool": [poolless],
    "seat-has-its-pool": [stray_seat],
    "closed-pool-is-tried-again": [never_tried, admits_nobody, closed_for_ever],
    "seat-rests-no-longer-than-a-call": [overslept],
    "chores-are-done": [chores_overdue],
    "hold-ends": [hold_is_over],
    "silent-worker-is-forgotten": [unforgotten],
    "what-stands-beside-a-job-has-its-job": [beside_nothing],
    "job-has-its-arguments": [payloadless],
    "ended-job-has-its-attempt": [unwritten],
    "stopped-job-has-no-open-item": [open_item_of_a_stopped_job],
}
