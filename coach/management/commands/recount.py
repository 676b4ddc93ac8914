"""manage.py recount: is the stored load of each day what its sessions add up to? Days that are not are put right."""

from typing import Any

from django.core.management.base import BaseCommand

from coach import training_days
from coach.models import Athlete


class Command(BaseCommand):
    help = "Adds up the sessions of every day anew, puts stored days right that differ, and says how many did."

    def handle(self, *args: Any, **options: Any) -> None:
        for athlete in Athlete.objects.select_related("user").order_by("pk").iterator():
            wrong = training_days.mend(athlete)
            if wrong:
                days = f"{wrong[0]}" if len(wrong) == 1 else f"{wrong[0]} to {wrong[-1]}"
                self.stdout.write(f"{athlete.user.get_username()}: {len(wrong)} put right, {days}")
        self.stdout.write("Every stored day is what its sessions add up to.")
