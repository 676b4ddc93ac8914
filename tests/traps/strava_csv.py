"""Writes activities.csv as Strava does, in its languages, for tests."""

import csv
import io
from collections.abc import Mapping, Sequence


def _heads(line: str) -> list[str]:
    return line.split(",")


ENGLISH = _heads(
    "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Max Heart Rate,"
    "Relative Effort,Commute,Activity Private Note,Activity Gear,Filename,Athlete Weight,Bike Weight,Elapsed Time,"
    "Moving Time,Distance,Max Speed,Average Speed,Elevation Gain,Elevation Loss,Elevation Low,Elevation High,Max Grade,"
    "Average Grade,Average Positive Grade,Average Negative Grade,Max Cadence,Average Cadence,Max Heart Rate,"
    "Average Heart Rate,Max Watts,Average Watts,Calories,Max Temperature,Average Temperature,Relative Effort"
)
GERMAN = _heads(
    "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Verstrichene Zeit,Distanz,"
    "Max. Herzfrequenz,Relative Leistung,Pendeln,Private Notiz,Aktivitätsausrüstung,Dateiname,Sportlergewicht,"
    "Fahrradgewicht,Verstrichene Zeit,Bewegungszeit,Distanz,Höchstgeschw.,Durchschnittliche Geschwindigkeit,"
    "Höhenzunahme,Höhenunterschied,Min. Höhe,Max. Höhe,Max. Steigung,Durchschnittliche Steigung,Steigung +,Steigung -,"
    "Max. Tritt-/Schrittfrequenz,Durchschnittliche Trittfrequenz,Max. Herzfrequenz,Durchschnittliche Herzfrequenz,"
    "Max. Watt,Durchschnittliche Watt,Kalorien,Max. Temperatur,Durchschnittliche Temperatur,Relative Leistung"
)
FRENCH = _heads(
    "ID de l'activité,Date de l'activité,Nom de l'activité,Type d'activité,Description de l'activité,Temps écoulé,"
    "Distance,Fréquence cardiaque max.,Effort relatif,Trajet,Note privée,Matériel,Nom du fichier,Poids de l'athlète,"
    "Poids du vélo,Temps écoulé,Durée de déplacement,Distance,Vitesse max.,Vitesse moyenne,Dénivelé positif,"
    "Dénivelé négatif,Altitude min.,Altitude max.,Pente max.,Pente moyenne,Pente +,Pente -,Cadence max.,"
    "Cadence moyenne,Fréquence cardiaque max.,Fréquence cardiaque moyenne,Watts max.,Watts moyens,Calories,"
    "Température max.,Température moyenne,Effort relatif"
)
SPANISH = _heads(
    "ID de actividad,Fecha de la actividad,Nombre de la actividad,Tipo de actividad,Descripción de la actividad,"
    "Tiempo transcurrido,Distancia,Frecuencia cardíaca máxima,Esfuerzo relativo,Trayecto,Nota privada,Equipamiento,"
    "Nombre del archivo,Peso del atleta,Peso de la bicicleta,Tiempo transcurrido,Tiempo en movimiento,Distancia,"
    "Velocidad máxima,Velocidad media,Desnivel positivo,Desnivel negativo,Mín.,Máx.,Pendiente máx.,Pendiente media,"
    "Pendiente +,Pendiente -,Cadencia máxima,Cadencia media,Frecuencia cardíaca máxima,Frecuencia cardíaca media,"
    "Vatios máximos,Vatios medios,Calorías,Temperatura máxima,Temperatura media,Esfuerzo relativo"
)
CHINESE = _heads(
    "活动 ID,活动日期,活动名称,活动类型,活动描述,全程耗时,距离,最大心率,相对强度,通勤,私人备注,装备,文件名,体重,车重,"
    "全程耗时,移动时间,距离,最大速度,平均速度,累计爬升,累计下降,最低海拔,最高海拔,最大坡度,平均坡度,上坡,下坡,"
    "最大踏频,平均踏频,最大心率,平均心率,最大功率,平均功率,卡路里,最高温度,平均温度,相对强度"
)
# A language that nobody here speaks: its columns stand where Strava puts them.
KLINGON = [f"{name[::-1].casefold()}q" for name in ENGLISH]
LANGUAGES = {
    "english": (ENGLISH, "Sep 5, 2021, 10:47:21 AM", "Ride"),
    "english with narrow space": (ENGLISH, "Sep 5, 2021, 10:47:21\u202fAM", "Ride"),
    "british": (ENGLISH, "5 Sept 2021, 10:47:21", "Ride"),
    "german": (GERMAN, "05.09.2021, 10:47:21", "Radfahrt"),
    "french": (FRENCH, "5 sept. 2021 à 10:47:21", "Vélo"),
    "spanish": (SPANISH, "5 sept 2021, 10:47:21", "Bicicleta"),
    "chinese": (CHINESE, "2021年9月5日 上午10:47:21", "骑行"),
    "klingon": (KLINGON, "2021-09-05 10:47:21", "Ride"),
}
# Where the values of a row stand.
PLACES = {
    "id": 0,
    "date": 1,
    "name": 2,
    "type": 3,
    "description": 4,
    "elapsed_rounded": 5,
    "kilometres": 6,
    "file": 12,
    "elapsed": 15,
    "moving": 16,
    "metres": 17,
    "ascent": 20,
    "max_heart_rate": 30,
    "heart_rate": 31,
    "watts": 33,
}
RIDE: Mapping[str, object] = {
    "id": 1,
    "date": "Sep 5, 2021, 10:47:21 AM",
    "name": "A ride",
    "type": "Ride",
    "elapsed_rounded": 3700,
    "kilometres": "30.00",
    "elapsed": 3700.0,
    "moving": 3600.0,
    "metres": 30000.5,
    "ascent": 250.0,
    "max_heart_rate": 180,
    "heart_rate": 140,
    "watts": 190,
}


def table(
    *rows: Mapping[str, object], heads: Sequence[str] = ENGLISH, delimiter: str = ",", encoding: str = "utf-8"
) -> bytes:
    """Write the rows; each is a ride unless it says otherwise."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter)
    writer.writerow(heads)
    for number, row in enumerate(rows, start=1):
        values = {**RIDE, "id": number, **row}
        line = [""] * len(heads)
        for name, value in values.items():
            if PLACES[name] < len(line):
                line[PLACES[name]] = str(value)
        writer.writerow(line)
    return written.getvalue().encode(encoding)
