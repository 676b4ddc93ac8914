"""What the real recordings of the samples folder hold, by those who recorded them.

Values are those that the services and test suites which the recordings come from assert; where a file contradicts
itself or its source, NOTES says which value was taken and why.
"""

from collections.abc import Mapping
from dataclasses import dataclass

# Seconds, metres, average and highest heart rate in bpm, average power in W, the start on the wall clock for somebody
# who lives in Berlin, samples (n). A line that begins with " is a further session of the same file;
# "days" holds no recording, but weigh-ins or nights.
TABLE = """
file                                                 sport      timer     elapsed   distance  heart   power local n
fitparse__Activity.fit                               running    13.749    13.749    5.73      -       -     -     14
fitparse__Edge810-Vector-2013-08-16-15-35-10.fit     cycling    4700.05   4700.05   41339.38  154/176 276   -     4700
fitparse__MonitoringFile.fit                         refused
fitparse__Settings.fit                               refused
fitparse__WeightScaleSingleUser.fit                  days
fitparse__WorkoutIndividualSteps.fit                 refused
fitparse__activity-filecrc.fit                       running    13.749    13.749    5.73      -       -     -     14
fitparse__activity-settings.fit                      running    13.749    13.749    5.73      -       -     -     14
fitparse__activity-unexpected-eof.fit                running    13.749    13.749    5.73      -       -     -     14
fitparse__compressed-speed-distance.fit              running    3772.75   3883.273  10248.67  170/190 -     -     755
fitparse__coros-pace-2-cycling-misaligned-fields.fit cycling    11287     12719     32145.76  -       -     06:10 11272
fitparse__developer-types-sample.fit                 running    3424      3424      6753.99   -       218   -     3424
fitparse__garmin-fenix-5-run.fit                     running    56.887    56.887    157.56    90/112  -     -     21
fitparse__garmin-fenix-5-walk.fit                    walking    45.379    45.379    67.85     75/82   -     -     17
fitparse__sample-activity-indoor-trainer.fit         cycling    2261.85   2261.85   -         148/176 201   -     2263
goldencheetah__10kUNLP2014-Garmin15.fit              running    2223.803  2223.803  10010.82  -       -     -     -
goldencheetah__14582164182.fit.gz                    cycling    2760      2760      14921.2   108/166 142   -     2760
goldencheetah__20130717_143733.fit                   cycling    6254      6710      38922     129/178 186   -     6255
goldencheetah__FR55-CoreTemp-Walk.fit                walking    588.228   588.228   732.76    -       -     -     582
goldencheetah__Garmin1000_withFirstbeat.fit          cycling    6609.225  6609.225  50921.21  134/162 194   -     6610
goldencheetah__Karoo-Botley_BW_Swanmore_Wickham-2025-05-09-1238.fit cycling 4315 4358 34133.2 127/148 174 - 4314
runalyze__FR630-with-lth.fit                         running    819.227   819.227   2029.94   157/173 -     -     821
runalyze__FR70-intervals.fit                         running    3163.023  3163.023  6239.73   129/172 -     -     633
runalyze__Fenix-2-pauses.fit                         running    2810      3046      10546.9   -       -     -     2810
runalyze__HRV-example.fit                            generic    60.324    128.903   -         70/100  -     11:03 44
runalyze__Multisession.fit                           running    1131.166  1173.392  4110.73   152/171 -     12:52 -
"                                                    running    1000.787  1118.146  3745.72   149/166 -     14:31 -
runalyze__Standard.fit                               running    3192.133  3653.121  8983.37   124/146 -     12:17 -
runalyze__Zwift-bad-training-effect.fit              cycling    2764      2763      16721.05  144/165 181   -     2764
runalyze__garmin-runPower.fit                        running    8099.837  8534.703  25601.78  124/140 360   -     8109
runalyze__hr-only-zeros.fit                          cycling    2737.697  2737      15463.76  -       95    -     2713
runalyze__swim-25m-lane.fit                          swimming   2115.63   2354.113  1950      -       -     07:34 -
runalyze__time-jump.fit                              running    3389.127  3389.127  10496.97  139/163 -     -     567
runalyze__with-power.fit                             cycling    4689.37   4796.466  39023.03  149/176 208   15:23 4689
sportslib__2067489619.fit                            running    2820.172  2824.407  4489.39   130/179 -     -     -
sportslib__27-days-activity.fit                      cycling    7373      2412583   56911.91  130/165 -     -     3699
sportslib__3939576645.fit                            cycling    7263.962  7475.962  42220.87  155/186 -     -     -
sportslib__6688025408.fit                            swimming   3963.128  3982.676  2300      126/146 -     -     3964
sportslib__6783622686.fit                            cycling    18501.792 26814.699 171375.68 142/179 -     -     18514
sportslib__6788312639-1.fit                          swimming   1866.084  1866.084  1505.03   158/170 -     -     -
"                                                    transition 140.578   140.578   209.44    166/174 -     -     -
"                                                    cycling    4304.084  4304.084  39653.26  155/168 -     -     -
"                                                    transition 71.376    71.376    96.31     148/154 -     -     -
"                                                    running    2546.231  2546.231  9716.2    154/168 -     -     -
sportslib__6860622783.fit                            running    3097.789  3763.503  10630.37  145/177 -     -     -
sportslib__6914538454.fit                            running    1263.68   1263.765  4330      -       -     -     -
sportslib__6916663933.fit                            running    2922      2922      10743.64  160/173 332   14:52 -
sportslib__7386755164.fit                            cycling    6175.052  6181.052  48438.97  136/183 135   -     -
sportslib__empty-sessions.fit                        refused
sportslib__inverted-times.fit                        generic    2839.6    21680     7861.02   -       -     -     885
actparser__mixed_offset.gpx                          generic    1         3601      28.5      -       -     -     3
actparser__multi_segment.gpx                         generic    1         1800      14226.8   -       -     -     3
actparser__no_time.gpx                               generic    1         1         42.7      -       -     -     2
goldencheetah__MetadataOnly.gpx                      refused
gpxpy__cerknicko-jezero.gpx                          generic    4239      7190      4580      -       -     -     296
gpxpy__korita-zbevnica.gpx                           generic    10053     13381     6261.5    -       -     -     513
gpxpy__track-with-empty-segment.gpx                  generic    76        76        85.9      -       -     -     9
gpxpy__unicode_with_bom.gpx                          refused
runalyze__break-between-trkseg.gpx                   generic    19041     22820.7   -         -       -     11:26 2350
runalyze__garmin-ns3-extension.gpx                   running    33        33        118       94/118  -     -     16
runalyze__hr-not-always-there.gpx                    generic    363       363       820.9     137/142 -     -     52
runalyze__standard.gpx                               generic    2295      2306      5993      -       -     21:38 350
runalyze__strava-export.gpx                          generic    1156      1156      -         -       -     21:11 241
sportslib__2067489619.gpx                            running    2820      2818      4400      134/178 -     -     502
sportslib__3939576645.gpx                            cycling    7475      7476      41829     153/186 -     -     2547
actparser__laps_only.tcx                             cycling    1800      -         5000      -       -     -     0
actparser__multi_activity.tcx                        cycling    60        -         500       -       -     -     1
"                                                    running    120       -         1000      -       -     -     1
actparser__zero_samples.tcx                          cycling    4         -         40        -       105   -     4
goldencheetah__10kUNLP2014-Garmin15.tcx              running    2223.803  2223.803  10010.82  -       -     -     -
runalyze__First-point-empty.tcx                      cycling    142       142       601       -       -     -     24
runalyze__Indoor-Training.tcx                        cycling    7204.22   -         -         122/149 -     -     258
runalyze__Multisport.tcx                             cycling    494       -         2355      -       -     18:14 -
"                                                    running    3585.1    -         11460     -       -     18:24 -
"                                                    cycling    420       -         2355      -       -     19:35 -
runalyze__Power-ns2-extension.tcx                    cycling    2731.767  -         19105     -       210   -     2731
runalyze__Runtastic.tcx                              running    61        -         113       -       -     -     22
runalyze__Standard.tcx                               running    6523.8    6699      22224.3   145/172 -     -     -
runalyze__negative-pause.tcx                         cycling    666       666       3809.7    -       -     -     -
sportslib__6791039036.tcx                            cycling    7263.962  7475.962  42220.87  155/186 -     -     -
sportslib__6860622783.tcx                            running    3097.789  3763.503  10630.37  145/177 -     -     -
"""

