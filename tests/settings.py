"""Coach's settings, with job kinds for the tests, fast passwords and short times for the queue."""

import os

os.environ.setdefault("COACH_SECRET_KEY", "a key for tests only, never used by a server")

from coach.settings import *  # noqa: F403
from coach.settings import DATA, INSTALLED_APPS, JOBS, MIDDLEWARE

INSTALLED_APPS = [*INSTALLED_APPS, "tests.kinds"]
MIDDLEWARE = [name for name in MIDDLEWARE if "whitenoise" not in name]  # it warns where nothing was collected
if "COACH_DATA" not in os.environ:  # tests side by side have files of their own, as they have a database
    DATA = DATA / os.environ.get("PYTEST_XDIST_WORKER", "")
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Nothing about the machine decides what the tests see; what a test needs otherwise it sets itself.
JOBS = {
    **JOBS,
    "POOLS": {"gateway": {"capacity": 1, "gap": 0.0}, "wide": {"capacity": 3, "gap": 0.0}},
    **{
        name: float(os.environ[f"TEST_{name}"])
        for name in (
            "HEARTBEAT_SECONDS", "SELF_KILL_SECONDS", "RESCUE_SECONDS", "STOP_GRACE_SECONDS", "DOWN_SECONDS",
            "POLL_SECONDS", "WATCH_SECONDS", "PATIENCE_SECONDS", "MISCONFIGURED_SECONDS",
            "SPARE_AFTER_SECONDS",
        )
        if f"TEST_{name}" in os.environ
    },
}  # fmt: skip
if "TEST_BACKOFF_SECONDS" in os.environ:
    JOBS["BACKOFF_SECONDS"] = (float(os.environ["TEST_BACKOFF_SECONDS"]),)
