"""Who recorded a FIT file, and with which sensors."""

import re

from coach.formats import sports, words
from coach.formats.fit.frames import Message, Part


def name(part: Part) -> str:
    """Return maker and product as one would say them, "" when the file names neither."""
    file_id = part.first("file_id")
    maker = _words(file_id.get("manufacturer"))
    product = _words(file_id.get("product_name")) or _words(_garmin_product(part, file_id))
    if product.lower().startswith(maker.lower()):
        return product[:100]
    return f"{maker} {product}".strip()[:100]


def is_barometric(part: Part) -> bool:
    return any("barometer" in (info.get("local_device_type"), info.get("device_type")) for info in _sensors(part))


def is_virtual_maker(part: Part) -> bool:
    file_id = part.first("file_id")
    return any(
        sports.VIRTUAL_MAKERS.search(str(file_id.get(key, ""))) is not None for key in ("manufacturer", "product_name")
    )


def _sensors(part: Part) -> list[Message]:
    return [*part.all("device_info")]


def _garmin_product(part: Part, file_id: Message) -> object:
    product = file_id.get("garmin_product")
    if isinstance(product, str):
        return product
    for info in _sensors(part):
        if info.get("device_index") in ("creator", 0) and isinstance(info.get("garmin_product"), str):
            return info["garmin_product"]
    return ""


def _words(value: object) -> str:
    """Return "Forerunner 945" for "fr945", "Edge 1030" for "edge_1030"; numbers say nothing."""
    if not isinstance(value, str):
        return ""
    value = words.line(value, longest=100)
    if re.search(r"[A-Z ]", value):
        return value
    spaced = re.sub(r"^fr(?=\d)", "forerunner_", value)
    spaced = re.sub(r"(?<=[a-z]{4})(?=\d)", "_", spaced)
    return " ".join(word[:1].upper() + word[1:] for word in spaced.split("_") if word)
