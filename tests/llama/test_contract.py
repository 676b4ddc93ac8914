"""The client against a real llama.cpp server: what its errors mean, and what a stop really frees."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import requests

from coach.gateway import answer, client
from coach.gateway.conf import conf
from coach.gateway.memory import PROCESS
from coach.gateway.schema import Form
from jobs import api, testing
from jobs.exceptions import Reject, Stopped, UpstreamDown
from jobs.models import Attempt, Job, Seat
from tests.coach.gateway.conftest import _nothing_learnt, pointed  # noqa: F401  (fixtures)
from tests.coach.gateway.fake_run import FakeRun
from tests.processes import until

pytestmark = pytest.mark.full

SHORT = [{"role": "user", "content": "Write one short sentence about riding a bicycle."}]
PROMPT_CHARS = 4_000  # a thousand tokens: read in for seconds, by one thread beside a test suite for half a minute


def ask(run: FakeRun, messages: Any = SHORT, *, timeout_s: float = 60, **more: Any) -> Any:
    return client.complete(run, messages, timeout_s=timeout_s, **more)  # type: ignore[arg-type]


def answered_or_cut_off(run: FakeRun, *, timeout_s: float = 60, **more: Any) -> Any:
    """Return the answer, or None where it was cut off: nonsense may go on for ever."""
    try:
        return ask(run, timeout_s=timeout_s, **more)
    except Reject as error:
        return error if "cut off" not in str(error) else None


@pytest.fixture
def set_to(pointed: Callable[..., None]) -> Callable[..., None]:  # noqa: F811
    """Point Coach at a server, for short answers."""
    return lambda url, **more: pointed(url=url, **{"max_tokens": 60, "idle_seconds": 60, **more})


def test_a_streamed_answer_comes_whole_with_its_usage(llama: str, set_to: Callable[..., None]) -> None:
    set_to(llama, max_tokens=300)
    run = FakeRun()
    given = answered_or_cut_off(run, timeout_s=120)
    assert not isinstance(given, Reject)
    if given:
        assert given.usage["completion_tokens"] > 0
        assert answer.read(given).text is not None, "under a schema an answer is JSON"
    assert run.calls[0].ended == "answered"
    assert run.calls[0].tokens == 1


def test_a_loading_server_is_down_and_closes_its_pool(serve: Callable[..., str], set_to: Callable[..., None]) -> None:
    """From the first connection that is taken until the model is there."""
    url = serve(wait=False)
    set_to(url)
    met: list[UpstreamDown] = []
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s:
        try:
            ask(FakeRun(), timeout_s=30)
        except UpstreamDown as error:
            met.append(error)
        except Reject:
            break
        else:
            break
    assert [error for error in met if "Loading model" in str(error)], "it was never met while it loaded"
    assert all(error.hard and not error.linger for error in met)


def test_a_prompt_that_is_too_long_is_refused_for_good(llama: str, set_to: Callable[..., None]) -> None:
    set_to(llama)
    run = FakeRun()
    with pytest.raises(Reject, match="too long"):
        ask(run, [{"role": "user", "content": "word " * 4000}])
    assert [call.ended for call in run.calls] == ["over"]


def test_a_schema_that_it_does_not_take_is_given_up(llama: str, set_to: Callable[..., None]) -> None:
    set_to(llama)
    run = FakeRun()
    assert not isinstance(answered_or_cut_off(run, form=Form(name="nonsense", schema={"type": "nonsense"})), Reject)
    assert [call.ended for call in run.calls] == ["over", "answered"]
    assert PROCESS.known(conf()).schema == "json_object"


def test_a_name_of_a_model_is_nothing_to_it(llama: str, set_to: Callable[..., None]) -> None:
    set_to(llama, model="no-such-model")
    run = FakeRun()
    assert not isinstance(answered_or_cut_off(run), Reject)
    assert run.calls[0].ended == "answered"


def is_busy(url: str) -> bool:
    return any(slot["is_processing"] for slot in requests.get(f"{url}/slots", timeout=20).json())


def test_a_stop_while_it_writes_frees_it_soon(llama: str, set_to: Callable[..., None]) -> None:
    set_to(llama, max_tokens=400)
    run = FakeRun()

    def stop() -> None:
        until(lambda: bool(run.calls) and bool(run.calls[0].tokens), seconds=60, what="it writes")
        run.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    with pytest.raises(Stopped):
        ask(run)
    stopping.join()
    assert run.stopped_at is not None
    assert time.monotonic() - run.stopped_at < 1
    until(lambda: not is_busy(llama), seconds=20, what="it is free again")


class Watched:
    """Looks at the server's slot again and again."""

    def __init__(self) -> None:
        self.busy_at: list[float] = []
        self.looks = 0


@contextmanager
def watching(url: str) -> Iterator[Watched]:
    over, seen = threading.Event(), Watched()

    def look() -> None:
        while not over.wait(0.1):
            busy = is_busy(url)
            seen.looks += 1
            if busy:
                seen.busy_at.append(time.time())

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


@pytest.mark.django_db(transaction=True)
def test_after_a_stop_the_next_call_waits_until_the_prompt_is_read_in(
    serve: Callable[..., str], start_worker: Callable[..., Any]
) -> None:
    """Our side hangs up at once; up there the prompt is read to its end, and only then somebody else may come."""
    url = serve(context=4096)
    env = {"COACH_GATEWAY_URL": url, "COACH_GATEWAY_KEY": "", "COACH_GATEWAY_MAX_TOKENS": "8"}
    start_worker(env=env)
    with watching(url) as seen:
        first = api.enqueue("asks", "ana", "1", args={"chars": PROMPT_CHARS, "timeout": 100})
        until(lambda: seen.busy_at, seconds=60, what="it reads the prompt")
        assert api.stop(first.id, by="ana") == "stopping"
        assert testing.wait(first.id, seconds=5).status == "cancelled"
        ended = Attempt.objects.get(job=first.id).ended_at.timestamp()
        second = api.enqueue("asks", "ben", "2", args={"timeout": 60})
        seat = Seat.objects.get(pool="gateway")
        assert seat.why == "lingering"
        testing.wait(second.id, seconds=150)
    began = Attempt.objects.get(job=second.id).started_at.timestamp()
    read_in = [at for at in seen.busy_at if at < began]
    print(json.dumps({"read on for s": max(read_in) - ended, "next call after s": began - ended}))
    assert began - ended >= 59
    assert max(read_in) < began, "the next call met the one before"
    assert Job.objects.get(pk=second.id).attempts == 0 or Job.objects.get(pk=second.id).error_kind == "rejected"
