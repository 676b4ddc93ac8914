"""Opens pages over HTTP as the demo athlete does, so that her screens ask for their insights."""

import re
import time
from dataclasses import dataclass, field
from importlib import import_module

import requests
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User

from deploy.tryout import StepFailed, children
from deploy.tryout.children import Children

SECONDS = 60
SESSION_SECONDS = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    site: str
    session: requests.Session = field(default_factory=requests.Session)

    def get(self, path: str) -> str:
        answer = self.session.get(f"{self.site}{path}", timeout=SECONDS)
        turned_away = path != "/login/" and answer.url.startswith(f"{self.site}/login/")
        if answer.status_code != 200 or turned_away:
            raise StepFailed(f"The page {path} answered with status {answer.status_code}; see var/log/web.log.")
        return answer.text

    def log_in(self, user: User, password: str | None) -> None:
        """Log in by the page when the password is known, else by a session that ends in an hour."""
        if password is None:
            self.session.cookies.set(settings.SESSION_COOKIE_NAME, lent_session(user))
            return
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get("/login/"))
        form = {
            "username": user.get_username(),
            "password": password,
            "csrfmiddlewaretoken": token[1] if token else "",
        }
        answer = self.session.post(f"{self.site}/login/", data=form, timeout=SECONDS, allow_redirects=False)
        if answer.status_code != 302:
            raise StepFailed(f"The login page did not let the demo athlete in (status {answer.status_code}).")


def lent_session(user: User) -> str:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]  # those before it only count wrong passwords
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.set_expiry(SESSION_SECONDS)
    store.create()
    return str(store.session_key)


def wait_for_site(site: str, started: Children) -> None:
    until = time.monotonic() + SECONDS
    while True:
        children.check(started)
        try:
            if requests.get(f"{site}/healthz", timeout=5).ok:
                return
        except requests.RequestException:
            pass
        if time.monotonic() > until:
            raise StepFailed(f"The site did not answer at {site}/healthz within {SECONDS} s; see var/log/web.log.")
        time.sleep(0.2)
