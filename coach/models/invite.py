"""Invitations: each lets one person in, once."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class InviteQuerySet(models.QuerySet["Invite"]):
    def open(self) -> "InviteQuerySet":
        return self.filter(used_at=None, expires_at__gt=timezone.now())


class Invite(models.Model):
    """What is kept of an invitation: the secret in its link only as a hash."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    label = models.CharField("for", max_length=100, help_text="So that you know whom it is for. Only staff see it.")
    email = models.EmailField(blank=True, editable=False)  # where the link was sent to, which confirms the address
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )

    objects = InviteQuerySet.as_manager()

    def __str__(self) -> str:
        return self.label
