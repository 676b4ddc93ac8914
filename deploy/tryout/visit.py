"""The way through Coach from the files to the insights, step by step."""

import argparse
import time
from datetime import datetime
from typing import cast

from django.core.management import call_command
from django.db import connection

from deploy.tryout import browser, children, handing_in, people, say, screens, step
from deploy.tryout.children import Children
from jobs.models import Job, Status


def through(chosen: argparse.Namespace, started: Children) -> bool:
    """Do everything and print it; False means that a job failed."""
    step("Tables and static files")
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    say("Up to date.")

    step("People")
    athlete, password = people.introduce()

    step("Site and worker")
    begun = now()
    children.start(started, "web", ["-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "coach.wsgi"])
    children.start(started, "worker", ["manage.py", "work", "--grace", str(children.DRAIN_SECONDS)])
    browser.wait_for_site(started)
    say(f"The site is up at {browser.site()}/; its logs are in var/log/.")

    fine = handing_in.everything(athlete, chosen.paths, watch=lambda: children.check(started))

    step("Insights")
    fine &= screens.read(athlete, password, started, with_line=chosen.trial_gateway and not chosen.once)
    for job in Job.objects.filter(ended_at__gte=begun, status__in=[Status.FAILED, Status.INTERRUPTED]):
        if job.kind != "import":  # the files of an import were judged one by one
            say(f"The job {job.kind} {job.subject} ended {job.status}: {job.error}")
            fine = False
    return fine


def stay(started: Children) -> None:
    step("Coach is up")
    say(f"Open {browser.site()}/ and log in as {people.ATHLETE}; staff see {browser.site()}/admin/.")
    say("Ctrl-C stops it.")
    while True:
        children.check(started)
        time.sleep(1)


def now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cast(datetime, cursor.fetchone()[0])