# Part of the sentence with which a file is refused, or of the note that says what was salvaged.
SAYS: Mapping[str, str] = {
    "fitparse__MonitoringFile.fit": "the steps and heart rate of a day",
    "fitparse__Settings.fit": "the settings of a device",
    "fitparse__WorkoutIndividualSteps.fit": "a planned workout",
    "fitparse__activity-filecrc.fit": "checksum is wrong",
    "fitparse__activity-unexpected-eof.fit": "breaks off",
    "fitparse__compressed-speed-distance.fit": "knew no date",
    "goldencheetah__14582164182.fit.gz": "elapsed time was shorter",
    "runalyze__time-jump.fit": "clock was set forward by 20 days",
    "sportslib__27-days-activity.fit": "stood still for 28 days",
    "sportslib__empty-sessions.fit": "The file is empty",
    "sportslib__inverted-times.fit": "wrong way round",
    "actparser__no_time.gpx": "2 samples had no time",
    "goldencheetah__MetadataOnly.gpx": "holds no track",
    "gpxpy__korita-zbevnica.gpx": "358 samples had no time",
    "gpxpy__unicode_with_bom.gpx": "places on the map",
    "runalyze__First-point-empty.tcx": "laps claim more than the points cover",
    "runalyze__negative-pause.tcx": "laps claim more than the points cover",
}
# Every deviation from an asserted value, and every choice between values that contradict each other.
NOTES: Mapping[str, str] = {
    "fitparse__coros-pace-2-cycling-misaligned-fields.fit": (
        "The zone is Bogota's by the first fix, although the device gives local time as UTC."
    ),
    "fitparse__sample-activity-indoor-trainer.fit": "A distance of zero is none: nothing measured it.",
    "goldencheetah__14582164182.fit.gz": (
        "Timer 2760 s, elapsed 1632 s: 2760 samples at one a second prove the timer, 1128 of them at rest, so "
        "the elapsed time is lengthened instead of the timer cut."
    ),
    "goldencheetah__20130717_143733.fit": (
        "The device's normalized power of 773 W is void: four samples are of 21,733 W."
    ),
    "runalyze__HRV-example.fit": "A distance of zero is none: nothing measured it.",
    "sportslib__27-days-activity.fit": "The elapsed time is the device's; 27.8 days of it are one pause.",
    "sportslib__6783622686.fit": "The device's training stress score of 1.8 is void: there is no power.",
    "sportslib__6916663933.fit": (
        "The zone is Prague's by the first fix, although the device gives local time as UTC."
    ),
    "actparser__mixed_offset.gpx": (
        "The time without an offset takes the offset of the time before; the hour up to it is a pause."
    ),
    "actparser__multi_segment.gpx": "The way between two segments does not count.",
    "gpxpy__cerknicko-jezero.gpx": "The timer lacks the breaks of 33 to 894 s between the eight tracks.",
    "gpxpy__korita-zbevnica.gpx": (
        "One of the four tracks has no times; nobody asserts values, these are by the rules for breaks."
    ),
    "runalyze__break-between-trkseg.gpx": (
        "The offset of +02:00 is the recorder's; the fix is in Finland, an hour further east."
    ),
    "sportslib__2067489619.gpx": (
        "The points cover 2818 s; the asserted 2820 and 2824 s are of the FIT of the same run."
    ),
    "runalyze__Multisport.tcx": (
        "Runalyze counts 3571 s for the run from the points; its laps sum to 3585.1 s, the device's own timer."
    ),
    "runalyze__Standard.tcx": ("Runalyze's pause at 3676 s counts timer time; in elapsed time it begins at 3735 s."),
    "runalyze__negative-pause.tcx": ("The laps sum to 72.4 km in 8133 s, the points cover 3.8 km in 11 minutes of it."),
}
# Start and length of each pause in elapsed seconds.
PAUSES: Mapping[str, list[tuple[float, float]]] = {
    "runalyze__Fenix-2-pauses.fit": [(267, 14), (465, 53), (1491, 73), (2575, 35), (2804, 51), (2970, 9)],
    "runalyze__HRV-example.fit": [(41, 69)],
    "actparser__mixed_offset.gpx": [(1, 3600)],
    "actparser__multi_segment.gpx": [(1, 1799)],
    "gpxpy__track-with-empty-segment.gpx": [],
    "runalyze__break-between-trkseg.gpx": [(13402, 3780)],
    "runalyze__Standard.tcx": [(20, 55), (105, 10), (3735, 90), (6338, 18)],
    "runalyze__negative-pause.tcx": [],
}
# How far timer (s) and distance (a share) may be off where those who assert them allow more than 1 s and 0.5 %.
SLACK: Mapping[str, tuple[float, float]] = {
    "runalyze__break-between-trkseg.gpx": (10, 0.01),
    "runalyze__standard.gpx": (15, 0.1 / 5.993),
    "sportslib__2067489619.gpx": (2.5, 0.01),
}
CADENCE: Mapping[str, float] = {"runalyze__strava-export.gpx": 87, "actparser__zero_samples.tcx": 41}
WITHOUT: Mapping[str, str] = {
    "runalyze__hr-only-zeros.fit": "heart_rate_bpm",
    "sportslib__6783622686.fit": "power_w",
}
VIRTUAL = {
    "goldencheetah__14582164182.fit.gz",
    "runalyze__Zwift-bad-training-effect.fit",
    "runalyze__hr-only-zeros.fit",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    sport: str
    timer_s: float
    elapsed_s: float | None
    distance_m: float | None
    heart_rate_bpm: tuple[float, float] | None
    power_w: float | None
    local: str
    samples: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    file: str
    importable: bool
    sessions: tuple[Session, ...]

    @property
    def path(self) -> str:
        kind = next(suffix for suffix in self.file.split(".") if suffix in ("fit", "gpx", "tcx"))
        return f"{kind}/{self.file}"


def _number(cell: str) -> float | None:
    return None if cell == "-" else float(cell)


def _session(cells: list[str]) -> Session:
    sport, timer, elapsed, distance, heart, power, local, samples = cells
    average, _, highest = heart.partition("/")
    return Session(
        sport=sport,
        timer_s=float(timer),
        elapsed_s=_number(elapsed),
        distance_m=_number(distance),
        heart_rate_bpm=(float(average), float(highest)) if highest else None,
        power_w=_number(power),
        local="" if local == "-" else local,
        samples=None if samples == "-" else int(samples),
    )


def _expected() -> tuple[Expected, ...]:
    files: dict[str, list[list[str]]] = {}
    for line in TABLE.strip().splitlines()[1:]:
        file, *cells = line.split()
        files.setdefault(list(files)[-1] if file == '"' else file, []).append(cells)
    return tuple(
        Expected(
            file=file,
            importable=lines[0][0] != "refused",
            sessions=tuple(_session(cells) for cells in lines if cells[0] not in ("refused", "days")),
        )
        for file, lines in files.items()
    )


EXPECTED = _expected()
