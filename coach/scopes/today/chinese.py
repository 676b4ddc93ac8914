"""Chinese for today."""

import re
from collections.abc import Mapping

from coach import display
from coach.display import Style
from coach.scopes.recovery import chinese as nights
from coach.scopes.sports import CHINESE as SPORTS
from coach.scopes.terms import Words

HAN = Style(language="zh-hans")
PLAN = "这是你的计划；在这里有它的记录之前，都不算已经做过。"
HARD_RULE = "高强度指比赛、间歇或阈值训练（以你说的为准，没说则看数据），或用力程度 8 分以上，或负荷 120 点以上。"
RULE = (
    "轻松：两项恢复信号偏离；或状态低于 −30；或一项信号偏离且状态低于 −10；或至少 14 天没有训练。"
    "否则，有计划就按计划。高强度：没有计划、数据满六周、状态不低于 −5、3 天之内没有高强度训练、"
    "至少一项信号如常且没有偏离。"
    "其余为按计划；没有计划时，就是照平时那样练。"
)
VERDICTS = {"easy": "轻松", "as planned": "按计划", "hard": "高强度"}
DECIDES = {
    "form": "状态",
    "fatigue": "疲劳",
    "fitness": "体能",
    "yesterday": "昨天",
    "your plan": "你的计划",
    "the last hard day": "上次高强度训练",
    "the time away": "停训的时间",
    "HRV": "HRV",
    "resting heart rate": "静息心率",
    "sleep": "睡眠",
}
ABSENT = {
    "training": "训练",
    "HRV": "HRV",
    "resting heart rate": "静息心率",
    "a week of sleep": "一周的睡眠",
    "last night": "昨夜",
}
SESSION = re.compile(r"(?P<time>\d+ h \d\d min|\d+ min) of (?P<sport>.+)")


def because(words: str) -> str:
    """Return 状态和HRV for "form and HRV"."""
    return "和".join(DECIDES.get(word, word) for word in words.split(" and "))


def absent(words: str) -> str:
    return "、".join(ABSENT.get(word, word) for word in words.split(", "))


def planned(words: str) -> str:
    """Return 跑步1小时20分钟 for "1 h 20 min of running"."""
    return "、".join(map(_session, words.split(", ")))


def _session(words: str) -> str:
    found = SESSION.fullmatch(words)
    if found is None:
        return "一次训练" if words == "a session" else SPORTS.get(words, words)
    sport = SPORTS.get(found["sport"], found["sport"])
    return f"{sport}{display.with_unit_words(found['time'], style=HAN)}"


TERMS: Mapping[str, Words] = {
    "verdict": Words(
        label="今天",
        meaning="今天适合做什么，由固定的规则按状态、恢复和你的计划得出。决定权在你。",
        convention=f"{RULE}{nights.RULE}{HARD_RULE}",
        source="本教练的规则",
        values=VERDICTS,
    ),
    "sleep_last": Words(
        label="昨夜",
        meaning="你昨夜睡了多久。单独一夜从不决定今天。",
        convention="今天早晨结束的那一夜。",
    ),
    "planned": Words(
        label="今天的计划",
        meaning="你今天打算做什么，按项目和时长。",
        convention=PLAN,
        reads=planned,
    ),
    "planned_load": Words(
        label="计划的负荷",
        meaning="你今天计划的负荷，不计入体能、疲劳和状态。",
        convention=PLAN,
    ),
    "load_yesterday": Words(
        label="昨天的负荷",
        meaning="你昨天全部记录的负荷；以阈值强度练一小时是 100 点。",
    ),
    "days_since_hard": Words(
        label="距上次高强度",
        meaning="上一次高强度训练是几天前。",
        convention=HARD_RULE,
        source="本教练的规则",
    ),
    "sleep_debt": nights.DEBT,
    "signals_missing": Words(
        label="今天缺少",
        meaning="判断时缺少的内容。设备下次上传后就会有。",
        reads=absent,
    ),
    "because": Words(
        label="决定因素",
        meaning="让规则得出这个结论的数据。",
        convention=RULE,
        reads=because,
    ),
    "goal_in": Words(label="距目标天数", meaning="到你的下一个目标还有几天。"),
    "goal_day": Words(label="下一个目标", meaning="你填写的下一场比赛或目标的日期。"),
    "today": Words(label="今天是", meaning="这些数值是为这天计算的。"),
}

SAID: Mapping[str, str] = {
    "Today": "今天",
    "There is nothing here to judge the day by yet. Upload your recordings (FIT, GPX or TCX files, or a zip of them), "
    "and what your watch or ring knows of your nights.": (
        "这里还没有可以用来判断今天的数据。请上传你的记录（FIT、GPX 或 TCX 文件，或者它们的 ZIP 压缩包），"
        "以及手表或戒指记录的夜间数据。"
    ),
    "Load by day": "每天的负荷",
    "points": "点",
    "fitness": "体能",
    "Load, form and nights by day": "每天的负荷、状态和夜间数据",
    "Day": "日期",
    "Load": "负荷",
    "Form": "状态",
    "Asleep": "睡眠",
    "HRV": "HRV",
    "Resting heart rate": "静息心率",
}
