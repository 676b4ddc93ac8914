"""The list of jobs in the admin."""

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs import api, ticket
from jobs.admin import keyset
from jobs.admin.job import JobAdmin
from jobs.admin.readonly import CappedPaginator
from jobs.console import found, waits
from jobs.models import Job, Progress, Worker
from jobs.transitions import lanes, pools, workers
from tests.jobs import rows

LIST = "/admin/jobs/job/"


def listed(client: Client, **query: Any) -> list[int]:
    response = client.get(LIST, query)
    assert response.status_code == 200
    return [job.pk for job in response.context["cl"].result_list]


def work() -> None:
    """Have a living worker that serves everything."""
    kinds = ["plain", "lined", "pooled", "both"]
    workers.register(rows.WORKER, host="h", pid=1, slots=1, pools=["gateway"], kinds=kinds, version="")


def waiting_for(what: str) -> list[int]:
    """Make jobs of which the last waits for this."""
    if what != "no_worker":
        work()
    match what:
        case "turn" | "no_worker":
            return [api.enqueue("plain", "ana", str(n)).id for n in range(3)]
        case "lane":
            return [api.enqueue("lined", "ana", str(n)).id for n in range(3)]
        case "hold":
            found = api.enqueue("lined", "ana", "1").id
            lanes.sql.run(
                "UPDATE jobs_lane SET held_kind = 'edit', held_label = 'An edit', held_token = gen_random_uuid(),"
                " held_until = now() + interval '1 minute'"
            )
            return [found]
        case "paused":
            lanes.pause("lane:1", by="ana", paused=True)
            return [api.enqueue("lined", "ana", "1").id]
        case "closed":
            later = timezone.now() + timedelta(seconds=1)
            pools.down("gateway", job=1, started_at=later, reason="Refused.", hard=True)
            return [api.enqueue("pooled", "ana", "1").id]
        case "seat":
            rows.started("pooled")
            return [api.enqueue("pooled", "ana", "2").id]
        case _:
            return [api.enqueue("plain", "ana", "1", run_at=timezone.now() + timedelta(hours=1)).id]


@pytest.mark.parametrize(
    "reason", ["turn", "no_worker", "lane", "hold", "paused", "closed", "seat", "run_at"]
)  # fmt: skip
def test_a_row_says_what_its_ticket_says(queue: None, reason: str) -> None:
    made = waiting_for(reason)
    told = waits.of(list(Job.objects.filter(pk__in=made)))
    tickets = {job: ticket.of_job(job) for job in made}
    assert tickets[made[-1]].reason == reason  # type: ignore[union-attr]
    assert {job: wait.sentence for job, wait in told.items()} == {job: t.sentence for job, t in tickets.items() if t}


def test_a_row_has_the_place_of_its_ticket(queue: None) -> None:
    made = [api.enqueue(kind, owner, str(n)).id for n in range(4) for kind in ("plain", "both") for owner in "ab"]
    told = waits.of(list(Job.objects.filter(pk__in=made)))
    assert {job: told[job].place for job in made} == {job: str(ticket.of_job(job).position) for job in made}  # type: ignore[union-attr]


def test_a_place_beyond_the_exact_ones_says_so() -> None:
    assert [waits.place(position) for position in (1, 1000, 1001)] == ["1", "1,000", "over 1,000"]


def test_a_running_row_says_how_far_it_is(queue: None) -> None:
    work()
    job = rows.started("plain")
    Progress.objects.create(job=job.id, done=3, total=1200, note="files")
    assert waits.of([rows.row(job)])[job.id].sentence == "3 of 1,200 files."


def test_a_running_row_says_that_its_worker_is_silent(queue: None) -> None:
    work()
    job = rows.started("plain")
    Worker.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert waits.of([rows.row(job)])[job.id].sentence == "Its worker has fallen silent; the job moves on soon."


def test_a_running_row_says_that_it_is_being_stopped(queue: None) -> None:
    work()
    job = rows.started("plain")
    api.stop(job.id, by="ana")
    assert waits.of([rows.row(job)])[job.id].sentence == "It is being stopped."


def test_the_state_is_a_word_with_a_class(queue: None, viewer: Client) -> None:
    rows.end(rows.started("plain"), "rejected", error="No.")
    page = viewer.get(LIST).content.decode()
    assert '<span class="state state-failed">failed</span>' in page
    assert "rejected: No." in page


