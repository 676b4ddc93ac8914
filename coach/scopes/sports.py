"""How a sport is called on a screen, and a session that has no name of its own."""

from collections.abc import Mapping, Sequence

from coach.display import Style
from coach.models import Activity
from coach.scopes.terms import worded

OTHER = "other training"
CHINESE: Mapping[str, str] = {
    OTHER: "其他训练",
    "generic": "训练",
    "other": "其他训练",
    "alpine skiing": "高山滑雪",
    "basketball": "篮球",
    "boxing": "拳击",
    "cricket": "板球",
    "cross country skiing": "越野滑雪",
    "cycling": "骑行",
    "diving": "潜水",
    "e biking": "电助力骑行",
    "fitness equipment": "器械训练",
    "floor climbing": "爬楼",
    "golf": "高尔夫",
    "hiit": "高强度间歇",
    "hiking": "徒步",
    "hockey": "曲棍球",
    "horseback riding": "骑马",
    "ice skating": "滑冰",
    "inline skating": "轮滑",
    "jump rope": "跳绳",
    "kayaking": "皮划艇",
    "kitesurfing": "风筝冲浪",
    "mountaineering": "登山",
    "multisport": "多项运动",
    "paddling": "划桨",
    "racket": "球拍运动",
    "rafting": "漂流",
    "rock climbing": "攀岩",
    "rowing": "划船",
    "rugby": "橄榄球",
    "running": "跑步",
    "sailing": "帆船",
    "snowboarding": "单板滑雪",
    "snowshoeing": "雪鞋徒步",
    "soccer": "足球",
    "stand up paddleboarding": "桨板",
    "strength training": "力量训练",
    "surfing": "冲浪",
    "swimming": "游泳",
    "tennis": "网球",
    "training": "体能训练",
    "transition": "换项",
    "volleyball": "排球",
    "walking": "步行",
    "water skiing": "滑水",
    "windsurfing": "帆板",
    "yoga": "瑜伽",
}
SAME = {
    "run": "running",
    "trail_running": "running",
    "biking": "cycling",
    "e_biking": "cycling",
    "bike": "cycling",
    "open_water": "swimming",
    "strength_training": "training",
    "fitness_equipment": "training",
}
ANY = ("", "generic", "other")
SESSIONS: Mapping[str, str] = {
    "running": "Run",
    "cycling": "Ride",
    "swimming": "Swim",
    "walking": "Walk",
    "hiking": "Hike",
    "rowing": "Row",
    "cross_country_skiing": "Ski",
    "training": "Training",
}


def session_word(sport: str, *, style: Style) -> str:
    """Return what a session of the sport is: Run, Ride, 骑行; of a sport with no such word, its own."""
    key = sport.lower()
    key = SAME.get(key, key)
    if key in ANY:
        return CHINESE["generic"] if style.chinese else "Session"
    return shown(key, style=style) if style.chinese else SESSIONS.get(key) or shown(key, style=style)


def session_name(activity: Activity, *, style: Style) -> str:
    """Return the name it was given, else what it was: Run, Indoor ride, Virtual ride."""
    if activity.name:
        return activity.name
    word = session_word(activity.sport, style=style)
    if not (activity.virtual or activity.indoor):
        return word
    if style.chinese:
        return f"{'虚拟' if activity.virtual else '室内'}{word}"
    return f"{'Virtual' if activity.virtual else 'Indoor'} {word.lower()}"


def word_of(sport: str) -> str:
    """Return the English word of one of FIT's sports; it is what a fact holds."""
    return sport.replace("_", " ").strip() or OTHER


def shown(sport: str, *, style: Style) -> str:
    """Return the sport as a label begins: Cycling, 骑行."""
    word = word_of(sport)
    known = worded(word, CHINESE, style=style)
    return known if known != word else word.capitalize()


def listed(names: Sequence[str], *, style: Style) -> str:
    """Return the sports in a row: Running, cycling; or 跑步、骑行."""
    if style.chinese:
        return "、".join(shown(name, style=style) for name in names)
    return ", ".join(map(word_of, names)).capitalize()
