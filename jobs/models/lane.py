"""A line in which jobs run one at a time, in order."""

from django.db import models


class Lane(models.Model):
    """Its row lock orders what happens in the lane."""

    key = models.CharField(max_length=128, primary_key=True)
    label = models.CharField(max_length=200, blank=True)
    paused = models.BooleanField(default=False)
    held_kind = models.CharField(max_length=64, blank=True)
    held_label = models.CharField(max_length=200, blank=True)
    held_token = models.UUIDField(null=True, editable=False)
    held_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(key=""), name="jobs_lane_named"),
            models.CheckConstraint(
                condition=models.Q(held_token__isnull=True, held_until__isnull=True)
                | models.Q(held_token__isnull=False, held_until__isnull=False),
                name="jobs_lane_hold_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.key
