"""What the console says in words."""

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.console import breaker, history, lines, machine, masked, words
from jobs.models import Audit


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-1, "0 s"), (40, "40 s"), (119, "119 s"), (120, "2 min"), (3599, "59 min"), (3600, "1 h"), (7500, "2 h 5 min"),
     (90_000, "1 d")],
)  # fmt: skip
def test_durations_in_words(seconds: float, said: str) -> None:
    assert words.lasting(seconds) == said


def test_moments_are_relative_within_a_day_and_dates_beyond() -> None:
    now = timezone.now()
    assert words.when(now - timedelta(minutes=5, seconds=10)) == "5 min ago"
    assert words.when(now + timedelta(hours=2, seconds=1)) == "in 2 h"
    assert words.when(now - timedelta(days=3)) == f"{now - timedelta(days=3):%Y-%m-%d %H:%M}"
    assert words.when(None) == "–"


def test_an_error_needs_no_kind_and_a_kind_no_error() -> None:
    assert [words.problem(*parts) for parts in (("", ""), ("a", ""), ("", "b"), ("a", "b"))] == ["", "a", "b", "a: b"]


@pytest.mark.parametrize("name", ["password", "API-KEY", "apiKey", "access_token", "Authorization", "client_secret"])
def test_what_is_kept_under_the_name_of_a_secret_is_hidden(name: str) -> None:
    assert masked.masked([{"deep": {name: "x"}}]) == [{"deep": {name: "[hidden]"}}]
    assert masked.masked({name: ["x"]}) == {name: "[hidden]"}


def test_numbers_and_flags_are_no_secrets() -> None:
    assert masked.masked({"max_tokens": 800, "token": None}) == {"max_tokens": 800, "token": None}


@pytest.mark.parametrize(
    "given", [{"password": 12345678}, {"pwd": "x"}, {"accessKey": "x"}, {"auth": ["x"]}, {"session-id": "x"}]
)
def test_a_secret_is_hidden_whatever_it_is_called_and_made_of(given):
    assert list(masked.masked(given).values()) == ["[hidden]"]


def test_secrets_in_texts_are_cut_out() -> None:
    assert "hunter22" not in masked.shown({"url": "https://ana:hunter22@example.org"})


def test_nothing_is_shown_of_nothing() -> None:
    assert masked.shown(None) == masked.shown({}) == ""


def test_a_paused_pool_that_is_closed_too_says_both() -> None:
    pool = {
        "paused": True, "closed": True, "admit": 1, "capacity": 1, "closed_reason": "No route.", "failures": 2,
        "down_since": timezone.now(), "closed_s": 30.0, "signs": 0, "paused_by": "",
    }  # fmt: skip
    assert breaker.state(pool) == "paused"
    said = breaker.sentence(pool)
    assert said.startswith("By staff: no new job starts, running ones go on. It is also closed: Since ")
    assert said.endswith("(No route), 2 times in a row; next try in 30 s.")


def test_a_pool_without_seats_says_that_nothing_starts(queue: None) -> None:
    machine.sql.run("UPDATE jobs_pool SET capacity = 0; DELETE FROM jobs_seat")
    assert {pool.sentence for pool in machine.pools()} == {"It has no seat, so nothing of it starts."}


def test_a_line_is_counted_up_to_a_bound(queue: None) -> None:
    machine.sql.run(
        """
        INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                              promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error)
        SELECT 'pooled', '', n::text, '', '', '', 'gateway', 'ready', 10, 1, '', now(), now(), 0, 0, 0, '', '', ''
        FROM generate_series(1, 1200) n
        """
    )
    assert [(line.kind, line.depth) for line in lines.all_lines()] == [("pooled", "over 1,000")]


def test_what_an_entry_of_the_audit_changed() -> None:
    old, new = {"capacity": 1, "gap": 20.0, "paused": False}, {"capacity": 3, "gap": 0.5, "paused": False}
    assert history.changes(Audit(old=old, new=new)) == "capacity 1 → 3, gap 20 s → 0.5 s"
    assert history.changes(Audit(old=False, new=True)) == "no → yes"
    assert history.changes(Audit()) == ""
