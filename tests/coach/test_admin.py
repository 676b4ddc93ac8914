"""Coach's own tables in the admin: athletes and thresholds are edited, what is derived is read."""

import re
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.models import (
    Activity,
    Athlete,
    Evaluation,
    ImportFile,
    ImportRun,
    Insight,
    Invite,
    Provenance,
    Source,
    Spending,
    Threshold,
    Upstream,
    WriterScore,
)
from jobs.models import Job
from tests import factories

MODELS = [model for model in apps.get_app_config("coach").get_models() if admin.site.is_registered(model)]
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)[^>]*>")
TEXT = {
    "headline": "You rode {{distance}}.",
    "summary": "A calm day.",
    "findings": [{"text": "It took {{time}}.", "facts": ["time"]}],
    "suggestions": [{"text": "Rest.", "facts": []}],
}
FACTS = {"distance": {"label": "Distance", "display": "30.0 km"}, "time": {"label": "Time", "display": "1:00:00"}}

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(settings: Any) -> Client:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]
    client = Client()
    client.force_login(factories.staff())
    return client


@pytest.fixture
def ana() -> Athlete:
    """An athlete of whom there is something of everything."""
    ana = factories.athlete()
    factories.ftp(ana)
    ride = factories.activity(ana, date(2026, 5, 1), name="<b>Evening</b>", flags=["The clock jumped."])
    run = ImportRun.objects.create(source=factories.source(ana))
    file = ImportFile.objects.create(run=run, name="a.fit", size=3, sha256="0" * 64, sentence="It is in.")
    Provenance.objects.create(activity=ride, athlete=ana, file=file, sha256="0" * 64, session=0, format="fit")
    Insight.objects.create(
        athlete=ana, scope="activity", subject=str(ride.pk), fingerprint="f", writer="builtin/1", language="en",
        text=TEXT, facts=FACTS, dropped=[{"text": "You flew.", "violation": "number"}],
    )  # fmt: skip
    Spending.objects.create(athlete=ana, day=date(2026, 5, 1), calls=1)
    WriterScore.objects.create(model="model/a", prompt_version=1, rules={"number": 2})
    Evaluation.objects.create(title="Two prompts", created_by="staff", sides=[{"model": "", "prompt": 1}])
    Upstream.objects.create(pool="gateway", model="a", place="x", prompt_s=0.01)
    Invite.objects.create(label="Bo", digest="0" * 64, expires_at=timezone.now())
    return ana


def address(model: Any, page: str, *args: Any) -> str:
    return reverse(f"admin:coach_{model._meta.model_name}_{page}", args=args)


def send(client: Client, url: str, **data: Any) -> Any:
    response = client.post(url, data, follow=True)
    assert response.status_code == 200
    return response


def test_each_page_opens_and_keeps_to_the_content_policy(client: Client, ana: Athlete) -> None:
    for model in MODELS:
        row: Any = model._default_manager.first()
        for url in (address(model, "changelist"), address(model, "change", row.pk)):
            response = client.get(url)
            assert response.status_code == 200, url
            assert not INLINE.search(response.content.decode()), url


def test_every_list_of_the_site_opens_for_the_superuser(client: Client, ana: Athlete) -> None:
    for model in admin.site._registry:
        url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        response = client.get(url)
        assert response.status_code == 200, url
        assert not INLINE.search(response.content.decode()), url


def test_what_staff_may_see_is_here() -> None:
    names = {"Athlete", "Threshold", "Source", "ImportRun", "ImportFile", "Activity", "Insight", "Invite"}
    assert {model.__name__ for model in MODELS} == names | {"Evaluation", "Spending", "Upstream", "WriterScore"}


@pytest.mark.parametrize("model", [ImportRun, ImportFile, Activity, Insight])
def test_what_is_derived_is_only_read(client: Client, ana: Athlete, model: Any) -> None:
    row = model.objects.first()
    assert client.get(address(model, "add")).status_code == 403
    assert client.post(address(model, "change", row.pk), {"name": "x"}).status_code == 403
    assert client.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", [Athlete, Source])
