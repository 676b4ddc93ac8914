"""A sentence for each session of a source: real workers, a real gateway, one call a session and no second one."""

import pytest
from django.urls import reverse

from coach import annotating, insights, narrator, panels, scopes, writing
from coach.models import Activity, Annotation, Source, Spending, WriterScore
from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Item, Job
from tests import factories
from tests.coach.test_imports import gpx, hand_in
from tests.coach.views.rows import signed_in
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)
SESSIONS = 6


def athlete_of(*, sessions):
    owner = factories.athlete()
    factories.season(owner, days=sessions * 3 // 2 - 1)
    assert Activity.objects.count() == sessions
    return owner


@pytest.fixture
def ana():
    return athlete_of(sessions=SESSIONS)


def fresh(source):
    return Source.objects.select_related("athlete__user").get(pk=source.pk)


def asked(source):
    return annotating.ask(fresh(source), by="ana")


def over(source):
    ticket = annotating.ticket(source)
    return bool(ticket) and ticket.is_finished


def done():
    return Item.objects.filter(status="ok").count()


# What is written


def test_without_a_gateway_each_session_gets_its_line_from_the_narrator(start_worker, ana, source):
    asked(source)
    start_worker()
    until(lambda: over(source))
    assert Annotation.objects.filter(writer=narrator.WRITER).count() == SESSIONS
    assert Job.objects.get().pool == ""
    assert all("{{" in row.text and row.facts for row in Annotation.objects.all())


def test_the_gateway_writes_each_once_in_the_lane_and_the_pool(start_worker, ana, source, configured):
    with TrialGateway(delay_s=0.05) as gateway:
        env = configured(gateway)
        asked(source)
        start_worker(env=env)
        until(lambda: over(source), seconds=60)
        assert (Job.objects.get().lane, Job.objects.get().pool) == (source.lane, "gateway")
        assert Annotation.objects.filter(writer="model/trial+notes/1").count() == SESSIONS
        assert len(gateway.log()) == SESSIONS
        assert gateway.stats()["max_in_flight"] == 1
        assert asked(source).is_finished
        assert (Job.objects.count(), len(gateway.log())) == (1, SESSIONS)


def test_unchanged_facts_never_call_again_and_changed_ones_do(ana, source, gateway):
    asked(source)
    testing.run_due()
    assert len(gateway.log()) == SESSIONS
    Activity.objects.update(measured_with="another rule")  # that left the facts alone
    assert annotating.progress(fresh(source)).done == 0
    asked(source)
    testing.run_due()
    assert len(gateway.log()) == SESSIONS
    assert annotating.progress(fresh(source)).done == SESSIONS
    first = Activity.objects.first()
    Activity.objects.filter(pk=first.pk).update(heart_rate_avg_bpm=171, load=90)
    assert annotating.progress(fresh(source)).done == SESSIONS - 1
    asked(source)
    testing.run_due()
    assert len(gateway.log()) > SESSIONS
    assert annotating.progress(fresh(source)).done == SESSIONS


def test_what_cannot_be_verified_is_left_to_the_narrator_and_counted(ana, source, gateway):
    false = '{"text": "You flew 42 km in {{timer}}.", "facts": ["timer"], "direction": "flat"}'
    gateway.script([{"do": "answer", "times": -1, "text": false}])
    asked(source)
    testing.run_due()
    assert Annotation.objects.filter(writer=narrator.WRITER, asked="model/trial+notes/1").count() == SESSIONS
    score = WriterScore.objects.get()
    assert (score.model, score.written, score.fell_back) == ("trial+notes", 0, SESSIONS)
    assert score.rules["numeral"] >= 2 * SESSIONS
    assert not any("42" in row.text for row in Annotation.objects.all())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('{"text": "An easy ride.", "facts": [], "direction": "flat"}', "uncited"),
        ('{"text": "It took {{tss}} in all.", "facts": ["tss"], "direction": "flat"}', "token"),
        ('{"text": "It took {{timer}} on Monday.", "facts": ["timer"], "direction": "flat"}', "date"),
        ('{"text": "A ride of {{timer}}. <b>Go</b>", "facts": ["timer"], "direction": "flat"}', "markup"),
        ('{"text": "Your knee injury took {{timer}}.", "facts": ["timer"], "direction": "flat"}', "banned"),
        ('{"text": "' + "A ride that was long, " * 12 + '{{timer}}.", "facts": ["timer"]}', "length"),
        ('["not an object"]', "schema"),
    ],
)
def test_a_sentence_passes_the_checks_of_an_insight(ana, source, gateway, text, rule):
    gateway.script([{"do": "answer", "times": -1, "text": text}])
    Activity.objects.exclude(pk=Activity.objects.first().pk).delete()
    asked(source)
    testing.run_due()
    assert Annotation.objects.get().writer == narrator.WRITER
    assert rule in WriterScore.objects.get().rules


