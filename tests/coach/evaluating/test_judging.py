"""The figures of each side, and judging without knowing whose a text is."""

import pytest

from coach import comparing
from coach.evaluating import Side
from coach.models import EvaluationText, EvaluationVerdict
from jobs import testing
from tests.coach.evaluating.made import FALSE, evaluated, made

pytestmark = pytest.mark.django_db(transaction=True)


# Counting


def test_the_figures_are_those_of_the_texts(ana, stored):
    evaluation = made()
    stored.script([{"do": "answer", "times": 2, "text": FALSE}])  # the first text and its repair
    testing.run_due()
    one, other = comparing.columns(evaluation)
    texts = EvaluationText.objects.filter(side=0)
    assert (one.texts, one.sound, one.fell_back, one.failed) == (3, 2, 1, 0)
    assert (other.texts, other.sound, other.fell_back) == (3, 3, 0)
    assert one.answers == 4 == sum(text.checked["answers"] for text in texts)
    assert one.tokens == sum(text.checked["tokens"] for text in texts) > 3 * 500
    assert dict(one.rules)["numeral"] == sum(text.checked["rules"].get("numeral", 0) for text in texts)
    assert one.seconds is not None
    assert one.slowest_s is not None
    assert 0 < one.seconds <= one.slowest_s
    assert one.length
    assert one.length > 50


def test_a_model_that_says_the_same_each_time_is_told_from_one_that_does_not(ana, stored):
    evaluation = evaluated([Side(prompt=2)])
    before = comparing.columns(evaluation)[0].repetition_pct
    first = EvaluationText.objects.first()
    EvaluationText.objects.update(text=first.text)
    assert comparing.columns(evaluation)[0].repetition_pct == 100
    assert before is not None
    assert before < 100


# Judging


def test_judging_hides_the_sides_and_counts_for_the_right_one(ana, stored):
    evaluation = evaluated()
    for number, text in enumerate(EvaluationText.objects.order_by("pk")):
        text.text = {**text.text, "headline": f"side {text.side} of {number}"}
        text.save()
    seen, sides = [], set()
    while pair := comparing.next_pair(evaluation, judge="staff"):
        seen.append(pair.case.pk)
        liked = comparing.LEFT if pair.left[0].startswith("side 1") else comparing.RIGHT
        sides.add(pair.left[0][:6])
        comparing.judge(pair.case, judge="staff", choice=liked)
    assert len(seen) == len(set(seen)) == 3
    assert [column.preferred for column in comparing.columns(evaluation)] == [0, 3]
    comparing.judge(evaluation.cases.first(), judge="other", choice=comparing.NEITHER)
    assert EvaluationVerdict.objects.get(judge="other").better is None


def test_sides_are_drawn_for_each_case_and_judge_and_stay(ana, stored):
    evaluation = evaluated()
    turned = [comparing.is_turned(case, f"judge {n}") for case in evaluation.cases.all() for n in range(20)]
    assert 10 < sum(turned) < 50
    assert turned == [comparing.is_turned(case, f"judge {n}") for case in evaluation.cases.all() for n in range(20)]


def test_what_the_narrator_had_to_write_is_judged_by_nobody(ana, stored):
    evaluation = made()
    stored.script([{"do": "answer", "times": 2, "text": FALSE}])
    testing.run_due()
    pair = comparing.next_pair(evaluation, judge="staff")
    assert pair is not None
    assert pair.total == 2
