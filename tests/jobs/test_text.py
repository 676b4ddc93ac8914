"""Text and JSON that may be stored: cut, cleaned, and never able to make the ending of a job fail."""

import time

import pytest

from jobs.exceptions import TooLarge
from jobs.text import cleaned, packed


class Silent(Exception):
    def __str__(self):
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("It did not work.", "It did not work."),
        ("a\x00b", "a b"),
        ("bell\x07 and escape\x1b[31m", "bell  and escape [31m"),
        ("line\n\tnext", "line\n\tnext"),
        ("lone \ud800 surrogate", "lone   surrogate"),
        ("", ""),
        (ValueError("of an exception"), "of an exception"),
        (Silent(), "(Silent without a readable message)"),
    ],
)
def test_what_cannot_be_stored_becomes_a_space(text, stored):
    assert cleaned(text, most=500) == stored


def test_a_long_text_is_cut_and_says_so():
    text = cleaned("x" * 200_000, most=500)
    assert len(text) == 500
    assert text.endswith("x…")


def test_a_text_of_just_the_allowed_length_is_whole():
    assert cleaned("x" * 500, most=500) == "x" * 500


@pytest.mark.parametrize(
    "text",
    [
        "<p>" * 70_000,
        "x" * 200_000,
        "a://" * 50_000,
        "token=" * 40_000,
        "sk-" * 70_000,
        "eyJ" * 70_000,
        "-----BEGIN A" * 20_000,
        "cookie=" * 30_000,
    ],
)
def test_cleaning_takes_no_longer_for_a_large_text(text):
    begun = time.process_time()
    cleaned(text, most=2000)
    assert time.process_time() - begun < 0.2


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abc.DEF-123_456", "abc.DEF"),
        ("authorization: basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
        ("The key sk-proj-0123456789abcdef is wrong", "0123456789"),
        ('{"api_key": "0123456789"}', "0123456789"),
        ("api-key=0123456789&model=x", "0123456789"),
        ("password: hunter22", "hunter22"),
        ("passwd=hunter22", "hunter22"),
        ("pwd: hunter22", "hunter22"),
        ("access_key=0123456789", "0123456789"),
        ("Authorization: Token 0123456789", "0123456789"),
        ("Cookie: sessionid=0123456789; csrftoken=abcdefgh", "0123456789"),
        ("Cookie: sessionid=0123456789; csrftoken=abcdefgh", "abcdefgh"),
        ("sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl there", "eyJzdWIi"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----", "MIIabc"),
        ("token='0123456789'", "0123456789"),
        ("Cannot reach http://ana:hunter22@gateway:8080/v1", "hunter22"),
        ("postgresql://coach:hunter22@db/coach", "hunter22"),
    ],
)
def test_a_secret_is_hidden(text, secret):
    shown = cleaned(text, most=500)
    assert secret not in shown
    assert "[hidden]" in shown


def test_a_secret_beyond_the_cut_does_not_come_back_in():
    text = "password=" + "a" * 600 + " " + "b" * 1395 + "sk-0123456789abcdef"
    assert "0123456789" not in cleaned(text, most=500)


def test_harmless_text_is_left_alone():
    text = "See https://example.org/a?b=c and mail ana@example.org; the basic plan has 3 tokens."
    assert cleaned(text, most=500) == text


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (float("nan"), "It cannot be stored as JSON"),
        ([1, float("-inf")], "It cannot be stored as JSON"),
        ({"a": {1, 2}}, "It cannot be stored as JSON"),
        (2**64, "It holds a number beyond 64 bits"),
        ({"a": [-(2**70)]}, "It holds a number beyond 64 bits"),
        ("a\x00b", "It holds a NUL or control character"),
        ("\ud800", "It holds a NUL or control character"),
        ("x" * 70_000, "It is larger than 64 KiB"),
        ("é" * 40_000, "It is larger than 64 KiB"),
    ],
)
def test_what_json_or_the_database_cannot_hold_is_refused(value, sentence):
    with pytest.raises(TooLarge, match=sentence):
        packed(value, what="It")


@pytest.mark.parametrize("depth", [101, 2_000, 20_000])
def test_what_is_nested_too_deep_is_refused(depth):
    value: list = []
    for _ in range(depth):
        value = [value]
    with pytest.raises(TooLarge, match=r"It (is nested more than 100 levels deep|cannot be stored as JSON)"):
        packed(value, what="It")


def test_what_refers_to_itself_is_refused():
    value: dict = {}
    value["self"] = value
    with pytest.raises(TooLarge, match="It cannot be stored as JSON"):
        packed(value, what="It")


@pytest.mark.parametrize(
    ("value", "stored"),
    [(None, "null"), ({"a": [1, 2.5, True, "é"]}, '{"a": [1, 2.5, true, "é"]}'), (2**63 - 1, "9223372036854775807")],
)
def test_everything_else_is_json(value, stored):
    assert packed(value, what="It") == stored
