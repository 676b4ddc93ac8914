"""Chinese for recovery."""

from collections.abc import Mapping
from functools import partial

from coach.scopes.terms import Words

HRV_SOURCE = "Plews 2012–2014；Altini"
HRV_RULE = "7 天各夜的 ln 取平均再取 exp，至少 4 夜；每夜取当夜读数的平均。"
BAND_RULE = "60 天的 ln 平均值 ± 0.75 个标准差，满 14 夜起计算；只取同一来源、同一种 HRV。"
PROVIDER = "取最近 90 天里有数据的天数最多的来源；不同来源从不混用。"
STAGE = "7 天里有分期的各夜取平均；不同设备对各期的划分并不相同。"
RULE = (
    "算作偏离的有：一周的 HRV 低于你的范围；静息心率升高 3 次/分以上且达到一个标准差"
    "（这两项去掉最反常的一夜后仍然成立）；"
    "7 夜累计欠睡 5 小时以上，且其中 3 夜各少睡 1 小时以上。"
)
AGREEMENT = {
    "all as usual": "一切如常",
    "one stands apart": "一项偏离",
    "several agree": "多项一致偏离",
    "too few to compare": "数据太少，无法比较",
}
POSITIONS = {"below": "低于范围", "within": "在范围内", "above": "高于范围"}
RAISED = {"raised": "偏高", "as usual": "如常"}
need = "你的需要在「设置」里填写"
stage = partial(Words, convention=STAGE)
PROVIDERS = {"My table": "我的表格"}
provider = partial(Words, convention=PROVIDER, values=PROVIDERS)
DEBT = Words(
    label="7 夜欠睡",
    meaning=f"最近一周比你的需要少睡了多少；{need}。",
    convention="7 天里已知各夜的「需要 − 睡眠」之和，不低于 0；多睡的可以抵消。",
    source="惯例；睡眠需要按 Hirshkowitz 2015，7–9 小时",
)

