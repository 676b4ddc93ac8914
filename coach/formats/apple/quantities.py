"""The quantities of Apple Health that Coach keeps, in its own units."""

from collections.abc import Mapping

PREFIX = "HKQuantityTypeIdentifier"
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"

METRIC_OF: Mapping[str, str] = {
    f"{PREFIX}HeartRate": "heart_rate_bpm",
    f"{PREFIX}RestingHeartRate": "resting_heart_rate_bpm",
    f"{PREFIX}HeartRateVariabilitySDNN": "hrv_sdnn_ms",
    f"{PREFIX}BodyMass": "weight_kg",
    f"{PREFIX}BodyFatPercentage": "body_fat_pct",
    f"{PREFIX}RespiratoryRate": "respiration_per_min",
    f"{PREFIX}OxygenSaturation": "oxygen_saturation_pct",
    f"{PREFIX}VO2Max": "vo2max_ml_kg_min",
    f"{PREFIX}StepCount": "steps",
}
# Measured many times a day: one value a day is kept, of each provider its own.
SUMMED = frozenset({"steps"})
AVERAGED = frozenset({"heart_rate_bpm", "respiration_per_min", "oxygen_saturation_pct"})
SLEEP_STAGES: Mapping[str, str] = {
    "HKCategoryValueSleepAnalysisInBed": "in_bed",
    "HKCategoryValueSleepAnalysisAsleep": "asleep",
    "HKCategoryValueSleepAnalysisAsleepUnspecified": "asleep",
    "HKCategoryValueSleepAnalysisAsleepCore": "light",
    "HKCategoryValueSleepAnalysisAsleepDeep": "deep",
    "HKCategoryValueSleepAnalysisAsleepREM": "rem",
    "HKCategoryValueSleepAnalysisAwake": "awake",
}
FACTORS: Mapping[str, float] = {
    "count/min": 1,
    "count/s": 60,
    "Hz": 60,
    "count": 1,
    "ms": 1,
    "s": 1000,
    "kg": 1,
    "g": 0.001,
    "lb": 0.45359237,
    "oz": 0.028349523125,
    "st": 6.35029318,
}


def value(metric: str, text: str, unit: str) -> float | None:
    """Return the number in the metric's unit, None when there is none or its unit is not known."""
    try:
        number = float(text)
    except ValueError:
        return None
    if metric in ("body_fat_pct", "oxygen_saturation_pct"):
        return number * 100 if number <= 1 else number
    if metric == "vo2max_ml_kg_min":
        return number
    factor = FACTORS.get(unit)
    return None if factor is None else number * factor
