"""The trial gateway keeps its own promises: shared permits, deafness, a true log, the same answers by seed."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests

from coach.trial import TrialGateway
from coach.trial.server import Neighbourhood
from coach.trial.turns import MEETINGS

ROOT = Path(__file__).resolve().parents[3]
FACTS = {
    "facts": {"ctl": {"label": "Fitness"}, "tsb": {"label": "Form in 7 days"}},
    "missing": ["hrv"],
    "language": "en",
}


def body(*, stream: bool, prompt: str = json.dumps(FACTS)) -> dict[str, Any]:
    return {"model": "trial", "stream": stream, "messages": [{"role": "user", "content": f"Facts: {prompt}"}]}


def post(gateway: TrialGateway, *, stream: bool = False, job: str = "", **more: Any) -> requests.Response:
    headers = {"X-Job-Id": job} if job else {}
    return requests.post(
        f"{gateway.url}/chat/completions", json=body(stream=stream), headers=headers, timeout=20, **more
    )


def text_of(response: requests.Response) -> str:
    events = [line[6:] for line in response.text.splitlines() if line.startswith("data: {")]
    deltas = [choice["delta"] for event in events for choice in json.loads(event)["choices"]]
    return "".join(delta.get("content") or "" for delta in deltas)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not happen within ten seconds"
        time.sleep(0.005)


def hang_up_early(gateway: TrialGateway, *, stream: bool) -> None:
    """Send a request and close the connection as soon as the server works on it."""
    raw = json.dumps(body(stream=stream)).encode()
    seen = len(gateway.log())
    with socket.create_connection(("127.0.0.1", int(gateway.url.split(":")[2].split("/")[0]))) as connection:
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(raw)}\r\n\r\n"
        connection.sendall(head.encode() + raw)
        until(lambda: len(gateway.log()) > seen and gateway.log()[-1]["permit"] is not None)


def test_the_same_seed_gives_the_same_answers_streamed_or_not() -> None:
    texts = []
    for _time in range(2):
        with TrialGateway(seed=5) as gateway:
            streamed = text_of(post(gateway, stream=True))
            whole = post(gateway).json()["choices"][0]["message"]["content"]
            texts.append((streamed, whole))
    assert texts[0] == texts[1]
    assert json.loads(texts[0][0])["missing"] == ["hrv"]


def test_an_answer_holds_tokens_and_no_digit() -> None:
    with TrialGateway() as gateway:
        given = json.loads(post(gateway).json()["choices"][0]["message"]["content"])
    assert "{{ctl}}" in given["summary"]
    assert not any(letter.isdigit() for letter in json.dumps([given["headline"], given["summary"]]))


def test_a_prompt_without_facts_is_answered_all_the_same() -> None:
    with TrialGateway() as gateway:
        response = requests.post(f"{gateway.url}/chat/completions", json=body(stream=False, prompt="{}"), timeout=5)
    assert "no facts" in response.json()["choices"][0]["message"]["content"]


def test_a_fifth_call_waits_without_a_word() -> None:
    with TrialGateway() as gateway:
        gateway.neighbours.hold(4)
        waiting = threading.Thread(target=post, args=(gateway,))
        waiting.start()
        until(lambda: gateway.stats()["in_flight"] == 1)
        entry = gateway.log()[0]
        assert entry["permit"] is None
        assert entry["first_byte"] is None
        gateway.neighbours.hold(3)
        waiting.join()
        assert gateway.log()[0]["permit"] is not None


def test_no_more_calls_than_permits_are_worked_on() -> None:
    with TrialGateway(permits=2, delay_s=0.1) as gateway:
        threads = [threading.Thread(target=post, args=(gateway,)) for _call in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entries = sorted(gateway.log(), key=lambda entry: float(entry["permit"]))
        assert gateway.stats()["max_in_flight"] == 5
    for earlier, later in zip(entries, entries[2:], strict=False):
        assert later["permit"] >= earlier["permit"] + 0.1


def test_neighbours_take_permits_and_say_how_long_they_waited() -> None:
    with TrialGateway(neighbourhood=Neighbourhood(count=4, hold_s=0.05, rest_s=0.01)) as gateway:
        until(lambda: gateway.stats()["neighbours"]["turns"] >= 8)
        assert gateway.stats()["permits_taken"] <= 4


def test_a_call_that_is_not_streamed_goes_on_after_the_client_hung_up() -> None:
    with TrialGateway(delay_s=0.3) as gateway:
        hang_up_early(gateway, stream=False)
        until(lambda: gateway.log()[0]["ended"] is not None)
        entry = gateway.log()[0]
    assert entry["ended"] - entry["started"] >= 0.3


def test_a_streamed_call_notices_a_hang_up_when_it_writes() -> None:
    with TrialGateway(delay_s=0.2, pace_s=0.02) as gateway:
        hang_up_early(gateway, stream=True)
        until(lambda: gateway.log()[0]["ended"] is not None)
        entry = gateway.log()[0]
    assert entry["disconnected"]
    assert entry["tokens"] <= 3
    assert entry["ended"] - entry["started"] >= 0.2


def test_the_gap_is_measured_from_the_true_end_to_the_next_start() -> None:
    with TrialGateway(delay_s=0.3) as gateway:
        hang_up_early(gateway, stream=False)
        post(gateway)
        stats = gateway.stats()
    assert stats["max_in_flight"] == 2
    assert stats["min_gap_s"] < 0
    with TrialGateway() as gateway:
        post(gateway)
        time.sleep(0.1)
        post(gateway)
        assert gateway.stats()["min_gap_s"] >= 0.1


def test_a_call_that_overlaps_one_nobody_waits_for_is_counted() -> None:
    with TrialGateway(delay_s=0.3, pace_s=0.01) as gateway:
        hang_up_early(gateway, stream=True)
        post(gateway, stream=True)
        assert gateway.stats()["overlapped_lingering"] == 1


def test_the_log_tells_the_job_and_that_a_key_was_seen_but_never_the_key(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with TrialGateway(log_path=path, key="very-secret") as gateway:
        headers = {"Authorization": "Bearer very-secret", "X-Job-Id": "12"}
        assert requests.post(f"{gateway.url}/chat/completions", json=body(stream=True), headers=headers, timeout=5).ok
        assert post(gateway, job="13").status_code == 401
        first, second = gateway.log()
        stats = gateway.stats()
    assert (first["job"], first["key_seen"], first["status"]) == ("12", True, 200)
    assert (second["job"], second["key_seen"], second["status"]) == ("13", False, 401)
    assert stats["calls_per_job"] == {"12": 1, "13": 1}
    written = path.read_text()
    assert "very-secret" not in written + json.dumps([first, second, stats])
    assert [json.loads(line)["event"] for line in written.splitlines()] == ["started", "ended"] * 2


def test_a_script_is_played_in_order_and_then_over() -> None:
    with TrialGateway() as gateway:
        control = gateway.url.removesuffix("/v1")
        turns = [{"do": "status", "status": 502, "times": 2}, {"do": "status", "status": 429}]
        assert requests.post(f"{control}/__script", json=turns, timeout=5).json() == {"turns": 2}
        assert [post(gateway).status_code for _call in range(4)] == [502, 502, 429, 200]
        assert requests.get(f"{control}/__stats", timeout=5).json()["statuses"] == {"200": 1, "429": 1, "502": 2}
        assert len(requests.get(f"{control}/__log", timeout=5).json()) == 4
        assert requests.get(f"{gateway.url}/models", timeout=5).json()["data"][0]["id"] == "trial"


def test_a_turn_can_be_meant_for_one_job_or_prompt() -> None:
    with TrialGateway() as gateway:
        poison = {"do": "status", "status": 500, "match": "31", "times": -1}
        gateway.script([poison, {"do": "status", "status": 418, "match": "Fitness"}])
        assert [post(gateway, job=job).status_code for job in ("31", "30", "30", "31")] == [500, 418, 200, 500]


def test_a_script_that_cannot_be_played_is_refused_with_a_reason() -> None:
    with TrialGateway() as gateway:
        control = gateway.url.removesuffix("/v1")
        for bad in ([{"do": "dance"}], [{"dance": 1}], {"do": "dance"}):
            response = requests.post(f"{control}/__script", json=bad, timeout=5)
            assert response.status_code == 400
            assert "dance" in response.json()["error"]["message"]


def answers(gateway: TrialGateway) -> bool:
    try:
        return post(gateway).ok
    except requests.ConnectionError:
        return False


def test_a_closed_listener_refuses_and_opens_again() -> None:
    with TrialGateway() as gateway:
        gateway.script([{"do": "refuse", "seconds": 0.3}])
        assert not answers(gateway)
        until(lambda: answers(gateway))
        assert gateway.stats()["calls"] == 1


@pytest.mark.parametrize("do", sorted(set(MEETINGS) - {"endless"}))
def test_every_turn_comes_to_an_end(do: str) -> None:
    with TrialGateway() as gateway:
        gateway.script([{"do": do, "seconds": 0.01}])
        with suppress(requests.RequestException):
            post(gateway, stream=True, allow_redirects=False)
        until(lambda: gateway.stats()["in_flight"] == 0)
        assert gateway.log()[0]["turn"] == do


def test_stopping_leaves_no_thread_behind() -> None:
    before = set(threading.enumerate())
    with TrialGateway(delay_s=60, neighbourhood=Neighbourhood(count=2)) as gateway:
        hang_up_early(gateway, stream=True)
        started = time.monotonic()
    assert time.monotonic() - started < 3
    assert not [thread for thread in threading.enumerate() if thread not in before and thread.is_alive()]


def test_the_command_serves_logs_and_ends_on_sigterm(tmp_path: Path) -> None:
    log = tmp_path / "calls.jsonl"
    command = [sys.executable, "manage.py", "trial_gateway", "--delay", "0.01", "--pace", "0", "--log", str(log)]
    environment = {**os.environ, "COACH_SECRET_KEY": "x", "DATABASE_URL": "postgresql://x/x"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            response = requests.post(f"{url}/chat/completions", json=body(stream=True), timeout=10)
            assert json.loads(text_of(response))["findings"]
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0
    assert len(log.read_text().splitlines()) == 2
