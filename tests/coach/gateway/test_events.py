"""Event streams are understood however their bytes are cut."""

from random import Random

import pytest

from coach.gateway.body import Body
from coach.gateway.completion import Completion, ReportedError
from coach.gateway.events import LONGEST_LINE, Events, LineTooLong

STREAM = (
    '\ufeff: hello\r\n\r\nevent: x\nid: 5\nretry: 3\ndata: {"a":\ndata: 1}\n\n'
    'data:zwei Wörter 两个词\r\n\r\ndata:  kept blank\r\rdata:\n\n\n{"error": "bare"}\ndata: [DONE]'
).encode()
WANTED = ['{"a":\n1}', "zwei Wörter 两个词", " kept blank", '{"error": "bare"}', "[DONE]"]


@pytest.mark.parametrize("seed", range(20))
def test_cuts_anywhere_make_no_difference(seed: int) -> None:
    chance, events, rest, found = Random(seed), Events(), STREAM, []
    while rest:
        size = chance.randint(1, 9)
        found += events.feed(rest[:size])
        rest = rest[size:]
    assert [*found, *events.end()] == WANTED


def test_bytes_that_are_no_utf8_are_replaced_and_not_fatal() -> None:
    assert list(Events().feed(b"data: a\xff\xfeb\n\n")) == ["a\ufffd\ufffdb"]


def test_a_line_without_end_is_given_up() -> None:
    events = Events()
    for _part in range(2):
        assert list(events.feed(b"x" * (LONGEST_LINE // 2))) == []
    with pytest.raises(LineTooLong):
        list(events.feed(b"x"))


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b" \r\n {", "object"), (b"\xef\xbb\xbf{", "object"), (b"\n<html>", "page"), (b": ping", "events"), (b" \n", "")],
)
def test_a_body_is_known_by_its_first_character(data: bytes, kind: str) -> None:
    body = Body()
    for place in range(len(data)):
        body.feed(data[place : place + 1])
    assert body.kind == kind


def test_usage_and_choices_may_be_anything() -> None:
    body = Body()
    for odd in ("null", "[]", "[null]", '[{"delta":null}]', '[{"delta":{"content":null}}]', '[{"delta":[]}]', "{}"):
        body.feed(f'data: {{"choices": {odd}, "usage": null}}\n\n'.encode())
    body.feed(b'data: {"usage": {"prompt_tokens": 12, "total_tokens": -4, "x_tokens": 1e400, "cost": "x"}}\n\n')
    body.feed(b'data: {"choices": [{"delta": {"content": [{"type": "text", "text": "hi"}]}}]}\n\n')
    assert body.completion.text == "hi"
    assert body.completion.usage == {"prompt_tokens": 12}
    assert not body.completion.complete


ERRORS = [
    ('{"message": "out of memory", "code": 503}', {"message": "out of memory", "code": 503}),
    ('{"error": {"message": "gone"}}', {"message": "gone"}),
    ("it broke", "it broke"),
]


@pytest.mark.parametrize(("data", "wanted"), ERRORS)
def test_an_event_that_is_called_an_error_is_one(data: str, wanted: object) -> None:
    (found,) = Events().feed(f"event: error\ndata: {data}\n\n".encode())
    with pytest.raises(ReportedError) as caught:
        Completion().take(found)
    assert caught.value.error == wanted


def test_the_name_of_an_event_counts_for_that_event_only() -> None:
    given = list(Events().feed(b'event: error\n\ndata: {"a":1}\n\n'))
    assert given == ['{"a":1}']
