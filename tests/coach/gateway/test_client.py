"""The client: what it asks, what it takes for an answer, how it stops, and what never leaves it."""

import json
import logging
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from coach.gateway import answer, client, record
from coach.gateway.transport import KEEPALIVE
from coach.trial import TrialGateway, faults
from jobs.exceptions import Outcome, Retry, Snooze, Stopped
from tests.coach.gateway.fake_run import FakeCall, FakeRun

ASKED = [{"role": "user", "content": 'Write about {"facts":{"ctl":{"label":"Fitness"}},"language":"en"}'}]


def ask(run: FakeRun, *, timeout_s: float = 10) -> Any:
    return client.complete(run, ASKED, timeout_s=timeout_s)


ANSWERS = [
    "answer",
    "plain",
    "fenced",
    "think",
    "think_unopened",
    "reasoning",
    "reasoning_only",
    "odd_stream",
    "done_only",
    "finish_only",
    {"do": "finish", "reason": "eos_token"},
    {"do": "finish", "reason": "something_new"},
    {"do": "finish", "reason": "null"},
]


@pytest.mark.parametrize("turn", ANSWERS)
def test_an_answer_is_understood_in_every_form(upstream: TrialGateway, run: FakeRun, turn: Any) -> None:
    upstream.script([turn])
    given = answer.read(ask(run))
    assert given.text is not None
    assert "{{ctl}}" in given.text["summary"]
    assert run.calls[0].ended == "answered"
    assert run.calls[0].tokens == (0 if turn == "plain" else 1)


NO_ANSWERS = [
    "nan",
    "think_unclosed",
    *({"text": text} for text in ("", "sorry", "[1]", "{", "{" * 3000, '{"a":1e999')),
]


@pytest.mark.parametrize("turn", NO_ANSWERS)
def test_what_is_no_json_object_is_no_answer(upstream: TrialGateway, run: FakeRun, turn: Any) -> None:
    upstream.script([turn])
    assert answer.read(ask(run)).text is None


def test_words_around_the_object_do_no_harm(upstream: TrialGateway, run: FakeRun) -> None:
    upstream.script([{"text": 'Here you are: {"headline": "Fine"} Do you need more?'}])
    assert answer.read(ask(run)).text == {"headline": "Fine"}


def test_a_silence_after_the_last_word_is_not_waited_out(
    upstream: TrialGateway, run: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "LAST_BYTES_SECONDS", 0.1)

    def stay_silent(reply: Any, turn: Any, text: str) -> None:
        reply.begin_stream()
        reply.event(reply.chunk_object({"content": "{}"}, "stop"))
        reply.pause(30)

    from coach.trial.turns import MEETINGS, Meeting

    monkeypatch.setitem(MEETINGS, "stay_silent", Meeting(play=stay_silent, computes=True))
    upstream.script(["stay_silent"])
    assert ask(run).text == "{}"


def test_a_request_says_what_the_contract_asks(upstream: TrialGateway, run: FakeRun, settings: Any) -> None:
    settings.GATEWAY["key"] = "sk-trial-key"
    ask(run)
    entry = upstream.log()[0]
    assert entry["job"] == "7"
    assert entry["streamed"]
    assert entry["key_seen"]
    assert run.calls[0].streamed
    assert 9 < run.calls[0].timeout <= 10


def stop_when(condition: Callable[[], bool], run: FakeRun) -> threading.Thread:
    def wait_and_stop() -> None:
        until = time.monotonic() + 5
        while not condition() and time.monotonic() < until:
            time.sleep(0.005)
        run.stop()

    thread = threading.Thread(target=wait_and_stop)
    thread.start()
    return thread


STALLS = ["stall_headers", "stall_body", "answer"]


@pytest.mark.parametrize("do", STALLS)
def test_a_stop_ends_the_call_within_a_second(upstream: TrialGateway, run: FakeRun, do: str) -> None:
    upstream.script([{"do": do, "seconds": 30, "delay_s": 0 if do != "answer" else 30}])

    def waiting() -> bool:
        entries = upstream.log()
        return bool(entries) and (do != "stall_body" or bool(run.calls[0].tokens))

    stopping = stop_when(waiting, run)
    with pytest.raises(Stopped):
        ask(run)
    ended = time.monotonic()
    stopping.join()
    assert run.stopped_at is not None
    assert ended - run.stopped_at < 1
    assert run.calls[0].ended == ""


