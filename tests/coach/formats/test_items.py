"""Arrays of JSON, item by item."""

import io
import json
import tracemalloc

import pytest

from coach.formats import items
from coach.formats.items import Items
from coach.formats.recording import Unreadable


def read(data: bytes, *, key: str = "") -> list[object]:
    return list(Items(io.BytesIO(data), key=key))


@pytest.mark.parametrize("size", [1, 7, 256 * 1024])
def test_items_come_as_they_were_written_however_the_pieces_fall(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(items, "CHUNK_BYTES", size)
    written = [{"a": 1, "b": ["x]", {"c": '}"'}]}, {"ü": "活动"}, {}]
    assert read(b"\xef\xbb\xbf \n" + json.dumps(written, ensure_ascii=False).encode()) == written
    assert read(json.dumps(written, indent=2).encode()) == written


def test_arrays_behind_a_key_are_read_one_after_the_other() -> None:
    written = [{"list": [{"a": 1}, {"a": 2}]}, {"list": []}, {"list": [{"a": 3}]}]
    assert read(json.dumps(written).encode(), key="list") == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert read(json.dumps(written[0]).encode(), key="list") == [{"a": 1}, {"a": 2}]


def test_what_is_no_object_is_passed_over() -> None:
    assert read(b'[1, "two", null, true, [3], {"a": 4}]') == [{"a": 4}]


@pytest.mark.parametrize("data", [b"", b"{}", b"<html>", b'{"a": [{}]}', b"\x00" * 1000, b"nothing here ["])
def test_what_is_no_array_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        read(data)


def test_what_breaks_off_is_kept_up_to_the_break_and_it_is_said() -> None:
    found = Items(io.BytesIO(b'[{"a": 1}, {"a": 2}, {"a'))
    assert list(found) == [{"a": 1}, {"a": 2}]
    assert found.notes == (items.CUT,)


def test_a_long_array_takes_little_memory() -> None:
    one = json.dumps({"a": "x" * 1000}).encode()
    data = io.BytesIO(b"[" + b",".join([one] * 40_000) + b"]")
    tracemalloc.start()
    try:
        assert sum(1 for _ in Items(data)) == 40_000
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("data", [b"[" * 100_000, b'[{"a":' * 50_000, b'[{"a": "' + b"x" * 20_000_000])
def test_items_that_nobody_writes_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        read(data)


def test_too_many_items_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "MOST_ITEMS", 100)
    with pytest.raises(Unreadable, match="more than 100 entries"):
        read(b"[" + b"{}," * 101 + b"{}]")
