"""Archives are opened without trusting them."""

import io
import random
import tracemalloc
import zipfile

import pytest

from coach.formats import archive
from coach.formats.archive import Limits, Refused, is_zip
from coach.formats.recording import Unreadable
from tests.traps import zip_bytes

ZEROS = bytes(50_000_000)


def opened(data: bytes, **limits: int) -> archive.Archive:
    return archive.opened(io.BytesIO(data), limits=Limits(**limits))


def contents(data: bytes, **limits: int) -> list[bytes]:
    with opened(data, **limits) as found:
        found.claim(found.members)
        return [member.read() for member in found.members]


def walked(data: bytes, **limits: int) -> list[str]:
    """Return the names and contents of all files, also of those in archives inside."""

    def walk(found: archive.Archive) -> list[str]:
        names: list[str] = []
        for member in found.members:
            if member.is_archive():
                with member.unpacked() as inner:
                    names += [f"{member.name}/{name}" for name in walk(inner)]
            else:
                names.append(f"{member.name}={member.read().decode()}")
        return names

    with opened(data, **limits) as found:
        return walk(found)


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
    with opened(data) as found:
        read = [(member.name, member.size, member.read()) for member in found.members]
    assert read == [("a/one.fit", 1, b"1"), ("two.gpx", 2, b"22")]


def test_litter_of_operating_systems_and_folders_are_passed_over() -> None:
    data = zip_bytes.packed({"__MACOSX/._a.fit": b"x", ".DS_Store": b"x", "rides/": b"", "rides/a.fit": b"x"})
    with opened(data) as found:
        assert [member.name for member in found.members] == ["rides/a.fit"]


@pytest.mark.parametrize("name", ["../a.fit", "a/../../b.fit", "/etc/a.fit", "C:\\a.fit", "..\\a.fit"])
def test_a_path_out_of_the_archive_is_refused(name: str) -> None:
    assert "written outside" in refused(zip_bytes.packed({"good.fit": b"x", name: b"x"}))


def test_a_link_is_refused() -> None:
    assert "a link to another place" in refused(zip_bytes.linked("a.fit", "/etc/passwd"))


def test_archives_in_archives_are_walked_whatever_their_names() -> None:
    inmost = zip_bytes.packed({"c.gpx": b"3"})
    inner = zip_bytes.packed({"b.gpx": b"2", "inmost.bin": inmost})
    data = zip_bytes.packed({"a.gpx": b"1", "inner.zip": inner})
    assert walked(data) == ["a.gpx=1", "inner.zip/b.gpx=2", "inner.zip/inmost.bin/c.gpx=3"]


def test_what_is_wrong_in_an_archive_inside_spoils_only_that() -> None:
    bomb = zip_bytes.packed({"a.fit": ZEROS})
    with opened(zip_bytes.packed({"bomb.zip": bomb, "good.fit": b"1"})) as found:
        first, second = found.members
        assert first.is_archive()
        with pytest.raises(Unreadable, match="far more than recordings ever do"), first.unpacked():
            pass
        assert second.read() == b"1"


def test_the_files_of_all_archives_are_counted_together() -> None:
    inner = zip_bytes.packed({"a.fit": bytes(range(128)) * 16})
    data = zip_bytes.packed({f"{number}.zip": inner for number in range(10)})
    with pytest.raises(Refused, match="unpacks to more than"):
        walked(data, total_bytes=10_000)
    with pytest.raises(Unreadable, match="more than 15 files"):
        walked(data, all_members=15)


def test_files_that_lie_over_each_other_are_a_bomb() -> None:
    assert "far more than recordings ever do" in refused(
        zip_bytes.overlaid(random.Random(1).randbytes(100_000), times=50)
    )


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
    with opened(data, member_bytes=2000) as found:
        large, small = found.members
        with pytest.raises(Unreadable, match="larger than"):
            large.read()
        assert small.read() == b"x"


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
    with opened(bytes(data)) as found:
        first, second = found.members
        with pytest.raises(Unreadable, match="damaged inside the archive"):
            first.read()
        assert second.read() == b"ok"


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.95])
def test_an_archive_that_is_cut_off_is_refused(kept: float) -> None:
    data = zip_bytes.packed({"a.fit": b"0123456789" * 50})
    assert "archive is" in refused(data[: int(len(data) * kept)])


def test_many_small_bombs_are_a_large_one() -> None:
    data = zip_bytes.packed({f"{index}.fit": bytes(900_000) for index in range(20)})
    assert "far more than recordings ever do" in refused(data)
