"""Any Django project on PostgreSQL can take the queue: one with nothing else installed migrates, checks and works."""

import subprocess
import sys

import pytest
from django.db import connection

from tests.processes import ROOT, database_url, environment

NAME = "jobs_alone"
ENQUEUE = """
import django; django.setup()
from jobs import api
print(api.enqueue("plain", "ana", "1").status)
"""
REPORT = """
import django; django.setup()
from jobs import api
print(api.ticket("plain", "ana", "1").status)
"""


@pytest.fixture
def alone(transactional_db):
    """Run something in that project, on an empty database of its own."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {NAME}")
        cursor.execute(f"CREATE DATABASE {NAME}")
    address = database_url().rpartition("/")[0] + f"/{NAME}"
    env = environment(DATABASE_URL=address, DJANGO_SETTINGS_MODULE="tests.jobs.alone")

    def run(*words):
        done = subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    yield run
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def test_a_project_without_coach_migrates_and_works(alone):
    alone("-m", "django", "migrate", "--verbosity", "0")
    assert "no issues" in alone("-m", "django", "check", "--database", "default")
    assert alone("-c", ENQUEUE).strip().endswith("ready")
    alone("-m", "django", "work", "--drain", "--slots", "1")
    assert alone("-c", REPORT).strip() == "succeeded"