def test_a_promoted_row_says_by_what(queue: None, viewer: Client) -> None:
    api.promote(api.enqueue("plain", "ana", "1").id, by="ana")
    assert "<small>promoted</small>" in viewer.get(LIST).content.decode()


def test_the_newest_come_first(queue: None, viewer: Client) -> None:
    made = [api.enqueue("plain", "ana", str(n)).id for n in range(3)]
    assert listed(viewer) == made[::-1]


def test_queued_jobs_come_in_the_order_they_are_due(queue: None, viewer: Client) -> None:
    first, second, third = (api.enqueue("plain", "ana", str(n)).id for n in range(3))
    api.promote(third, by="ana")
    rows.end(rows.started("pooled"))
    assert listed(viewer, state="queued") == [third, first, second]


def test_filters(queue: None, viewer: Client) -> None:
    plain = api.enqueue("plain", "ana", "1").id
    pooled = api.enqueue("pooled", "ana", "1").id
    failed = rows.started("raises")
    rows.end(failed, "retry", error="x", error_kind="ValueError")
    rejected = rows.started("items")
    rows.end(rejected, "rejected", error="x")
    assert listed(viewer, state="trouble") == [rejected.id]
    assert listed(viewer, state="scheduled") == [failed.id]
    assert listed(viewer, kind="pooled") == [pooled]
    assert listed(viewer, pool="gateway") == [pooled]
    assert listed(viewer, pool="-") == [rejected.id, failed.id, plain]
    assert listed(viewer, error="ValueError") == [failed.id]


def test_a_filter_offers_what_is_chosen_even_if_nothing_has_it(queue: None, viewer: Client) -> None:
    assert "No such kind" in viewer.get(LIST, {"kind": "No such kind"}).content.decode()


def test_search_by_id_owner_and_subject(queue: None, viewer: Client) -> None:
    one = api.enqueue("plain", "ana", "week/2026-W47").id
    two = api.enqueue("plain", "anabel", "week/2026-W48").id
    assert listed(viewer, q=str(one)) == [one]
    assert listed(viewer, q="ana") == [one]
    assert listed(viewer, q="week/2026-W4") == [two, one]
    assert listed(viewer, q="week/ anabel") == [two]
    assert listed(viewer, q="99999999999999999999999") == []


def test_a_page_asks_as_much_for_forty_jobs_as_for_four(queue: None, root: Client) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            root.get(LIST)
        return len(captured)

    work()
    rows.started("plain", "running")
    for n in range(3):
        api.enqueue("both", "ana", str(n))
    few = statements()
    for n in range(36):
        api.enqueue(("plain", "both", "pooled")[n % 3], f"owner {n}", str(n + 10))
    # Session, person, second step, the filters' pools and errors, rows, why, progress, leases.
    assert (few, statements()) == (9, 9)


def test_a_page_counts_nothing_and_reads_only_its_columns(queue: None, root: Client) -> None:
    api.enqueue("plain", "ana", "1", fingerprint="f")
    with CaptureQueriesContext(connection) as captured:
        root.get(LIST)
    assert not [query["sql"] for query in captured if "COUNT(" in query["sql"]]
    (statement,) = (query["sql"] for query in captured if 'FROM "jobs_job"' in query["sql"])
    assert re.search(r"LIMIT \d+", statement), statement
    assert "fingerprint" not in statement


def test_a_count_that_met_its_bound_says_so(queue: None, monkeypatch: pytest.MonkeyPatch, viewer: Client) -> None:
    monkeypatch.setattr(CappedPaginator, "most", 2)
    pools.change("wide", by="ana", capacity=5)
    assert "2 or more rows" in viewer.get("/admin/jobs/seat/").content.decode()


# Pages


def walked(client: Client, *, way: str = "Further", **query: Any) -> list[list[int]]:
    """Follow the link to the last page; return the ids of each page."""
    address, pages = f"{LIST}?{urlencode(query)}", []
    while True:
        response = client.get(address)
        assert response.status_code == 200, address
        pages.append([job.pk for job in response.context["cl"].result_list])
        link = re.search(rf'<a href="([^"]+)">{way}</a>', response.content.decode())
        if link is None:
            return pages
        address = LIST + unescape(link[1])


