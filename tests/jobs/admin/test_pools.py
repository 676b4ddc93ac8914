"""Pools in the admin: edited live, through their transition."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jobs.models import Audit, Pool, Seat
from jobs.transitions import pools
from tests.jobs import rows
from tests.jobs.admin.conftest import said

GATEWAY = "/admin/jobs/pool/gateway/change/"
PROBE, PAUSE, RESUME = (f"/admin/jobs/pool/gateway/{act}/" for act in ("probe", "pause", "resume"))


def save(client: Client, *, was: dict[str, Any] | None = None, **changed: Any) -> Any:
    """Send the form with what it showed (`was`, by default what holds) and what the person changed."""
    pool = Pool.objects.get(pk="gateway")
    showed = {"capacity": pool.capacity, "gap_seconds": f"{pool.gap.total_seconds():g}"}
    showed |= was or {}
    sent = {**showed, **changed, **{f"initial-{name}": value for name, value in showed.items()}}
    return client.post(GATEWAY, sent, follow=True)


def close(seconds: float = 600) -> None:
    started = timezone.now() + timedelta(seconds=1)
    pools.down("gateway", job=1, started_at=started, reason="Refused.", hard=True, wait_s=seconds)


def test_growing_adds_seats_at_once_and_says_so(queue: None, configurer: Client) -> None:
    response = save(configurer, capacity=3, gap_seconds=2.5)
    assert said(response) == [
        "gateway: capacity 1 → 3, gap 0 s → 2.5 s. It holds from the next claim on, everywhere."
    ]  # fmt: skip
    assert Seat.objects.filter(pool="gateway").count() == 3
    assert Pool.objects.get(pk="gateway").gap == timedelta(seconds=2.5)


def test_a_shrink_says_that_seats_go_as_calls_end(queue: None, configurer: Client) -> None:
    pools.change("gateway", by="ana", capacity=2)
    running = [rows.started("pooled", name) for name in "ab"]
    response = save(configurer, capacity=1)
    assert said(response) == [
        "gateway: capacity 2 → 1. It holds from the next claim on, everywhere. "
        "Seats beyond that go as their calls end."
    ]  # fmt: skip
    assert "1 seat more than its capacity" in response.content.decode()
    assert {rows.status(job) for job in running} == {"running"}


def test_pausing_starts_nothing_new(queue: None, operator: Client) -> None:
    rows.api.enqueue("pooled", "ana", "1")
    response = operator.post(PAUSE, follow=True)
    assert said(response) == ["gateway: paused no → yes. It holds from the next claim on, everywhere."]
    assert rows.try_claim("pooled") is None
    assert "By operator: no new job starts" in response.content.decode()
    assert said(operator.post(RESUME, follow=True)) == [
        "gateway: paused yes → no. It holds from the next claim on, everywhere."
    ]
    assert rows.take("pooled")


def test_the_page_carries_what_it_showed(queue: None, configurer: Client) -> None:
    shown = configurer.get(GATEWAY).content.decode()
    for name in ("capacity", "gap_seconds"):
        assert f'name="initial-{name}"' in shown


def test_what_somebody_else_changed_meanwhile_stays(queue: None, configurer: Client) -> None:
    shown = {"capacity": 1, "gap_seconds": "0"}
    pools.change("gateway", by="ana", capacity=4)
    save(configurer, was=shown, gap_seconds=7)
    pool = Pool.objects.get(pk="gateway")
    assert (pool.capacity, pool.gap) == (4, timedelta(seconds=7))


def test_saving_what_is_there_changes_nothing(queue: None, configurer: Client) -> None:
    assert said(save(configurer)) == ["gateway: nothing was changed."]
    assert not Audit.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("capacity", -1, "greater than or equal to 0"),
        ("capacity", 1001, "less than or equal to 1000"),
        ("capacity", "many", "whole number"),
        ("gap_seconds", -0.1, "greater than or equal to 0"),
        ("gap_seconds", 1e9, "less than or equal to 86400"),
        ("gap_seconds", "nan", "number"),
        ("gap_seconds", "", "required"),
    ],
)
def test_what_makes_no_sense_is_refused(queue: None, configurer: Client, field: str, value: Any, why: str) -> None:
    response = save(configurer, **{field: value})
    assert why in str(response.context["errors"])
    assert not Audit.objects.exists()


def test_the_audit_has_who_and_what(queue: None, configurer: Client) -> None:
    save(configurer, capacity=2)
    entry = Audit.objects.get()
    assert (entry.actor, entry.action, entry.target) == ("configurer", "pool.change", "pool gateway")
    assert "capacity 1 → 2" in configurer.get(GATEWAY).content.decode()


def test_staff_who_may_only_look_change_nothing(queue: None, viewer: Client) -> None:
    close()
    shown = viewer.get(GATEWAY).content.decode()
    assert 'name="capacity"' not in shown
    assert "Probe now" not in shown
    assert save(viewer, capacity=9).status_code == 403
    assert viewer.post(PROBE).status_code == 403
    assert Pool.objects.get(pk="gateway").capacity == 1


def test_pools_are_neither_added_nor_deleted(queue: None, root: Client) -> None:
    assert root.get("/admin/jobs/pool/add/").status_code == 403
    assert root.post("/admin/jobs/pool/gateway/delete/", {"post": "yes"}).status_code == 403


def test_the_page_shows_each_seat_and_the_breaker(queue: None, operator: Client) -> None:
    pools.change("gateway", by="ana", capacity=3, gap_s=50)
    answered, left, running = (rows.started("pooled", name) for name in "abc")
    for job in (answered, left):
        rows.called(job)
    rows.calls.over(answered.id, answered.token)
    rows.end(answered)
    rows.end(left, "stopped")
    close()
    shown = operator.get(GATEWAY).content.decode()
    for state in ("seat-cooling", "seat-lingering", "seat-running"):
        assert state in shown
    assert f"pooled {running.id}</a>" in shown
    assert "a call may still be running up there" in shown
    assert "(Refused); next try in " in shown


def test_a_closed_pool_can_be_probed_now(queue: None, operator: Client) -> None:
    close()
    rows.api.enqueue("pooled", "ana", "1")
    assert rows.try_claim("pooled") is None
    response = operator.post(PROBE, follow=True)
    assert said(response) == ["gateway may be tried now: the next job that is due calls it."]
    assert "One job may call at a time" in response.content.decode()
    assert rows.take("pooled")


def test_an_open_pool_needs_no_probe(queue: None, operator: Client) -> None:
    assert said(operator.post(PROBE, follow=True)) == ["gateway is not closed, so nothing was changed."]
    assert operator.get(PROBE).status_code == 405
    assert operator.post("/admin/jobs/pool/none/probe/").status_code == 404


def test_the_list_says_how_each_pool_is(queue: None, viewer: Client) -> None:
    rows.started("pooled")
    close()
    shown = viewer.get("/admin/jobs/pool/").content.decode()
    assert '<span class="state state-closed">closed</span>' in shown
    assert '<span class="state state-open">open</span>' in shown
    assert "1 running" in shown


LINE = "1 from 00:00 until 00:01 UTC"


def test_a_reserve_is_written_a_line_each_and_shown_again(queue: None, configurer: Client, viewer: Client) -> None:
    response = save(configurer, reserve_lines=LINE)
    assert said(response) == [f"gateway: reserve – → {LINE}. It holds from the next claim on, everywhere."]
    assert LINE in configurer.get(GATEWAY).content.decode()
    assert LINE in viewer.get(GATEWAY).content.decode()


def test_a_line_that_is_no_reserve_is_refused_with_an_example(queue: None, configurer: Client) -> None:
    response = save(configurer, reserve_lines="two at night")
    assert "is no reserve: write a line such as" in response.content.decode()
    assert Pool.objects.get(pk="gateway").reserve == []
