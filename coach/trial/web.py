"""The routes of the trial gateway."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from coach.trial import faults, hostile  # noqa: F401 - registers the turns that break things
from coach.trial.answers import answer
from coach.trial.permits import Closing
from coach.trial.reply import HungUp, Reply
from coach.trial.script import BadScript, Turn
from coach.trial.turns import MEETINGS

if TYPE_CHECKING:
    from coach.trial.server import Listener, TrialGateway

MOST_BYTES = 32 * 1024 * 1024


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Listener"

    @property
    def gateway(self) -> "TrialGateway":
        return self.server.gateway

    def do_GET(self) -> None:
        pages: dict[str, Any] = {
            "/__log": self.gateway.log,
            "/__stats": self.gateway.stats,
            "/v1/models": lambda: {"object": "list", "data": [{"id": "trial", "object": "model"}]},
        }
        page = pages.get(self.path)
        self.tell(200, page()) if page else self.tell(404, problem(f"There is no {self.path} here."))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST_BYTES:
            return self.tell(413, problem("That is too long."))
        raw = self.rfile.read(length)
        try:
            body = json.loads(raw)
        except ValueError:
            return self.tell(400, problem("The body is not JSON."))
        if self.path == "/v1/chat/completions" and isinstance(body, dict):
            return self.complete(body, len(raw))
        if self.path in ("/__script", "/__neighbours"):
            return self.control(body)
        return self.tell(404, problem(f"There is no {self.path} here."))

    def control(self, body: Any) -> None:
        try:
            if self.path == "/__neighbours":
                self.gateway.neighbours.hold(int(body["hold"]))
            else:
                self.gateway.script(body if isinstance(body, list) else [body])
        except (BadScript, TypeError, KeyError, ValueError) as error:
            return self.tell(400, problem(str(error)))
        return self.tell(200, {"turns": len(self.gateway.turns)})

    def complete(self, body: Mapping[str, Any], size: int) -> None:
        gateway = self.gateway
        given = self.headers.get("Authorization", "")
        prompt = text_of(body.get("messages"))
        call = gateway.calls.begin(
            job=self.headers.get("X-Job-Id", ""),
            streamed=bool(body.get("stream")),
            key_seen=bool(given),
            bytes_in=size,
        )
        call.prompt_chars = len(prompt)
        met = gateway.turns.take(job=call.job, prompt=prompt) or gateway.weather_of(call)
        if gateway.key and given != f"Bearer {gateway.key}":
            met = Turn(do="status", status=401, body=json.dumps(problem("Incorrect API key provided.")))
        call.turn = met.do
        reply = Reply(
            self.connection,
            call=call,
            log=gateway.calls,
            pause=gateway.permits.pause,
            pace_s=gateway.pace_s if met.pace_s is None else met.pace_s,
        )
        try:
            self.play(reply, met, prompt)
        except (HungUp, Closing):
            pass
        finally:
            gateway.calls.end(call)
            self.close_connection = True
            gateway.play_refusal()

    def play(self, reply: Reply, met: Turn, prompt: str) -> None:
        gateway, meeting = self.gateway, MEETINGS[met.do]
        text = met.text if met.text is not None else answer(prompt, seed=gateway.seed, number=reply.call.id)
        reply.pause(met.after_s)
        if not meeting.computes:
            return meeting.play(reply, met, text)
        with gateway.permits.one():
            reply.call.permit = gateway.clock()
            reply.pause(gateway.delay_s if met.delay_s is None else met.delay_s)
            return meeting.play(reply, met, text)

    def tell(self, status: int, payload: Any) -> None:
        """Answer a question that is not a completion; it is in no log."""
        body = json.dumps(payload, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Say nothing: the log has its own form."""


def problem(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def text_of(messages: Any) -> str:
    """Join what the messages say, whatever their shape."""
    if not isinstance(messages, list):
        return ""
    contents = [message.get("content") for message in messages if isinstance(message, dict)]
    return "\n".join(content if isinstance(content, str) else json.dumps(content) for content in contents)
