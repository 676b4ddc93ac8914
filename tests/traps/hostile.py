"""Files made to hang, to fill memory, or to write where they should not, one function each."""

import gzip
import io
import struct
import zipfile
from collections.abc import Callable

from tests.traps import fit_bytes as fit
from tests.traps import gpx_text, tcx_text, zip_bytes

MEGABYTE = 1_000_000
Make = Callable[[], bytes]


def gpx() -> bytes:
    return gpx_text.document(gpx_text.track(gpx_text.points(range(61))))


def tcx() -> bytes:
    points = "".join(tcx_text.point(second) for second in range(61))
    return tcx_text.document(tcx_text.activity(tcx_text.lap(0, points, seconds=60, metres=180)))


def activity() -> bytes:
    return fit.summary(fit.run(fit.begin()), elapsed=60, timer=60).bytes()


# XML


def laughs(*, levels: int = 12) -> bytes:
    """Entities that stand for ten of the one before."""
    entities = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels))
    return (
        f"<?xml version='1.0'?><!DOCTYPE gpx [{entities}]><gpx><trk><name>&a{levels - 1};</name></trk></gpx>".encode()
    )


def fetched(url: str) -> bytes:
    """An entity that stands for a file of the server, or of another."""
    body = "<trk><name>&x;</name><trkseg><trkpt lat='1' lon='2'><time>&x;</time></trkpt></trkseg></trk>"
    return f"<!DOCTYPE gpx [<!ENTITY x SYSTEM '{url}'>]><gpx>{body}</gpx>".encode()


def deep(levels: int) -> bytes:
    return b"<gpx>" + b"<a>" * levels + b"</a>" * levels + b"</gpx>"


def deep_point() -> bytes:
    inner = "<extensions>" * 50_000 + "<hr>140</hr>" + "</extensions>" * 50_000
    return gpx_text.document(gpx_text.track(gpx_text.points(range(3)) + gpx_text.point(4, more=inner)))


def attributes() -> bytes:
    return b"<gpx " + b" ".join(b'a%d="%s"' % (n, b"x" * 40) for n in range(200_000)) + b"/>"


def long_text() -> bytes:
    return gpx_text.document(gpx_text.track(gpx_text.points(range(3)), name="x" * 20 * MEGABYTE))


def far_apart() -> bytes:
    return gpx_text.document(gpx_text.track(gpx_text.points(range(0, 10**9, 10**7))))


def many_points() -> bytes:
    return gpx_text.document(gpx_text.track(gpx_text.point(1) * 500_000))


def endless_numbers() -> bytes:
    return tcx_text.document(
        tcx_text.activity(tcx_text.lap(0, tcx_text.point(1, metres=float("1e308")) * 3, seconds=1e308, metres=1e308))
    )


# FIT


