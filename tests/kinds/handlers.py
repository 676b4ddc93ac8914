"""Job kinds that only tests use. What they do is said by their arguments."""

import ctypes
import logging
import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import requests
from django.db import connection

from jobs import api

api.hold_kind("test-edit", label="A test's edit")


@api.job("plain")
def plain(run: api.Run) -> dict[str, Any]:
    return {"subject": run.subject}


@api.job("lined", lane=lambda owner, subject, args: str(args.get("lane", "lane:1")))
def lined(run: api.Run) -> None:
    time.sleep(run.args.get("seconds", 0))


@api.job("pooled", pool=lambda owner, subject, args: str(args.get("pool", "gateway")))
def pooled(run: api.Run) -> None:
    """Claims a seat and makes no call."""


@api.job("both", pool="gateway", lane=lambda owner, subject, args: str(args.get("lane", "lane:1")))
def both(run: api.Run) -> None:
    """Needs a lane and a seat."""


@api.job("items")
def items(run: api.Run) -> None:
    """Each item's key says what becomes of it."""
    for item in run.items():
        time.sleep(run.args.get("seconds", 0))
        with run.save():
            if item.key.startswith("bad"):
                item.fail(f"{item.key} cannot be done.")
            elif item.key.startswith("part"):
                item.partial("Only half of it.")
            elif item.key.startswith("skip"):
                item.skip()
            else:
                item.ok({"key": item.key})


@api.job("talks")
def talks(run: api.Run) -> None:
    """Logs its lines, then ends as it is told."""
    _ = [logging.getLogger("tests.talks").warning(line) for line in run.args["lines"]]
    run.sleep(run.args.get("seconds", 0))
    if run.args.get("fails"):
        raise api.Reject("It has said enough.")


@api.job("raises", attempts=2, backoff=(60,))
def raises(run: api.Run) -> None:
    error = getattr(api, run.args.get("error", "Retry"), None) or RuntimeError
    raise error(run.args.get("message", "It did not work."))


@api.job("dies")
def dies(run: api.Run) -> None:
    os._exit(9)


@api.job("sleeps")
def sleeps(run: api.Run) -> None:
    """Sleeps politely, or until it is let: meets its stop at the next check."""
    until, gate = time.monotonic() + run.args["seconds"], run.args.get("gate")
    while time.monotonic() < until and not (gate and Path(gate).exists()):
        run.check()
        time.sleep(0.02)


@api.job("deaf")
def deaf(run: api.Run) -> None:
    """Never checks, so it has to be killed."""
    time.sleep(run.args["seconds"])


@api.job("notes", pool="gateway", lane=lambda owner, subject, args: f"source:{owner}")
def notes(run: api.Run) -> None:
    """One call an item, as a note for each activity of a source is written."""
    for item in run.items():
        with run.call(timeout=30, streamed=True) as call:
            _ask(run, call)
        with run.save():
            item.ok()


@api.job("calls", pool=lambda owner, subject, args: str(args.get("pool", "gateway")))
def calls(run: api.Run) -> dict[str, Any]:
    """One streamed call to the test gateway over real HTTP, aborted by closing the response's socket."""
    with run.call(timeout=run.args.get("timeout", 30), streamed=run.args.get("streamed", True)) as call:
        return _ask(run, call)


@api.job("routed", pool="gateway", route=("gateway", "wide"))
def routed(run: api.Run) -> dict[str, Any]:
    """Makes its call to the upstream of the pool it is in."""
    run.args["url"] = run.args["urls"][run.pool]
    return calls(run)


@api.job(
    "routed_in_a_lane",
    pool="gateway",
    route=lambda: ("gateway", "wide"),
    lane=lambda owner, subject, args: str(args.get("lane", "lane:1")),
)
def routed_in_a_lane(run: api.Run) -> None:
    """Claims a seat of its route, one at a time in its lane."""