def test_a_refused_session_has_the_narrators_line_and_the_others_their_own(ana, source, gateway):
    gateway.script([{"do": "status", "status": 400, "body": '{"error": {"message": "no"}}'}])
    asked(source)
    testing.run_due()
    job = Job.objects.get()
    assert (job.status, Item.objects.filter(status="partial").count(), done()) == ("partial", 1, SESSIONS - 1)
    assert Annotation.objects.filter(writer=narrator.WRITER).count() == 1
    asked(source)
    testing.run_due()
    assert Annotation.objects.filter(writer=narrator.WRITER).count() == 0
    assert len(gateway.log()) == SESSIONS + 1


def test_two_answers_in_a_row_that_came_to_nothing_spend_an_attempt(ana, source, gateway):
    gateway.script([{"do": "eof", "times": 2}])
    asked(source)
    testing.run_due()
    job = Job.objects.get()
    assert (job.status, job.attempts) == ("scheduled", 1)
    assert Item.objects.filter(status="partial").count() == 1
    assert Annotation.objects.count() == 1


def test_it_is_written_in_the_athletes_language(ana, source, gateway):
    type(ana).objects.filter(pk=ana.pk).update(language="zh-hans")
    asked(source)
    testing.run_due()
    assert Annotation.objects.filter(writer="model/trial+notes/1", language="zh-hans").count() == SESSIONS
    type(ana).objects.filter(pk=ana.pk).update(language="en")
    assert annotating.progress(fresh(source)).done == 0


# Whose calls they are


def test_half_of_the_days_calls_are_left_to_screens(ana, source, gateway, settings):
    settings.BUDGET = {"calls": 6, "tokens": 10**9}
    asked(source)
    testing.run_due()
    job = Job.objects.get()
    assert (job.status, job.attempts, done()) == ("scheduled", 0, 3)
    assert len(gateway.log()) == Spending.objects.get().calls == 3
    assert insights.refusal(ana) == ""


def test_whoever_switched_the_model_off_is_asked_about_by_nobody(ana, source, gateway):
    asked(source)
    writing.use_model(ana, False)
    testing.run_due()
    assert Annotation.objects.filter(writer=narrator.WRITER).count() == SESSIONS
    assert gateway.log() == []


def test_switched_on_again_the_model_writes_what_the_narrator_wrote(ana, source, gateway):
    writing.use_model(ana, False)
    asked(source)
    testing.run_due()
    writing.use_model(ana, True)
    asked(source)
    testing.run_due()
    assert Annotation.objects.filter(writer="model/trial+notes/1").count() == SESSIONS


# Going on, making way, stopping


def test_a_screen_that_is_opened_meanwhile_starts_at_the_next_item(start_worker, ana, source, configured):
    with TrialGateway(delay_s=1) as gateway:
        env = configured(gateway)
        asked(source)
        start_worker(env=env)
        until(lambda: len(gateway.log()) == 2)
        facts = scopes.facts_for("load", ana, "current")

        def state():
            return panels.panel(ana, facts, ana.user).state

        assert state() in ("waiting", "writing")
        until(lambda: state() == "written", seconds=60)
        screen = str(api.ticket("insight", ana.owner, "load/current").id)
        order = [call["job"] for call in gateway.log()]
        assert order.index(screen) == 2, order
        until(lambda: over(source), seconds=60)
        assert done() == SESSIONS
        assert Job.objects.get(kind="annotate").attempts == 0
        assert len(gateway.log()) == SESSIONS + 1


def test_an_import_into_the_source_goes_first_at_the_next_item(
    start_worker, ana, source, configured, settings, tmp_path
):
    settings.DATA = tmp_path
    with TrialGateway(delay_s=1) as gateway:
        env = {**configured(gateway), "COACH_DATA": str(tmp_path)}
        mine = asked(source).id
        start_worker(env=env)
        until(lambda: len(gateway.log()) == 2)
        run = hand_in(ana, ("ride.gpx", gpx()), read=False)
        until(lambda: not api.ticket("import", ana.owner, str(run.pk)).is_active, seconds=60)
        assert run.files.get().outcome == "imported"
        assert Item.objects.filter(job=mine, status="ok").count() < SESSIONS
        until(lambda: over(source), seconds=90)
        assert Item.objects.filter(job=mine, status="ok").count() == SESSIONS
        assert Job.objects.get(pk=mine).attempts == 0
        assert sum(call["job"] == str(mine) for call in gateway.log()) == SESSIONS


