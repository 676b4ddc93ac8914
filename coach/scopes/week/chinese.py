"""Chinese for a week."""

from collections.abc import Mapping
from functools import partial

from coach.scopes.sports import CHINESE as SPORTS
from coach.scopes.terms import Words

USUAL = "此前四周的中位数，每周都只算到同一个星期几。"
SPLIT = "按区间时间：低于第一乳酸阈为轻松，到第二乳酸阈为中等，再往上为高强度。有心率按心率，否则按功率，再否则按配速。"
share = partial(Words, convention=SPLIT)

TERMS: Mapping[str, Words] = {
    "load": Words(label="负荷", meaning="所有训练的负荷之和；以阈值强度练一小时是 100 点。"),
    "load_change": Words(
        label="负荷与平时相比",
        meaning="本周负荷与你平时到同一个星期几的负荷相差多少。",
        convention=USUAL,
    ),
    "timer": Words(label="时间", meaning="计时器运行的训练时间。"),
    "sessions": Words(label="训练次数", meaning="本周的记录数。"),
    "load_usual": Words(label="平时的负荷", meaning="到同一个星期几的负荷。", convention=USUAL),
    "timer_usual": Words(label="平时的时间", meaning="到同一个星期几的训练时间。", convention=USUAL),
    "timer_change": Words(
        label="时间与平时相比",
        meaning="本周训练时间与你平时到同一个星期几的时间相差多少。",
        convention=USUAL,
    ),
    "sessions_usual": Words(label="平时的训练次数", meaning="到同一个星期几的训练次数。", convention=USUAL),
    "days_counted": Words(label="计入天数", meaning="本周已经过完的天数；今天练过的话，也算今天。"),
    "counted_until": Words(label="计到", meaning="计入的最后一天。"),
    "active_days": Words(label="训练天数", meaning="有训练的天数。"),
    "easy_share": share(label="轻松", meaning="轻松强度占训练时间的比例。"),
    "moderate_share": share(label="中等", meaning="中等强度占训练时间的比例。"),
    "hard_share": share(label="高强度", meaning="高于阈值的时间占训练时间的比例。"),
    "longest": Words(label="最长的训练", meaning="计时最长的一次训练。"),
    "longest_sport": Words(label="最长训练的项目", meaning="那次训练练的是什么。", values=SPORTS),
    "longest_day": Words(label="最长训练的日子", meaning="那次训练在哪天。"),
    "main_sport": Words(label="主项", meaning="用时最多的项目。", values=SPORTS),
    "main_sport_share": Words(label="主项占比", meaning="主项占训练时间的比例。"),
    "monotony": Words(
        label="单调度",
        meaning="这七天有多相似。高于 2 时，练得重的日子和轻的日子几乎没有分别。",
        convention="每天负荷的平均值除以样本标准差；只对完整的一周计算。",
    ),
    "strain": Words(
        label="紧张度",
        meaning="本周负荷乘以单调度。",
        convention="周负荷 × 单调度；只对完整的一周计算。",
    ),
    "estimate_share": Words(
        label="负荷为估算",
        meaning="负荷中有多少因为没有测量，只能由运动项目和时长估算。",
        convention="占本周点数的比例。",
    ),
}


def of_sport(sport: str) -> dict[str, Words]:
    """Return the words for one sport's own facts, by the end of their key; `sport` is the English word."""
    name = SPORTS.get(sport, sport)
    return {
        "sessions": Words(label=f"{name}：次数", meaning=f"{name}的记录数。"),
        "timer": Words(label=f"{name}：时间", meaning=f"{name}的计时时间。"),
        "distance": Words(label=f"{name}：距离", meaning=f"{name}的距离。"),
        "ascent": Words(label=f"{name}：爬升", meaning=f"{name}累计爬升的高度。"),
        "load": Words(label=f"{name}：负荷", meaning=f"{name}的负荷点数。"),
    }


SAID: Mapping[str, str] = {
    "This week has not begun yet. Upload a recording once you have trained in it.": (
        "这周还没有开始。等你在这周练过之后，再上传记录。"
    ),
    "There is no session in this week. If you trained in it, upload the recordings: FIT, GPX or TCX.": (
        "这周没有训练。如果你练过，请上传记录：FIT、GPX 或 TCX 文件。"
    ),
    "There is no session in this week so far. Upload a recording (FIT, GPX or TCX) and it is summed up here.": (
        "这周到现在还没有训练。上传记录（FIT、GPX 或 TCX），这里就会汇总。"
    ),
    "The week by day": "本周各天",
    "Day": "日期",
    "Sessions": "训练",
    "Time": "时间",
    "Load": "负荷",
    "Planned": "计划",
    "The week by sport": "本周各项目",
    "Sport": "项目",
    "Distance": "距离",
    "Ascent": "爬升",
}
