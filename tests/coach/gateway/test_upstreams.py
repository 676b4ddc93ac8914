"""Several upstreams: each has its own address, key, model, limits and memory, and says so when something is wrong."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from coach import gateway
from coach.gateway import checks, client
from coach.gateway.address import BadAddress, endpoint
from coach.gateway.conf import conf
from coach.gateway.memory import PROCESS
from coach.gateway.redact import redact
from coach.trial import TrialGateway
from jobs.exceptions import Misconfigured, Reject
from tests.coach.gateway import worlds
from tests.coach.gateway.fake_run import FakeRun
from tests.coach.gateway.signals import error, status

ASKED = [{"role": "user", "content": "hello"}]
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    b'data: {"choices":[{"delta":{"content":"{}"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
)


def ask(run: FakeRun) -> Any:
    return client.complete(run, ASKED, timeout_s=5)  # type: ignore[arg-type]


@contextmanager
def recorder() -> Iterator[tuple[str, list[tuple[dict[str, str], dict[str, Any]]]]]:
    """An upstream that keeps the headers and the body of each request."""
    heard: list[tuple[dict[str, str], dict[str, Any]]] = []

    def say(connection: socket.socket) -> None:
        read = b""
        while b"\r\n\r\n" not in read:
            read += connection.recv(65536)
        head, _, body = read.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines()[1:])
        while len(body) < int(headers["Content-Length"]):
            body += connection.recv(65536)
        heard.append((headers, json.loads(body)))
        connection.sendall(ANSWER)

    with worlds.talker(say) as address:
        yield f"http://{address}/v1", heard


@pytest.fixture
def two(settings: Any, pointed: Callable[..., None]) -> Callable[..., None]:
    """Set what differs at the first and at the spare."""

    def use(first: dict[str, Any], spare: dict[str, Any]) -> None:
        pointed(**first)
        settings.SPARES = {"spare": {"idle_seconds": 5, **spare}}

    return use


def test_each_upstream_is_asked_as_it_is_set(run: FakeRun, two: Callable[..., None]) -> None:
    with recorder() as (first_url, first), recorder() as (spare_url, spare):
        two(
            {"url": first_url, "key": "one", "model": "m1", "max_tokens": 700, "temperature": 0.9},
            {
                "url": spare_url,
                "model": "m2",
                "temperature": None,
                "headers": {"api-key": "two", "X-Team": "coach"},
                "body": {"seed": 7, "model": "mine", "messages": []},
            },
        )
        ask(run)
        run.pool = "spare"
        ask(run)
    (headers, body), (other_headers, other_body) = *first, *spare
    assert (headers["Authorization"], body["model"], body["max_tokens"], body["temperature"]) == (
        "Bearer one", "m1", 700, 0.9,
    )  # fmt: skip
    assert (other_headers["api-key"], other_headers["X-Team"]) == ("two", "coach")
    assert "Authorization" not in other_headers
    # What the request is about is not for the settings to change.
    assert (other_body["model"], other_body["seed"], other_body["messages"]) == ("m2", 7, ASKED)
    assert "temperature" not in other_body
    assert other_body["max_tokens"] == 4000


def test_what_one_upstream_does_not_know_is_still_asked_of_the_other(run: FakeRun, two: Callable[..., None]) -> None:
    with TrialGateway() as first, TrialGateway() as spare:
        two({"url": first.url}, {"url": spare.url})
        first.script([status(400, error("response_format is unknown"))])
        ask(run)
        run.pool = "spare"
        ask(run)
        assert (len(first.log()), len(spare.log())) == (2, 1)
    assert PROCESS.known(conf()).schema == "json_object"
    assert PROCESS.known(conf("spare")).schema == "json_schema"


def test_an_error_names_the_settings_of_its_upstream(run: FakeRun, two: Callable[..., None]) -> None:
    with TrialGateway() as spare:
        two({"url": "http://127.0.0.1:1"}, {"url": spare.url})
        spare.script([status(401)])
        run.pool = "spare"
        with pytest.raises(Misconfigured, match="COACH_SPARE_KEY"):
            ask(run)


def test_a_text_is_by_the_model_that_wrote_it(two: Callable[..., None]) -> None:
    two({"url": "http://127.0.0.1:1", "model": "big"}, {"url": "http://127.0.0.1:2", "model": "small"})
    assert gateway.writer().startswith("model/big/")
    assert gateway.writer("spare").startswith("model/small/")
    assert gateway.route() == ("gateway", "spare")


def test_a_spare_that_is_not_set_is_in_no_route(two: Callable[..., None]) -> None:
    two({"url": "http://127.0.0.1:1"}, {})
    assert gateway.route() == ("gateway",)


def test_no_secret_of_any_upstream_gets_into_a_text(two: Callable[..., None]) -> None:
    two({"key": "hunter22"}, {"key": "hunter33", "headers": {"api-key": "hunter-44", "X-On": "true"}})
    shown = redact("a hunter22 b hunter33 c hunter-44 is true")
    assert shown == "a … b … c … is true"


def test_a_longer_answer_is_asked_for_once(run: FakeRun, upstream: TrialGateway, settings: Any) -> None:
    settings.GATEWAY = {**settings.GATEWAY, "max_tokens": 100, "most_tokens": 900}
    upstream.script([{"do": "finish", "reason": "length", "times": 2}])
    with pytest.raises(Reject, match="cut off"):
        ask(run)
    assert [call.ended for call in run.calls] == ["answered", "answered"]


# Where calls may go


ALLOWED = [
    ("http://10.0.0.3:8080/v1", ["http://10.0.0.3:8080"]),
    ("http://10.0.0.3:8080/v1", ["10.0.0.3:8080"]),
    ("http://10.0.0.3:8080/v1", ["10.0.0.3"]),
    ("http://10.0.0.3:8080/v1", ["10.0.0.0/8"]),
    ("http://10.0.0.3:8080/v1", ["10.0.0.1/8"]),
    ("https://api.example.org/v1", ["other.example.org", "https://api.example.org"]),
    ("https://API.example.org./v1", ["api.example.org:443"]),
    ("http://gateway.lan/v1", ["10.0.0.0/8"]),  # a name is looked at again when it is resolved
    ("http://[fd00::1]:80/v1", ["fd00::/8"]),
    ("http://[fd00::1]:80/v1", ["[fd00::1]:80"]),
]
NOT_ALLOWED = [
    ("http://10.0.0.3:8081/v1", ["10.0.0.3:8080"]),
    ("http://10.0.0.3:8080/v1", ["https://10.0.0.3:8080"]),
    ("http://11.0.0.3/v1", ["10.0.0.0/8"]),
    ("http://gateway.lan/v1", ["10.0.0.0/8", "other.lan"]),
    ("http://api.example.org.evil.net/v1", ["api.example.org"]),
    ("http://169.254.169.254/v1", ["169.254.0.0/16", "169.254.169.254"]),
]


@pytest.mark.parametrize(("url", "allowed"), ALLOWED)
def test_an_address_that_is_allowed_can_be_called(url: str, allowed: list[str]) -> None:
    assert endpoint(url, allowed=allowed).endswith("/v1/chat/completions")


@pytest.mark.parametrize(("url", "allowed"), NOT_ALLOWED)
def test_an_address_that_is_not_allowed_is_refused(url: str, allowed: list[str]) -> None:
    with pytest.raises(BadAddress, match="COACH_GATEWAY_URL"):
        endpoint(url, allowed=allowed)


def test_a_name_that_leads_out_of_the_networks_gets_no_byte(
    run: FakeRun, upstream: TrialGateway, settings: Any
) -> None:
    port = upstream.url.rpartition(":")[2]
    settings.GATEWAY = {**settings.GATEWAY, "url": f"http://localhost:{port}", "allowed": ("10.0.0.0/8",)}
    with pytest.raises(Misconfigured, match="outside of the networks"):
        ask(run)
    assert upstream.log() == []
    settings.GATEWAY["allowed"] = ("127.0.0.0/8", "::1/128")
    assert ask(run).complete


def test_a_proxy_of_the_settings_is_gone_by(run: FakeRun, upstream: TrialGateway, settings: Any) -> None:
    """The trial gateway stands in for the proxy: it is asked for the whole address."""
    settings.GATEWAY = {
        **settings.GATEWAY,
        "url": "http://gateway.test:8080/v1",
        "proxy": upstream.url.removesuffix("/v1"),
        "allowed": ("gateway.test", "10.0.0.0/8"),
    }
    with pytest.raises(Misconfigured, match="no such address"):  # it knows no path that begins with http://
        ask(run)


CHECKS = [
    ({"url": "http://127.0.0.1:1/v1"}, {}, []),
    ({"url": "http://127.0.0.1:1/v1"}, {"url": "http://169.254.169.254"}, [checks.BAD_URL]),
    ({"url": "http://127.0.0.1:1/v1", "allowed": ("10.0.0.3",)}, {}, [checks.BAD_URL]),
    ({"url": "http://127.0.0.1:1/v1", "headers": {"X": "“"}}, {}, [checks.BAD_HEADERS]),
    ({"url": "http://127.0.0.1:1/v1", "headers": {"X": 5}}, {}, [checks.BAD_HEADERS]),
    ({"url": "http://127.0.0.1:1/v1", "proxy": "proxy:3128"}, {}, [checks.BAD_PROXY]),
    ({}, {"url": "http://127.0.0.1:1/v1"}, [checks.SPARE_OF_NOTHING]),
    ({}, {"key": "k"}, [checks.KEY_WITHOUT_URL]),
]


@pytest.mark.parametrize(("first", "spare", "found"), CHECKS)
def test_a_system_check_looks_at_each(
    two: Callable[..., None], first: dict[str, Any], spare: dict[str, Any], found: list[str]
) -> None:
    two(first, spare)
    told = checks.gateway_settings(None)
    assert [each.id for each in told] == found
    if spare.get("url") and found:
        assert "COACH_SPARE" in told[0].msg
