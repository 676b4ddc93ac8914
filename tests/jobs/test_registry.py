"""The registry of job kinds, and what a kind falls back to."""

import pytest

from jobs import api, backoff, checks
from jobs.exceptions import UnknownKind
from jobs.registry import HOLDS, KINDS, Kind, hold_kind, kind_of


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    monkeypatch.setattr("jobs.registry.KINDS", kinds := dict(KINDS))
    monkeypatch.setattr("jobs.registry.HOLDS", dict(HOLDS))
    return kinds


def handler(run):
    """Do nothing."""


def test_a_function_under_job_is_found_by_name_and_stays_a_function():
    assert api.job("new", label="A new one", pool="gateway")(handler) is handler
    kind = kind_of("new")
    assert (kind.name, kind.label, kind.handler, kind.pool) == ("new", "A new one", handler, "gateway")


def test_a_kind_without_a_label_is_called_by_its_name():
    api.job("screenshot-ocr")(handler)
    assert kind_of("screenshot-ocr").label == "Screenshot-ocr"


def test_an_unknown_kind_says_which_there_are():
    with pytest.raises(UnknownKind, match=r"No job kind is called 'nothing'; known: .*plain"):
        kind_of("nothing")


def test_two_handlers_of_one_name_are_a_mistake():
    def other(run):
        """Do nothing, either."""

    api.job("new")(handler)
    with pytest.raises(ValueError, match="Two handlers are called 'new'"):
        api.job("new")(other)


def test_a_module_that_is_imported_again_registers_again():
    api.job("new")(handler)
    api.job("new", label="Renamed")(handler)
    assert kind_of("new").label == "Renamed"


def test_an_option_that_does_not_exist_is_a_mistake():
    with pytest.raises(TypeError, match="lanes"):
        api.job("new", lanes="x")(handler)


def test_pool_and_lane_may_depend_on_what_is_asked():
    kind = Kind(
        name="k", label="K", handler=handler, pool=lambda owner, subject, args: args["pool"],
        lane=lambda owner, subject, args: f"{owner}:{subject}",
    )  # fmt: skip
    assert (kind.pool_of("ana", "1", {"pool": "wide"}), kind.lane_of("ana", "1", {})) == ("wide", "ana:1")


def test_a_kind_without_options_goes_by_the_settings(tune):
    tune(MAX_ATTEMPTS=5, CLAIM_TIMEOUT_SECONDS=60, COOLDOWN_SECONDS=7, BACKOFF_SECONDS=(1,))
    kind = Kind(name="k", label="K", handler=handler)
    assert (kind.most_attempts, kind.timeout_s, kind.cooldown_s, kind.steps) == (5, 60, 7, (1,))
    assert (kind.pool_of("", "", {}), kind.lane_of("", "", {})) == ("", "")


def test_options_of_a_kind_go_before_the_settings(tune):
    tune(MAX_ATTEMPTS=5, CLAIM_TIMEOUT_SECONDS=60, COOLDOWN_SECONDS=7)
    kind = Kind(name="k", label="K", handler=handler, attempts=1, timeout=2, cooldown=0, backoff=())
    assert (kind.most_attempts, kind.timeout_s, kind.cooldown_s, kind.steps) == (1, 2, 0, ())


def test_a_kind_of_hold_has_words():
    from jobs import registry

    hold_kind("merge", label="A merge")
    assert registry.HOLDS["merge"] == "A merge"


@pytest.mark.parametrize(("attempts", "step"), [(0, 10), (1, 10), (2, 20), (3, 30), (99, 30)])
def test_the_wait_grows_with_the_attempts_and_is_spread_by_a_quarter(attempts, step):
    waits = {backoff.seconds(attempts, (10, 20, 30)) for _ in range(50)}
    assert min(waits) >= 0.75 * step
    assert max(waits) <= 1.25 * step
    assert len(waits) > 1


def test_without_steps_there_is_no_wait():
    assert backoff.seconds(1, ()) == 0


@pytest.mark.parametrize("route", [("gateway", "wide"), lambda: ("gateway", "wide")])
def test_a_kind_that_names_a_route_alone_begins_in_its_first_pool(route):
    """Without one its jobs would need no seat, and nobody would count their calls."""
    api.job("new", route=route)(handler)
    assert kind_of("new").pool_of("ana", "1", {}) == "gateway"


def test_a_route_that_is_empty_needs_no_seat():
    api.job("new", route=lambda: ())(handler)
    assert kind_of("new").pool_of("ana", "1", {}) == ""


def test_a_quick_kind_has_no_route():
    with pytest.raises(ValueError, match=r"^The quick kind 'new' cannot wait for a seat of a pool"):
        api.job("new", quick=True, route=("gateway", "wide"))(handler)


def test_a_pool_beside_its_route_is_told(own_registry, monkeypatch):
    monkeypatch.setattr("jobs.checks.KINDS", own_registry)
    api.job("new", pool="gateway", route=("wide",))(handler)
    assert [found.id for found in checks.settings_make_sense()] == ["jobs.E007"]
