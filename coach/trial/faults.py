"""The turns that break HTTP, the stream, or the body."""

import gzip
import json
from functools import cache

from coach.trial.reply import Reply
from coach.trial.script import Turn
from coach.trial.turns import meets, stream

PAGE = "<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body>nginx</body></html>"
ERROR = {"error": {"message": "The engine fell over.", "type": "server_error", "code": 500}}
BOMB_BYTES = 64 * 1024 * 1024


@meets("status", computes=False)
def answer_status(reply: Reply, turn: Turn, text: str) -> None:
    reply.pause(turn.seconds)
    kind = "text/html" if turn.body.startswith("<") else turn.content_type
    reply.whole(turn.status, turn.body.encode(), content_type=kind, headers=turn.headers)


@meets("html", computes=False)
def answer_page(reply: Reply, turn: Turn, text: str) -> None:
    reply.whole(turn.status, (turn.body or PAGE).encode(), content_type="text/html", headers=turn.headers)


@meets("empty", computes=False)
def answer_nothing(reply: Reply, turn: Turn, text: str) -> None:
    reply.whole(turn.status, b"", headers=turn.headers)


@meets("redirect", computes=False)
def send_elsewhere(reply: Reply, turn: Turn, text: str) -> None:
    status = turn.status if turn.status != 200 else 307
    reply.whole(status, b"", headers={"Location": turn.body or "/elsewhere", **turn.headers})


@meets("not_http", computes=False)
def speak_another_protocol(reply: Reply, turn: Turn, text: str) -> None:
    reply.finished()
    reply.send((turn.body or "SSH-2.0-OpenSSH_9.2\r\n").encode())


@meets("many_headers", computes=False)
def send_many_headers(reply: Reply, turn: Turn, text: str) -> None:
    reply.whole(200, b"{}", headers={f"X-Filler-{number}": "x" for number in range(150)})


@meets("long_header")
def send_a_long_header(reply: Reply, turn: Turn, text: str) -> None:
    reply.whole(200, b"{}", headers={"X-Filler": "x" * 100_000})


@meets("reset")
def reset_before_headers(reply: Reply, turn: Turn, text: str) -> None:
    reply.pause(turn.seconds)
    reply.reset()


@meets("close")
def close_before_headers(reply: Reply, turn: Turn, text: str) -> None:
    reply.pause(turn.seconds)
    reply.finished()


@meets("stall_headers")
def stall_before_headers(reply: Reply, turn: Turn, text: str) -> None:
    reply.pause(turn.seconds)
    stream(reply, text)
    reply.end_stream()


@meets("stall_body")
def stall_in_the_body(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text, only=turn.after_tokens)
    reply.pause(turn.seconds)
    stream(reply, " still here")
    reply.end_stream()


@meets("reset_body")
def reset_in_the_body(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text, only=turn.after_tokens)
    reply.reset()


@meets("cut_chunk")
def cut_a_chunk(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text, only=turn.after_tokens)
    reply.finished()
    reply.send(b"400\r\ndata: {")


@meets("cut_length")
def cut_the_length(reply: Reply, turn: Turn, text: str) -> None:
    """Promise more bytes than come."""
    reply.finished()
    reply.head(200, "application/json", **{"Content-Length": "5000"})
    reply.send(b'{"choices": [')


@meets("bad_chunk")
def garble_a_chunk(reply: Reply, turn: Turn, text: str) -> None:
    """Announce a chunk whose length is no number."""
    stream(reply, text, only=turn.after_tokens)
    reply.finished()
    reply.send(b"zz\r\ndata: {\r\n")


@meets("eof")
def end_without_a_word(reply: Reply, turn: Turn, text: str) -> None:
    """End the stream in good form, but without finish_reason and without [DONE]."""
    stream(reply, text, only=turn.after_tokens)
    reply.finished()
    reply.send(b"0\r\n\r\n")


@meets("done_only")
def end_with_done_only(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text)
    reply.finished()
    reply.chunk(b"data: [DONE]\n\n")
    reply.send(b"0\r\n\r\n")


@meets("finish_only")
def end_with_reason_only(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text)
    reply.end_stream(done=False)


@meets("broken_event")
def break_an_event(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text, only=turn.after_tokens)
    reply.finished()
    reply.chunk(b'data: {"choices": [{"delta"\n\n')
    reply.send(b"0\r\n\r\n")


@meets("error_200", computes=False)
def error_under_200(reply: Reply, turn: Turn, text: str) -> None:
    body = turn.body or json.dumps({**ERROR, "choices": []})
    reply.whole(200, body.encode(), headers=turn.headers)


@meets("error_stream")
def error_in_the_stream(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text, only=turn.after_tokens)
    reply.finished()
    reply.event(json.loads(turn.body) if turn.body else ERROR)
    reply.send(b"0\r\n\r\n")


@cache
def bomb() -> bytes:
    """Return 64 MB of nothing in 64 KB; made once, since that takes a while."""
    return gzip.compress(b"data: " + b"0" * BOMB_BYTES)


@meets("gzip_bomb", computes=False)
def send_a_bomb(reply: Reply, turn: Turn, text: str) -> None:
    reply.whole(200, bomb(), content_type="text/event-stream", headers={"Content-Encoding": "gzip"})


@meets("gzip_broken", computes=False)
def send_broken_gzip(reply: Reply, turn: Turn, text: str) -> None:
    reply.whole(200, b"this is not gzip", headers={"Content-Encoding": "gzip"})


@meets("gzip_cut", computes=False)
def cut_gzip(reply: Reply, turn: Turn, text: str) -> None:
    """Send half of a packed answer, and say that this is all of it: nothing but the answer itself tells."""
    whole = json.dumps(reply.completion({"content": text}, "stop")).encode()
    packed = gzip.compress(whole)
    reply.whole(200, packed[: len(packed) // 2], headers={"Content-Encoding": "gzip"})


@meets("long_line")
def send_a_long_line(reply: Reply, turn: Turn, text: str) -> None:
    """Send one event line of two megabytes that never ends."""
    reply.begin_stream()
    reply.chunk(b"data: ")
    for _part in range(32):
        reply.chunk(b"x" * 65536)
    reply.finished()
    reply.send(b"0\r\n\r\n")


@meets("endless")
def never_stop_talking(reply: Reply, turn: Turn, text: str) -> None:
    while True:
        stream(reply, "more and more " * 400)
