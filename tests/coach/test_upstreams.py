"""What an upstream turned out to know is kept for all processes: read rarely, written when it changes, tried anew."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from coach import upstreams
from coach.gateway import client
from coach.gateway.conf import Conf, conf
from coach.gateway.features import Features
from coach.gateway.memory import LEAST_LINGER_S, MOST_LINGER_S
from coach.models import Upstream
from coach.trial import TrialGateway
from coach.upstreams import Kept
from tests.coach.gateway.fake_run import FakeRun

pytestmark = pytest.mark.django_db
ASKED = [{"role": "user", "content": "hello"}]
PLAIN = Features(schema="", usage=False)
REFUSES = {"do": "status", "status": 400, "body": '{"error": {"message": "response_format is unknown"}}'}


@pytest.fixture
def here(settings: Any) -> Conf:
    settings.GATEWAY = {"url": "http://127.0.0.1:9/v1", "key": "", "model": "m", "idle_seconds": 5}
    return conf()


def passed(minutes: float, monkeypatch: pytest.MonkeyPatch) -> None:
    now = upstreams.time.monotonic()
    monkeypatch.setattr(upstreams.time, "monotonic", lambda: now + minutes * 60)


def test_what_one_process_learns_the_next_one_knows(here: Conf) -> None:
    Kept().learn(here, PLAIN)
    assert Kept().known(here) == PLAIN


def test_another_model_pool_or_address_is_asked_anew(here: Conf) -> None:
    Kept().learn(here, PLAIN)
    for other in ({"model": "n"}, {"pool": "spare"}, {"url": "http://127.0.0.1:8/v1"}):
        assert Kept().known(replace(here, **other)) == Features()


def test_at_another_address_the_old_one_is_forgotten(here: Conf) -> None:
    kept = Kept()
    kept.learn(here, PLAIN)
    moved = replace(here, url="http://127.0.0.1:8/v1")
    Kept().took(moved, tokens=100, seconds=1)
    assert Kept().known(moved) == Features()
    assert Upstream.objects.get().features is None


def test_a_process_reads_once_and_writes_only_what_changes(here: Conf) -> None:
    kept = Kept()
    kept.learn(here, PLAIN)
    kept.took(here, tokens=1000, seconds=10)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        for number in range(50):
            kept.known(here)
            kept.linger_s(here, tokens=1000)
            kept.learn(here, PLAIN)
            kept.took(here, tokens=1000, seconds=10 + number % 2)
    assert len(asked) == 0
    other = Kept()
    with CaptureQueriesContext(connection) as asked:
        for _ in range(50):
            other.known(here)
            other.linger_s(here, tokens=1000)
    assert len(asked) == 1


def test_after_a_while_it_reads_again(here: Conf, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, other = Kept(), Kept()
    assert mine.known(here) == Features()
    other.learn(here, PLAIN)
    assert mine.known(here) == Features()
    passed(11, monkeypatch)
    assert mine.known(here) == PLAIN


def test_a_day_later_an_upgraded_service_is_tried_again(here: Conf) -> None:
    Kept().learn(here, PLAIN)
    Upstream.objects.update(learnt_at=timezone.now() - timedelta(hours=23))
    assert Kept().known(here) == PLAIN
    Upstream.objects.update(learnt_at=timezone.now() - timedelta(hours=25))
    assert Kept().known(here) == Features()
    Kept().learn(here, PLAIN)  # it still does not know
    assert Kept().known(here) == PLAIN


def test_the_refusal_that_taught_it_is_paid_for_once(settings: Any) -> None:
    with TrialGateway() as gateway:
        settings.GATEWAY = {"url": gateway.url, "key": "", "model": "m", "idle_seconds": 5}
        gateway.script([REFUSES])
        for _process in range(3):
            client.complete(FakeRun(), ASKED, timeout_s=20, memory=Kept())  # type: ignore[arg-type]
        assert [call["status"] for call in gateway.log()] == [400, 200, 200, 200]


# How long it may work on unheard


def test_without_a_measurement_it_lingers_as_ever(here: Conf) -> None:
    assert Kept().linger_s(here, tokens=1400) == LEAST_LINGER_S


def test_a_long_prompt_on_a_slow_machine_lingers_longer_and_within_bounds(here: Conf) -> None:
    Kept().took(here, tokens=1000, seconds=60)  # 17 tokens a second
    kept = Kept()
    assert kept.linger_s(here, tokens=2000) == pytest.approx(180)
    assert kept.linger_s(here, tokens=100) == LEAST_LINGER_S
    assert kept.linger_s(here, tokens=100_000) == MOST_LINGER_S


def test_it_is_measured_from_calls_and_given_with_the_next(settings: Any) -> None:
    with TrialGateway(delay_s=0.4) as gateway:
        settings.GATEWAY = {"url": gateway.url, "key": "", "model": "m", "idle_seconds": 5}
        kept, run = Kept(), FakeRun()
        client.complete(run, ASKED, timeout_s=20, memory=kept)  # type: ignore[arg-type]
        row = Upstream.objects.get()
        assert 0.4 <= row.prompt_s * max(1, len("hello") // 4) < 5
        Upstream.objects.update(prompt_s=0.2)
        client.complete(run, [{"role": "user", "content": "word " * 400}], timeout_s=20, memory=Kept())  # type: ignore[arg-type]
    assert run.calls[0].linger_s == LEAST_LINGER_S
    assert run.calls[1].linger_s == pytest.approx(1.5 * 0.2 * 400)
