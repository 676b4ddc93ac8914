"""Every row of the classification table, met over a real socket."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from coach.gateway import client
from coach.gateway.conf import conf
from coach.gateway.memory import PROCESS
from coach.trial import TrialGateway
from jobs.exceptions import Misconfigured, Outcome, Reject, Retry, UpstreamDown
from tests.coach.gateway.fake_run import FakeRun
from tests.coach.gateway.signals import ROWS, error, status

ASKED = [{"role": "user", "content": 'Write about {"facts":{"ctl":{"label":"Fitness"}}}'}]
SOON = 0.3  # seconds after which a silent upstream is given up in these tests


def ask(run: FakeRun, *, timeout_s: float = 10) -> Any:
    return client.complete(run, ASKED, timeout_s=timeout_s)


def failure(run: FakeRun, *, timeout_s: float = 10) -> Outcome:
    """Make a call that fails, and return how."""
    with pytest.raises(Outcome) as caught:
        ask(run, timeout_s=timeout_s)
    return caught.value


@pytest.mark.parametrize(("turn", "kind", "lingers", "reason"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_signal_has_its_outcome(
    upstream: TrialGateway,
    run: FakeRun,
    settings: Any,
    turn: Any,
    kind: type[Outcome],
    lingers: bool,
    reason: str,
) -> None:
    if reason == "silent":
        settings.GATEWAY["idle_seconds"] = SOON
    upstream.script([turn])
    outcome = failure(run)
    assert type(outcome) is kind
    assert reason in str(outcome)
    assert outcome.linger is lingers
    assert len(upstream.log()) == 1
    assert run.calls[0].ended in ([""] if lingers else ["over", "answered"])
    assert len(str(outcome)) <= 500


HARD = [
    (status(503, error("Loading model")), True),
    (status(503, "<html>"), False),
    (status(502), False),
    (status(429), True),
    ("close", False),
    ("empty", False),
]


@pytest.mark.parametrize(("turn", "hard"), HARD)
def test_only_a_sure_sign_closes_the_pool_at_once(upstream: TrialGateway, run: FakeRun, turn: Any, hard: bool) -> None:
    upstream.script([turn])
    outcome = failure(run)
    assert isinstance(outcome, UpstreamDown)
    assert outcome.hard is hard


WAITS = [
    (status(429, Retry_After="20"), 20),
    (status(429, Retry_After="1.5"), 1.5),
    (status(429, Retry_After="0"), 1),
    (status(429, Retry_After="20", retry_after_ms="3000"), 3),
    (status(503, Retry_After="60"), 60),
    (status(500, Retry_After="7"), 7),
    (status(429, error("No deployments available. Try again in 5 seconds")), 5),
    (status(429, error("Please try again in 250ms")), 1),
]


@pytest.mark.parametrize(("turn", "seconds"), WAITS)
def test_an_upstream_that_asks_to_wait_is_given_the_time(
    upstream: TrialGateway, run: FakeRun, turn: Any, seconds: float
) -> None:
    upstream.script([turn])
    outcome = failure(run)
    assert isinstance(outcome, UpstreamDown)
    assert outcome.hard
    assert outcome.retry_after_s is not None
    assert seconds <= outcome.retry_after_s <= seconds * 1.25


@pytest.mark.parametrize("value", ["86400", "soon", "-5", "inf", ""])
def test_a_wait_that_makes_no_sense_is_passed_over(upstream: TrialGateway, run: FakeRun, value: str) -> None:
    upstream.script([status(429, Retry_After=value)])
    outcome = failure(run)
    assert isinstance(outcome, UpstreamDown)
    assert outcome.retry_after_s is None


def test_a_date_to_wait_for_is_understood(upstream: TrialGateway, run: FakeRun) -> None:
    upstream.script([status(503, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")])
    outcome = failure(run)
    assert isinstance(outcome, UpstreamDown)
    assert outcome.retry_after_s is not None
    assert 1 <= outcome.retry_after_s <= 1.25


def test_a_reset_after_work_had_begun_lingers(
    upstream: TrialGateway, run: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coach.gateway.broken.QUICK_SECONDS", 0.2)
    upstream.script([{"do": "reset", "seconds": 0.3}])
    outcome = failure(run)
    assert type(outcome) is UpstreamDown
    assert outcome.linger


def test_a_proxy_that_gave_up_late_lingers(
    upstream: TrialGateway, run: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coach.gateway.statuses.SLOW_SECONDS", 0.2)
    upstream.script([{**status(504, "<html>"), "seconds": 0.3}])
    outcome = failure(run)
    assert type(outcome) is UpstreamDown
    assert outcome.linger


def test_a_refused_connection_closes_the_pool(run: FakeRun, pointed: Callable[..., None]) -> None:
    with TrialGateway() as gone:
        pointed(url=gone.url)
    outcome = failure(run)
    assert isinstance(outcome, UpstreamDown)
    assert outcome.hard
    assert not outcome.linger


def test_a_listener_that_is_closed_by_the_script_refuses(upstream: TrialGateway, run: FakeRun) -> None:
    upstream.script([{"do": "refuse", "seconds": 30}])
    assert type(failure(run)) is UpstreamDown
    assert upstream.log() == []


def test_a_name_that_nobody_knows_closes_the_pool(run: FakeRun, pointed: Callable[..., None]) -> None:
    pointed(url="http://nowhere.invalid:80/v1")
    outcome = failure(run)
    assert isinstance(outcome, UpstreamDown)
    assert outcome.hard


@contextmanager
def talker(say: Callable[[socket.socket], None]) -> Iterator[str]:
    """Run a server that does one thing with each connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _address = listener.accept()
            except OSError:
                return
            with connection:
                say(connection)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def test_tls_where_none_is_spoken_is_a_matter_of_settings(run: FakeRun, pointed: Callable[..., None]) -> None:
    with talker(lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as address:
        pointed(url=f"https://{address}/v1")
        outcome = failure(run)
    assert type(outcome) is Misconfigured
    assert "TLS" in str(outcome)


def test_a_handshake_that_breaks_off_is_an_outage(run: FakeRun, pointed: Callable[..., None]) -> None:
    with talker(lambda connection: connection.recv(1)) as address:
        pointed(url=f"https://{address}/v1")
        assert type(failure(run)) is UpstreamDown


def test_the_whole_time_of_a_call_is_limited_however_lively_it_is(upstream: TrialGateway, run: FakeRun) -> None:
    upstream.script([{"do": "slow", "seconds": 0.02}])
    outcome = failure(run, timeout_s=0.4)
    assert type(outcome) is Retry
    assert "time allowed" in str(outcome)
    assert outcome.linger


def test_a_trickle_of_headers_ends_with_the_time_of_the_call(run: FakeRun, pointed: Callable[..., None]) -> None:
    over = threading.Event()

    def trickle(connection: socket.socket) -> None:
        try:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not over.wait(0.05):
                connection.sendall(b"x")
        except OSError:
            pass

    with talker(trickle) as address:
        pointed(url=f"http://{address}/v1")
        outcome = failure(run, timeout_s=0.4)
        over.set()
    assert type(outcome) is Retry
    assert "time allowed" in str(outcome)


SETTINGS = [
    {"url": "ftp://127.0.0.1/v1"},
    {"url": "http://"},
    {"url": "http://user:secret@127.0.0.1/v1"},
    {"url": "http://169.254.169.254/latest"},
    {"url": "http://127.0.0.1:1/v1", "key": "line\nbreak"},
    {"url": "http://127.0.0.1:1/v1", "key": "“curly”"},
]


@pytest.mark.parametrize("fields", SETTINGS)
def test_settings_that_cannot_work_take_no_seat(
    run: FakeRun, pointed: Callable[..., None], fields: dict[str, str]
) -> None:
    pointed(**fields)
    outcome = failure(run)
    assert type(outcome) is Misconfigured
    assert run.calls == []
    assert "secret" not in str(outcome)
    assert "curly" not in str(outcome)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", object()])
def test_what_cannot_be_sent_takes_no_seat(upstream: TrialGateway, run: FakeRun, value: Any) -> None:
    with pytest.raises(Reject):
        client.complete(run, [{"role": "user", "content": value}], timeout_s=5)
    assert run.calls == []


def test_a_name_that_leads_to_a_metadata_address_is_not_called(
    run: FakeRun, upstream: TrialGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The trial gateway stands in for the metadata service behind a name that was made to resolve to it.
    monkeypatch.setattr("coach.gateway.transport.forbidden_ip", lambda address: address == "127.0.0.1")
    outcome = failure(run)
    assert type(outcome) is Misconfigured
    assert upstream.log() == []


DOWNGRADES = [
    ("stream_options", "usage", False),
    ("response_format", "schema", "json_object"),
    ("json_schema", "schema", "json_object"),
    ("max_tokens", "limit", "max_completion_tokens"),
    ("temperature", "temperature", False),
]


@pytest.mark.parametrize(("named", "feature", "left"), DOWNGRADES)
def test_a_feature_that_the_upstream_does_not_know_is_given_up_for_good(
    upstream: TrialGateway, run: FakeRun, named: str, feature: str, left: Any
) -> None:
    upstream.script([status(400, error(f"Unrecognized request argument: {named}"))])
    ask(run)
    assert [call.ended for call in run.calls] == ["over", "answered"]
    learnt = PROCESS.known(conf())
    assert getattr(learnt, feature) == left
    ask(run)
    assert len(upstream.log()) == 3


def test_an_upstream_that_knows_no_feature_at_all_is_still_asked_plainly(upstream: TrialGateway, run: FakeRun) -> None:
    complaints = ["stream_options", "response_format", "response_format", "max_tokens", "max_completion_tokens"]
    upstream.script([status(422, error(f"{each} is unknown")) for each in complaints])
    assert ask(run).complete
    assert len(run.calls) == 6
