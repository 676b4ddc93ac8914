"""Makes one call to the writing service inside run.call, and judges whatever comes of it."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import requests

from coach.gateway import broken, outcomes, statuses
from coach.gateway.address import networks
from coach.gateway.body import MOST_BYTES, Body
from coach.gateway.completion import Completion, Malformed, ReportedError
from coach.gateway.conf import Conf, conf
from coach.gateway.features import Features
from coach.gateway.memory import PROCESS, Memory
from coach.gateway.metering import prompt_tokens
from coach.gateway.outcomes import Verdict
from coach.gateway.record import Record
from coach.gateway.request import Messages, prepared
from coach.gateway.schema import INSIGHT_FORM, Form
from coach.gateway.transport import CONNECT_SECONDS, Line, session

if TYPE_CHECKING:
    from jobs.api import Run

CHUNK_BYTES = 64 * 1024
MOST_ERROR_BYTES = 64 * 1024
SPOKEN_BYTES = 256 * 1024
LAST_BYTES_SECONDS = 5.0  # from the finish_reason to the end of the stream
REDOS = 8  # the features of a request can be given up in so many steps, and an answer cut off can be asked for again
LEAST_SHARE_LEFT = 0.4  # of the time, for asking for a longer answer


class Judged(Exception):
    """The call ended without an answer, for a reason that is known already."""

    def __init__(self, verdict: Verdict, *, fewer: Features | None = None) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict
        self.fewer = fewer  # what may be asked instead


def complete(
    run: "Run",
    messages: Messages,
    *,
    timeout_s: float,
    form: Form = INSIGHT_FORM,
    model: str = "",  # another one than the settings name
    memory: Memory = PROCESS,
) -> Completion:
    """Return a whole answer. Raises UpstreamDown, Misconfigured, Retry, Reject, and what run.check raises."""
    upstream = replace(conf(run.pool), model=model) if model else conf(run.pool)
    most, until_s = upstream.max_tokens, time.monotonic() + timeout_s
    for _try in range(REDOS):
        asked = memory.known(upstream)
        request = prepared(upstream, messages, asked=asked, max_tokens=most, job=run.id, form=form)
        linger_s = memory.linger_s(upstream, tokens=prompt_tokens(messages))
        left_s = until_s - time.monotonic()
        answer = _call(run, upstream, request, asked=asked, timeout_s=left_s, linger_s=linger_s)
        if not isinstance(answer, Completion):
            memory.learn(upstream, answer)
        elif answer.finish == "length" and most < upstream.most_tokens and left_s >= LEAST_SHARE_LEFT * timeout_s:
            most = upstream.most_tokens
        else:
            if answer.silent_s is not None:
                memory.took(upstream, tokens=prompt_tokens(messages, answer), seconds=answer.silent_s)
            return _accepted(answer)
        run.check()
    raise statuses.NOT_ACCEPTED.exception()


def _call(
    run: "Run",
    upstream: Conf,
    request: requests.PreparedRequest,
    *,
    asked: Features,
    timeout_s: float,
    linger_s: float,
) -> Completion | Features:
    """Make the call; where the upstream knows less than was asked, return the features it may know."""
    line = Line(allowed=() if upstream.proxy else networks(upstream.allowed))
    with (
        run.call(timeout=timeout_s, streamed=True, linger_s=linger_s) as call,
        closing(line),
        session(line, proxy=upstream.proxy) as http,
    ):
        record = Record(job=run.id, pool=upstream.pool, timeout_s=call.left_s)
        line.ready = call.check
        call.on_abort(line.abort)
        exchange = Exchange(
            http=http, request=request, line=line, record=record, on_token=call.token, idle_s=upstream.idle_seconds
        )
        try:
            completion = exchange.run(asked)
        except (Judged, ReportedError, *broken.BREAKS) as error:
            # Our own stop shows as a broken connection, so it is asked for first.
            run.check()
            verdict = exchange.judge(error).of(upstream)
            record.write(outcome=verdict.kind.value, chain=broken.names(error))
            if isinstance(error, Judged) and error.fewer and not line.aborted:
                call.over()
                return error.fewer
            raise verdict.exception() from None  # the chain may hold the key
        call.answered()
        completion.seconds, completion.silent_s = record.elapsed_s, record.token_s
    record.write(outcome="answered", finish=completion.finish or "", **tokens(completion))
    return completion


def _accepted(completion: Completion) -> Completion:
    """Return it, unless its finish_reason says that it is none."""
    verdict = outcomes.FINISHES.get(completion.finish or "")
    if completion.refusal and not completion.text:
        verdict = outcomes.REFUSED
    if verdict:
        raise verdict.exception()
    return completion


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request and its reply on a line of its own."""

    http: requests.Session
    request: requests.PreparedRequest
    line: Line
    record: Record
    on_token: Callable[[], None]
    idle_s: float
    body: Body = field(default_factory=Body)

    def run(self, asked: Features) -> Completion:
        timeout = (CONNECT_SECONDS, self.idle_s)
        with (
            self.line.deadline(self.record.timeout_s),
            self.http.send(self.request, stream=True, timeout=timeout, allow_redirects=False) as response,
        ):
            self.record.headers(response)
            if not 200 <= response.status_code < 300:
                raise self._refused(response, asked)
            self._read(response.raw)
            return self._finished()

    def judge(self, error: Exception) -> Verdict:
        elapsed_s = self.record.elapsed_s
        if self.line.aborted:
            return outcomes.DEADLINE if elapsed_s >= 0.9 * self.record.timeout_s else outcomes.BROKEN_OFF
        if isinstance(error, Judged):
            return error.verdict
        if isinstance(error, ReportedError):
            return statuses.of_error(error.error, elapsed_s=elapsed_s)
        return broken.verdict(error, elapsed_s=elapsed_s, answering=self.record.status is not None)

    def _read(self, raw: Any) -> None:
        """Read until [DONE] or the end; after a finish_reason whatever breaks no longer matters."""
        completion = self.body.completion
        while not completion.done:
            try:
                chunk = raw.read1(CHUNK_BYTES, decode_content=True)
                self._take(chunk)
            except broken.BREAKS:
                if completion.finish is None or self.line.aborted:
                    raise
                return
            if not chunk:
                return

    def _take(self, chunk: bytes) -> None:
        if self.record.elapsed_s > self.record.timeout_s:
            raise broken.DeadlinePassed
        self.record.size += len(chunk)
        if self.record.size > SPOKEN_BYTES:
            self.on_token()  # not a word of it was understood, but it is talking, so it will notice that we hang up
        if self.record.size > MOST_BYTES:
            raise broken.TooBig
        self.body.feed(chunk)
        completion = self.body.completion
        if completion.started and self.record.token_s is None:
            self.record.token_s = self.record.elapsed_s
            self.on_token()
        if completion.finish is not None:
            self.line.hurry(LAST_BYTES_SECONDS)

    def _finished(self) -> Completion:
        body = self.body
        try:
            body.end()
        except Malformed:
            if body.kind == "object":
                raise Judged(outcomes.NOT_JSON) from None
            if body.completion.finish is None:
                raise Judged(outcomes.CUT) from None
        if body.kind in ("", "page"):
            raise Judged(outcomes.WEB_PAGE)
        if not body.completion.complete:
            raise Judged(outcomes.CUT if body.kind == "events" else outcomes.NOT_JSON)
        return body.completion

    def _refused(self, response: requests.Response, asked: Features) -> Judged:
        text = said(response)
        elapsed_s = self.record.elapsed_s
        verdict = statuses.verdict(response.status_code, text, headers=response.headers, elapsed_s=elapsed_s)
        may_redo = response.status_code in (400, 422) and verdict.kind is outcomes.Kind.BAD
        return Judged(verdict, fewer=asked.without(text) if may_redo else None)


def tokens(completion: Completion) -> dict[str, int]:
    """Return what the upstream says it counted; many say nothing."""
    return {name: count for name, count in completion.usage.items() if name in ("prompt_tokens", "completion_tokens")}


def said(response: requests.Response) -> str:
    """Return the start of an error's body; that it breaks off as well tells nothing more."""
    kept = bytearray()
    until = time.monotonic() + LAST_BYTES_SECONDS
    try:
        while len(kept) < MOST_ERROR_BYTES and time.monotonic() < until:
            chunk = response.raw.read1(CHUNK_BYTES, decode_content=True)
            if not chunk:
                break
            kept += chunk
    except broken.BREAKS:
        pass
    return bytes(kept[:MOST_ERROR_BYTES]).decode("utf-8", "replace")