def test_what_would_leave_files_and_jobs_behind_is_not_deleted(client: Client, ana: Athlete, model: Any) -> None:
    row = model.objects.first()
    assert client.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403


def test_a_person_with_a_history_is_not_deleted_either(client: Client, ana: Athlete) -> None:
    client.post(reverse("admin:auth_user_delete", args=[ana.user.pk]), {"post": "yes"})
    assert Athlete.objects.filter(pk=ana.pk).exists()


def profile(**changed: Any) -> dict[str, Any]:
    return {
        "time_zone": "Europe/Berlin", "units": "metric", "week_starts_on": 1, "language": "en", "sex": "f",
        "birth_year": "", **changed,
    }  # fmt: skip


def test_staff_add_an_athlete_for_a_user(client: Client) -> None:
    user = User.objects.create_user("bo")
    send(client, address(Athlete, "add"), user=user.pk, **profile(time_zone="Asia/Shanghai"))
    assert Athlete.objects.get(user=user).time_zone == "Asia/Shanghai"


def test_a_time_zone_that_does_not_exist_is_refused(client: Client, ana: Athlete) -> None:
    response = send(client, address(Athlete, "change", ana.pk), **profile(time_zone="Mars/Base"))
    assert "time_zone" in response.context["adminform"].form.errors


def test_another_sex_has_the_history_measured_again(client: Client, ana: Athlete) -> None:
    send(client, address(Athlete, "change", ana.pk), **profile(units="imperial"))
    assert not Job.objects.exists()
    send(client, address(Athlete, "change", ana.pk), **profile(sex="m"))
    assert Job.objects.get().owner == ana.owner


def test_a_threshold_has_the_history_measured_again(client: Client, ana: Athlete) -> None:
    values = {"athlete": ana.pk, "kind": "ftp_w", "value": 260, "valid_from": "2026-05-01"}
    send(client, address(Threshold, "add"), **values)
    assert Job.objects.get().kind == "recompute"


def test_a_threshold_that_nobody_can_have_is_refused(client: Client, ana: Athlete) -> None:
    values = {"athlete": ana.pk, "kind": "ftp_w", "value": 1200, "valid_from": "2026-05-01"}
    response = send(client, address(Threshold, "add"), **values)
    assert response.context["adminform"].form.errors["value"] == ["This should lie between 50 and 600."]
    assert not Job.objects.exists()


def test_deleting_thresholds_has_the_history_measured_again(client: Client, ana: Athlete) -> None:
    chosen = [threshold.pk for threshold in ana.thresholds.all()]
    data = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    send(client, address(Threshold, "changelist"), **data)
    assert not ana.thresholds.exists()
    assert Job.objects.get().kind == "recompute"


def test_an_insight_is_shown_as_the_athlete_reads_it(client: Client, ana: Athlete) -> None:
    shown = client.get(address(Insight, "change", Insight.objects.get().pk)).content.decode()
    for part in ("<p>You rode 30.0 km.</p>", "<p>It took 1:00:00.</p>", "builtin/1", "<td>Distance</td>", "You flew."):
        assert part in shown


def test_names_from_files_are_escaped(client: Client, ana: Athlete) -> None:
    shown = client.get(address(Activity, "changelist")).content.decode()
    assert "&lt;b&gt;Evening" in shown


def test_an_import_leads_to_its_files_and_its_job(client: Client, ana: Athlete) -> None:
    run = ImportRun.objects.get()
    shown = client.get(address(ImportRun, "changelist")).content.decode()
    files = re.search(r'href="(/admin/coach/importfile/[^"]*)">1</a>', shown)
    job = re.search(r'href="(/admin/jobs/job/[^"]*)"', shown)
    assert files is not None
    assert job is not None
    listed = client.get(files[1].replace("&amp;", "&"))
    assert [file.run_id for file in listed.context["cl"].result_list] == [run.pk]
    assert client.get(job[1].replace("&amp;", "&")).status_code == 200


def test_lists_ask_as_much_for_many_rows_as_for_few(
    client: Client, ana: Athlete, django_assert_max_num_queries: Any
) -> None:
    factories.season(ana, days=40)
    for model in MODELS:
        with django_assert_max_num_queries(8):
            client.get(address(model, "changelist"))
