"""Chinese says all that English says of a fact, with the same digits."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest

from coach import display, scopes
from coach.display import Style
from coach.metrics.sports import sport
from coach.models import Activity, Athlete, Best, Goal, Planned, Provenance, Threshold
from coach.scopes import sports
from coach.scopes.activity import chinese as activity_words
from coach.scopes.activity.kind import WORDS
from coach.scopes.activity.peers import MEASURES
from coach.scopes.facts import Facts
from coach.scopes.load import chinese as load_words
from coach.scopes.recovery import apart
from coach.scopes.recovery import chinese as recovery_words
from coach.scopes.terms import Term
from coach.scopes.today import chinese as today_words
from coach.scopes.today import verdict
from coach.scopes.trends import chinese as trend_words
from coach.scopes.trends.facts import CLASSES, RANGES
from coach.scopes.week.terms import of_sport
from tests.coach.metrics.recordings import streams
from tests.coach.scopes import rows

HAN = Style(language="zh-hans")
CATALOGS = {name: import_module(f"coach.scopes.{name}.chinese") for name in scopes.scopes()}
# Names, formulas and formats that Chinese writes like everybody else.
KEPT = re.compile(
    r"FTP|FIT|GPX|TCX|ZIP|CTL|ATL|TSB|TRIMP|Allen|Banister|Coggan|Friel|Foster|Gabbett|Impellizzeri|Lolli|Minetti|Seiler"
    r"|Karvonen|Otsu"
    r"|TrainingPeaks|[kelnWTtpx]+\b|[567][abc]\b|HRV|rMSSD|SDNN|Plews|Altini|Hirshkowitz|Walker, The Hacker's Diet"
    r"|VDOT|CP|Monod|Scherrer|Skiba|Daniels|Gilbert|EF|Apple|Garmin|Edge 530|Ring|Scale"
)


def lacking() -> Mapping[str, list[str]]:
    """Return the keys that have no Chinese yet, by scope; scopes that lack nothing are left out."""
    found = {name: [term.key for term in terms_of(name) if term.chinese is None] for name in scopes.scopes()}
    return {name: keys for name, keys in found.items() if keys}


def terms_of(scope: str) -> tuple[Term, ...]:
    """Return the terms of a scope; of one whose terms depend on the athlete those that every one has."""
    module = import_module(f"coach.scopes.{scope}.terms")
    groups = [module.TERMS] if hasattr(module, "TERMS") else vars(module).values()
    return tuple(term for group in groups if isinstance(group, tuple) for term in group if isinstance(term, Term))


def test_no_scope_lacks_chinese() -> None:
    assert lacking() == {}


@pytest.mark.parametrize("scope", CATALOGS)
def test_chinese_is_of_facts_there_are(scope: str) -> None:
    words = CATALOGS[scope].HEAD if scope == "trends" else CATALOGS[scope].TERMS
    assert set(words) - {term.key for term in terms_of(scope)} == set()


@pytest.mark.parametrize("scope", CATALOGS)
def test_chinese_explains_what_english_explains(scope: str) -> None:
    for term in (*terms_of(scope), *(of_sport("running") if scope == "week" else ())):
        words = term.words(HAN)
        assert words.meaning.endswith("。"), term.key
        assert bool(words.convention) == bool(term.convention), term.key
        assert not foreign(" ".join((words.label, words.meaning, words.convention))), term.key


def test_every_word_that_a_fact_can_show_has_its_chinese() -> None:
    assert set(WORDS.values()) <= set(activity_words.KINDS)
    assert {way.replace("_", " ") for way in Activity.LoadFrom.values} <= set(activity_words.WAYS)
    assert {measure.word for measure in MEASURES} <= set(activity_words.MEASURES)
    assert not foreign("".join((*sports.CHINESE.values(), *load_words.PHASES.values())))


def test_what_is_judged_has_its_chinese() -> None:
    words = recovery_words.AGREEMENT | today_words.VERDICTS | trend_words.READINGS | trend_words.CLASSES
    shown = {apart.USUAL, apart.ONE, apart.AGREE, apart.FEW, verdict.EASY, verdict.PLANNED, verdict.HARD}
    assert shown | {word for _, word in CLASSES} == set(words) - set(trend_words.READINGS)
    assert set(verdict.WORDS.values()) == set(today_words.DECIDES)
    assert {f"{days} days" for days in RANGES.values()} == set(trend_words.WINDOWS)
    assert not foreign("".join((*words.values(), *today_words.DECIDES.values(), *today_words.ABSENT.values())))


def test_a_term_without_chinese_speaks_english() -> None:
    fact = Term(key="hrv", label="HRV", kind="points", meaning="Of the night.").fact(12.4, style=HAN)
    assert (fact.label, fact.display, fact.meaning) == ("HRV", "12", "Of the night.")


def test_every_kind_has_the_same_digits_in_both_languages() -> None:
    finished = {term.kind for scope in CATALOGS for term in terms_of(scope)}
    for kind in display.KINDS:
        for value in (0.4, 7.0, 4321.6):
            english, chinese = display.show(kind, value), display.show(kind, value, style=HAN)
            assert re.findall(r"[\d:.+−]+", english) == re.findall(r"[\d:.+−]+", chinese)
            assert kind not in finished or not foreign(chinese), kind


# Facts computed from rows


def foreign(text: str) -> list[str]:
    """Return the words of a text that are neither Chinese nor kept in every language."""
    return re.findall(r"[A-Za-z]+", KEPT.sub("", text))


def strings(value: Any, *, path: str = "") -> Iterator[tuple[str, str]]:
    """Go through what is read of facts, each string with where it stands."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from strings(part, path=f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings(part, path=path)


