"""The week chart: seven columns of training time, a piece a session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from coach.templatetags.drawing import axis
from coach.templatetags.drawing.sports import Sport, sport

TOP, FLOOR, HEIGHT = 24, 196, 248
COLUMN = 0.62  # of a seventh
LEAST = 5.0  # pixels: a short session is still seen
UNSAID_S = 1800.0
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
    name: str
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
    planned: tuple[Piece, ...]  # outlines; beside the pieces where there are any
    is_today: bool
    is_ahead: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekChart:
    height: int
    floor: int
    columns: tuple[Column, ...]
    words: str
    is_planned: bool


def chart(data: Mapping[str, Any], *, today: str) -> WeekChart | None:
    """Lay out seven days; `today` is the athlete's date, as ISO text."""
    days: Sequence[Mapping[str, Any]] = data.get("days") or []
    if not days:
        return None
    most = max((float(entry.get("timer_s") or 0) for entry in days), default=0.0)
    most = max([most, *(sum(map(_planned_s, entry.get("planned") or [])) for entry in days)])
    span = axis.Span(low=0, high=max(most, 3600.0), top=TOP, bottom=FLOOR)
    columns = tuple(_column(entry, place, len(days), span, today) for place, entry in enumerate(days))
    return WeekChart(
        height=HEIGHT,
        floor=FLOOR,
        columns=columns,
        words=_words(columns),
        is_planned=any(column.planned for column in columns),
    )


def _column(entry: Mapping[str, Any], place: int, count: int, span: axis.Span, today: str) -> Column:
    moment = axis.day(entry["date"]).isoformat()
    seconds = float(entry.get("timer_s") or 0)
    left = (place + (1 - COLUMN) / 2) / count
    meant = [{**session, "timer_s": _planned_s(session)} for session in entry.get("planned") or []]
    done = entry.get("sessions") or []
    width = COLUMN / count / (2 if meant and done else 1)
    pieces = _pieces(done, left=left, width=width, span=span)
    planned = _pieces(meant, left=left + (width if done else 0), width=width, span=span)
    top = min((float(piece.y) for piece in (*pieces, *planned)), default=float(FLOOR))
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
        planned=planned,
        is_today=moment == today,
        is_ahead=moment > today,
    )


def _planned_s(session: Mapping[str, Any]) -> float:
    """Return how long a planned session is drawn; one without a duration as long as a short one."""
    return float(session.get("timer_s") or UNSAID_S)


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
                text=gettext("%(sport)s, %(time)s")
                % {"sport": session.get("title") or kind.word, "time": axis.clock(seconds)},
                name=session.get("title") or kind.word,
                roomy=height >= GLYPH,
            )
        )
    return tuple(pieces)


def _words(columns: Sequence[Column]) -> str:
    day, between = gettext("%(day)s %(time)s, load %(load)s"), gettext("; ")
    days = [day % {"day": one.label, "time": one.time, "load": one.load} for one in columns if one.time]
    meant = [f"{column.label} {piece.name}" for column in columns for piece in column.planned]
    done = gettext("No training on these days.")
    if days:
        done = gettext("Training time by day: %(days)s.") % {"days": between.join(days)}
    if not meant:
        return done
    return f"{done} {gettext('Planned, not done: %(days)s.') % {'days': between.join(meant)}}".replace("。 ", "。")