@api.job("asks", pool="gateway", lane=lambda owner, subject, args: str(args.get("lane", "")))
def asks(run: api.Run) -> dict[str, Any]:
    """One call by Coach's own client, whatever comes of it."""
    from coach.gateway import client

    message = {"role": "user", "content": "x" * run.args.get("chars", 10)}
    if run.args.get("unsendable"):
        message["content"] = float("nan")  # type: ignore[assignment]
    said = client.complete(run, [message], timeout_s=run.args.get("timeout", 10))
    if run.args.get("database_goes"):
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        finally:
            connection.close()
    return {"chars": len(said.text)}


@api.job("asks_later", pool="gateway")
def asks_later(run: api.Run) -> None:
    """Does as it is told by Retry-After."""
    with run.call(timeout=30) as call:
        answer = requests.post(f"{run.args['url']}/chat/completions", json={"messages": []}, timeout=30)
        call.over()
        raise api.UpstreamDown("It asks for patience.", retry_after_s=float(answer.headers["Retry-After"]))


def _ask(run: api.Run, call: api.Call) -> dict[str, Any]:
    streamed = run.args.get("streamed", True)  # otherwise the upstream works on when we are gone
    body = {"model": "test", "stream": streamed, "messages": [{"role": "user", "content": "{}"}]}
    headers = {"X-Job-Id": str(run.id)}
    try:
        with requests.Session() as session:
            session.trust_env = False
            with session.post(
                f"{run.args['url']}/chat/completions", json=body, headers=headers, stream=True, timeout=30
            ) as answer:
                call.on_abort(lambda: _hang_up(answer))
                size = 0
                for chunk in answer.iter_content(chunk_size=None):
                    run.check()
                    call.token()
                    size += len(chunk)
    except requests.RequestException as error:
        run.check()
        raise api.UpstreamDown(type(error).__name__, hard=not run.args.get("soft")) from error
    if answer.status_code != 200:
        call.over()
        raise api.UpstreamDown(f"It answered {answer.status_code}.")
    call.answered()
    return {"bytes": size}


def _hang_up(answer: requests.Response) -> None:
    import socket

    connection = getattr(answer.raw, "_connection", None) or getattr(answer.raw, "connection", None)
    if connection is not None and connection.sock is not None:
        connection.sock.shutdown(socket.SHUT_RDWR)


@api.job("freezes")
def freezes(run: api.Run) -> None:
    """Stops its own process in the middle of a save, as a debugger or a starved host does; the second time not."""
    with run.save():
        _freeze_once(run)


def _freeze_once(run: api.Run) -> None:
    marker = Path(run.args["marker"])
    if not marker.exists():
        marker.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGSTOP)


def _lose_session_once(ending: api.Ending) -> None:
    """Lose the session that is ending the job, the first time."""
    marker = Path(ending.subject)
    if not marker.exists():
        marker.write_text("lost")
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


@api.job("loses_session", on_end=_lose_session_once)
def loses_session(run: api.Run) -> None:
    """Succeeds, and the session is lost in the middle of its ending."""


@api.job("calls_late", pool="gateway")
def calls_late(run: api.Run) -> dict[str, Any]:
    """The same call, some time after the claim."""
    time.sleep(run.args["seconds"])
    return calls(run)


@api.job("signs")
def signs(run: api.Run) -> None:
    """Signs each item with the token of the attempt that wrote it."""
    for item in run.items():
        time.sleep(run.args["seconds"])
        with run.save():
            item.ok({"token": run.token.hex})


NOTE = "INSERT INTO quick_notes (job, at) VALUES (%s, clock_timestamp())"


@api.job("quick", quick=True)
def quick(run: api.Run) -> dict[str, Any]:
    """Does what its arguments say, and without any nothing, in no time."""
    act = run.args.get("act")
    if act == "note":
        with run.save(), connection.cursor() as cursor:
            cursor.execute(NOTE, [run.id])
    elif act == "die":
        os._exit(9)
    elif act == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif act == "sleep":
        time.sleep(run.args["seconds"])
    elif act == "hog":  # as a regular expression that runs away: no other thread of the process runs meanwhile
        ctypes.PyDLL(None).usleep(int(run.args["seconds"] * 1e6))
    elif act == "wish":
        api.enqueue("quick", run.owner, run.subject, fingerprint="another")
    elif act == "items":
        items(run)
    elif act == "call":
        with run.call(timeout=1) as call:
            call.over()
    elif act == "large":
        return {"much": "x" * 70_000}
    elif act:
        raise getattr(api, act)("It did not work.")
    return {"subject": run.subject}


