"""Writes the bytes of one reply, well-formed or not, and notices when nobody listens any more."""

import json
import socket
import struct
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from coach.trial.log import Call, Log, now


class HungUp(Exception):
    """The client is gone."""


class Reply:
    """One reply in the making. `call` is its entry in the log."""

    def __init__(
        self,
        connection: socket.socket,
        *,
        call: Call,
        log: Log,
        pause: Callable[[float], None],
        pace_s: float,
    ) -> None:
        self.connection = connection
        self.call = call
        self.pause = pause
        self.pace_s = pace_s
        self._log = log

    def send(self, data: bytes) -> None:
        try:
            self.connection.sendall(data)
        except OSError as error:
            self.call.disconnected = True
            raise HungUp from error
        if self.call.first_byte is None:
            self.call.first_byte = now()
        self.call.bytes_out += len(data)

    def finished(self) -> None:
        self._log.end(self.call)

    def head(self, status: int, content_type: str, **headers: str) -> None:
        self.call.status = status
        self.send(head_bytes(status, {"Content-Type": content_type, **headers}))

    def whole(
        self, status: int, body: bytes, *, content_type: str = "application/json", headers: Mapping[str, str]
    ) -> None:
        """Send a reply whose length is known; the call is over before its last bytes leave."""
        self.call.status = status
        length = {"Content-Length": str(len(body)), "Content-Type": content_type}
        self.finished()
        self.send(head_bytes(status, {**length, **headers}) + body)

    def json(self, payload: Any) -> None:
        self.whole(200, json.dumps(payload, ensure_ascii=False).encode(), headers={})

    def begin_stream(self) -> None:
        self.head(200, "text/event-stream; charset=utf-8", **{"Transfer-Encoding": "chunked"})

    def chunk(self, data: bytes) -> None:
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def event(self, payload: Any) -> None:
        self.chunk(event_bytes(payload))

    def delta(self, **delta: Any) -> None:
        self.event(self.chunk_object(delta, None))

    def line(self, text: str, *, reason: str | None = None) -> bytes:
        """Return the JSON of one chunk, for turns that frame it themselves."""
        return json.dumps(self.chunk_object({"content": text}, reason), ensure_ascii=False).encode()

    def end_stream(self, reason: str | None = "stop", *, done: bool = True) -> None:
        """Send the last chunk, the usage and [DONE] as one write."""
        usage = {"prompt_tokens": self.call.prompt_chars // 4, "completion_tokens": self.call.tokens}
        data = event_bytes(self.chunk_object({}, reason))
        data += event_bytes({**self.chunk_object({}, None), "choices": [], "usage": usage})
        data += b"data: [DONE]\n\n" if done else b""
        self.finished()
        self.send(b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data))

    def reset(self) -> None:
        """Break the connection so that the client's next read fails with a reset."""
        self.finished()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def chunk_object(self, delta: Mapping[str, Any], reason: str | None) -> dict[str, Any]:
        return {
            "id": f"trial-{self.call.id}",
            "object": "chat.completion.chunk",
            "created": int(self.call.started),
            "model": "trial",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }

    def completion(self, message: Mapping[str, Any], reason: str | None) -> dict[str, Any]:
        return {
            "id": f"trial-{self.call.id}",
            "object": "chat.completion",
            "created": int(self.call.started),
            "model": "trial",
            "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}],
            "usage": {"prompt_tokens": self.call.prompt_chars // 4, "completion_tokens": self.call.tokens},
        }


def head_bytes(status: int, headers: Mapping[str, str]) -> bytes:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Unknown"
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join([*lines, "Connection: close"]) + "\r\n\r\n").encode("latin-1")


def event_bytes(payload: Any) -> bytes:
    return f"data: {json.dumps(payload, ensure_ascii=False)}\n\n".encode()
