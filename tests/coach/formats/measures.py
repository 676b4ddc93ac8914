"""Moving time, ascent, zones and pools of the real recordings, and every deviation from them with its reason."""

from collections.abc import Mapping

# Seconds in motion of the first session, by the services that the files come from; within 1 %.
MOVING_S: Mapping[str, float] = {
    "sportslib__2067489619.fit": 2742,
    "sportslib__3939576645.fit": 7242,
    "sportslib__6688025408.fit": 3473,
    "sportslib__6783622686.fit": 18_473,
    "sportslib__6788312639-1.fit": 1468,
    "sportslib__6860622783.fit": 2923,
    "sportslib__6914538454.fit": 1131,
    "sportslib__6916663933.fit": 2915,
    "sportslib__inverted-times.fit": 2840,
    "sportslib__2067489619.gpx": 2688,
    "sportslib__3939576645.gpx": 7242,
    "sportslib__6791039036.tcx": 7319,
    "sportslib__6860622783.tcx": 2923,
}
# What is found instead, and why.
MOVING_DEVIATES: Mapping[str, tuple[float, str]] = {
    "sportslib__6688025408.fit": (
        3963,
        "In a pool the whole timer counts; the service takes the rests at the wall out.",
    ),
    "sportslib__6914538454.fit": (
        1119,
        "Twelve seconds or 1.06 % less than the service counts.",
    ),
    "sportslib__inverted-times.fit": (2806, "The service counts the whole timer; 34 s of it are at rest by the speed."),
    "sportslib__6791039036.tcx": (
        7241,
        "The asserted 7319 s exceed the timer of 7264 s; the same ride as FIT has 7242 s.",
    ),
}
# Metres of climbing of each session as the device has it.
ASCENT_M: Mapping[str, list[float | None]] = {
    "fitparse__Edge810-Vector-2013-08-16-15-35-10.fit": [514],
    "fitparse__coros-pace-2-cycling-misaligned-fields.fit": [938],
    "fitparse__garmin-fenix-5-run.fit": [2],
    "fitparse__garmin-fenix-5-walk.fit": [1],
    "goldencheetah__14582164182.fit.gz": [42],
    "goldencheetah__20130717_143733.fit": [904],
    "goldencheetah__Garmin1000_withFirstbeat.fit": [596],
    "goldencheetah__Karoo-Botley_BW_Swanmore_Wickham-2025-05-09-1238.fit": [351],
    "runalyze__FR630-with-lth.fit": [22],
    "runalyze__Fenix-2-pauses.fit": [41],
    "runalyze__Multisession.fit": [34, 10],
    "runalyze__Standard.fit": [244],
    "runalyze__Zwift-bad-training-effect.fit": [473],
    "runalyze__garmin-runPower.fit": [144],
    "runalyze__hr-only-zeros.fit": [167],
    "runalyze__time-jump.fit": [284],
    "runalyze__with-power.fit": [202],
    "sportslib__2067489619.fit": [33],
    "sportslib__27-days-activity.fit": [143],
    "sportslib__3939576645.fit": [668],
    "sportslib__6783622686.fit": [1800],
    "sportslib__6788312639-1.fit": [None, 6, 283, 0, 91],
    "sportslib__6914538454.fit": [0],
    "sportslib__6916663933.fit": [142],
    "sportslib__7386755164.fit": [862],
}
# Where the device has a pressure sensor, its own altitudes give its ascent within 3 %, but for these (first session).
OWN_ASCENT_DEVIATES: Mapping[str, tuple[float, str]] = {
    "fitparse__garmin-fenix-5-walk.fit": (0, "One metre climbed in 45 s, less than the two that count as climbing."),
    "goldencheetah__Karoo-Botley_BW_Swanmore_Wickham-2025-05-09-1238.fit": (
        278,
        "The device counts rises of under a metre: a threshold of 1 m gives 325 m, none at all 472 m.",
    ),
    "runalyze__Multisession.fit": (51, "No threshold from 1 to 5 m gives the device's 34 m: they give 53 to 46 m."),
    "runalyze__garmin-runPower.fit": (129, "The device counts smaller rises: a threshold of 1 m gives 165 m."),
    "sportslib__6783622686.fit": (2880, "The device counts larger rises only: a threshold of 5 m gives its 1811 m."),
}
POOL_M: Mapping[str, float] = {"runalyze__swim-25m-lane.fit": 25, "sportslib__6688025408.fit": 50}
# Of those who live in Berlin: the zone of the first fix, else the offset of the device, else their own.
ZONES: Mapping[str, str] = {
    "fitparse__Activity.fit": "America/New_York",
    "fitparse__Edge810-Vector-2013-08-16-15-35-10.fit": "America/St_Johns",
    "fitparse__compressed-speed-distance.fit": "UTC+00:00",
    "fitparse__coros-pace-2-cycling-misaligned-fields.fit": "America/Bogota",
    "fitparse__developer-types-sample.fit": "Europe/Lisbon",
    "fitparse__garmin-fenix-5-run.fit": "America/Los_Angeles",
    "fitparse__sample-activity-indoor-trainer.fit": "Europe/Berlin",
    "goldencheetah__10kUNLP2014-Garmin15.fit": "America/Argentina/Buenos_Aires",
    "goldencheetah__14582164182.fit.gz": "Europe/Berlin",
    "goldencheetah__Garmin1000_withFirstbeat.fit": "Europe/Zurich",
    "runalyze__FR630-with-lth.fit": "Europe/Stockholm",
    "runalyze__HRV-example.fit": "UTC+02:00",
    "runalyze__Zwift-bad-training-effect.fit": "Europe/Berlin",
    "runalyze__swim-25m-lane.fit": "UTC+02:00",
    "sportslib__2067489619.fit": "Europe/Paris",
    "sportslib__27-days-activity.fit": "Australia/Melbourne",
    "sportslib__6688025408.fit": "UTC+08:00",
    "sportslib__6783622686.fit": "America/Sao_Paulo",
    "sportslib__6860622783.fit": "UTC-05:00",
    "sportslib__6914538454.fit": "Europe/London",
    "sportslib__6916663933.fit": "Europe/Prague",
    "gpxpy__cerknicko-jezero.gpx": "Europe/Ljubljana",
    "gpxpy__korita-zbevnica.gpx": "Europe/Zagreb",
    "runalyze__break-between-trkseg.gpx": "Europe/Helsinki",
    "runalyze__Multisport.tcx": "Europe/Vienna",
    "runalyze__Runtastic.tcx": "Europe/Amsterdam",
}
# Averages of heart rate (bpm) or power (W) that are not those of the samples.
AVERAGES_DEVIATE: Mapping[tuple[str, str], tuple[float, str]] = {
    ("runalyze__garmin-runPower.fit", "power_w"): (361.5, "Asserted as 360 W, give or take 5 W."),
    ("runalyze__hr-not-always-there.gpx", "heart_rate_bpm"): (
        135.5,
        "Asserted as 137 bpm, which it is weighed by time; this is the mean of the 46 points.",
    ),
}