def read(facts: Facts) -> Iterator[tuple[str, str]]:
    shown = asdict(facts)
    for fact in shown["facts"]:
        yield from ((fact["key"], fact[name]) for name in ("label", "display", "meaning", "convention", "source"))
    yield from strings({name: shown[name] for name in ("title", "insufficient", "charts", "tables")})


CODES = (".date", ".first", ".last", ".key", ".sport", ".measure")  # of charts, for the drawing


def english_in(facts: Facts) -> list[tuple[str, str]]:
    return [(path, text) for path, text in read(facts) if not path.endswith(CODES) and foreign(text)]


@pytest.fixture
def han(db: None) -> Athlete:
    return rows.athlete("li", language="zh-hans")


def both(owner: Athlete, scope: str, subject: str) -> tuple[Facts, Facts]:
    """Return the facts in Chinese and those in English."""
    chinese = scopes.facts_for(scope, owner, subject)
    owner.language = "en"
    return chinese, scopes.facts_for(scope, owner, subject)


def assert_alike(chinese: Facts, english: Facts) -> None:
    assert english_in(chinese) == []
    assert [fact.value for fact in chinese.facts] == [fact.value for fact in english.facts]
    assert chinese.fingerprint(writer="", language="", units="") != english.fingerprint(
        writer="", language="", units=""
    )


@pytest.mark.parametrize("ago", [0, 1, 90])
def test_load_is_chinese_throughout(han: Athlete, ago: int) -> None:
    rows.training(han, days=120, every=2, until=rows.TODAY - timedelta(days=ago))
    assert_alike(*both(han, "load", "current"))


@pytest.mark.parametrize("week", ["2026-W48", "2026-W47", "2026-W40", "2026-W50"])
def test_a_week_is_chinese_throughout(han: Athlete, week: str) -> None:
    rows.training(han, days=30, every=2)
    rows.activity(han, sport="cross_country_skiing", load_from="estimate", ascent_m=300.0, distance_m=800.0)
    rows.activity(han, rows.TODAY - timedelta(days=7), sport="cycling", zone_seconds={"heart_rate": [900.0] * 7})
    assert_alike(*both(han, "week", week))


def test_a_session_is_chinese_throughout(han: Athlete) -> None:
    for days in range(7, 60, 7):
        rows.activity(han, rows.TODAY - timedelta(days=days), efficiency_factor=1.3, heart_rate_avg_bpm=150)
    made = streams(3600, speed_mps=3.0, heart_rate_bpm=150.0, power_w=220.0, cadence_rpm=85.0, altitude_m=300.0)
    zones = {
        "heart_rate": [600.0] * 7,
        "heart_rate_bounds_bpm": [120.0, 135.0, 150.0, 160.0, 165.0, 170.0],
        "power": [500.0] * 7,
        "power_bounds_w": [138.0, 187.0, 225.0, 262.0, 300.0, 375.0],
    }
    laps = [{"start_s": 0, "timer_s": 600.0, "distance_m": 1900.0}, {"start_s": 600, "timer_s": 600.0}]
    row = rows.with_streams(
        rows.activity(
            han,
            efficiency_factor=1.4,
            heart_rate_avg_bpm=148,
            intensity_factor=0.77,
            elapsed_s=4000.0,
            moving_s=3400.0,
            energy_kcal=700.0,
            cadence_avg_rpm=85.0,
            zone_seconds=zones,
            laps=laps,
        ),
        made,
    )
    assert_alike(*both(han, "activity", str(row.pk)))


@pytest.mark.parametrize("zones", [6, 7])
def test_a_swim_without_data_and_a_ride_in_zones_are_chinese(han: Athlete, zones: int) -> None:
    empty = rows.activity(han, timer_s=0.0, distance_m=None, load=0.0)
    bare = scopes.facts_for("activity", han, str(empty.pk))
    assert bare.insufficient
    assert english_in(bare) == []
    ride = rows.activity(han, sport="cycling", zone_seconds={"heart_rate": [600.0] * zones}, virtual=True)
    assert_alike(*both(han, "activity", str(ride.pk)))


