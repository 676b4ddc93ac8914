"""Chinese for load."""

from collections.abc import Mapping

from coach.scopes.terms import Words

BANISTER = "指数加权平均，时间常数 τ = {days} 天，k = 1 − e^(−1/τ)；休息日计为 0。"
SHARES = "占 42 天负荷点数的比例：取最近 42 天；中断训练之后，取最后一次训练之前的 42 天。"
PHASES = {
    "away": "停训期",
    "starting": "起步期",
    "building": "积累期",
    "holding": "保持期",
    "easing": "减量期",
    "overdoing": "过量",
}

TERMS: Mapping[str, Words] = {
    "ctl": Words(
        label="体能",
        meaning="你近六周的训练积淀：每天负荷的加权平均，单位是每天多少点。",
        convention=f"CTL：{BANISTER.format(days=42)}",
    ),
    "atl": Words(
        label="疲劳",
        meaning="你近一周的训练留下的疲劳：算法与体能相同，只是时间短得多。",
        convention=f"ATL：{BANISTER.format(days=7)}",
    ),
    "tsb": Words(
        label="今晨状态",
        meaning="今天训练之前的体能减去疲劳。低于零：练得比习惯的多，身体还累着。",
        convention="TSB：昨天的 CTL − ATL，今天的训练不会改变它。",
    ),
    "phase": Words(
        label="阶段",
        meaning="用一个词概括你现在的位置，按体能的周变化、状态和距上次训练的天数判定。",
        convention=(
            "停训期：距上次训练超过 42 天；起步期：数据不满 42 天；过量：周变化高于 7 或状态低于 −30；"
            "积累期：周变化达到 1；减量期：周变化不高于 −1；其余为保持期。"
        ),
        source="本教练的规则",
        values=PHASES,
    ),
    "last_session": Words(label="上次训练", meaning="这里最后一次训练的日期。之后练过而没有上传的不计算在内。"),
    "days_away": Words(label="中断天数", meaning="距上次训练的天数，这些天都按休息计算。"),
    "ctl_then": Words(label="中断前的体能", meaning="上次训练当天结束时的体能。", convention="当天的 CTL。"),
    "ctl_peak": Words(
        label="体能最高值",
        meaning="在这里的全部记录中，体能达到过的最高值。",
        convention="每天 CTL 的最大值。",
    ),
    "ctl_peak_on": Words(label="体能最高的日期", meaning="体能首次达到该值的那天。"),
    "ramp": Words(
        label="体能周变化",
        meaning="体能七天内变化了多少。每周 5 到 7 点是积累阶段的参考，不是上限。",
        convention="最后一个计入日的 CTL − 七天前的 CTL。",
    ),
    "ramp_guide": Words(
        label="周变化的参考",
        meaning="教练们认为既能积累、又能维持一段时间的幅度。",
        values={"5 to 7": "5到7"},
    ),
    "tsb_tomorrow": Words(
        label="明晨状态",
        meaning="算上今天的训练之后，体能减去疲劳。",
        convention="今天结束时的 CTL − ATL。",
    ),
    "tsb_projected": Words(
        label="休息后的状态",
        meaning="如果从现在起一直休息，七天后的状态。",
        convention="其间每天负荷为 0 时，七天后早晨的 TSB。",
    ),
    "projected_on": Words(label="休息至", meaning="「休息后的状态」所推算的那个早晨。"),
    "load_week": Words(label="七天负荷", meaning="最近七个计入日的负荷之和；以阈值强度练一小时是 100 点。"),
    "load_ratio": Words(
        label="本周与前几周之比",
        meaning="最近 7 天的日均负荷除以再往前 21 天的日均负荷。它描述变化，不代表任何风险。",
        convention="不重叠的 7/21：这一周不算进用来比较的那几周。",
        source="Gabbett 2016；质疑见 Lolli 2017、Impellizzeri 2020",
    ),
    "monotony": Words(
        label="单调度",
        meaning="最近七天有多相似。高于 2 时，练得重的日子和轻的日子几乎没有分别。",
        convention="每天负荷的平均值除以样本标准差。",
    ),
    "strain": Words(label="紧张度", meaning="七天负荷乘以单调度。", convention="周负荷 × 单调度。"),
    "share_power": Words(label="负荷来自功率", meaning="你的负荷有多少是用功率计测得的。", convention=SHARES),
    "share_pace": Words(label="负荷来自配速", meaning="你的负荷有多少是按坡度配速测得的。", convention=SHARES),
    "share_heart_rate": Words(label="负荷来自心率", meaning="你的负荷有多少是按心率测得的。", convention=SHARES),
    "share_effort": Words(label="负荷来自主观强度", meaning="你的负荷有多少取自你说的用力程度。", convention=SHARES),
    "share_estimate": Words(
        label="负荷为估算",
        meaning="你的负荷有多少因为没有测量，只能由运动项目和时长估算。",
        convention=SHARES,
    ),
    "convention": Words(
        label="口径",
        meaning="体能和疲劳的时间常数。别的软件口径不同，数值也就不同。",
        convention="k = 1 − e^(−1/τ)；另一种通行的口径是 k = 1/τ。",
        values={"42 and 7 days": "42天和7天"},
    ),
    "today": Words(label="今天", meaning="这些数值是为这天计算的。"),
}

SAID: Mapping[str, str] = {
    "Load": "负荷",
    "There is no training to add up yet. Upload your recordings (FIT, GPX or TCX files, or a zip of them): "
    "fitness and form are computed from the first of them on.": (
        "还没有可以累计的训练。请上传你的记录（FIT、GPX 或 TCX 文件，或者它们的 ZIP 压缩包）："
        "从最早的记录起计算体能和状态。"
    ),
    "Fitness, fatigue and form by day": "每天的体能、疲劳和状态",
    "today": "今天",
    "The shaded week is what happens if you rest from tomorrow on.": "阴影部分是从明天起一直休息的情形。",
    "Fitness, fatigue and form by day, up to a week after your last session": (
        "每天的体能、疲劳和状态，到上次训练后一周为止"
    ),
    "Your last session here is of {day}. "
    "The days since then count as rest; all but the first week of them is left out of the picture.": (
        "这里最后一次训练是在{day}。此后的日子都按休息计算，图中只画出其中的第一周。"
    ),
    "Load, fitness, fatigue and form by week": "每周的负荷、体能、疲劳和状态",
    "Load, fitness, fatigue and form by week, up to a week after your last session": (
        "每周的负荷、体能、疲劳和状态，到上次训练后一周为止"
    ),
    "Week up to": "截至",
    "Fitness": "体能",
    "Fatigue": "疲劳",
    "Form that morning": "当天早晨的状态",
}