TERMS: Mapping[str, Words] = {
    "agreement": Words(
        label="各项信号",
        meaning="HRV、静息心率和睡眠说的是不是同一件事。单独一项说明不了多少。",
        convention=RULE,
        source="本教练的规则",
        values=AGREEMENT,
    ),
    "asleep_mean": Words(
        label="7 夜平均睡眠",
        meaning="最近一周里已知的各夜平均睡了多久。",
        convention="7 天里已知各夜的平均；一夜算在醒来的那天。",
    ),
    "hrv_7d": Words(
        label="7 天 HRV",
        meaning="这一周的心率变异性。数值高低本身说明不了多少，要看它在你自己范围里的位置。",
        convention=HRV_RULE,
        source=HRV_SOURCE,
    ),
    "rhr_7d": Words(label="7 天静息心率", meaning="你这一周的静息心率。", convention="7 天的平均，至少 4 天。"),
    "debt": DEBT,
    "hrv_kind": Words(
        label="HRV 的种类",
        meaning="rMSSD 和 SDNN 是对同样心跳的两种算法，两者从不互相比较。",
    ),
    "hrv_position": Words(
        label="HRV 在你的范围里",
        meaning="这一周在你自己最近 60 天的范围里处于什么位置。",
        convention=BAND_RULE,
        source=HRV_SOURCE,
        values=POSITIONS,
    ),
    "hrv_low": Words(label="你的范围下限", meaning="你平时范围的下沿。", convention=BAND_RULE, source=HRV_SOURCE),
    "hrv_high": Words(label="你的范围上限", meaning="你平时范围的上沿。", convention=BAND_RULE, source=HRV_SOURCE),
    "hrv_cv": Words(
        label="HRV 夜间波动",
        meaning="这一周各夜之间 HRV 起伏有多大。",
        convention="7 天 ln 的变异系数：样本标准差除以平均值。",
        source=HRV_SOURCE,
    ),
    "hrv_nights_short": Words(
        label="HRV 还差几夜",
        meaning="还要几夜 HRV，才有一周的平均和你自己的范围。",
        convention="平均要最近 7 夜中的 4 夜，范围要最近 60 夜中的 14 夜。",
    ),
    "rhr_delta": Words(
        label="静息心率与 60 天相比",
        meaning="这一周的静息心率与你最近 60 天相差多少。",
        convention="7 天平均 − 60 天平均；高出 3 次/分且达到一个标准差算偏高。",
        source="通行做法",
    ),
    "rhr_state": Words(
        label="静息心率状态",
        meaning="这一周的静息心率算不算偏高。",
        convention="偏高：比 60 天平均高 3 次/分以上，并且高出一个标准差以上。",
        source="通行做法",
        values=RAISED,
    ),
    "rhr_days_short": Words(
        label="静息心率还差几天",
        meaning="还要几天静息心率，这一周才能拿来比较。",
        convention="最近 7 天中的 4 天，以及最近 60 天中的 14 天。",
    ),
    "asleep_last": Words(label="昨夜", meaning="这里最新一夜睡了多久。"),
    "last_night": Words(label="最新一夜", meaning="那一夜之后你醒来的日期。"),
    "nights": Words(label="7 夜中已知", meaning="最近 7 夜里有几夜有数据。没有数据的一夜不等于没有睡。"),
    "nights_short": Words(
        label="还差几夜",
        meaning="还要几夜睡眠数据，这一周才能说明问题。",
        convention="最近 7 夜中的 4 夜。",
    ),
    "debt_14": Words(
        label="14 夜欠睡",
        meaning="最近两周比你的需要少睡了多少。",
        convention="14 天里已知各夜的「需要 − 睡眠」之和，不低于 0。",
        source="惯例",
    ),
    "need": Words(
        label="你的需要",
        meaning=f"你每晚需要睡多久；{need}。",
        convention="不填按 8 小时；成年人需要 7–9 小时。",
    ),
    "bedtime_sd": Words(
        label="入睡时间波动",
        meaning="两周里你的入睡时间相差多远；三分之二的夜晚比这个数更接近中间。",
        convention="14 天各夜开始时刻的样本标准差，至少 3 夜。",
    ),
    "deep": stage(label="深睡", meaning="每夜有多少深睡。"),
    "rem": stage(label="快速眼动睡眠", meaning="每夜有多少快速眼动睡眠。"),
    "light": stage(label="浅睡", meaning="每夜有多少浅睡。"),
    "awake": stage(label="夜间清醒", meaning="一夜里醒着躺了多久。"),
    "sleep_from": provider(label="睡眠来自", meaning="你的睡眠是由什么测得的。"),
    "hrv_from": provider(label="HRV 来自", meaning="你的 HRV 是由什么测得的。"),
    "rhr_from": provider(label="静息心率来自", meaning="你的静息心率是由什么测得的。"),
    "today": Words(label="今天", meaning="这些数值是为这天计算的。"),
}

SAID: Mapping[str, str] = {
    "Recovery": "恢复",
    "No night of the last 90 days is here, so there is nothing to compare. {how}": (
        "这里没有最近 90 天的任何一夜，没有可以比较的内容。{how}"
    ),
    "The newest night or morning value here is {days} days old and says nothing of today. {how}": (
        "这里最新的夜间或晨间数据已是 {days} 天前的，说明不了今天。{how}"
    ),
    "Upload what your watch or ring knows of your nights: an Apple Health export, the files of your Garmin account, "
    "or a table with a column of sleep, HRV or resting heart rate.": (
        "请上传手表或戒指记录的夜间数据：Apple 健康的导出、Garmin 账户的文件，或者含有睡眠、HRV 或静息心率一列的表格。"
    ),
    "HRV ({kind}) by night": "每夜的 HRV（{kind}）",
    "HRV ({kind})": "HRV（{kind}）",
    "Hours asleep by night": "每夜的睡眠小时数",
    "Asleep by night": "每夜的睡眠",
    "Resting heart rate by day": "每天的静息心率",
    "Day": "日期",
    "Asleep": "睡眠",
    "Resting heart rate": "静息心率",
    "Mean of 7 days": "7 天平均",
    "your range": "你的范围",
    "7 days": "7 天",
    "need": "需要",
}