def flood(message: bytes, *, definition: bytes, megabytes: int) -> bytes:
    return fit.begin().raw(definition).raw(message * (megabytes * MEGABYTE // len(message))).bytes(checksum=0)


def long_messages(megabytes: int) -> bytes:
    """Records of twelve fields that nobody knows, of five bytes each."""
    fields = b"".join(bytes((number, 5, 13)) for number in range(200, 212))
    return flood(b"\5" + bytes(range(60)), definition=b"\x45\0\0\x14\0\x0c" + fields, megabytes=megabytes)


def wide(number: int, *, messages: int) -> bytes:
    """Messages of 255 fields each."""
    head = b"\x45\0\0" + struct.pack("<HB", number, 255)
    fields = b"".join(bytes((n, 1, 2)) for n in range(255) if n != 253) + b"\x01\1\2"
    return fit.begin().raw(head + fields).raw((b"\5" + bytes(255)) * messages).bytes(checksum=0)


def alternating() -> bytes:
    """A definition before each message, and each another one."""
    parts = []
    for n in range(60_000):
        parts.append(b"\x45\0\0\x14\0\1" + bytes((3 + n % 4, 1, 2)) + b"\5\x50")
        parts.append(b"\x45\0\0\x15\0\1" + bytes((n % 2, 1, 0)) + b"\5\0")
    return fit.begin().raw(b"".join(parts)).bytes(checksum=0)


def beats() -> bytes:
    file = fit.run(fit.begin(), samples=2)
    file.add("hrv", time=struct.pack("<H", 800) * 100)
    return file.raw((bytes(file.body[-201:])) * 40_000).bytes(checksum=0)


def far() -> bytes:
    """Distances, times and all else of 0xFFFFFFFF and one below it."""
    file = fit.begin()
    for second, value in enumerate((0xFFFFFFFE, 0xFFFFFFFF, 0, 0x7FFFFFFF) * 5):
        file.add("record", timestamp=fit.seconds(fit.START) + second, distance=struct.pack("<I", value))
        file.add("record", timestamp=fit.seconds(fit.START) + second, enhanced_altitude=struct.pack("<I", value))
    return fit.summary(
        file, elapsed=20, timer=20, total_distance=struct.pack("<I", 0xFFFFFFFE), avg_power=struct.pack("<H", 65534)
    ).bytes()


def lasting() -> bytes:
    """A session of 136 years."""
    return fit.summary(fit.run(fit.begin()), elapsed=4_294_967, timer=4_294_967).bytes()


# Archives


def bomb(megabytes: int) -> bytes:
    return zip_bytes.packed({"a.fit": bytes(megabytes * MEGABYTE)})


def gzip_of_gzip(times: int) -> bytes:
    data = activity()
    for _ in range(times):
        data = gzip.compress(data)
    return data


def gzip_bomb(megabytes: int) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb") as stream:
        for _ in range(megabytes):
            stream.write(bytes(MEGABYTE))
    return buffer.getvalue()


def overlapping() -> bytes:
    """Many entries of the directory that all point at the same bytes (a bomb without nesting)."""
    whole = bytearray(zip_bytes.packed({"a.fit": bytes(900_000)}))
    at = whole.find(b"PK\x01\x02")
    entry, end = bytes(whole[at : whole.find(b"PK\x05\x06")]), bytearray(whole[whole.find(b"PK\x05\x06") :])
    count = 2000
    end[8:12] = struct.pack("<HH", count, count)
    end[12:16] = struct.pack("<I", len(entry) * count)
    return bytes(whole[:at]) + entry * count + bytes(end)


def large_directory() -> bytes:
    """The 64-bit end of an archive that claims 4 GB of directory and a billion files."""
    data = zip_bytes.packed({"a.fit": b"x"})
    at = data.find(b"PK\x05\x06")
    large = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 10**9, 10**9, 2**32, 0)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, at, 1)
    return data[:at] + large + locator + data[at:]


def named(name: str) -> bytes:
    return zip_bytes.packed({name: activity()})


def null_named() -> bytes:
    return zip_bytes.packed({"a_b.fit": activity()}).replace(b"a_b.fit", b"a\0b.fit")


def twins() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for _ in range(3):
            archive.writestr(zipfile.ZipInfo("a.fit"), activity())
    return buffer.getvalue()


