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
ADMIN = """
import django; django.setup()
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from jobs import api
from jobs.models import Lane
api.enqueue("both", "ana", "1")
Lane.objects.get_or_create(key="lane:1")
staff = Client()
staff.force_login(User.objects.create_superuser("staff"))
addresses = [reverse("admin:app_list", args=["jobs"])]
for model in site._registry:
    if model._meta.app_label == "jobs":
        name = f"admin:jobs_{model._meta.model_name}"
        addresses.append(reverse(f"{name}_changelist"))
        addresses += [reverse(f"{name}_change", args=[row.pk]) for row in model.objects.all()[:1]]
print([address for address in addresses if staff.get(address).status_code != 200])
print("What ended" in staff.get(addresses[0]).content.decode())
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


def test_its_admin_has_every_page_of_the_queue(alone):
    alone("-m", "django", "migrate", "--verbosity", "0")
    assert alone("-c", ADMIN).split("\n")[:2] == ["[]", "True"]
