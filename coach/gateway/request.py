"""Builds a request, whole, before anything waits for it: what cannot be sent must take no seat."""

import json
from collections.abc import Mapping, Sequence

import requests

from coach.gateway import broken, outcomes
from coach.gateway.address import BadAddress, endpoint
from coach.gateway.conf import conf
from coach.gateway.features import Features

type Messages = Sequence[Mapping[str, str]]


def prepared(messages: Messages, *, asked: Features, job: int) -> requests.PreparedRequest:
    """Return the request. Raises Reject for facts that JSON cannot hold, Misconfigured for the settings."""
    body = encoded(messages, asked=asked)
    try:
        url = endpoint(conf().url)
        return requests.Request("POST", url, data=body, headers=headers(job)).prepare()
    except (BadAddress, requests.RequestException, UnicodeError) as error:
        # Not `from error`: the message of an invalid header is the key.
        raise broken.verdict(error, elapsed_s=0, answering=False).exception() from None


def encoded(messages: Messages, *, asked: Features) -> bytes:
    fields = {"model": conf().model, "messages": messages, "stream": True, **asked.fields()}
    try:
        return json.dumps(fields, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        raise outcomes.UNSENDABLE.exception() from None


def headers(job: int) -> dict[str, str]:
    made = {
        "Content-Type": "application/json",
        "Accept": "text/event-stream, application/json",
        # Packing makes a stream late, and an answer is short.
        "Accept-Encoding": "identity",
        "User-Agent": "coach",
        "X-Job-Id": str(job),
    }
    key = conf().key
    if key:
        key.encode("latin-1")
        made["Authorization"] = f"Bearer {key}"
    return made
