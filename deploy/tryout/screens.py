"""Opens the three screens as the athlete does, waits until their insights are written, and prints them."""

import time
from collections.abc import Callable

from django.urls import reverse

from coach import insights, panels, scopes
from coach.models import Activity, Athlete
from deploy.tryout import StepFailed, children, report, say
from deploy.tryout.browser import Browser
from deploy.tryout.children import Children
from jobs import api

STUCK_SECONDS = 45 * 60  # longer than the slowest answer of a gateway, with the rest before it
LONG_ENOUGH_S = 600  # a test recording of a second says nothing
OLDER = 5
FINE = {"written", "partly", "builtin", "no_data", "stopped"}
Screen = tuple[str, str]


def read(athlete: Athlete, password: str | None, browser: Browser, started: Children, *, with_line: bool) -> bool:
    """Print the insights of the newest activity, its week, and the load; False means that one was not written."""
    activities = Activity.objects.filter(athlete=athlete).newest_first()
    newest = activities.filter(timer_s__gte=LONG_ENOUGH_S).first() or activities.first()
    if newest is None:
        say("There is no activity, so there is nothing to write about.")
        return True
    if with_line:
        form_line(athlete, list(activities.exclude(pk=newest.pk)[:OLDER]))
    browser.log_in(athlete.user, password)
    screens = of(athlete, newest)
    for scope, subject in screens:
        browser.get(address(scope, subject))
        say(f"Opened {browser.site}{address(scope, subject)}")
    wait_until_written(athlete, screens, lambda waiting: poll(browser, waiting, started))
    shown = [show(athlete, scope, subject) for scope, subject in screens]
    return all(shown)


def of(athlete: Athlete, activity: Activity) -> list[Screen]:
    """Return one screen of each scope, the first that this activity changes."""
    first: dict[str, str] = {}
    for scope, subject in scopes.subjects_after(athlete, [activity]):
        first.setdefault(scope, subject)
    return list(first.items())


def form_line(athlete: Athlete, activities: list[Activity]) -> None:
    """Ask for texts that nobody looks at, so that a newcomer sees the screens opened next go before them."""
    for activity in activities:
        facts = scopes.facts_for("activity", athlete, str(activity.pk))
        subject = insights.subject_of(facts.scope, facts.subject)
        api.enqueue(insights.KIND, athlete.owner, subject, fingerprint=insights.fingerprint(athlete, facts))
    say(f"Asked for {len(activities)} texts that nobody looks at; the screens opened now go before them.")


def address(scope: str, subject: str) -> str:
    return reverse(scope) if subject == "current" else reverse(scope, args=[subject])


def poll(browser: Browser, screens: list[Screen], started: Children) -> None:
    """Do what an open page does: its polls are what keeps a job first in line."""
    children.check(started)
    for scope, subject in screens:
        browser.get(reverse("panel", args=[scope, subject]))


def wait_until_written(athlete: Athlete, screens: list[Screen], poll: Callable[[list[Screen]], None]) -> None:
    said: dict[Screen, str] = {}
    moved = time.monotonic()
    while True:
        seen = {screen: panels.peek(athlete, *screen) for screen in screens}
        for screen, panel in seen.items():
            sentence = panel.sentence or "Written."
            if said.get(screen) != sentence:
                said[screen], moved = sentence, time.monotonic()
                say(f"  {screen[0]}: {sentence}")
        waiting = [screen for screen, panel in seen.items() if panel.poll_ms is not None]
        if not waiting:
            return
        if time.monotonic() - moved > STUCK_SECONDS:
            raise StepFailed(f"Nothing was written for {STUCK_SECONDS // 60} minutes; see var/log/worker.log.")
        poll(waiting)
        time.sleep(2)


def show(athlete: Athlete, scope: str, subject: str) -> bool:
    """Print a screen's insight; False means that it was not written."""
    panel = panels.peek(athlete, scope, subject)
    report.panel(panel)
    return panel.state in FINE
