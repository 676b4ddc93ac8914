"""Evaluations: stored cases, written anew by one or two models or prompts, counted and judged blindly."""

from django.db import models

from coach.models.athlete import Athlete
from coach.models.insight import Insight


class Evaluation(models.Model):
    title = models.CharField(max_length=100)
    sides = models.JSONField()  # one or two: {"model": "", "prompt": 2}; no model means the one that is set
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        permissions = [("run_evaluation", "Can run, judge and export evaluations")]

    def __str__(self) -> str:
        return self.title


class EvaluationCase(models.Model):
    """An insight's question: the facts as they were when the evaluation was made."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="cases")
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="evaluation_cases")
    insight = models.ForeignKey(Insight, on_delete=models.SET_NULL, null=True, related_name="evaluation_cases")
    position = models.PositiveIntegerField()
    language = models.CharField(max_length=8)
    facts = models.JSONField()  # as coach.cases writes them

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "position"], name="evaluation_case_once_a_place"),
        ]

    def __str__(self) -> str:
        return f"case {self.position} of {self.evaluation_id}"


class EvaluationText(models.Model):
    """What one side wrote about a case, and what the checks found."""

    case = models.ForeignKey(EvaluationCase, on_delete=models.CASCADE, related_name="texts")
    side = models.PositiveSmallIntegerField()  # its place in Evaluation.sides
    writer = models.CharField(max_length=100)  # the narrator where no answer was sound
    text = models.JSONField(default=dict)
    violations = models.JSONField(default=list)
    checked = models.JSONField(default=dict)  # see coach.scores
    error = models.CharField(max_length=300, blank=True)  # why there is no text at all
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["case", "side"], name="evaluation_text_once_a_side")]

    def __str__(self) -> str:
        return f"side {self.side} of case {self.case_id}"


class EvaluationVerdict(models.Model):
    """Which of two texts somebody preferred who could not see whose they were."""

    case = models.ForeignKey(EvaluationCase, on_delete=models.CASCADE, related_name="verdicts")
    judge = models.CharField(max_length=150)
    better = models.SmallIntegerField(null=True)  # a side; None: neither
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["case", "judge"], name="evaluation_verdict_once_a_judge")]

    def __str__(self) -> str:
        return f"{self.judge} on case {self.case_id}"
