"""Builds a request, whole, before anything waits for it: what cannot be sent must take no seat."""

import json
from collections.abc import Mapping, Sequence

import requests

from coach.gateway import broken, outcomes
from coach.gateway.address import BadAddress, endpoint
from coach.gateway.conf import Conf
from coach.gateway.features import Features
from coach.gateway.schema import INSIGHT_FORM, Form

type Messages = Sequence[Mapping[str, str]]


def prepared(
    upstream: Conf, messages: Messages, *, asked: Features, max_tokens: int, job: int, form: Form = INSIGHT_FORM
) -> requests.PreparedRequest:
    """Return the request. Raises Reject for facts that JSON cannot hold, Misconfigured for the settings."""
    body = encoded(upstream, messages, asked=asked, max_tokens=max_tokens, form=form)
    try:
        url = endpoint(upstream.url, allowed=upstream.allowed)
        return requests.Request("POST", url, data=body, headers=headers(upstream, job)).prepare()
    except (BadAddress, requests.RequestException, UnicodeError) as error:
        # Not `from error`: the message of an invalid header is the key.
        raise broken.verdict(error, elapsed_s=0, answering=False).of(upstream).exception() from None


def encoded(
    upstream: Conf, messages: Messages, *, asked: Features, max_tokens: int, form: Form = INSIGHT_FORM
) -> bytes:
    more = {**asked.fields(upstream, max_tokens=max_tokens, form=form), **upstream.body}
    fields = {**more, "model": upstream.model, "messages": messages, "stream": True}
    try:
        return json.dumps(fields, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        raise outcomes.UNSENDABLE.exception() from None


def headers(upstream: Conf, job: int) -> dict[str, str]:
    made = {
        "Content-Type": "application/json",
        "Accept": "text/event-stream, application/json",
        # Packing makes a stream late, and an answer is short.
        "Accept-Encoding": "identity",
        "User-Agent": "coach",
        "X-Job-Id": str(job),
    }
    if upstream.key:
        made["Authorization"] = f"Bearer {upstream.key}"
    made |= upstream.headers
    for value in made.values():
        value.encode("latin-1")
    return made
