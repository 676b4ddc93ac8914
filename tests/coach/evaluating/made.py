"""What these tests evaluate, and where."""

from django.urls import reverse

from coach import evaluating
from coach.evaluating import Side
from coach.models import Insight
from jobs import testing

BOTH = [Side(prompt=2, model="big"), Side(prompt=1)]
FALSE = '{"headline": "You flew 42 km", "summary": "42", "findings": [{"text": "42", "facts": ["ctl"]}]}'


def rows():
    return Insight.objects.select_related("athlete").order_by("-pk")


def made(sides=BOTH):
    return evaluating.make("Prompts", rows(), sides, by="staff")[0]


def evaluated(sides=BOTH):
    evaluation = made(sides)
    testing.run_due()
    return evaluation


def page(name, *args):
    return reverse(f"admin:coach_evaluation_{name}", args=args)