@pytest.mark.parametrize("tired", [True, False])
def test_today_and_recovery_are_chinese_throughout(han: Athlete, tired: bool) -> None:
    rows.training(han, days=120, every=2, load=140.0 if tired else 60.0)
    rows.nights(han, [None, *([450.0] * 40), *([300.0 if tired else 470.0] * 7)], stages={"deep": 60.0, "rem": 90.0})
    ms = [50.0 + day % 4 for day in range(50)] + [30.0 if tired else 52.0] * 7
    rows.measures(han, "hrv_rmssd_ms", ms)
    rows.measures(han, "resting_heart_rate_bpm", [50.0] * 50 + [58.0 if tired else 50.0] * 7)
    Planned.objects.create(athlete=han, day=rows.TODAY, title="耐力", sport="running", duration_s=4800.0, load=50.0)
    Planned.objects.create(athlete=han, day=rows.TODAY, title="其他")
    Goal.objects.create(athlete=han, day=rows.TODAY + timedelta(days=9), name="半马")
    assert_alike(*both(han, "today", "current"))
    han.language = "zh-hans"
    assert_alike(*both(han, "recovery", "current"))


def test_a_few_nights_are_told_in_chinese(han: Athlete) -> None:
    rows.nights(han, [420.0, 430.0])
    rows.measures(han, "hrv_sdnn_ms", [40.0, 41.0])
    rows.measures(han, "resting_heart_rate_bpm", [50.0, 51.0])
    assert_alike(*both(han, "recovery", "current"))
    han.language = "zh-hans"
    assert_alike(*both(han, "today", "current"))


@pytest.mark.parametrize("weights", [[80.0 - day / 10 for day in range(40)], [80.0, 80.2]])
@pytest.mark.parametrize("units", ["metric", "imperial"])
def test_the_body_is_chinese_throughout(han: Athlete, weights: list[float], units: str) -> None:
    han.units, han.weight_goal_kg = units, 75.0
    Threshold.objects.create(athlete=han, kind="ftp_w", value=250, valid_from="2026-03-01", estimated=True)
    rows.measures(han, "weight_kg", weights, provider="Scale")
    assert_alike(*both(han, "body", "current"))


def test_records_are_chinese_throughout(han: Athlete) -> None:
    spans = {1000: 220.0, 1609: 370.0, 5000: 1250.0, 10_000: 2700.0, 21_097: 6000.0}
    for days, slower in ((40, 1.05), (3, 1.0)):
        row = rows.activity(han, rows.TODAY - timedelta(days=days))
        kept(row, "time", {span: value * slower for span, value in spans.items()})
    kept(rows.activity(han), "time", {5000: 900.0}, doubt="downhill")
    ride = rows.activity(han, sport="cycling")
    kept(ride, "power", {5: 900.0, 60: 500.0, 180: 400.0, 300: 350.0, 600: 310.0, 1200: 280.0, 3600: 250.0})
    assert_alike(*both(han, "records", "running"))
    han.language = "zh-hans"
    assert_alike(*both(han, "records", "cycling"))


def kept(row: Activity, measure: str, values: Mapping[int, float], *, doubt: str = "") -> None:
    family = sport(row.sport).family
    of = {"athlete": row.athlete, "family": family, "measure": measure, "local_date": row.local_date, "doubt": doubt}
    for span, value in values.items():
        Best.objects.create(activity=row, span=span, value=value, **of)


def test_trends_are_chinese_throughout(han: Athlete) -> None:
    rows.training(han, days=120, every=3)
    for back in range(0, 84, 7):
        day, pulse = rows.TODAY - timedelta(days=back), {"heart_rate_avg_bpm": 140.0}
        row = rows.activity(han, day, efficiency_factor=1.4 + back / 500, graded_speed_mps=3.2, **pulse)
        kept(row, "time", {5000: 1250.0 + back})
        Provenance.objects.create(
            activity=row, athlete=han, file=rows.a_file(han), sha256=f"{row.pk:064}", session=0, format="fit",
            device="Edge 530",
        )  # fmt: skip
        rows.activity(han, day, sport="strength_training")
    facts, english = both(han, "trends", "90d")
    assert "由 Edge 530 记录" in facts.charts["trends"]["lines"][1]["made_of"]
    assert_alike(facts, english)


SUBJECTS = {"records": "cycling", "trends": "90d", "week": "2026-W48"}


@pytest.mark.parametrize("scope", sorted(set(CATALOGS) - {"activity"}))
def test_nothing_yet_is_said_in_chinese(han: Athlete, scope: str) -> None:
    facts = scopes.facts_for(scope, han, SUBJECTS.get(scope, "current"))
    assert facts.insufficient.endswith("。")
    assert english_in(facts) == []


def test_what_has_ended_is_said_in_chinese(han: Athlete) -> None:
    rows.measures(han, "weight_kg", [80.0, *([None] * 100)])
    rows.nights(han, [420.0, *([None] * 20)])
    rows.activity(han)
    for scope, subject in (("body", "current"), ("recovery", "current"), ("trends", "90d")):
        facts = scopes.facts_for(scope, han, subject)
        assert facts.insufficient.endswith("。")
        assert english_in(facts) == []
    kept(rows.activity(han), "time", {5000: 900.0}, doubt="downhill")
    assert english_in(scopes.facts_for("records", han, "running")) == []
