"""Chinese for the body."""

from collections.abc import Mapping

from coach.metrics.body import LEAST_POINTS, SLOPE_DAYS
from coach.scopes.terms import Words

SLOPE_RULE = f"对 {SLOPE_DAYS} 天内的称重做最小二乘直线拟合，至少 {LEAST_POINTS} 次。"
INTERVAL = "斜率 {sign} t × 标准误，双侧 95%。"

PROVIDERS = {"By hand": "手动填写", "My table": "我的表格"}


def weighed_by(name: str) -> str:
    """Return 手动填写, or the scale, with 和手动填写 where both have a part."""
    scale = name.removesuffix(" and by hand")
    told = PROVIDERS.get(scale, scale)
    return told if scale == name else f"{told} 和手动填写"


TERMS: Mapping[str, Words] = {
    "weight": Words(
        label="体重趋势",
        meaning="抹平每天的起伏（多半是水分）之后，你的体重处在哪里。",
        convention="每次称重：T + 0.1·(W − T)；隔了 k 天之后：T + (1 − 0.9ᵏ)·(W − T)。",
    ),
    "slope": Words(
        label="每周变化",
        meaning="四周的称重变化有多快。请连同它的区间一起看。",
        convention=SLOPE_RULE,
    ),
    "goal_gap": Words(label="距目标", meaning="趋势减去你设定的目标体重。", convention="趋势 − 目标。"),
    "w_per_kg": Words(
        label="阈值功率体重比",
        meaning="你今天的阈值功率除以体重趋势，每公斤多少瓦。",
        convention="今天有效的 FTP ÷ 以公斤计的趋势，两种单位制都一样。",
    ),
    "slope_low": Words(
        label="每周变化下限",
        meaning="每周变化有 95% 的把握落在一个区间里，这是它的下端。",
        convention=INTERVAL.format(sign="−"),
    ),
    "slope_high": Words(
        label="每周变化上限",
        meaning="每周变化有 95% 的把握落在一个区间里，这是它的上端。",
        convention=INTERVAL.format(sign="+"),
    ),
    "slope_is": Words(
        label="变化是否明确",
        meaning="区间里是否排除了「没有变化」。",
        convention="明确：区间不含零。未定：区间含零，体重也可能是平稳的。",
        values={"clear": "明确", "open": "未定"},
    ),
    "slope_share": Words(
        label="每周变化占体重",
        meaning="每周变化占体重趋势的比例。超过每周 1% 算快。",
        convention="斜率 ÷ 趋势。",
    ),
    "fast": Words(label="快的界线", meaning="每周变化超过多少，这里称为快。", values={"1 % a week": "每周1%"}),
    "weigh_ins": Words(
        label="28 天内称重",
        meaning="最近 28 天里有几天称过体重，每周变化就由它们得出。",
    ),
    "weigh_ins_short": Words(
        label="还差几次称重",
        meaning="还要几天有体重，才说得出每周变化。",
        convention=f"{SLOPE_DAYS} 天之内有 {LEAST_POINTS} 天称重。",
    ),
    "last_raw": Words(
        label="上次称重",
        meaning="秤上最后一次的读数。与前一天相比说明不了什么，趋势才说明问题。",
        convention="一天称几次的，取第一次。",
    ),
    "last_day": Words(label="上次称重日期", meaning="那次称重在哪天。"),
    "goal": Words(label="目标体重", meaning="你在「设置」里填写的体重。"),
    "ftp": Words(label="阈值功率", meaning="你今天有效的 FTP。"),
    "ftp_is": Words(
        label="阈值功率为",
        meaning="你填写时是否注明这是估计值。",
        values={"estimated": "估计值", "as you entered it": "你填写的数值"},
    ),
    "weight_from": Words(
        label="体重来自",
        meaning="这些数值是谁测的。",
        convention="取有数据的天数最多的秤；你手动填写的优先。两台秤从不混用。",
        reads=weighed_by,
    ),
    "today": Words(label="今天", meaning="这些数值是为这天计算的。"),
}

SAID: Mapping[str, str] = {
    "Body": "身体",
    "There is no weight here yet. Type in what your scale shows today, or upload the weights of your scale, watch or "
    "health app: an Apple Health or Garmin export, or a table with a day and a weight.": (
        "这里还没有体重。请填写今天秤上的读数，或者上传秤、手表或健康应用里的体重："
        "Apple 健康或 Garmin 的导出，或者有日期和体重的表格。"
    ),
    "The last weight here is {days} days old, which says nothing of today. "
    "Type in what your scale shows, or upload newer values.": (
        "这里最后一次体重已是 {days} 天前的，说明不了今天。请填写秤上的读数，或者上传更新的数值。"
    ),
    "Weight by day, and its trend": "每天的体重和趋势",
    "goal": "目标",
    "trend": "趋势",
    "Day": "日期",
    "Weight": "体重",
    "Trend": "趋势",
}
