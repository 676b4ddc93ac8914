"""Signs people in as Django does; whose athlete a person is comes with the person, in one query."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User


class WithAthlete(ModelBackend):
    def get_user(self, user_id: Any) -> User | None:
        """Return the person of a session, with the athlete where there is one."""
        found = User.objects.select_related("athlete").filter(pk=user_id).first()
        return found if found and self.user_can_authenticate(found) else None
