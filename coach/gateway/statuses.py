"""What an HTTP status, or an error object under status 200, means. Pure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from coach.gateway.outcomes import REDIRECTED, REFUSED, Kind, Verdict, again, bad, config, down
from coach.gateway.redact import redact
from coach.gateway.waits import asked_by_header, asked_by_text, polite

SLOW_SECONDS = 30.0  # a proxy that gave up after this long left a call running behind it

UNPAID = re.compile(
    r"insufficient_quota|credit_balance|spend_limit|billing|payment|exceeded.{0,20}budget|budget.{0,20}exceeded"
    r"|no credits|out of credits|quota exceeded|exceeded your current quota",
    re.IGNORECASE,
)
MODERATED = re.compile(r"moderat|flagged|content[_ ]?(filter|policy|management)|safety", re.IGNORECASE)
IMPOSSIBLE = re.compile(r"not supported|unsupported|mmproj|invalid", re.IGNORECASE)
LOADING = re.compile(r"loading|unavailable_error|starting up|warming", re.IGNORECASE)
TOO_LONG = re.compile(r"context.{0,20}(length|size|window)|too long|too many tokens|maximum context", re.IGNORECASE)
NOBODY = re.compile(r"no deployments available", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    statuses: frozenset[int]
    verdict: Verdict


def rule(*statuses: int, verdict: Verdict) -> Rule:
    return Rule(statuses=frozenset(statuses), verdict=verdict)


BUSY = down("The writing service asks for a pause.", hard=True)
DOWN = down("The writing service is down behind its address.")
FELL_OVER = again("The writing service failed on this request.", closes_after=3)
NOT_ACCEPTED = bad("The writing service does not accept the request.")
MONEY = config("The writing service has no credit left: its account needs a payment or a larger budget.")

RULES = (
    rule(400, 413, 415, 422, verdict=NOT_ACCEPTED),
    rule(401, verdict=config("The writing service does not accept the key: check COACH_GATEWAY_KEY.")),
    rule(402, verdict=MONEY),
    rule(403, verdict=config("The writing service forbids the call: check what the key may do.")),
    rule(
        404,
        410,
        verdict=config("The writing service has no such address or model: check COACH_GATEWAY_URL and _MODEL."),
    ),
    rule(405, verdict=config("COACH_GATEWAY_URL is not the address of an API for chat completions.")),
    rule(407, verdict=config("The proxy before the writing service asks for a password.")),
    rule(408, 409, 425, verdict=again("The writing service asks to send the request again.")),
    rule(429, verdict=BUSY),
    rule(451, verdict=REFUSED),
    rule(499, verdict=down("The writing service took our call for given up.")),
    rule(502, 503, 504, *range(520, 528), 529, 530, verdict=DOWN),
)


def verdict(status: int, body: str, *, headers: Mapping[str, str], elapsed_s: float) -> Verdict:
    """Judge a reply that is no answer: its status, what it says, and how long it took to say it."""
    if 300 <= status < 400:
        return REDIRECTED
    found = by_text(status, body) or by_status(status)
    if found.kind is Kind.DOWN and status in range(500, 600):
        found = replace(found, lingers=elapsed_s >= SLOW_SECONDS, hard=found.hard or bool(LOADING.search(body)))
    wait_s = asked_by_header(headers) if found is not MONEY else None
    if wait_s is None and found.kind in (Kind.DOWN, Kind.AGAIN):
        wait_s = asked_by_text(body)
    if wait_s is not None:
        return replace(BUSY, lingers=found.lingers, retry_after_s=polite(wait_s))
    return with_message(found, body)


def by_status(status: int) -> Verdict:
    for each in RULES:
        if status in each.statuses:
            return each.verdict
    return FELL_OVER if status >= 500 else NOT_ACCEPTED


def by_text(status: int, body: str) -> Verdict | None:
    """Judge by what the body says where the status alone misleads."""
    if status in (400, 402, 403, 429) and UNPAID.search(body):
        return MONEY
    if status in (400, 403) and MODERATED.search(body):
        return REFUSED
    if NOBODY.search(body):
        return BUSY
    if status in (400, 413, 422) and TOO_LONG.search(body):
        return bad("The request is too long for the model behind the writing service.")
    if (status == 500 or status in (501, 505)) and IMPOSSIBLE.search(message_of(body)):
        return bad("The model behind the writing service cannot do what was asked.")
    return None


def with_message(found: Verdict, body: str) -> Verdict:
    """Add what the upstream says for itself, cut and without secrets; a web page says nothing."""
    said = redact(message_of(body))
    return replace(found, reason=f"{found.reason} It says: {said}") if said else found


# Codes that upstreams put into an error object, as the status that would have said the same.
CODES = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "slow_down": 429,
    "server_is_overloaded": 503,
    "overloaded_error": 503,
    "unavailable_error": 503,
    "service_unavailable": 503,
    "timeout": 504,
    "insufficient_quota": 402,
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "exceed_context_size_error": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "content_filter": 451,
    "content_policy_violation": 451,
    "server_error": 500,
    "internal_error": 500,
}


def of_error(error: Any, *, elapsed_s: float) -> Verdict:
    """Judge an error that came under status 200, beside or instead of an answer."""
    body = json.dumps({"error": error}, ensure_ascii=False)[:20_000]
    status = error_status(error)
    if status is None:
        return with_message(again("The writing service reported an error."), body)
    return verdict(status, body, headers={}, elapsed_s=elapsed_s)


def error_status(error: Any) -> int | None:
    fields = [error.get(name) for name in ("code", "status", "type")] if isinstance(error, dict) else []
    for each in fields:
        text = str(each or "").lower()
        if text.isdecimal() and 300 <= int(text[:4]) < 600:
            return int(text)
        if text in CODES:
            return CODES[text]
    return None


def message_of(body: str) -> str:
    """Return what an error body says, in whichever of the usual shapes; nothing of a web page."""
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(payload, dict):
        return ""
    error = payload.get("error") or payload.get("detail") or payload.get("message") or ""
    if isinstance(error, dict):
        error = error.get("message") or error.get("code") or error.get("type") or ""
    if isinstance(error, list):
        error = "; ".join(str(each.get("msg", "")) if isinstance(each, dict) else str(each) for each in error)
    return str(error)
