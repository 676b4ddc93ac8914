"""Archives are opened without trusting them."""

import io
import tracemalloc
import zipfile

import pytest

from coach.formats.archive import Limits, Member, Refused, is_zip, members
from coach.formats.recording import Unreadable
from tests.traps import zip_bytes

ZEROS = bytes(50_000_000)


def opened(data: bytes, **limits: int) -> list[Member]:
    return list(members(io.BytesIO(data), limits=Limits(**limits)))


def contents(data: bytes, **limits: int) -> list[bytes]:
    return [member.read() for member in members(io.BytesIO(data), limits=Limits(**limits))]


def refused(data: bytes, **limits: int) -> str:
    with pytest.raises(Refused) as refusal:
        contents(data, **limits)
    return str(refusal.value)


def spoiled(data: bytes, **limits: int) -> str:
    with pytest.raises(Unreadable) as refusal:
        contents(data, **limits)
    return str(refusal.value)


def test_the_files_of_an_archive_are_read_one_by_one() -> None:
    data = zip_bytes.packed({"a/one.fit": b"1", "two.gpx": b"22"})
    assert is_zip(data)
    found = [(member.name, member.size, member.read()) for member in members(io.BytesIO(data), limits=Limits())]
    assert found == [("a/one.fit", 1, b"1"), ("two.gpx", 2, b"22")]


def test_litter_of_operating_systems_and_folders_are_passed_over() -> None:
    data = zip_bytes.packed({"__MACOSX/._a.fit": b"x", ".DS_Store": b"x", "rides/": b"", "rides/a.fit": b"x"})
    assert [member.name for member in opened(data)] == ["rides/a.fit"]


@pytest.mark.parametrize("name", ["../a.fit", "a/../../b.fit", "/etc/a.fit", "C:\\a.fit", "..\\a.fit"])
def test_a_path_out_of_the_archive_is_refused(name: str) -> None:
    assert "written outside" in refused(zip_bytes.packed({"good.fit": b"x", name: b"x"}))


def test_a_link_is_refused() -> None:
    assert "a link to another place" in refused(zip_bytes.linked("a.fit", "/etc/passwd"))


def test_an_archive_in_the_archive_is_refused_by_name() -> None:
    assert "another archive (inner.zip)" in refused(zip_bytes.packed({"a.fit": b"x", "parts/inner.zip": b"x"}))


def test_a_bomb_is_refused_in_flat_memory() -> None:
    data = zip_bytes.packed({"a.fit": ZEROS})
    tracemalloc.start()
    try:
        assert "far more than recordings ever do" in refused(data)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_bomb_that_lies_about_its_size_gives_no_more_than_it_claims() -> None:
    data = zip_bytes.claiming(ZEROS, name="a.fit", size=1000)
    tracemalloc.start()
    try:
        assert "damaged inside the archive" in spoiled(data)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_too_many_files_are_refused_before_their_directory_is_loaded() -> None:
    data = zip_bytes.packed({f"{index}.fit": b"" for index in range(20)})
    assert "more than 10 files" in refused(data, members=10)


def test_a_directory_that_is_itself_the_bomb_is_not_loaded() -> None:
    data = bytearray(zip_bytes.packed({"a.fit": b"x"}))
    at = data.rfind(b"PK\x05\x06")
    data[at + 12 : at + 16] = (0x7FFFFFFF).to_bytes(4, "little")
    assert "more than 10000 files" in refused(bytes(data))


def test_the_sum_of_all_files_is_limited_as_claimed_and_as_read() -> None:
    files = {f"{index}.fit": bytes(range(256)) * 10 for index in range(10)}
    assert "unpacks to more than" in refused(zip_bytes.packed(files), total_bytes=20_000)


def test_one_file_that_is_too_large_spoils_only_itself() -> None:
    data = zip_bytes.packed({"large.fit": b"x" * 3000, "small.fit": b"x"})
    large, small = members(io.BytesIO(data), limits=Limits(member_bytes=2000))
    assert "larger than" in spoiled(data, member_bytes=2000)
    assert (large.name, small.name) == ("large.fit", "small.fit")


def test_a_file_with_a_password_spoils_only_itself() -> None:
    data = zip_bytes.flagged({"a.fit": b"x"}, flags=1)
    assert "password" in spoiled(data)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_cannot_be_read_in_small_steps_spoil_the_file(method: int) -> None:
    data = zip_bytes.packed({"a.fit": ZEROS[:1000]}, method=method)
    assert "ordinary zip" in spoiled(data)


def test_a_damaged_file_spoils_only_itself() -> None:
    data = bytearray(zip_bytes.packed({"a.fit": b"0123456789" * 50, "b.fit": b"ok"}, method=zipfile.ZIP_STORED))
    data[60] ^= 0xFF
    reader = members(io.BytesIO(bytes(data)), limits=Limits())
    with pytest.raises(Unreadable, match="damaged inside the archive"):
        next(reader).read()
    assert next(reader).read() == b"ok"


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.95])
def test_an_archive_that_is_cut_off_is_refused(kept: float) -> None:
    data = zip_bytes.packed({"a.fit": b"0123456789" * 50})
    assert "archive is" in refused(data[: int(len(data) * kept)])


def test_many_small_bombs_are_a_large_one() -> None:
    data = zip_bytes.packed({f"{index}.fit": bytes(900_000) for index in range(20)})
    assert "far more than recordings ever do" in refused(data)
