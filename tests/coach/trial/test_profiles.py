"""The days of the trial gateway: their mix, their phases and their crowds come from the seed and the clock alone."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

import pytest
import requests

from coach.trial import TrialGateway
from coach.trial.profiles import PROFILES, drawn, latency_s
from coach.trial.turns import MEETINGS
from coach.trial.weather import ROUND_S, Weather
from tests.coach.trial.test_gateway import answers, post, until

ROOT = Path(__file__).resolve().parents[3]
CALLS = 20_000
MIXES = {
    "normal-day": {
        "answer": 90, "502 page": 2.5, "429": 1, "504 after a minute": 1, "truncated stream": 1,
        "fenced, thinking or no JSON": 1, "cut off by length": 1, "200 with an error": 0.5, "stall": 0.5, "reset": 0.5,
        "content filter": 0.5, "slow trickle": 0.5,
    },
    "outage": {"answer": 100},
    "starved": {"answer": 100},
    "poison": {"answer": 100},
    "hostile": dict.fromkeys(
        ("answer", "nan", "nul", "big_body", "gzip_bomb", "error_page", "redirect", "xss", "bad_utf8",
         "duplicate_keys", "no_choices"),
        100 / 11,
    ),
}  # fmt: skip
MIXES["bad-day"] = {"answer": 65, **{name: 3.5 * share for name, share in MIXES["normal-day"].items() if share < 90}}


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_each_day_has_its_mix(name: str) -> None:
    seen = Counter(drawn(PROFILES[name], seed=7, number=number)[0].name for number in range(CALLS))
    assert set(seen) == set(MIXES[name])
    assert sum(MIXES[name].values()) == pytest.approx(100)
    for share, percent in MIXES[name].items():
        expected = CALLS * percent / 100
        assert abs(seen[share] - expected) <= 4 * expected**0.5, share


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_the_same_seed_gives_the_same_day(name: str) -> None:
    def day(seed: int) -> list[Any]:
        return [drawn(PROFILES[name], seed=seed, number=number)[1] for number in range(200)]

    assert day(3) == day(3)
    assert day(3) != day(4)


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_every_share_can_be_played(name: str) -> None:
    chance = Random(1)
    for share in PROFILES[name].shares:
        assert {share.make(chance, 0.01).do for _draw in range(50)} <= set(MEETINGS)


def test_answers_take_as_long_as_those_of_the_real_one() -> None:
    chance = Random(5)
    times = sorted(latency_s(chance) for _call in range(CALLS))
    cut = quantiles(times, n=20)
    assert 95 < cut[9] < 105
    assert 330 < cut[18] < 390
    assert 900 < times[-1] <= 1020


def test_every_other_429_says_for_how_long() -> None:
    busy = next(each for each in PROFILES["normal-day"].shares if each.name == "429")
    chance = Random(2)
    said = sum("Retry-After" in busy.make(chance, 1).headers for _call in range(1000))
    assert 430 < said < 570


class Hand:
    """A clock that the test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def weather(name: str, *, seed: int = 1, scale: float = 1) -> tuple[Weather, Hand, list[str]]:
    hand, told = Hand(), list[str]()
    return Weather(PROFILES[name], seed=seed, scale=scale, clock=hand, tell=told.append), hand, told


def test_a_bad_day_loads_its_model_for_forty_seconds_in_each_ten_minutes() -> None:
    day, hand, _told = weather("bad-day")
    began, loading = hand.now, []
    for second in range(6 * int(ROUND_S)):
        hand.now = began + second
        loading.append(day.is_loading())
    rounds = [loading[start : start + int(ROUND_S)] for start in range(0, len(loading), int(ROUND_S))]
    assert [39 <= sum(each) <= 41 for each in rounds] == [True] * 6
    assert len({each.index(True) for each in rounds}) > 3


def test_an_outage_goes_through_its_phases() -> None:
    day, hand, told = weather("outage", scale=0.5)
    began = hand.now

    def meets(minute: float) -> tuple[int, bool]:
        hand.now = began + minute * 60 * 0.5
        met, outage = day.turn(number=1, job="1")
        return met.status if met.do == "status" else 200, outage

    refusing = day.phase()
    assert refusing is not None
    assert refusing.refuses
    assert meets(20.1) == (502, True)
    assert meets(29.9) == (502, True)
    assert meets(32) == (200, False)
    assert meets(32.1) == (502, True)
    assert meets(36.9) == (502, True)
    assert [meets(37.1), meets(100)] == [(200, False)] * 2
    assert [said for said in told if said.startswith("now")] == [
        "now: 502", "now: one answer", "now: 502 again", "now: all is well",
    ]  # fmt: skip


def test_a_poison_kills_its_own_calls_only() -> None:
    day, _hand, _told = weather("poison")
    assert [day.turn(number=n, job=job)[0].do for n, job in enumerate(("5", "6", "5", "7", ""))] == [
        "reset", "answer", "reset", "answer", "answer",
    ]  # fmt: skip


def test_an_outage_refuses_and_then_answers() -> None:
    with TrialGateway(profile="outage", scale=0.0005) as gateway:  # twenty minutes are 0.6 s
        assert not answers(gateway)
        until(lambda: not answers(gateway) and len(gateway.log()) > 0)
        assert gateway.log()[0]["outage"]
        until(lambda: answers(gateway) and answers(gateway) and answers(gateway))
        stats = gateway.stats()
    assert stats["calls_during_outage"] == sum(call["outage"] for call in gateway.log()) > 0


def test_neighbours_crowd_a_starved_gateway() -> None:
    with TrialGateway(profile="starved", scale=0.0005) as gateway:  # a round is 0.3 s
        held = []
        for _look in range(150):
            held.append(gateway.neighbours.stats()["held"])
            threading.Event().wait(0.01)
    assert 0 in held
    assert set(held) & {3, 4}
    assert sum(count >= 3 for count in held) > 0.5 * len(held)


def test_a_script_goes_before_the_day() -> None:
    with TrialGateway(profile="normal-day", scale=0) as gateway:
        gateway.script([{"do": "status", "status": 418}])
        assert post(gateway).status_code == 418


def test_the_figures_tell_all_that_tests_go_by() -> None:
    with TrialGateway() as gateway:
        post(gateway)
        assert set(gateway.stats()) >= {
            "max_in_flight", "min_gap_s", "calls_per_job", "calls_during_outage", "overlapped_lingering", "key_seen",
            "bytes_in", "bytes_out", "turns", "neighbours", "statuses",
        }  # fmt: skip
        assert set(gateway.stats()["neighbours"]) >= {
            "turns", "longest_wait_s", "waited_s", "kept_waiting", "held",
        }  # fmt: skip


def test_the_command_goes_through_a_bad_day_and_says_what_it_does() -> None:
    command = [sys.executable, "manage.py", "trial_gateway", "--profile", "bad-day", "--scale", "0.0001"]
    environment = {**os.environ, "COACH_SECRET_KEY": "x", "DATABASE_URL": "postgresql://x/x"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            head = [process.stdout.readline() for _line in range(16)]
            requests.post(f"{url}/chat/completions", json={"messages": []}, headers={"X-Job-Id": "9"}, timeout=20)
        except requests.RequestException:
            pass  # a bad day
        finally:
            process.send_signal(signal.SIGTERM)
        said = "".join(head) + process.stdout.read()
        assert process.wait(timeout=10) == 0
    assert "bad-day: Two of three calls are answered" in said
    assert "65.0 %  answer" in said
    assert f"COACH_GATEWAY_URL={url}" in said
    assert "call 1 of job 9: " in said
