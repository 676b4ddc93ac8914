"""Opens pages over HTTP as the demo athlete does, so that her screens ask for their insights."""

import os
import re
import time
from importlib import import_module

import requests
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User

from deploy.tryout import StepFailed, children
from deploy.tryout.children import Children

SECONDS = 60
SESSION_SECONDS = 3600


def site() -> str:
    return f"http://{os.environ['COACH_BIND']}"


def wait_for_site(started: Children) -> None:
    until = time.monotonic() + SECONDS
    while True:
        children.check(started)
        try:
            if requests.get(f"{site()}/healthz", timeout=5).ok:
                return
        except requests.RequestException:
            pass
        if time.monotonic() > until:
            raise StepFailed(f"The site did not answer at {site()}/healthz within {SECONDS} s; see var/log/web.log.")
        time.sleep(0.2)


def log_in(user: User, password: str | None) -> requests.Session:
    """Log in by the page when the password is known, else by a session that ends in an hour."""
    session = requests.Session()
    if password is None:
        session.cookies.set(settings.SESSION_COOKIE_NAME, lent_session(user))
        return session
    page = get(session, "/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    form = {
        "username": user.get_username(),
        "password": password,
        "csrfmiddlewaretoken": token[1] if token else "",
    }
    answer = session.post(f"{site()}/login/", data=form, timeout=30, allow_redirects=False)
    if answer.status_code != 302:
        raise StepFailed(f"The login page did not let the demo athlete in (status {answer.status_code}).")
    return session


def lent_session(user: User) -> str:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.set_expiry(SESSION_SECONDS)
    store.create()
    return str(store.session_key)


def get(session: requests.Session, path: str) -> str:
    answer = session.get(f"{site()}{path}", timeout=60)
    if answer.status_code != 200 or (path != "/login/" and answer.url.startswith(f"{site()}/login/")):
        raise StepFailed(f"The page {path} answered with status {answer.status_code}; see var/log/web.log.")
    return answer.text
