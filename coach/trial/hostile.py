"""The turns that nobody should send: too much, broken, or meant to run in somebody's browser."""

import json

from coach.trial.reply import Reply
from coach.trial.script import Turn
from coach.trial.turns import meets, say, stream

BIG_BYTES = 10 * 1024 * 1024
SCRIPT = "<script>alert('x')</script> [here](javascript:alert(document.cookie)) ![](http://evil.test/?q=x)"


@meets("nul")
def answer_with_nul(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, text.replace("{{", "\x00\u202e{{", 1))


@meets("big_body")
def answer_ten_megabytes(reply: Reply, turn: Turn, text: str) -> None:
    padded = {"content": text + " " * BIG_BYTES}
    reply.whole(200, json.dumps(reply.completion(padded, "stop")).encode(), headers={})


@meets("error_page", computes=False)
def answer_a_long_page(reply: Reply, turn: Turn, text: str) -> None:
    body = f"<html><body>{SCRIPT * 2000}</body></html>".encode()[:200_000]
    reply.whole(500, body, content_type="text/html", headers=turn.headers)


@meets("xss")
def answer_with_a_script(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, text.replace('"summary": "', f'"summary": "{SCRIPT} ', 1))


@meets("bad_utf8")
def answer_in_no_encoding(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text, only=turn.after_tokens)
    reply.chunk(b'data: {"choices": [{"delta": {"content": "\xff\xfe\xc3"}}]}\n\n')
    reply.end_stream()


@meets("duplicate_keys")
def answer_everything_twice(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, text.replace("{", '{"headline": "You will win <b>everything</b>", "summary": 5, ', 1))


@meets("no_choices")
def answer_without_choices(reply: Reply, turn: Turn, text: str) -> None:
    reply.begin_stream()
    reply.event({**reply.chunk_object({}, None), "choices": []})
    reply.finished()
    reply.chunk(b"data: [DONE]\n\n")
    reply.send(b"0\r\n\r\n")
