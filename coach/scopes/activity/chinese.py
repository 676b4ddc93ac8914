"""Chinese for a session."""

from collections.abc import Mapping
from functools import partial

from coach.scopes.sports import CHINESE as SPORTS
from coach.scopes.terms import Words

SPLIT = "有心率按心率，否则按功率，再否则按配速；低于第一乳酸阈为轻松，到第二乳酸阈为中等，再往上为高强度。"
LIKE = (
    "同类训练：项目和场地相同，在此前一年之内，时间和每小时负荷相差不超过 25%，"
    "功率波动相差不超过 0.06，负荷的来源相同。"
)
RULE = (
    "间歇：至少三组长度和强度相近的用力段。短：不到 10 分钟。长距离：跑步满 90 分钟，骑行满 3 小时，其他满 2.5 小时，"
    "强度低于阈值的 85%。轻松：低于阈值功率的 75%，或低于阈值配速（或按心率的负荷）的 82%。稳态：低于 88% 或 92%。"
    "高强度：在此之上。"
)
AVERAGE = "距离除以计时时间。"
KINDS = {
    "interval session": "间歇训练",
    "long session": "长距离训练",
    "easy session": "轻松训练",
    "steady session": "稳态训练",
    "hard session": "高强度训练",
    "short session": "短训练",
    "session without a measured intensity": "强度未知的训练",
    "race": "比赛",
    "recovery session": "恢复训练",
    "endurance session": "耐力训练",
    "tempo session": "节奏训练",
    "threshold session": "阈值训练",
    "strength session": "力量训练",
    "technique session": "技术训练",
}
WAYS = {"power": "功率", "pace": "配速", "heart rate": "心率", "effort": "主观感受", "estimate": "估算"}
PLACES = {"outdoors": "户外", "indoors": "室内", "in a virtual world": "虚拟世界"}
MEASURES = {
    "effort per heartbeat": "心率效率",
    "normalized power": "标准化功率",
    "graded pace": "坡度配速",
    "speed": "速度",
}
share = partial(Words, convention=SPLIT)
like = partial(Words, convention=LIKE)