def test_killed_it_goes_on_at_the_first_unfinished_item(start_worker, ana, source, configured):
    with TrialGateway(delay_s=1) as gateway:
        env = {**configured(gateway), "AI_JOB_CLAIM_TIMEOUT": "8"}
        asked(source)
        first = start_worker(env=env)
        until(lambda: done() == 2)
        until(lambda: len(gateway.log()) == 3, what="the third call is under way")
        first.kill()
        written = {row.pk: row.created_at for row in Annotation.objects.all()}
        start_worker(env=env)
        until(lambda: over(source), seconds=90)
        assert done() == SESSIONS
        assert len(gateway.log()) == SESSIONS + 1  # the one that was under way, again
        assert {row.pk: row.created_at for row in Annotation.objects.filter(pk__in=written)} == written


def test_a_stop_ends_it_between_items_and_what_is_written_stays(start_worker, ana, source, configured):
    with TrialGateway(delay_s=0.5) as gateway:
        env = configured(gateway)
        asked(source)
        start_worker(env=env)
        until(lambda: done() == 2)
        assert annotating.stop(fresh(source), by="ana") == "stopping"
        until(lambda: over(source))
        finished = done()
        assert Job.objects.get().status == "cancelled"
        assert Annotation.objects.count() == finished < SESSIONS
        assert len(gateway.log()) <= finished + 1
        assert Item.objects.filter(status__in=("pending", "running")).count() == 0


# Where they are read


@pytest.fixture
def told(ana, source, gateway):
    asked(source)
    testing.run_due()
    return signed_in(ana.user)


def test_it_stands_in_the_list_and_on_the_page_of_its_session(told, ana):
    row = Annotation.objects.first()
    listed = told.get(reverse("activities")).content.decode()
    page = told.get(reverse("activity", args=[row.pk])).content.decode()
    value = next(iter(row.facts.values()))["display"]
    assert listed.count('class="words"') == SESSIONS
    assert "{{" not in listed
    assert 'class="sentence"' in page
    assert f'href="#fact-{next(iter(row.facts))}"' in page
    assert value.split()[0] in listed


def test_of_a_session_that_changed_it_is_shown_no_more(told, ana):
    row = Annotation.objects.first()
    Activity.objects.filter(pk=row.pk).update(load=99)
    assert told.get(reverse("activities")).content.decode().count('class="words"') == SESSIONS - 1
    assert 'class="sentence"' not in told.get(reverse("activity", args=[row.pk])).content.decode()


def test_the_list_asks_no_more_for_them(told, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        told.get(reverse("activities"))


def test_the_page_of_a_source_asks_for_them_shows_how_far_they_are_and_stops_them(ana, source, gateway):
    client = signed_in(ana.user)
    address = reverse("source_sentences", args=[source.pk])
    assert "0 of 6 sessions have one" in client.get(reverse("source", args=[source.pk])).content.decode()
    assert client.post(address).status_code == 302
    page = client.get(reverse("source", args=[source.pk])).content.decode()
    assert f'hx-get="{address}?seen=' in page
    assert "0 of 6" in page
    stop = reverse("source_sentences_stop", args=[source.pk])
    stopped = client.post(stop, headers={"HX-Request": "true"}).content.decode()
    assert "It was stopped" in stopped
    assert "Write them" in stopped
    client.post(address)
    testing.run_due()
    assert "6 of 6 sessions have one" in client.get(address).content.decode()


def test_an_import_leads_there(ana, source, gateway):
    from coach.models import ImportFile, ImportRun

    run = ImportRun.objects.create(source=source)
    ImportFile.objects.create(run=run, name="a.fit", size=1, sha256="0" * 64, outcome="imported")
    page = signed_in(ana.user).get(reverse("import_run", args=[run.pk])).content.decode()
    assert reverse("source_sentences", args=[source.pk]) in page


def test_what_is_sent_is_shown(told, ana):
    shown = told.get(reverse("sent", args=["activity", Activity.objects.first().pk])).content.decode()
    assert "one sentence about one training session" in shown
