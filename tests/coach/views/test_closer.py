"""A closer look at a part of the streams: whose it is, how fine, what it says, and what is not done twice."""

import re

import numpy as np
import pytest

from coach.models import Streams
from coach.streams import pack
from coach.templatetags.drawing import streams as drawing

SECONDS = 3600


@pytest.fixture
def samples(ride):
    """An hour: 150 W, but 300 W in the second ten minutes, and the speed of a stop in the third."""
    at = np.arange(float(SECONDS))
    power = np.where((at >= 600) & (at < 1200), 300.0, 150.0)
    speed = np.where((at >= 1200) & (at < 1800), np.nan, 8.0)
    packed = pack({"time_s": at, "power_w": power, "speed_mps": speed})
    return Streams.objects.create(provenance=ride.provenance.get(), samples=SECONDS, packed=packed)


def ask(client, ride, first, last, **headers):
    return client.get(f"/activities/{ride.pk}/closer/?from={first}&to={last}", **headers)


def test_a_part_is_drawn_with_every_second_of_it(as_ana, ride, samples):
    part = ask(as_ana, ride, 600, 720).json()
    assert (part["from"], part["to"]) == (600, 720)
    assert [int(time) for time in part["times"].split(",")] == list(range(599, 722))
    assert part["values"][0].split(",")[1:3] == ["300", "300"]


def test_the_words_are_those_of_the_part(as_ana, ride, samples):
    assert ask(as_ana, ride, 600, 1199).json()["summaries"][0] == "average 300 W, highest 300 W"
    assert ask(as_ana, ride, 0, 599).json()["summaries"][0] == "average 150 W, highest 150 W"


def test_no_line_leads_across_a_pause(as_ana, ride, samples):
    ride.pauses = [{"start_s": 650, "duration_s": 30}]
    ride.save(update_fields=["pauses"])
    part = ask(as_ana, ride, 600, 720).json()
    assert "649,650,680" in part["times"]
    assert part["values"][0].split(",")[51] == ""
    assert 'class="ahead"' in part["drawings"][0]


def test_the_heights_are_those_of_the_whole_session(as_ana, ride, samples):
    low, high = (ask(as_ana, ride, *part).json()["drawings"][0] for part in ((10, 590), (610, 1190)))
    assert starts(low) - starts(high) > 50


def starts(drawing):
    """Return how far down the line begins."""
    return float(re.search(r'class="series" d="M\S+ (\S+?)[lh"]', drawing)[1])


def test_a_part_in_which_a_series_is_silent_keeps_its_strip(as_ana, ride, samples):
    part = ask(as_ana, ride, 1210, 1790).json()
    assert len(part["drawings"]) == 3  # power, speed and the axis
    assert part["summaries"][1] == ""


def test_ticks_name_the_seconds_of_a_short_part(as_ana, ride, samples):
    assert ">0:10:20<" in ask(as_ana, ride, 600, 660).json()["drawings"][-1]
    assert ">0:15<" in ask(as_ana, ride, 600, 1800).json()["drawings"][-1]


def test_another_athlete_and_a_stranger_see_nothing_of_it(as_ben, client, ride, samples):
    assert ask(as_ben, ride, 0, 600).status_code == 404
    client.logout()
    assert ask(client, ride, 0, 600).status_code == 302


def test_what_a_browser_has_is_not_drawn_again(as_ana, ride, samples, monkeypatch):
    first = ask(as_ana, ride, 600, 720)
    assert first["Cache-Control"] == "private, no-cache"
    monkeypatch.setattr(drawing, "closer", None)  # would be called
    again = ask(as_ana, ride, 600, 720, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_other_samples_other_parts_and_another_language_are_drawn_anew(as_ana, ana, ride, samples):
    known = {"If-None-Match": ask(as_ana, ride, 600, 720)["ETag"]}
    assert ask(as_ana, ride, 600, 730, headers=known).status_code == 200
    Streams.objects.update(packed=pack({"time_s": np.arange(SECONDS * 1.0), "power_w": np.full(SECONDS, 99.0)}))
    other = ask(as_ana, ride, 600, 720, headers=known)
    assert other.status_code == 200
    type(ana).objects.update(language="zh-hans")
    assert ask(as_ana, ride, 600, 720, headers={"If-None-Match": other["ETag"]}).status_code == 200


@pytest.mark.parametrize(
    "query", ["", "from=1", "from=a&to=9", "from=-5&to=60", "from=60&to=60", "from=9&to=5", "from=0&to=" + "9" * 400]
)
def test_what_is_no_part_is_not_found(as_ana, ride, samples, query):
    assert as_ana.get(f"/activities/{ride.pk}/closer/?{query}").status_code == 404


def test_beyond_the_end_and_without_samples_there_is_nothing(as_ana, ride, samples):
    assert ask(as_ana, ride, 5000, 5600).status_code == 404
    samples.delete()
    assert ask(as_ana, ride, 0, 600).status_code == 404


def test_a_part_takes_few_queries_and_is_small(as_ana, ride, samples, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        assert len(ask(as_ana, ride, 0, 3000).content) < 40_000
