"""Everything a call can meet at the trial gateway, by name."""

from collections.abc import Callable
from dataclasses import dataclass

from coach.trial.answers import pieces
from coach.trial.reply import Reply
from coach.trial.script import Turn

Play = Callable[[Reply, Turn, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    play: Play
    computes: bool  # takes a permit and the delay, as an answer does


MEETINGS: dict[str, Meeting] = {}


def meets(name: str, *, computes: bool = True) -> Callable[[Play], Play]:
    def register(play: Play) -> Play:
        MEETINGS[name] = Meeting(play=play, computes=computes)
        return play

    return register


def stream(
    reply: Reply, text: str, *, pace_s: float | None = None, field: str = "content", only: int | None = None
) -> None:
    """Send the text a piece at a time, or only its first pieces; the head goes out with the first one."""
    if reply.call.first_byte is None:
        reply.begin_stream()
        reply.delta(role="assistant", content=None)
    for piece in pieces(text)[:only]:
        reply.pause(reply.pace_s if pace_s is None else pace_s)
        reply.delta(**{field: piece})
        reply.call.tokens += 1


def compute(reply: Reply, text: str) -> None:
    """Work as long as streaming would have taken, deaf to whether anybody still listens."""
    for _piece in pieces(text):
        reply.pause(reply.pace_s)
        reply.call.tokens += 1


def say(reply: Reply, text: str, *, reason: str | None = "stop") -> None:
    """Answer in the form that the client asked for."""
    if reply.call.streamed:
        stream(reply, text)
        reply.end_stream(reason)
        return
    compute(reply, text)
    reply.json(reply.completion({"content": text}, reason))


@meets("answer")
def give_answer(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, text)


@meets("finish")
def finish_otherwise(reply: Reply, turn: Turn, text: str) -> None:
    """Answer, but with another finish_reason: length, content_filter, tool_calls, error, null."""
    say(reply, text, reason=None if turn.reason == "null" else turn.reason)


@meets("plain")
def answer_whole(reply: Reply, turn: Turn, text: str) -> None:
    """Answer in one piece although a stream was asked for."""
    compute(reply, text)
    reply.json(reply.completion({"content": text}, turn.reason))


@meets("fenced")
def answer_fenced(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, f"```json\n{text}\n```")


@meets("think")
def answer_after_thinking(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, f"<think>First I look at {{the}} facts.\n```\nhm\n```</think>\n{text}")


@meets("think_unopened")
def answer_after_closing_tag(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, f"The template opened the tag.</think>{text}")


@meets("think_unclosed")
def think_for_ever(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, f"<think>I never come to an end. {text}")


@meets("reasoning")
def reason_then_answer(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, "Let me think about it.", field="reasoning_content")
    say(reply, text)


@meets("reasoning_only")
def answer_in_the_wrong_field(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, text, field="reasoning")
    reply.end_stream()


@meets("refusal")
def refuse_politely(reply: Reply, turn: Turn, text: str) -> None:
    stream(reply, "I would rather not.", field="refusal")
    reply.end_stream()


@meets("nan")
def answer_nan(reply: Reply, turn: Turn, text: str) -> None:
    say(reply, text.replace('"weight": 3', '"weight": NaN'))


@meets("slow")
def trickle(reply: Reply, turn: Turn, text: str) -> None:
    """Send a piece every `seconds`, for as long as the answer lasts."""
    stream(reply, text, pace_s=turn.seconds)
    reply.end_stream()


@meets("odd_stream")
def stream_oddly(reply: Reply, turn: Turn, text: str) -> None:
    """Use the freedoms of event streams: comments, CRLF, no blank, lines and characters that are split."""
    reply.begin_stream()
    reply.chunk(b"\xef\xbb\xbf: processing\r\n\r\nevent: ping\r\ndata: \r\n\r\nid: x\nretry: 10\n\n")
    for piece in pieces(text):
        raw = reply.line(piece)
        for part in (b"data:" + raw[:7], raw[7:-2], raw[-2:] + b"\r", b"\n\r\n"):
            reply.chunk(part)
    two_lines = reply.line("", reason="stop").replace(b'"choices"', b'\ndata: "choices"')
    reply.finished()
    reply.chunk(b"data: " + two_lines + b"\n\ndata:[DONE]\n\n")
    reply.send(b"0\r\n\r\n")
