"""A recording without its arrays as plain data, and back; by the dataclass, so that a new field is kept too."""

import hashlib
import math
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from types import UnionType
from typing import Any

from coach.formats import recording as shapes
from coach.formats.recording import Array, Recording

Plain = dict[str, Any]
HINTS = typing.get_type_hints(Recording)
# Fields of arrays are kept packed, beside the header.
ARRAYS = tuple(name for name, hint in HINTS.items() if Array in typing.get_args(hint))
FIELDS = frozenset(HINTS) - frozenset(ARRAYS)
KINDS = [kind for kind in vars(shapes).values() if isinstance(kind, type) and is_dataclass(kind)]
NAMES = [f"{kind.__name__}.{field.name}" for kind in KINDS for field in fields(kind)]
SCHEMA = hashlib.sha256(" ".join(sorted([*NAMES, *shapes.STREAMS, *shapes.SERIES])).encode()).hexdigest()[:12]


def written(recording: Recording) -> Plain:
    """Return everything but the arrays, as JSON can hold it."""
    return {"schema": SCHEMA, **{name: _plain(getattr(recording, name)) for name in sorted(FIELDS)}}


def restored(header: Plain, arrays: Mapping[str, Mapping[str, Array]]) -> Recording:
    """Return the recording that was written; a field that was not known then has its default."""
    known = {name: _typed(header[name], HINTS[name]) for name in FIELDS if name in header}
    kept: Plain = {name: arrays[name] for name in ARRAYS if name in arrays}
    return Recording(**known, **kept)


def is_current(header: Plain) -> bool:
    """Say whether the header was written when recordings had the fields and streams of today."""
    return header.get("schema") == SCHEMA


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {_text(key): _plain(held) for key, held in value.items()}
    if isinstance(value, tuple):
        return [_plain(held) for held in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)  # JSON knows no infinity
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    """The database keeps neither NUL nor half a surrogate pair."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _typed(value: Any, hint: Any) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is UnionType:
        return None if value is None else _typed(value, next(held for held in inner if held is not type(None)))
    if origin is tuple:
        return tuple(_typed(held, inner[0]) for held in value)
    if origin is not None and issubclass(origin, Mapping):
        return {key: _typed(held, inner[1]) for key, held in value.items()}
    if is_dataclass(hint) and isinstance(hint, type):
        hints = typing.get_type_hints(hint)
        return hint(**{name: _typed(value[name], hints[name]) for name in hints if name in value})
    if hint is datetime:
        return datetime.fromisoformat(value)
    return float(value) if hint is float else value
