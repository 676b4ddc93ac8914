"""Every row of the classification table that an upstream can play, with what must become of it."""

import json
from typing import Any

from jobs.exceptions import Misconfigured, Outcome, Reject, Retry, UpstreamDown

Down, Config, Again, Bad = UpstreamDown, Misconfigured, Retry, Reject


def error(message: str, **more: Any) -> str:
    return json.dumps({"error": {"message": message, **more}})


def status(code: int, body: str = "", **headers: str) -> dict[str, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"do": "status", "status": code, "body": body, "headers": named}


# What the upstream does; what becomes of the job; whether the seat lingers; what the reason says.
ROWS: list[tuple[str, Any, type[Outcome], bool, str]] = [
    ("closed before headers", {"do": "close"}, Down, False, "closed the connection"),
    ("reset before headers", {"do": "reset"}, Down, False, "closed the connection"),
    ("stall in the body", {"do": "stall_body", "seconds": 3}, Again, True, "silent"),
    ("stall before headers", {"do": "stall_headers", "seconds": 3}, Again, True, "silent"),
    ("reset in the body", "reset_body", Again, True, "broke off"),
    ("cut chunk", "cut_chunk", Again, True, "broke off"),
    ("cut length", "cut_length", Again, True, "broke off"),
    ("end without a finish", "eof", Again, True, "broke off"),
    ("broken event", "broken_event", Again, True, "cannot be read"),
    ("endless line", "long_line", Again, True, "more than"),
    ("gzip bomb", "gzip_bomb", Again, True, "more than"),
    ("broken gzip", "gzip_broken", Again, False, "unpacked"),
    ("web page", "html", Down, False, "web page"),
    ("nothing", "empty", Down, False, "nothing"),
    ("cut JSON", {"do": "error_200", "body": '{"choices": ['}, Again, False, "not complete JSON"),
    ("JSON without choices", {"do": "error_200", "body": '{"choices": []}'}, Again, False, "not complete JSON"),
    ("not HTTP", "not_http", Config, False, "does not speak HTTP"),
    ("too many headers", "many_headers", Config, False, "HTTP"),
    ("redirect", {"do": "redirect", "body": "http://169.254.169.254/"}, Config, False, "another address"),
    ("moved", {"do": "redirect", "status": 301}, Config, False, "another address"),
    ("400", status(400, error("bad field")), Bad, False, "It says: bad field"),
    ("400 too long", status(400, error("maximum context length is 4096")), Bad, False, "too long"),
    ("400 filter", status(400, error("x", code="content_filter")), Bad, False, "declined"),
    ("400 budget", status(400, error("Budget has been exceeded")), Config, False, "credit"),
    ("413", status(413, "<html>too large</html>"), Bad, False, "does not accept"),
    ("415", status(415), Bad, False, "does not accept"),
    ("422", status(422, '{"detail":[{"msg":"field required"}]}'), Bad, False, "field required"),
    ("401", status(401, '{"error":"Unauthorized"}'), Config, False, "COACH_GATEWAY_KEY"),
    ("402", status(402), Config, False, "credit"),
    ("403", status(403, '{"detail":"no"}'), Config, False, "forbids"),
    ("403 moderation", status(403, error("Input was flagged")), Bad, False, "declined"),
    ("404", status(404, error("model not found")), Config, False, "model"),
    ("405", status(405), Config, False, "chat completions"),
    ("407", status(407), Config, False, "proxy"),
    ("408", status(408), Again, False, "again"),
    ("409", status(409), Again, False, "again"),
    ("425", status(425), Again, False, "again"),
    ("429", status(429, error("slow down")), Down, False, "pause"),
    ("429 quota", status(429, error("x", type="insufficient_quota")), Config, False, "credit"),
    ("429 none deployed", status(429, error("No deployments available")), Down, False, "pause"),
    ("451", status(451), Bad, False, "declined"),
    ("499", status(499), Down, False, "given up"),
    ("500", status(500, error("boom")), Again, False, "failed"),
    ("500 impossible", status(500, error("image input is not supported, mmproj")), Bad, False, "cannot do"),
    ("501", status(501), Again, False, "failed"),
    ("505", status(505), Again, False, "failed"),
    ("599", status(599), Again, False, "failed"),
    ("418", status(418), Bad, False, "does not accept"),
    *(
        (f"{code}", status(code, "<html>down</html>"), Down, False, "down")
        for code in (502, 503, 504, 520, 524, 529, 530)
    ),
    ("503 loading", status(503, error("Loading model", type="unavailable_error")), Down, False, "down"),
    ("200 with an error", "error_200", Again, False, "engine fell over"),
    ("200 rate limited", {"do": "error_200", "body": error("x", code="rate_limit_exceeded")}, Down, False, "pause"),
    ("200 with code", {"do": "error_200", "body": error("x", code=502)}, Down, False, "down"),
    ("200 with text", {"do": "error_200", "body": '{"error":"strange"}'}, Again, False, "strange"),
    ("error in the stream", "error_stream", Again, False, "engine fell over"),
    ("error by code in the stream", {"do": "error_stream", "body": error("x", code="401")}, Config, False, "key"),
    ("cut off by length", {"do": "finish", "reason": "length"}, Bad, False, "cut off"),
    ("content filter", {"do": "finish", "reason": "content_filter"}, Bad, False, "declined"),
    ("refusal", "refusal", Bad, False, "declined"),
    ("tool call", {"do": "finish", "reason": "tool_calls"}, Bad, False, "tool call"),
    ("finish of an error", {"do": "finish", "reason": "error"}, Again, False, "error of its own"),
]
