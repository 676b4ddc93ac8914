"""Chinese for records."""

import re
from collections.abc import Mapping

from coach import display
from coach.display import Style
from coach.scopes.terms import Words

HAN = Style(language="zh-hans")
NAMED = {"1 mile": "1英里", "half marathon": "半程马拉松", "marathon": "马拉松"}
COUNTED = (
    "不计入：虚拟世界或骑行台上的距离、电助力车、净下坡（步行和跑步超过 1.5%，骑行超过 0.5%）、"
    "卫星定位跳点、被剔除的功率。"
)
LATELY = "取到最后一个有成绩的日子为止九十天内的最佳成绩。"
MONOD = "Monod & Scherrer 1965；Skiba 2012"
RESULT = re.compile(r"(?P<over>.+) in (?P<time>[\d:]+)(?:, (?P<day>\d+) (?P<month>\w+) (?P<year>\d+))?")


def span(words: str) -> str:
    """Return 半程马拉松, 10公里 or 5分钟 for what a best is called in English."""
    return NAMED.get(words, display.with_unit_words(words, style=HAN))


def called(words: str) -> str:
    """Return 5分钟功率 for "5 min power"."""
    return f"{span(words.removesuffix(' power'))}功率" if words.endswith(" power") else span(words)


def result(words: str) -> str:
    """Return 10公里 45:10 for "10 km in 45:10", with the day behind it where there is one."""
    found = RESULT.fullmatch(words)
    if found is None:
        return words
    told = f"{span(found['over'])} {found['time']}"
    if not found["day"]:
        return told
    return f"{told}，{found['year']}年{display.MONTHS.index(found['month']) + 1}月{found['day']}日"


TERMS: Mapping[str, Words] = {
    "newest_best_what": Words(label="最新纪录", meaning="最近创下的纪录。", reads=called),
    "newest_best_on": Words(label="创下日期", meaning="最新纪录是在哪天创下的。"),
    "newest_best_age": Words(
        label="距今天数", meaning="最新纪录是几天前创下的。", convention="今天减去创下纪录的日期。"
    ),
    "newest_best": Words(label="纪录数值", meaning="最新纪录的数值。", convention=COUNTED),
    "newest_best_before": Words(label="此前最佳", meaning="那天之前的最佳成绩。"),
    "newest_gain": Words(label="提高", meaning="最新纪录比此前的最佳好多少。"),
    "new_count": Words(
        label="新纪录数",
        meaning="最近 28 天里取代了旧纪录的纪录。",
        convention="同类的第一个成绩不算新纪录。",
    ),
    "cp": Words(
        label="临界功率",
        meaning="按你的最佳成绩推算，理论上你能长时间维持的功率。",
        convention=f"对 2–20 分钟的最佳成绩拟合：功 = W′ + CP·t，至少三个点。{LATELY}",
        source=MONOD,
    ),
    "w_prime": Words(
        label="无氧功容量 W′",
        meaning="高于临界功率时，你用完之前还能做多少功。",
        convention="与临界功率出自同一条直线。",
        source=MONOD,
    ),
    "cp_points": Words(label="依据的成绩数", meaning="这条直线由几个最佳成绩拟合而成。"),
    "vdot": Words(
        label="VDOT",
        meaning="你近期最好的成绩说明的耐力水平，以摄氧量表示。",
        convention=f"由总用时和距离算出，1 英里以上。{LATELY}",
    ),
    "vdot_from": Words(label="VDOT 的依据", meaning="VDOT 由哪个成绩算出。", reads=result),
    "vdot_from_on": Words(label="跑于", meaning="那个成绩在哪天。"),
}


def of_best(measure: str, words: str) -> dict[str, Words]:
    """Return the words for a best and what is told beside it, by the end of its key."""
    name = span(words)
    if measure == "power":
        label, meaning = f"{name}功率", f"你在{name}内的最高平均功率，按计时时间。"
    else:
        label, meaning = name, f"你完成{name}的最短时间，包括暂停，可以是一次训练中的任何一段。"
    return {
        "": Words(label=label, meaning=meaning, convention=COUNTED),
        "_what": Words(label=f"{label}：名称", meaning="文字中对这项成绩的称呼。", reads=called),
        "_on": Words(label=f"{label}：日期", meaning="创下它的那天。"),
        "_before": Words(label=f"{label}：此前", meaning="在它之前的最佳成绩。"),
        "_gain": Words(label=f"{label}：提高", meaning="它比此前的最佳好多少。"),
    }


def of_prediction(words: str) -> tuple[Words, Words]:
    name = span(words)
    return (
        Words(
            label=f"预测{name}",
            meaning=f"旁边的成绩相当于{name}多少时间，前提是平路，并且为此练过。",
            convention="按 VDOT，由距离在一半到两倍之间最接近的成绩推算。",
        ),
        Words(label="预测依据", meaning="预测所依据的成绩。", reads=result),
    )


SAID: Mapping[str, str] = {
    "Records: running": "纪录：跑步",
    "Records: cycling": "纪录：骑行",
    "Records: swimming": "纪录：游泳",
    "Records: walking and hiking": "纪录：步行和徒步",
    "Running": "跑步",
    "Cycling": "骑行",
    "Swimming": "游泳",
    "Walking and hiking": "步行和徒步",
    "There is no best of yours in this sport yet. Upload recordings with distance or power (FIT, GPX or TCX files): "
    "summaries without samples hold no bests.": (
        "这个项目还没有你的最佳成绩。请上传有距离或功率的记录（FIT、GPX 或 TCX 文件）；没有采样数据的汇总里找不出成绩。"
    ),
    "What is here of this sport was done in a virtual world, with a motor or downhill, or it is not plausible, so "
    "nothing of it is called a record. Upload a session outdoors.": (
        "这个项目的现有成绩是在虚拟世界、电助力或下坡中完成的，或者不可信，因此都不算纪录。请上传一次户外训练。"
    ),
    "Power of all time, and of the 90 days up to {last}": "功率：全部时间，以及到{last}为止的 90 天",
    "Pace of all time, and of the 90 days up to {last}": "配速：全部时间，以及到{last}为止的 90 天",
    "Speed of all time, and of the 90 days up to {last}": "速度：全部时间，以及到{last}为止的 90 天",
    "in a virtual world or on a trainer": "在虚拟世界或骑行台上",
    "with a motor": "有电助力",
    "downhill": "下坡",
    "faster than anybody moves: a jump of the satellites": "快得不可能：卫星定位跳点",
    "Records": "纪录",
    "Over": "项目",
    "Best": "最佳",
    "On": "日期",
    "Days ago": "几天前",
    "Before": "此前",
    "Better by": "提高",
    "Last 90 days": "最近 90 天",
}