HOSTILE: dict[str, Make] = {
    "xml entities": laughs,
    "xml entity of a file": lambda: fetched("file:///etc/passwd"),
    "xml entity of a host": lambda: fetched("http://127.0.0.1:9/x"),
    "xml 300,000 deep": lambda: deep(300_000),
    "xml deep in a point": deep_point,
    "xml attributes": attributes,
    "xml long text": long_text,
    "xml points of years": far_apart,
    "xml endless numbers": endless_numbers,
    "xml open tag": lambda: b"<gpx " + b"a" * 20 * MEGABYTE,
    "xml only nulls behind": lambda: gpx() + bytes(20 * MEGABYTE),
    "fit claims 4 GB": lambda: fit.run(fit.begin()).bytes(claimed_size=0xFFFFFFFF),
    "fit claims nothing": lambda: fit.run(fit.begin()).bytes(claimed_size=0),
    "fit of messages without fields": lambda: flood(b"\5", definition=b"\x45\0\0\x14\0\0", megabytes=10),
    "fit of events": lambda: flood(b"\5\0\0", definition=b"\x45\0\0\x15\0\2\0\1\0\1\1\0", megabytes=10),
    "fit of laps": lambda: flood(b"\5\0\0", definition=b"\x45\0\0\x13\0\2\0\1\0\1\1\0", megabytes=10),
    "fit of unknown messages": lambda: flood(b"\5\0", definition=b"\x45\0\0\xfe\xfe\1\0\1\0", megabytes=10),
    "fit of records without times": lambda: flood(b"\5\x50", definition=b"\x45\0\0\x14\0\1\3\1\2", megabytes=10),
    "fit of wide records": lambda: wide(20, messages=15_000),
    "fit of wide sessions": lambda: wide(18, messages=15_000),
    "fit of wide laps left to the decoder": lambda: wide(19, messages=15_000),
    "fit of definitions": alternating,
    "fit of beats": beats,
    "fit of 19 MB": lambda: long_messages(19),
    "fit of files": lambda: activity() * 5000,
    "fit far": far,
    "fit of 136 years": lasting,
    "zip bomb": lambda: bomb(110),
    "zip of overlapping files": overlapping,
    "zip that claims 4 GB in a file": lambda: zip_bytes.claiming(b"x" * 1000, name="a.fit", size=0xFFFFFFFE),
    "zip that claims 4 GB of directory": large_directory,
    "zip with a path out": lambda: named("../../outside.fit"),
    "zip with an absolute path": lambda: named("/tmp/outside.fit"),
    "zip with a path of Windows": lambda: named("C:\\outside.fit"),
    "zip with a link": lambda: zip_bytes.linked("a.fit", "/etc/passwd"),
    "zip with NUL in a name": null_named,
    "zip with a name of 300 letters": lambda: named("ä" * 300 + ".fit"),
    "zip with a name of 60,000 letters": lambda: named("a/" * 30_000 + ".fit"),
    "zip with the same name three times": twins,
    "zip in a zip": lambda: zip_bytes.packed({"a.fit": zip_bytes.packed({"b.fit": activity()})}),
    "gzip of gzip": lambda: gzip_of_gzip(2),
    "gzip twenty deep": lambda: gzip_of_gzip(20),
    "gzip bomb": lambda: gzip_bomb(120),
    "gzip cut": lambda: gzip.compress(activity())[:-20],
    "gzip with rubbish behind": lambda: gzip.compress(activity()) + b"rubbish",
    "nothing": lambda: b"",
    "nulls": lambda: bytes(20 * MEGABYTE),
}


# As large as an upload may be.
LARGE: dict[str, Make] = {
    "half a million points of one second": many_points,
    "fit of 95 MB of records": lambda: long_messages(95),
    "fit of 95 MB of laps": lambda: flood(b"\5\0\0", definition=b"\x45\0\0\x13\0\2\0\1\0\1\1\0", megabytes=95),
    "fit of 95 MB in a gzip": lambda: gzip.compress(
        flood(b"\5\0\0", definition=b"\x45\0\0\x13\0\2\0\1\0\1\1\0", megabytes=95), compresslevel=1
    ),
    "gpx of 95 MB": lambda: gpx_text.document(gpx_text.track(gpx_text.points(range(1000)) * 850)),
    "gpx of 95 MB of text": lambda: gpx_text.document(
        gpx_text.track(gpx_text.points(range(9)), name="x" * 95 * MEGABYTE)
    ),
    "gpx of 95 MB in a gzip": lambda: gzip.compress(
        gpx_text.document(gpx_text.track(gpx_text.points(range(1000)) * 850)), compresslevel=1
    ),
    "tcx of 95 MB": lambda: tcx_text.document(
        tcx_text.activity(*(tcx_text.lap(n, tcx_text.point(n), seconds=1, metres=3) for n in range(160_000)))
    ),
    "95 MB in UTF-16": lambda: (
        gpx_text.document(gpx_text.track(gpx_text.points(range(1000)) * 425)).decode().encode("utf-16")
    ),
    "95 MB of nothing that is known": lambda: b"x" * 95 * MEGABYTE,
    "95 MB of document types": lambda: b"<gpx>" + b"<!DOCTYPE[" * 9_500_000,
}
