"""Chinese for trends."""

from collections.abc import Mapping

from coach.scopes.sports import CHINESE as SPORTS
from coach.scopes.terms import Words

FIT = "最小二乘；区间按学生 t 分布取 95%，给出它的半宽。至少六个点才有斜率。"
FAMILIES = {"other": "其他项目", "skiing": "越野滑雪", "strength": "力量训练"}
PLACES = {"in a virtual world": "虚拟世界", "indoors": "室内", "outdoors": "户外"}
READINGS = {"rising": "上升", "falling": "下降", "no clear change": "没有明确变化"}
CLASSES = {"30 or more": "30个以上", "12 to 29": "12到29个", "6 to 11": "6到11个"}
WINDOWS = {f"{days} days": f"{days}天" for days in (90, 180, 365)}
MEASURES: Mapping[str, Words] = {
    "fitness": Words(
        label="体能",
        meaning="每周一次的体能（CTL）：你练了多少，不保证你能做到什么。",
        convention="每隔七天那天结束时的 42 天 CTL，历史满六周起。",
    ),
    "efficiency": Words(
        label="心率效率",
        meaning="稳定训练（满 20 分钟）的标准化功率，或坡度速度（米/分），除以心率。",
        convention="同一项目、场地和设备的 EF；不含比赛，功率波动不超过 1.15。",
    ),
    "pace": Words(
        label="常用心率下的配速",
        meaning="你最常用的心率（上下 5 次以内）下，折算到平地的配速。",
        convention="坡度配速按比例折算到该心率；同一项目、场地和设备。",
        source="Minetti 2002（坡度）",
    ),
    "vdot": Words(
        label="VDOT",
        meaning="每十四天里最好的成绩（3 公里以上）相当于多少。",
        convention="每有成绩的十四天一个点；不含跳点、下坡和虚拟跑步。",
    ),
    "volume": Words(
        label="训练时间",
        meaning="每周训练几小时。",
        convention="从最后一个有数据的日子往前数整周；没有训练的周计为 0。",
    ),
}
HEAD: Mapping[str, Words] = {
    "clear_count": Words(label="明确的趋势", meaning="区间不含零的趋势线。"),
    "line_count": Words(label="趋势线", meaning="至少有六个点的趋势线。"),
    "window": Words(label="范围", meaning="这些线往回看多远。", values=WINDOWS),
    "until": Words(label="截至", meaning="最后一个有数据的日子，范围到此为止。"),
}


def name_of(family: str, measure: str) -> str:
    """Return 跑步：训练时间, or 体能 where it is of no one sport."""
    word = MEASURES[measure].label
    return f"{FAMILIES.get(family) or SPORTS.get(family, family)}：{word}" if family else word


def of_slope(family: str, measure: str) -> Words:
    told = MEASURES[measure]
    return Words(
        label=f"{name_of(family, measure)}，30 天变化",
        meaning=f"这条线 30 天里移动多少。{told.meaning}",
        convention=f"{told.convention}{FIT}",
        source=told.source,
    )


def of_rest(family: str, measure: str) -> dict[str, Words]:
    """Return the words for what else is told of a line, by the end of its key."""
    name = name_of(family, measure)
    start, end = ("第一个值。", "最后一个值。") if measure == "fitness" else ("这条线的起点。", "这条线的终点。")
    return {
        "margin": Words(
            label=f"{name}：误差范围",
            meaning="变化区间的半宽。比变化本身还宽，就只是波动。",
            convention=FIT,
        ),
        "trend": Words(label=f"{name}：解读", meaning="这个区间允许下的结论。", values=READINGS),
        "start": Words(label=f"{name}：起点", meaning=start, source=MEASURES[measure].source),
        "end": Words(label=f"{name}：终点", meaning=end, source=MEASURES[measure].source),
        "pulse": Words(
            label=f"{name}：心率",
            meaning="这个配速所对应的心率。",
            convention="同一场地和设备的稳定跑步，取平均心率的中位数，精确到整数。",
        ),
        "n": Words(label=f"{name}：点数", meaning="这条线由多少个点得出。", values=CLASSES),
    }


def made_of(sport: str, place: str, device: str) -> str:
    """Return 户外跑步，由 Edge 530 记录."""
    told = f"{PLACES.get(place, place)}{SPORTS.get(sport, sport)}"
    return f"{told}，由 {device} 记录" if device else told


SAID: Mapping[str, str] = {
    "Trends": "趋势",
    "There is no session to draw a line through yet. "
    "Upload your recordings (FIT, GPX or TCX files, or a zip of them).": (
        "还没有可以连成趋势的训练。请上传你的记录（FIT、GPX 或 TCX 文件，或者它们的 ZIP 压缩包）。"
    ),
    "Fewer than six points of each kind lie in this range, and a line through so few would be a guess. "
    "Look at a longer range, or upload more of your recordings.": (
        "这个范围里每种数据都不到六个点，用这么少的点画线只是猜测。请看更长的范围，或者上传更多记录。"
    ),
    "Line": "趋势线",
    "Start": "起点",
    "End": "终点",
    "In 30 days": "30 天变化",
    "Interval": "区间",
    "Points": "点数",
    "Reading": "解读",
    "Day": "日期",
    "at {pulse}": "心率 {pulse}",
}
