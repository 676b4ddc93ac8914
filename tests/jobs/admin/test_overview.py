"""The overview: what ended, what comes next and why, each figure against plain SQL."""

import re
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import F, Sum
from django.test import Client

from jobs import api
from jobs.console import machine, prospects, throughput, words
from jobs.models import Attempt, Item, Job, Lane, Tally, Worker
from jobs.transitions import calls, forget, pools, rescue, tally, workers
from tests.jobs import rows, sessions
from tests.processes import until

OVERVIEW = "/admin/jobs/"


def ended(number: int, *, ago: timedelta = timedelta(0), outcome: Any = "succeeded") -> None:
    """Have so many attempts end that long ago."""
    before = set(Attempt.objects.values_list("pk", flat=True))
    for name in range(number):
        rows.end(rows.started("plain", f"{outcome}{ago}{name}"), outcome)
    Attempt.objects.exclude(pk__in=before).update(started_at=F("started_at") - ago, ended_at=F("ended_at") - ago)


def plainly(since: timedelta) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT outcome, count(*) FROM jobs_attempt WHERE ended_at > clock_timestamp() - %s GROUP BY 1", [since]
        )
        return dict(cursor.fetchall())


def test_the_charts_count_what_plain_sql_counts(queue: None) -> None:
    ended(3)
    ended(2, outcome="rejected")
    ended(4, ago=timedelta(hours=5))
    ended(1, ago=timedelta(hours=5), outcome="stopped")
    ended(5, ago=timedelta(days=4))
    tally.count()
    hour, day, week = throughput.charts()
    for chart, span in ((hour, timedelta(minutes=50)), (day, timedelta(hours=20)), (week, timedelta(days=6))):
        plain = plainly(span)
        assert sum(bar.well for bar in chart.bars) == plain.get("succeeded", 0)
        assert sum(bar.kept for bar in chart.bars) == plain.get("stopped", 0)
        assert sum(bar.badly for bar in chart.bars) == plain.get("rejected", 0)
    assert [len(chart.bars) for chart in (hour, day, week)] == [12, 24, 28]


def test_counting_again_counts_nothing_twice_and_finds_what_was_late(queue: None) -> None:
    ended(3)
    assert tally.count() == 1
    assert tally.count() == 0
    ended(2, ago=timedelta(minutes=12))  # its transaction was open when it was counted first
    tally.count()
    assert sum(Tally.objects.values_list("number", flat=True)) == 5


def test_after_a_long_silence_the_count_goes_on(queue: None) -> None:
    ended(1, ago=timedelta(days=3))
    tally.count()
    ended(2)
    tally.count()
    assert sum(Tally.objects.values_list("number", flat=True)) == 3


def counted() -> dict[str, int]:
    return {row["outcome"]: row["n"] for row in Tally.objects.values("outcome").annotate(n=Sum("number"))}


def test_what_ended_stays_counted_when_its_owner_is_forgotten(queue: None) -> None:
    ended(3, outcome="rejected")
    rows.end(rows.started("plain", "1", owner="ben"), "rejected")
    tally.count()
    ended(2)
    forget.forget("ana")
    tally.count()
    assert Attempt.objects.count() == 1
    assert counted() == {"rejected": 4, "succeeded": 2}


def test_counts_are_of_attempts_whatever_becomes_of_their_jobs(queue: None) -> None:
    """Retried, stopped, rescued and run by many hands, an attempt counts once."""
    job = rows.started("plain", "again")
    rows.end(job, "rejected")
    api.retry(job.id, by="ana")
    rows.end(rows.take("plain"))
    stopped = rows.started("plain", "stopped")
    api.stop(stopped.id, by="ana")
    rows.end(stopped, "retry")
    rows.started("plain", "lost")  # by a worker that is not there
    assert rescue.rescue() == 1
    api.stop(Job.objects.get(subject="lost").pk, by="ana")
    many = [rows.started("plain", f"many{number}") for number in range(40)]
    halves = [[lambda job=job: rows.end(job) for job in many[place::2]] for place in range(2)]
    sessions.in_step(*halves, [tally.count] * 20, [tally.count] * 20)
    tally.count()
    assert counted() == plainly(timedelta(hours=1))
    assert sum(counted().values()) == 44