TERMS: Mapping[str, Words] = {
    "timer": Words(label="时间", meaning="计时器运行的时间。"),
    "distance": Words(label="距离", meaning="走过的距离。"),
    "load": Words(label="负荷", meaning="以阈值强度练一小时是 100 点。"),
    "kind": Words(
        label="类型",
        meaning="这次训练属于哪种：以你说的为准，没说则由数据判定。",
        convention=RULE,
        source="本教练的规则",
        values=KINDS,
    ),
    "kind_found": Words(
        label="数据看来",
        meaning="从数据看属于哪种训练；你已说明是什么，以你说的为准。",
        convention=RULE,
        source="本教练的规则",
        values=KINDS,
    ),
    "felt": Words(
        label="主观强度",
        meaning="你自己感觉的用力程度，满分为 10。",
        values={f"{n} of 10": f"{n}/10" for n in range(1, 11)},
    ),
    "load_from": Words(
        label="负荷来源",
        meaning="负荷是由什么算出来的。",
        convention=(
            "有对应阈值时取功率，其次坡度配速，再次心率，再次主观强度（10 分制的 7 分练一小时计 100 点），"
            "都没有则估算。"
        ),
        source="Coggan 2003（功率、配速）；Banister 1991（心率）；Foster 2001（强度 × 分钟）",
        values=WAYS,
    ),
    "sport": Words(label="项目", meaning="记录里的运动项目。", values=SPORTS),
    "place": Words(label="场地", meaning="户外、室内，或虚拟世界。", values=PLACES),
    "date": Words(label="日期", meaning="训练所在地的日期。"),
    "moving": Words(
        label="移动时间",
        meaning="真正在移动的时间，是计时时间的一部分。",
        convention="速度高于 0.5 米/秒，步行和游泳高于 0.3 米/秒；30 秒以内的空缺按位移判断。",
    ),
    "elapsed": Words(label="总用时", meaning="从开始到结束，包括暂停。"),
    "ascent": Words(label="爬升", meaning="累计爬升的高度；设备给出时用设备的数值。"),
    "pace": Words(label="配速", meaning="平均配速。", convention=AVERAGE),
    "swim_pace": Words(label="配速", meaning="平均配速。", convention=AVERAGE),
    "speed": Words(label="速度", meaning="平均速度。", convention=AVERAGE),
    "graded_pace": Words(
        label="坡度配速",
        meaning="在平地上消耗同样能量时的配速。",
        convention="每一段按坡度的能耗加权，坡度取至少 30 米的平滑海拔。",
    ),
    "power_avg": Words(label="功率", meaning="平均功率，零也计入。"),
    "np": Words(
        label="标准化功率",
        meaning="同样辛苦的匀速功率。",
        convention="30 秒滑动平均的四次方取平均，再开四次方；满 10 分钟才计算。",
    ),
    "intensity": Words(
        label="强度系数",
        meaning="相对于你的阈值有多用力，阈值为 1.00。",
        convention="标准化功率除以 FTP，或坡度速度除以阈值速度。",
    ),
    "variability": Words(
        label="功率波动",
        meaning="功率有多不均匀；1.00 是完全均匀。间歇训练本来就不均匀。",
        convention="标准化功率除以平均功率。",
    ),
    "heart_rate_avg": Words(label="心率", meaning="计时时间内的平均心率。"),
    "heart_rate_max": Words(label="最高心率", meaning="测到的最高心率。"),
    "efficiency": Words(
        label="心率效率",
        meaning="每次心跳换来的输出。",
        convention="标准化功率（瓦）或坡度速度（米/分）除以平均心率。",
    ),
    "decoupling": Words(
        label="心率漂移",
        meaning="同样的输出，心脏在后半程要多付出多少。低于 5% 算稳定。",
        convention="输出与心率之比，按计时时间比较前后两半；满 40 分钟的稳定训练才计算。",
    ),
    "cadence": Words(label="踏频", meaning="平均踏频，不计停顿。"),
    "steps": Words(label="步频", meaning="平均每分钟步数。"),
    "easy_share": share(label="轻松", meaning="轻松强度的时间占比。"),
    "moderate_share": share(label="中等", meaning="中等强度的时间占比。"),
    "hard_share": share(label="高强度", meaning="高于阈值的时间占比。"),
    "zones_by": Words(
        label="区间依据",
        meaning="下面各区间的时间按什么测得，所用阈值是当天有效的。",
        convention=(
            "心率：已知阈值心率时按其比例（骑行 81、90、94、100、103、106%，其他 85、90、95、100、103、106%），"
            "否则按储备心率的 50% 到 90%。功率：FTP 的 55、75、90、105、120、150%。"
            "配速：阈值配速的 129、114、106、101、97、90%，经坡度修正。按计时时间逐秒累计；恰在界上算入上一区间。"
        ),
        source="Friel（心率、配速）；Karvonen 1957（储备心率）；Allen & Coggan（功率）",
        values=WAYS,
    ),
    "interval_count": Words(
        label="用力段",
        meaning="长度和强度相近、反复出现的用力段。",
        convention="找出最能把这次训练分成两类的强度；至少三段，且明显高于其余部分。",
    ),
    "interval_length": Words(label="每段时长", meaning="这些用力段时长的中位数。"),
    "interval_power": Words(label="用力段功率", meaning="这些用力段的平均功率。"),
    "interval_pace": Words(label="用力段配速", meaning="这些用力段的平均坡度配速。"),
    "trimp": Words(
        label="训练冲量",
        meaning="按心率加权的分钟数。",
        convention="Banister 的 TRIMP，逐个采样累加；没有填写性别时用男性的权重。",
    ),
    "energy": Words(label="能量消耗", meaning="设备给出的能量。"),
    "peer_day": like(label="上一次同类训练", meaning="可以比较的训练中，离这次最近的那次。"),
    "peer_measure": Words(label="比较的指标", meaning="用什么来比较这些训练。", values=MEASURES),
    "peer_change": like(label="与那次相比", meaning="这次的数值与那次相差多少；数值大更好。"),
    "peer_count": like(label="同类训练次数", meaning="可以与这次比较的早先训练。"),
    "peer_rank": like(label="其中的名次", meaning="这次在同类训练中排第几，自己也算在内。"),
    "doubts": Words(label="存疑", meaning="被补救、剔除或假定的内容，条数如此；明细列在下面。"),
}

SAID: Mapping[str, str] = {
    "This recording holds no time, distance or measurement to speak of. "
    "If the session was longer, upload the original file of the device.": (
        "这条记录几乎没有时间、距离或测量数据。如果那次训练更长，请上传设备里的原始文件。"
    ),
    "The session in parts": "分段平均",
    "Day": "日期",
    ", race": "，比赛",
    "From": "起点",
    "Laps": "计圈",
    "Lap": "圈",
    "Time": "时间",
    "Distance": "距离",
    "Pace": "配速",
    "Speed": "速度",
    "Power": "功率",
    "Heart rate": "心率",
    "Altitude": "海拔",
    "Cadence": "踏频",
    "Steps": "步频",
    "Time in zones": "各区间时间",
    "Zone": "区间",
    "Share": "占比",
    "Zone {name}": "{name} 区",
    "Zone {name}, {range}": "{name} 区，{range}",
    "below 1": "1 区以下",
    "under {bound}": "低于{bound}",
    "from {bound}": "{bound}起",
    "slower than {bound}": "慢于{bound}",
    "faster than {bound}": "快于{bound}",
}