TOLD: list[api.Ending] = []


@api.job("quick_told", quick=True, on_end=TOLD.append)
def quick_told(run: api.Run) -> None:
    """Quick, and the product wants to know how it ended."""


class Wordless(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


PAGE = "<html>\x00<p>sk-0123456789abcdef Bearer abc.DEF-123456</p>" + "<p>It broke.</p>" * 14_000 + "</html>"
RAISED: dict[str, Callable[[], BaseException]] = {
    "a NUL": lambda: api.Reject("a\x00b"),
    "a page": lambda: api.Reject(PAGE),
    "a page of somebody else": lambda: RuntimeError(PAGE),
    "a lone surrogate": lambda: RuntimeError("half of \ud800"),
    "no words": Wordless,
    "an exit": lambda: SystemExit(3),
    "an interrupt": KeyboardInterrupt,
    "too deep a stack": lambda: RecursionError("too deep"),
    "a long name": lambda: type("X" * 300, (Exception,), {})("named"),
    "never": lambda: api.Retry("later", after_s=float("inf")),
    "not a time": lambda: api.Retry("later", after_s=float("nan")),
    "yesterday": lambda: api.Retry("later", after_s=-86_400),
    "the end of time": lambda: api.Retry("later", after_s=1e300),
    "a snooze for ever": lambda: api.Snooze(seconds=float("inf")),
    "a snooze until the year 9999": lambda: api.Snooze(until=datetime(9999, 12, 31, tzinfo=UTC)),
    "a snooze until a time without a zone": lambda: api.Snooze(until=datetime(2027, 1, 1)),  # noqa: DTZ001
    "down for ever": lambda: api.UpstreamDown(PAGE, retry_after_s=float("inf")),
    "down for no time": lambda: api.UpstreamDown("a\x00b", retry_after_s=float("nan")),
    "down until yesterday": lambda: api.UpstreamDown("down", retry_after_s=-5),
    "misconfigured": lambda: api.Misconfigured(PAGE),
}
RETURNED: dict[str, Callable[[], Any]] = {
    "NaN": lambda: {"value": float("nan")},
    "minus infinity": lambda: [1, float("-inf")],
    "2 to the 64": lambda: {"value": 2**64},
    "a number of 5,000 digits": lambda: 10**5000,
    "a NUL in it": lambda: "a\x00b",
    "half a character": lambda: "\ud800",
    "70,000 characters": lambda: "x" * 70_000,
    "a set": lambda: {1, 2},
    "bytes": lambda: b"\x00\xff",
    "20,000 levels": lambda: _nested(20_000),
    "itself": lambda: _endless(),
}


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def _endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@api.job("hostile", attempts=1, pool=lambda owner, subject, args: str(args.get("pool", "")))
def hostile(run: api.Run) -> Any:
    """Ends in a way that no table of the queue can hold as it is."""
    if run.subject in RAISED:
        raise RAISED[run.subject]()
    return RETURNED[run.subject]()


@api.job("hostile_items", attempts=1)
def hostile_items(run: api.Run) -> None:
    """Says of each item, and of its progress, what cannot be stored."""
    for item in run.items():
        run.progress(1, 9, PAGE)
        with run.save():
            item.fail(PAGE) if item.key in RAISED else item.ok(RETURNED[item.key]())


GROWN: list[bytes] = []


@api.job("grows")
def grows(run: api.Run) -> None:
    """Keeps so much memory for as long as its process lives."""
    GROWN.append(b"x" * (run.args["megabytes"] * 1024 * 1024))