def test_a_job_of_items_counts_as_what_became_of_them(queue: None) -> None:
    for subject, states in (("well", ["ok"]), ("half", ["ok", "failed"]), ("ill", ["failed", "failed"])):
        job = rows.started("items", subject, items=[str(place) for place in range(len(states))])
        for place, state in enumerate(states):
            Item.objects.filter(job=job.id, key=str(place)).update(status=state)
        rows.end(job)
    tally.count()
    bars = throughput.charts()[1].bars
    assert [sum(getattr(bar, name) for bar in bars) for name in ("well", "kept", "badly")] == [1, 1, 1]
    written = Attempt.objects.order_by("ended_at").values_list("outcome", "error_kind", "error")
    assert list(written) == [
        ("succeeded", "", ""),
        ("partial", "items", "1 of 2 did not succeed."),
        ("failed", "items", "2 of 2 did not succeed."),
    ]


def test_old_counts_are_forgotten(queue: None) -> None:
    ended(1)
    tally.count()
    Tally.objects.update(at=F("at") - timedelta(days=tally.KEPT_DAYS + 1))
    assert tally.forget() == 1
    assert tally.count() == 1


def test_a_worker_counts_by_itself(queue: None, start_worker: Any) -> None:
    ended(1)  # before the first count, which comes at once
    worker = start_worker()
    until(lambda: Tally.objects.exists(), what="the sweep has counted")
    until(lambda: Worker.objects.get().memory_mb > 10)
    assert worker.process.poll() is None


def test_a_chart_says_in_words_what_it_shows(queue: None, viewer: Client) -> None:
    assert "Nothing ended in the last hour." in viewer.get(OVERVIEW).content.decode()
    ended(3)
    ended(1, outcome="rejected")
    tally.count()
    page = viewer.get(OVERVIEW).content.decode()
    assert "In the last hour: 3 succeeded, 1 failed or met an upstream that was down." in page


def test_the_bars_stand_on_each_other_within_the_drawing(queue: None) -> None:
    ended(3)
    ended(2, outcome="stopped")
    ended(1, outcome="rejected")
    tally.count()
    bar = throughput.charts()[0].bars[-1]
    ended_now = bar if bar.total else throughput.charts()[0].bars[-2]
    assert sum(ended_now.heights) == throughput.HEIGHT
    assert ended_now.tops[2] == 0
    assert ended_now.tops[0] + ended_now.heights[0] == throughput.HEIGHT


# What comes next


def test_the_next_job_is_the_one_that_a_claim_takes_and_says_why(queue: None, viewer: Client) -> None:
    first, second = rows.enqueue("1", "2", kind="pooled")
    assert f'Next: <a href="/admin/jobs/job/{first.id}/change/">pooled {first.id}</a>, as its turn comes first.' in (
        viewer.get(OVERVIEW).content.decode()
    )
    api.promote(second.id, by="ana")
    assert prospects.next_of(machine.all_lines())["gateway"].why == "staff promoted it"
    assert rows.take("pooled").id == second.id


def test_the_time_to_empty_follows_what_calls_took_lately(queue: None) -> None:
    pools.change("gateway", by="ana", gap_s=20)
    rows.end(rows.started("pooled", "0"))
    Attempt.objects.update(started_at=F("ended_at") - timedelta(seconds=100))
    rows.enqueue(*map(str, range(1, 11)), kind="pooled")
    assert shown().empties == "Empty in about 20 min."
    pools.change("gateway", by="ana", paused=True)
    assert shown().empties == ""


def test_what_was_never_measured_is_not_foretold(queue: None) -> None:
    rows.enqueue("1", kind="pooled")
    assert shown().empties == ""


def shown() -> machine.Pool:
    return next(pool for pool in machine.whole().pools if pool.name == "gateway")


def test_lanes_that_wait_are_counted_with_those_that_are_paused(queue: None) -> None:
    assert machine.whole().lanes == "In no lane does a job wait for another."
    for lane in "abc":
        rows.enqueue(f"{lane}1", f"{lane}2", kind="lined", args={"lane": f"lane:{lane}"})
    Lane.objects.filter(key="lane:a").update(paused=True)
    assert machine.whole().lanes == "3 lanes in which jobs wait their turn, 1 of them paused."
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT lane) FROM jobs_job WHERE status = 'waiting'")
        assert cursor.fetchone() == (3,)


def test_the_overview_refreshes_itself(queue: None, viewer: Client) -> None:
    page = viewer.get(OVERVIEW).content.decode()
    assert re.search(r'id="console" hx-get="/admin/jobs/" hx-select="#console" hx-trigger="every 5s"', page)
    assert "htmx" in page.partition("</head>")[0]


def test_the_overview_asks_few_questions(queue: None, viewer: Client, django_assert_max_num_queries: Any) -> None:
    rows.enqueue("1", "2", "3")
    rows.started("pooled", "1")
    with django_assert_max_num_queries(17):
        viewer.get(OVERVIEW)
    assert Job.objects.exists()


