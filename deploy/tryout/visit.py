"""The way through Coach from the files to the insights, step by step."""

import argparse
import socket
import time
from datetime import datetime
from typing import cast

from django.core.management import call_command
from django.db import connection

from deploy.tryout import address, browser, children, handing_in, people, say, screens, step
from deploy.tryout.browser import Browser
from deploy.tryout.children import Children
from jobs.models import Job, Status


def through(chosen: argparse.Namespace, started: Children, listener: socket.socket) -> bool:
    """Do everything and print it; False means that a job failed."""
    step("Tables and static files")
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    say("Up to date.")

    step("People")
    athlete, password = people.introduce()

    step("Site and worker")
    begun = now()
    site = address.site(listener)
    number = listener.fileno()
    web = ["-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "--bind", f"fd://{number}", "coach.wsgi"]
    children.start(started, "web", web, hand=(number,))
    children.start(started, "worker", ["manage.py", "work", "--grace", str(children.DRAIN_SECONDS)])
    browser.wait_for_site(site, started)
    say(f"The site is up at {site}/; its logs are in var/log/.")

    fine = handing_in.everything(athlete, chosen.paths, watch=lambda: children.check(started))

    step("Insights")
    fine &= screens.read(
        athlete, password, Browser(site=site), started, with_line=chosen.trial_gateway and not chosen.once
    )
    for job in Job.objects.filter(ended_at__gte=begun, status__in=[Status.FAILED, Status.INTERRUPTED]):
        if job.kind != "import":  # the files of an import were judged one by one
            say(f"The job {job.kind} {job.subject} ended {job.status}: {job.error}")
            fine = False
    return fine


def stay(started: Children, listener: socket.socket) -> None:
    step("Coach is up")
    site = address.site(listener)
    say(f"Open {site}/ and log in as {people.ATHLETE}; staff see {site}/admin/.")
    say("Ctrl-C stops it.")
    while True:
        children.check(started)
        time.sleep(1)


def now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cast(datetime, cursor.fetchone()[0])