def test_a_stop_before_the_connection_stands_makes_none(upstream: TrialGateway, run: FakeRun) -> None:
    class StoppedAtOnce(FakeRun):
        def check(self) -> None:
            if self.calls:
                raise Stopped("stop")

    class EagerLine(client.Line):
        def __init__(self, **known: Any) -> None:
            super().__init__(**known)
            self.abort()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "Line", EagerLine)
        with pytest.raises(Stopped):
            ask(StoppedAtOnce())
    assert upstream.log() == []


def test_a_call_whose_time_is_over_sends_nothing(upstream: TrialGateway) -> None:
    class Late(FakeRun):
        @contextmanager
        def call(self, **how: Any) -> Iterator[FakeCall]:
            with super().call(**how) as call:
                call.late = True
                yield call

    run = Late()
    with pytest.raises(Snooze):
        ask(run)
    assert upstream.log() == []
    assert run.calls[0].ended == "over"


def test_an_abort_that_is_no_stop_spends_the_attempt_and_lingers(upstream: TrialGateway, run: FakeRun) -> None:
    upstream.script([{"do": "stall_headers", "seconds": 30}])

    def abort() -> None:
        while not upstream.log():
            time.sleep(0.005)
        run.calls[0].aborts[0]()

    thread = threading.Thread(target=abort)
    thread.start()
    with pytest.raises(Retry) as caught:
        ask(run)
    thread.join()
    assert caught.value.linger
    assert "broken off" in str(caught.value)


def test_a_streaming_upstream_notices_the_hang_up(upstream: TrialGateway, run: FakeRun) -> None:
    upstream.script([{"do": "answer", "pace_s": 0.02}])
    stopping = stop_when(lambda: bool(run.calls) and bool(run.calls[0].tokens), run)
    with pytest.raises(Stopped):
        ask(run)
    stopping.join()
    until = time.monotonic() + 5
    while upstream.stats()["in_flight"] and time.monotonic() < until:
        time.sleep(0.01)
    assert upstream.log()[0]["disconnected"]


def test_a_bomb_is_given_up_in_little_memory(upstream: TrialGateway, run: FakeRun) -> None:
    upstream.script(["gzip_bomb"])
    faults.bomb()  # the server is in this process: what it needs must not count
    tracemalloc.start()
    try:
        with pytest.raises(Retry):
            ask(run)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024


def test_the_environment_gives_neither_proxy_nor_password(
    upstream: TrialGateway, run: FakeRun, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login thief password stolen\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    settings.GATEWAY["key"] = upstream.key = "the-right-key"
    assert ask(run).complete


def test_a_redirect_takes_the_prompt_nowhere(upstream: TrialGateway, run: FakeRun) -> None:
    with TrialGateway() as elsewhere:
        upstream.script([{"do": "redirect", "body": f"{elsewhere.url}/chat/completions"}])
        with pytest.raises(Outcome):
            ask(run)
        assert elsewhere.log() == []


def test_a_key_is_in_no_error_and_no_log(
    upstream: TrialGateway, run: FakeRun, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    key = settings.GATEWAY["key"] = "sk-live-0123456789abcdef"
    said = f"Incorrect API key provided: {key}. Authorization: Bearer {key}; api-key={key} http://u:{key}@h/"
    body = json.dumps({"error": {"message": said}})
    caplog.set_level(logging.DEBUG)
    for status in (400, 401, 500):
        upstream.script([{"do": "status", "status": status, "body": body}])
        with pytest.raises(Outcome) as caught:
            ask(run)
        assert "0123456789" not in repr(caught.value)
        assert caught.value.__cause__ is None
    assert "0123456789" not in caplog.text


def test_each_call_leaves_one_line_of_figures(
    upstream: TrialGateway, run: FakeRun, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="coach.gateway")
    upstream.script(["answer", "cut_chunk"])
    ask(run)
    with pytest.raises(Retry):
        ask(run)
    good, broken = [each.getMessage() for each in caplog.records if each.getMessage().startswith(record.CALLED)]
    assert "job=7 pool=gateway status=200" in good
    assert "outcome=answered finish=stop" in good
    assert "outcome=again chain=ProtocolError<IncompleteRead" in broken
    assert "ctl" not in good


def test_the_connection_is_kept_alive_by_tcp() -> None:
    assert (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1) in KEEPALIVE
    assert (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60) in KEEPALIVE