@pytest.mark.parametrize("query", [{}, {"state": "queued"}, {"kind": "plain"}, {"owner": "ana"}, {"q": "s"}])
def test_pages_follow_each_other_without_a_gap_and_back(
    queue: None, viewer: Client, monkeypatch: pytest.MonkeyPatch, query: dict[str, str]
) -> None:
    monkeypatch.setattr(JobAdmin, "list_per_page", 3)
    made = [api.enqueue("plain", "ana", f"s{n}").id for n in range(8)]
    api.promote(made[5], by="ana")
    order = [made[5], *made[:5], *made[6:]] if query.get("state") else made[::-1]
    assert walked(viewer, **query) == [order[:3], order[3:6], order[6:]]
    last = [str(part) for part in key_of(order[6], query)]
    back = walked(viewer, way="Back", **query, before=json.dumps(last))
    assert back == [order[3:6], order[:3]]


def key_of(job: int, query: dict[str, str]) -> list[Any]:
    row = rows.row(job)
    return [row.band, row.turn.isoformat(), row.pk] if query.get("state") else [row.pk]


def test_what_comes_in_meanwhile_moves_no_page(queue: None, viewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JobAdmin, "list_per_page", 2)
    made = [api.enqueue("plain", "ana", f"s{n}").id for n in range(4)]
    viewer.get(LIST)
    api.enqueue("plain", "ana", "new")
    assert listed(viewer, after=json.dumps([str(made[2])])) == [made[1], made[0]]


@pytest.mark.parametrize("after", ["x", "[]", "[1, 2]", '["x"]', '{"a": 1}', "[null]", "9" * 5000])
def test_a_place_that_is_none_leads_back_to_the_list(queue: None, viewer: Client, after: str) -> None:
    assert viewer.get(LIST, {"after": after}).status_code in (200, 302)


def test_a_page_looks_through_so_many_rows_and_offers_to_look_further(
    queue: None, viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyset, "LOOKED_THROUGH", 3)
    monkeypatch.setattr(found, "FEW", 0)  # of no kind are there few
    rare = api.enqueue("lined", "ana", "rare").id
    for n in range(6):
        api.enqueue("plain", "ana", str(n))
    assert "None among those looked through." in viewer.get(LIST, {"kind": "lined"}).content.decode()
    assert walked(viewer, way="Look further", kind="lined") == [[], [rare]]


def test_ages_are_told_by_ids(queue: None, viewer: Client) -> None:
    made = [api.enqueue("plain", "ana", str(n)).id for n in range(9)]
    for job, days in zip(made, (30, 20, 9, 8, 3, 2, 0.5, 0.1, 0), strict=True):
        rows.later(job, -days * 86_400, "created_at")
    assert listed(viewer, age="older") == made[3::-1]
    assert listed(viewer, age="week") == made[:3:-1]
    assert listed(viewer, age="day") == made[:5:-1]
    assert listed(viewer, age="hour") == made[8:]
    Job.objects.all().delete()
    assert listed(viewer, age="week") == listed(viewer, age="older") == []


def test_owner_and_lane_are_typed(queue: None, viewer: Client) -> None:
    one = api.enqueue("lined", "ana", "1", args={"lane": "source:7"}).id
    two = api.enqueue("plain", "ben", "1").id
    assert listed(viewer, owner="ben") == [two]
    assert listed(viewer, lane="source:7") == [one]
    page = viewer.get(LIST, {"owner": "ben", "kind": "plain"}).content.decode()
    assert '<input type="hidden" name="kind" value="plain">' in page
    assert 'name="owner" value="ben"' in page


@pytest.mark.parametrize("word", ["100%", "a_b", "a\\b", "'; --"])
def test_a_search_takes_each_sign_for_itself(queue: None, viewer: Client, word: str) -> None:
    one = api.enqueue("plain", "ana", word).id
    api.enqueue("plain", "ana", "axb 1000")
    assert listed(viewer, q=word.split()[0])[:1] == [one]


def test_a_word_of_which_there_are_many_is_sought_row_by_row(
    queue: None, viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found, "FEW", 2)
    made = [api.enqueue("plain", "ana", f"week/{n}").id for n in range(5)]
    api.enqueue("plain", "ben", "month/1")
    assert listed(viewer, q="week/") == made[::-1]
    assert listed(viewer, owner="ana") == made[::-1]
