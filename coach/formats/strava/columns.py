"""Finds the columns of activities.csv: by their names, else by where Strava puts them in every language."""

import re
from collections.abc import Mapping, Sequence

from coach.formats.kinds import letters
from coach.formats.strava import dates

# Without accents, blanks and case. Where a name stands twice, the second column is the exact one.
NAMES: Mapping[str, str] = {
    letters(name): field
    for field, names in {
        "id": "Activity ID|Aktivitäts-ID|ID de l'activité|ID de actividad|ID de la actividad|活动 ID|活动编号",
        "date": "Activity Date|Aktivitätsdatum|Date de l'activité|Fecha de la actividad|Fecha de actividad|活动日期",
        "name": "Activity Name|Name der Aktivität|Aktivitätsname|Nom de l'activité|Nombre de la actividad|活动名称",
        "type": "Activity Type|Sport Type|Aktivitätsart|Type d'activité|Tipo de actividad|活动类型",
        "elapsed": "Elapsed Time|Verstrichene Zeit|Temps écoulé|Tiempo transcurrido|Tiempo total"
        "|全程耗时|已用时间|总时间|经过时间",
        "moving": "Moving Time|Bewegungszeit|Durée de déplacement|Temps de déplacement|Tiempo en movimiento"
        "|移动时间|运动时间",
        "timer": "Timer Time",
        "distance": "Distance|Distanz|Distancia|距离",
        "file": "Filename|Dateiname|Nom du fichier|Nom de fichier|Nombre de archivo|Nombre del archivo|文件名",
        "ascent_m": "Elevation Gain|Höhenzunahme|Höhenmeter|Dénivelé positif|Desnivel positivo|Aumento de elevación"
        "|Ganancia de elevación|累计爬升|爬升海拔|海拔爬升|海拔上升",
        "descent_m": "Elevation Loss|Höhenunterschied|Höhenverlust|Dénivelé négatif|Desnivel negativo"
        "|Pérdida de elevación|累计下降|海拔下降",
        "max_heart_rate_bpm": "Max Heart Rate|Max. Herzfrequenz|Fréquence cardiaque max.|Fréquence cardiaque maximale"
        "|Frecuencia cardíaca máxima|Frecuencia cardiaca máxima|Ritmo cardíaco máximo|Ritmo cardiaco máximo|最大心率",
        "avg_heart_rate_bpm": "Average Heart Rate|Durchschnittliche Herzfrequenz|Fréquence cardiaque moyenne"
        "|Frecuencia cardíaca media|Frecuencia cardíaca promedio|Ritmo cardiaco promedio|Ritmo cardíaco medio|平均心率",
        "max_power_w": "Max Watts|Max. Watt|Watts max.|Vatios máximos|Máximo de vatios|最大功率",
        "avg_power_w": "Average Watts|Durchschnittliche Watt|Watts moyens|Puissance moyenne|Vatios medios"
        "|Promedio de vatios|Potencia media|平均功率",
        "normalized_power_w": "Weighted Average Power|Gewichtete durchschnittliche Leistung"
        "|Puissance moyenne pondérée|Potencia media ponderada|Potencia promedio ponderada|加权平均功率",
        "max_cadence_rpm": "Max Cadence|Max. Tritt-/Schrittfrequenz|Cadence max.|Cadencia máxima|最大步频|最大踏频",
        "avg_cadence_rpm": "Average Cadence|Durchschnittliche Trittfrequenz|Cadence moyenne|Cadencia media"
        "|Cadencia promedio|平均步频|平均踏频",
        "energy_kcal": "Calories|Kalorien|Calorías|卡路里|热量",
        "pool_length_m": "Pool Length|Pool-Länge",
    }.items()
    for name in names.split("|")
}
TWICE = frozenset({"elapsed", "distance", "max_heart_rate_bpm"})
# Where the exact columns stand from the second elapsed time on, in every language.
AFTER_ELAPSED = {"moving": 1, "distance": 2, "ascent_m": 5, "descent_m": 6}
FAR_AFTER_ELAPSED = {
    "max_cadence_rpm": 13,
    "avg_cadence_rpm": 14,
    "max_heart_rate_bpm": 15,
    "avg_heart_rate_bpm": 16,
    "max_power_w": 17,
    "avg_power_w": 18,
    "energy_kcal": 19,
}
FIRST = {"id": 0, "date": 1, "name": 2, "type": 3}
FILE = re.compile(r"(?:.*/)?[\w.-]+\.(?:fit|gpx|tcx)(?:\.gz)?", re.I)
LOOKED_AT = 50  # rows by which a column is known


def find(head: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the place of each field, "kilometres" being the rounded distance; nothing without a date and a time."""
    placed = {**_by_place(head, rows), **_by_name(head)}
    if "date" not in placed or not {"elapsed", "moving"} & placed.keys():
        return {}
    return placed


def _by_name(head: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for place, name in enumerate(head):
        field = NAMES.get(letters(name))
        if field == "distance" and field not in found:
            found["kilometres"] = place
        if field is not None and (field in TWICE or field not in found):
            found[field] = place
    if found.get("distance") == found.get("kilometres"):
        found.pop("distance", None)
    return found


def _by_place(head: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the columns of a table in a language that nobody here speaks."""
    sample = [row for row in rows[:LOOKED_AT] if len(row) > FIRST["type"]]
    known = bool(sample) and all(row[0].strip().isdigit() and dates.parse(row[1], day_first=True) for row in sample)
    first, second = _twice(head)
    if not known or second < 0:
        return {}
    found = {**FIRST, "elapsed": second, "kilometres": first + 1}
    found |= {field: second + after for field, after in AFTER_ELAPSED.items()}
    if second + 15 < len(head) and letters(head[second + 15]) == letters(head[first + 2]):
        found |= {field: second + after for field, after in FAR_AFTER_ELAPSED.items()}
    files = [place for place in range(len(head)) if any(FILE.fullmatch(cell(row, place)) for row in sample)]
    if files:
        found["file"] = files[0]
    return {field: place for field, place in found.items() if place < len(head)}


def _twice(head: Sequence[str]) -> tuple[int, int]:
    """Return where the elapsed time stands rounded and where exact: it and the distance after it come twice."""
    names = [letters(name) for name in head]
    for first, name in enumerate(names[:-1]):
        for second in range(first + 2, len(names) - 2):
            if name and names[second] == name and names[second + 2] == names[first + 1]:
                return first, second
    return -1, -1


def cell(row: Sequence[str], place: int | None) -> str:
    return row[place].strip() if place is not None and place < len(row) else ""
