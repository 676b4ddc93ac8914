"""Writing an insight: one answer, one repair, then the narrator."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from coach import gateway, narrator
from coach.gateway import prompt
from coach.scopes.facts import Facts
from coach.trial import TrialGateway
from jobs.exceptions import Reject, Retry, UpstreamDown
from tests.coach.gateway.fake_run import FakeRun

BAD = json.dumps({"headline": "Load doubled", "summary": "It is 64.", "findings": [], "suggestions": []})


def write(run: FakeRun, facts: Facts, *, language: str = "en", recent: Any = ()) -> gateway.Written:
    return gateway.write(run, facts, language=language, recent=recent)  # type: ignore[arg-type]


def test_a_good_answer_is_the_insight(upstream: TrialGateway, run: FakeRun, facts: Facts) -> None:
    written = write(run, facts)
    assert written.writer == f"model/trial/{prompt.VERSION}"
    assert written.dropped == []
    assert "{{ctl}}" in written.text["summary"]
    assert len(run.calls) == 1


def test_an_answer_in_chinese_is_believed_as_well(upstream: TrialGateway, run: FakeRun, facts: Facts) -> None:
    assert write(run, facts, language="zh-hans").writer == f"model/trial/{prompt.VERSION}"


def test_the_trial_gateway_does_not_repeat_itself(upstream: TrialGateway, run: FakeRun, facts: Facts) -> None:
    recent: list[dict[str, Any]] = []
    for _week in range(8):
        written = write(run, facts, recent=recent)
        assert written.writer == f"model/trial/{prompt.VERSION}"
        recent = [written.text, *recent][:3]
    assert len(run.calls) == 8


def test_a_bad_answer_is_asked_for_once_more_with_what_was_wrong(
    upstream: TrialGateway, run: FakeRun, facts: Facts
) -> None:
    upstream.script([{"text": BAD}])
    written = write(run, facts)
    assert written.writer == f"model/trial/{prompt.VERSION}"
    assert [call.ended for call in run.calls] == ["answered", "answered"]
    first, second = upstream.log()
    assert second["bytes_in"] > first["bytes_in"]


@pytest.mark.parametrize("text", [BAD, "", "no JSON at all", '{"headline": NaN}', "[]", '{"headline": "x"}'])
def test_after_two_bad_answers_the_narrator_writes(
    upstream: TrialGateway, run: FakeRun, facts: Facts, text: str
) -> None:
    upstream.script([{"text": text, "times": 2}])
    written = write(run, facts)
    assert written.writer == narrator.WRITER
    assert written.text["findings"]
    assert written.dropped
    assert len(run.calls) == 2


def test_a_finding_that_fails_is_dropped_and_named(upstream: TrialGateway, run: FakeRun, facts: Facts) -> None:
    answer = {
        "headline": "Where you stand",
        "summary": "Fitness stands at {{ctl}}.",
        "findings": [
            {"text": "Fatigue is {{atl}}.", "facts": ["atl"], "direction": "flat", "weight": 1},
            {"text": "Load doubled to {{load_week}}.", "facts": ["load_week"], "direction": "up", "weight": 1},
        ],
    }
    upstream.script([{"text": json.dumps(answer)}])
    written = write(run, facts)
    assert [each["text"] for each in written.text["findings"]] == ["Fatigue is {{atl}}."]
    assert [(each["where"], each["check"]) for each in written.dropped] == [("findings[1]", "numeral")]
    assert len(run.calls) == 1


def test_a_repair_that_is_refused_leaves_it_to_the_narrator(upstream: TrialGateway, run: FakeRun, facts: Facts) -> None:
    upstream.script([{"text": BAD}, {"do": "finish", "reason": "content_filter"}])
    written = write(run, facts)
    assert written.writer == narrator.WRITER
    assert written.dropped[-1]["check"] == "repair"


@pytest.mark.parametrize(
    ("turn", "error"), [("close", UpstreamDown), ("eof", Retry), ({"do": "finish", "reason": "length"}, Reject)]
)
def test_what_the_queue_must_know_is_raised(
    upstream: TrialGateway, run: FakeRun, facts: Facts, turn: Any, error: type[Exception]
) -> None:
    upstream.script([turn])
    with pytest.raises(error):
        write(run, facts)


def test_an_outage_during_the_repair_is_an_outage(upstream: TrialGateway, run: FakeRun, facts: Facts) -> None:
    upstream.script([{"text": BAD}, "close"])
    with pytest.raises(UpstreamDown):
        write(run, facts)


def test_no_repair_begins_that_could_not_end(upstream: TrialGateway, run: FakeRun, facts: Facts, settings: Any) -> None:
    settings.JOBS = {**settings.JOBS, "CLAIM_TIMEOUT_SECONDS": 1.0}
    upstream.script([{"text": BAD, "delay_s": 0.7}])
    assert write(run, facts).writer == narrator.WRITER
    assert len(run.calls) == 1


def test_without_a_gateway_the_narrator_writes_and_says_so(
    run: FakeRun, facts: Facts, pointed: Callable[..., None]
) -> None:
    pointed()
    assert not gateway.configured()
    assert gateway.writer() == narrator.WRITER
    written = write(run, facts)
    assert written.writer == narrator.WRITER
    assert written.dropped == []
    assert run.calls == []


def test_facts_that_do_not_suffice_cost_no_call(upstream: TrialGateway, run: FakeRun, facts: Facts) -> None:
    empty = replace(facts, facts=(), insufficient="Upload a ride to see your load.")
    assert write(run, empty).writer == narrator.WRITER
    assert upstream.log() == []


def test_the_writer_names_model_and_instructions_briefly(pointed: Callable[..., None]) -> None:
    pointed(url="http://127.0.0.1:1/v1", model="org/Some Model:7b " + "x" * 200)
    name = gateway.writer()
    assert name.startswith("model/org-Some-Model:7b-x")
    assert name.endswith(f"/{prompt.VERSION}")
    assert len(name) <= 100


def test_the_same_facts_make_the_narrator_say_the_same(
    run: FakeRun, facts: Facts, pointed: Callable[..., None]
) -> None:
    pointed()
    assert write(run, facts) == write(run, facts)
