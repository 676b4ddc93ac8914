"""An athlete sees letter for letter what would be sent, and decides whether anything is."""

import html
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.urls import reverse

from coach import narrator, panels, scopes
from coach.models import Insight
from jobs import api, testing
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


class Recorder(BaseHTTPRequestHandler):
    """Keeps the bodies it gets and answers with nothing of use."""

    bodies: list[bytes] = []

    def do_POST(self):
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        body = b'{"choices": [{"message": {"content": "no"}, "finish_reason": "stop"}]}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args):
        pass


@pytest.fixture
def bodies(settings):
    Recorder.bodies = []
    server = HTTPServer(("127.0.0.1", 0), Recorder)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    settings.GATEWAY = {**settings.GATEWAY, "url": f"http://127.0.0.1:{server.server_port}/v1", "model": "trial"}
    yield Recorder.bodies
    server.shutdown()
    server.server_close()
    thread.join()


def shown(client, scope="load", subject="current"):
    body = client.get(reverse("sent", args=[scope, subject])).content.decode()
    return html.unescape(re.search(r'<pre id="messages"[^>]*>(.*?)</pre>', body, re.S)[1])


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_shows_the_bytes_that_a_request_has(as_ana, ana, bodies, language):
    ana.language = language
    ana.save()
    factories.season(ana)
    said = shown(as_ana)
    as_ana.get(reverse("load"))
    testing.run_due()
    assert f'"messages": {said}'.encode() in bodies[0]
    assert json.loads(bodies[0])["messages"] == json.loads(said)
    assert "Fitness" in said or "体能" in said


def test_the_note_of_a_session_is_seen_where_it_is_sent(as_ana, ride, bodies):
    type(ride).objects.filter(pk=ride.pk).update(note="<b>Legs</b> like lead")
    assert '"athlete_wrote":\\"<b>' not in shown(as_ana, "activity", ride.pk)
    assert "Legs" in json.loads(json.loads(shown(as_ana, "activity", ride.pk))[1]["content"])["athlete_wrote"]


def test_the_panel_and_the_settings_lead_to_it(as_ana, ana, bodies):
    factories.season(ana)
    as_ana.get(reverse("load"))
    testing.run_due()
    there = reverse("sent", args=["load", "current"])
    assert there in as_ana.get(reverse("load")).content.decode()
    assert there in as_ana.get(reverse("settings")).content.decode()


def test_switched_off_nothing_is_sent_and_the_narrator_writes(as_ana, ana, bodies):
    factories.season(ana)
    as_ana.get(reverse("load"))
    assert as_ana.post(reverse("model_switch"), {"use": "0"}).status_code == 302  # while one waits in line
    testing.run_due()
    as_ana.get(reverse("load"))
    testing.run_due()
    assert bodies == []
    assert {row.writer for row in Insight.objects.all()} == {narrator.WRITER}
    ana.refresh_from_db()
    assert panels.panel(ana, scopes.facts_for("load", ana, "current"), ana.user).state == "builtin"
    body = as_ana.get(reverse("settings")).content.decode()
    assert "You have switched the language model off" in body
    assert "Nothing is sent now" in as_ana.get(reverse("sent", args=["load", "current"])).content.decode()


def test_switched_on_again_a_model_is_asked_again(as_ana, ana, bodies):
    factories.season(ana)
    as_ana.post(reverse("model_switch"), {"use": "0"})
    as_ana.post(reverse("model_switch"), {"use": "1"})
    as_ana.get(reverse("load"))
    testing.run_due()
    assert len(bodies) == 2  # its answer is of no use, so it is asked for a repair
    assert api.ticket("insight", ana.owner, "load/current").status == "succeeded"


def test_without_a_service_the_settings_say_that_nothing_leaves(as_ana):
    assert "nothing is sent anywhere" in as_ana.get(reverse("settings")).content.decode()


def test_each_screen_is_led_to_once(as_ana, ana):
    factories.season(ana)
    body = as_ana.get(reverse("settings")).content.decode()
    titles = re.findall(r'href="/insight/[^"]+/sent/">([^<]+)<', body)
    assert len(titles) > 3
    assert sorted(set(titles)) == sorted(titles)
