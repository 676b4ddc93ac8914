"""Makes a stretch of an export fit for a parser, byte for byte as long as before, so that places in it stay true."""

import codecs
import re

# What iOS writes although XML forbids it (0x0B in the name of a source, since iOS 16).
CONTROLS = bytes(32 if code < 32 and code not in (9, 10, 13) else code for code in range(256))
NONCHARACTERS = re.compile(rb"\xef\xbf[\xbe\xbf]")
MARKS = "coach-marks"

READ = (
    b"HeartRate|RestingHeartRate|HeartRateVariabilitySDNN|BodyMass|BodyFatPercentage|RespiratoryRate"
    b"|OxygenSaturation|VO2Max|StepCount"
)
ATTRIBUTES = rb'(?:\s++[\w:]++="[^"<]*+")*+\s*+'
# Most records of an export are of kinds that are not read; a parser takes many times longer to pass over them.
UNREAD = re.compile(
    rb'<Record\s++type="(?!HK(?:QuantityTypeIdentifier(?:' + READ + rb')|CategoryTypeIdentifierSleepAnalysis)")[^"<]*+"'
    + ATTRIBUTES + rb"(?:/>|>(?:\s*+<MetadataEntry" + ATTRIBUTES + rb"/>)*+\s*+</Record>)"
)  # fmt: skip
DEVICE = re.compile(rb'(?<=\s)device="[^"<]*+"')


def marks(error: UnicodeError) -> tuple[str, int]:
    """Put a question mark in the place of each byte that is no text."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "?" * (error.end - error.start), error.end


codecs.register_error(MARKS, marks)


def cleaned(data: bytes) -> bytes:
    """Return the bytes as well-formed text, without what is not read."""
    data = data.translate(CONTROLS)
    try:
        data.decode()
    except UnicodeDecodeError:
        data = data.decode(errors=MARKS).encode()
    data = NONCHARACTERS.sub(b"???", data)
    return DEVICE.sub(_blank, UNREAD.sub(_blank, data))


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * (found.end() - found.start())
