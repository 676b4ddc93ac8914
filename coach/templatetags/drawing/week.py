"""The week chart: seven columns of training time, a piece a session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coach.templatetags.drawing import axis
from coach.templatetags.drawing.sports import Sport, sport

TOP, FLOOR, HEIGHT = 24, 196, 248
COLUMN = 0.62  # of a seventh
LEAST = 5.0  # pixels: a short session is still seen
GLYPH = 20.0  # pixels a piece needs before a shape fits in


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    x: str
    y: str
    width: str
    height: str
    middle: str
    centre: str
    sport: Sport
    activity_id: int | None
    text: str
    roomy: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    centre: str
    left: str
    width: str
    label: str
    number: str
    time: str
    load: str
    top: str
    pieces: tuple[Piece, ...]
    is_today: bool
    is_ahead: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekChart:
    height: int
    floor: int
    columns: tuple[Column, ...]
    words: str


def chart(data: Mapping[str, Any], *, today: str) -> WeekChart | None:
    """Lay out seven days; `today` is the athlete's date, as ISO text."""
    days: Sequence[Mapping[str, Any]] = data.get("days") or []
    if not days:
        return None
    most = max((float(entry.get("timer_s") or 0) for entry in days), default=0.0)
    span = axis.Span(low=0, high=max(most, 3600.0), top=TOP, bottom=FLOOR)
    columns = tuple(_column(entry, place, len(days), span, today) for place, entry in enumerate(days))
    return WeekChart(height=HEIGHT, floor=FLOOR, columns=columns, words=_words(columns))


def _column(entry: Mapping[str, Any], place: int, count: int, span: axis.Span, today: str) -> Column:
    moment = axis.day(entry["date"]).isoformat()
    seconds = float(entry.get("timer_s") or 0)
    left = (place + (1 - COLUMN) / 2) / count
    pieces = _pieces(entry.get("sessions") or [], left=left, width=COLUMN / count, span=span)
    top = min((float(piece.y) for piece in pieces), default=float(FLOOR))
    return Column(
        centre=axis.percent((place + 0.5) / count),
        left=axis.percent(place / count),
        width=axis.percent(1 / count),
        label=str(entry.get("label") or f"{axis.day(moment):%a}")[:3],
        number=str(axis.day(moment).day),
        time=axis.clock(seconds) if seconds else "",
        load=f"{float(entry.get('load') or 0):.0f}" if seconds else "",
        top=axis.pixels(top - 7),
        pieces=pieces,
        is_today=moment == today,
        is_ahead=moment > today,
    )


def _pieces(sessions: Sequence[Mapping[str, Any]], *, left: float, width: float, span: axis.Span) -> tuple[Piece, ...]:
    """Stack the sessions of a day, the first at the bottom, two pixels apart."""
    pieces, y = [], float(FLOOR)
    for session in sessions:
        seconds = float(session.get("timer_s") or 0)
        height = max(FLOOR - span.y(seconds), LEAST)
        y -= height
        kind = sport(str(session.get("sport") or ""))
        pieces.append(
            Piece(
                x=axis.percent(left),
                y=axis.pixels(y),
                width=axis.percent(width),
                height=axis.pixels(max(height - 2, 3)),
                middle=axis.pixels(y + (height - 2) / 2),
                centre=axis.percent(left + width / 2),
                sport=kind,
                activity_id=session.get("activity_id"),
                text=f"{kind.word}, {axis.clock(seconds)}",
                roomy=height >= GLYPH,
            )
        )
    return tuple(pieces)


def _words(columns: Sequence[Column]) -> str:
    days = [f"{column.label} {column.time}, load {column.load}" for column in columns if column.time]
    return f"Training time by day: {'; '.join(days)}." if days else "No training on these days."