# Every figure against plain SQL


def plain(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
    assert row is not None
    return row[0] if len(row) == 1 else row


def busy() -> None:
    """Have two workers, two pools and lanes at work, each in another way."""
    workers.register(rows.WORKER, host="box", pid=7, slots=4, pools=["gateway"], kinds=["pooled"], version="1.2")
    Worker.objects.update(memory_mb=123.4)
    pools.change("gateway", by="ana", capacity=4, gap_s=50)
    for name in ("runs", "rests", "lingers"):
        job = rows.started("pooled", name, slot=len(name))
        if name != "runs":
            rows.called(job)
        if name == "rests":
            calls.over(job.id, job.token)
            rows.end(job)
        if name == "lingers":
            calls.broken(job.id, job.token)
            rows.end(job, "stopped")
    for n in range(5):
        rows.enqueue(f"p{n}", kind="pooled")
    for lane in "abc":
        rows.enqueue(f"{lane}1", f"{lane}2", kind="lined", args={"lane": f"lane:{lane}"})


def test_each_pool_has_the_figures_of_plain_sql(queue: None) -> None:
    busy()
    pool = shown()
    states = (
        "CASE WHEN job IS NOT NULL THEN 'running' WHEN free_at <= now() THEN 'free' WHEN why = 'gap' THEN 'cooling'"
    )
    for state in ("running", "cooling", "lingering", "free"):
        seats = f"SELECT count(*) FROM jobs_seat WHERE pool = 'gateway' AND {states} ELSE why END = '{state}'"  # noqa: S608
        found = plain(seats)
        assert sum(seat.state == state for seat in pool.seats) == found == 1
    counted = "SELECT count(*) FROM jobs_job WHERE pool = 'gateway' AND kind = 'pooled' AND status"
    (line,) = pool.lines
    assert (line.depth, line.running) == (str(plain(f"{counted} = 'ready'")), plain(f"{counted} = 'running'"))
    assert (pool.capacity, pool.gap_s) == plain(
        "SELECT capacity, extract(epoch FROM gap)::float FROM jobs_pool WHERE name = 'gateway'"
    )
    first = plain("SELECT id FROM jobs_job WHERE status = 'ready' AND pool = 'gateway' ORDER BY band, turn, id LIMIT 1")
    assert pool.next is not None
    assert pool.next.job == first


def test_the_longest_wait_is_that_of_plain_sql(queue: None, viewer: Client) -> None:
    busy()
    oldest = Job.objects.filter(pool="gateway", status="ready").earliest("pk")
    rows.later(oldest.pk, -7500, "queued_at")
    waited = plain(
        "SELECT extract(epoch FROM now() - min(queued_at))::float FROM jobs_job"
        " WHERE pool = 'gateway' AND status IN ('scheduled', 'waiting', 'ready')"
    )
    assert words.lasting(waited) == "2 h 5 min"
    assert shown().waited == "The longest wait so far is 2 h 5 min."
    assert "The longest wait so far is 2 h 5 min." in viewer.get(OVERVIEW).content.decode()


def test_each_worker_has_the_figures_of_plain_sql(queue: None) -> None:
    busy()
    (worker,) = machine.whole().workers
    assert (worker.slots, worker.version, worker.memory_mb) == plain(
        "SELECT slots, version, round(memory_mb)::int FROM jobs_worker"
    )
    assert worker.busy == plain("SELECT count(DISTINCT slot) FROM jobs_job WHERE status = 'running'") == 1
    assert worker.beat == words.lasting(
        plain("SELECT extract(epoch FROM now() - heartbeat_at)::float FROM jobs_worker")
    )


def test_what_is_left_to_the_neighbours_is_what_plain_sql_says(queue: None, viewer: Client) -> None:
    pools.change(
        "gateway", by="ana", capacity=4, reserve=[{"seats": 3, "from": "00:00", "until": "23:59", "zone": "UTC"}]
    )
    left = plain("SELECT capacity - jobs_capacity(capacity, reserve) FROM jobs_pool WHERE name = 'gateway'")
    assert shown().reserved == left
    assert (f"It leaves {left} seats" in viewer.get(OVERVIEW).content.decode()) == bool(left)


def test_lanes_are_counted_as_plain_sql_counts_them(queue: None) -> None:
    busy()
    waiting = plain("SELECT count(DISTINCT lane) FROM jobs_job WHERE status = 'waiting'")
    assert prospects.lanes().waiting == waiting == 3
