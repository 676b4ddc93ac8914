"""Where calls may go, and what is said at start-up about settings that cannot work."""

from collections.abc import Callable

import pytest
from django.core.checks import CheckMessage

from coach.gateway import checks
from coach.gateway.address import BadAddress, endpoint
from coach.gateway.redact import redact

GOOD = [
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions"),
    ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/chat/completions"),
    ("https://gateway.lan/openai/v1/", "https://gateway.lan/openai/v1/chat/completions"),
    ("https://gateway.lan/v1/chat/completions", "https://gateway.lan/v1/chat/completions"),
    ("http://[::1]:9000/v1", "http://[::1]:9000/v1/chat/completions"),
    ("http://10.0.0.3", "http://10.0.0.3/v1/chat/completions"),
]
REFUSED = [
    "",
    "gateway.lan/v1",
    "file:///etc/passwd",
    "ftp://gateway.lan",
    "http://",
    "http://user@gateway.lan/v1",
    "http://user:word@gateway.lan/v1",
    "http://gateway.lan/v1#x",
    "http://gateway.lan/v1?x=1",
    "http://gateway.lan:99999/v1",
    "http://gateway.lan:0/v1",
    "http://gate way.lan/v1",
    "http://169.254.169.254/v1",
    "http://169.254.0.1/v1",
    "http://2852039166/v1",
    "http://0xa9fea9fe/v1",
    "http://0251.0376.0251.0376/v1",
    "http://[fe80::1]/v1",
    "http://[fe80::1%25eth0]/v1",
    "http://[::ffff:169.254.169.254]/v1",
    "http://[64:ff9b::a9fe:a9fe]/v1",
    "http://[fd00:ec2::254]/v1",
    "http://metadata.google.internal/v1",
    "http://METADATA/v1",
    "http://metadata.google.internal./v1",
    "http://0.0.0.0/v1",
]


@pytest.mark.parametrize(("url", "target"), GOOD)
def test_an_address_leads_to_chat_completions(url: str, target: str) -> None:
    assert endpoint(url) == target


@pytest.mark.parametrize("url", REFUSED)
def test_an_address_that_must_not_be_called_is_refused(url: str) -> None:
    with pytest.raises(BadAddress, match="COACH_GATEWAY_URL"):
        endpoint(url)


def ids(found: list[CheckMessage]) -> list[str | None]:
    return [each.id for each in found]


CHECKS = [
    ({}, []),
    ({"url": "http://127.0.0.1:1/v1", "key": "k"}, []),
    ({"url": "https://api.example.org/v1", "key": "k"}, []),
    ({"url": "http://api.example.org/v1", "key": "k"}, [checks.KEY_IN_CLEAR]),
    ({"url": "http://gateway/v1", "key": "k"}, []),
    ({"url": "http://10.1.2.3/v1", "key": "k"}, []),
    ({"url": "http://8.8.8.8/v1", "key": "k"}, [checks.KEY_IN_CLEAR]),
    ({"key": "k"}, [checks.KEY_WITHOUT_URL]),
    ({"url": "http://169.254.169.254"}, [checks.BAD_URL]),
    ({"url": "http://gateway/v1", "key": "“k”"}, [checks.BAD_KEY]),
    ({"url": "http://gateway/v1", "key": "a\nb"}, [checks.BAD_KEY]),
]


@pytest.mark.parametrize(("fields", "found"), CHECKS)
def test_a_system_check_says_what_is_wrong(
    pointed: Callable[..., None], fields: dict[str, str], found: list[str]
) -> None:
    pointed(**fields)
    assert ids(checks.gateway_settings(None)) == found


SECRETS = [
    "Bearer abcdef123456",
    "sk-proj-abcdef123456",
    "api_key=abcdef123456",
    '"api-key": "abcdef123456"',
    "https://user:abcdef123456@host/",
    "Incorrect API key provided: abcdef123456.",
    "x-api-key: abcdef123456",
]


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_does_not_get_into_an_error(text: str) -> None:
    assert "abcdef123456" not in redact(f"It says {text} and more")


def test_an_error_is_one_short_clean_line(pointed: Callable[..., None]) -> None:
    pointed(key="hunter22")
    shown = redact("a\x00b\u202ec\r\nd hunter22 " + "x" * 500)
    assert shown.startswith("a b c d … x")
    assert len(shown) == 200
