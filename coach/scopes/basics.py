"""How plain facts come about, and whose values they are: short sentences that many terms share, in both languages."""

from collections.abc import Mapping
from typing import Final

RECORDED: Final = "Your recordings"
MEASURED: Final = "Your measurements"
SETTINGS: Final = "Your settings"
OF_PLAN: Final = "Your plan"
COACH: Final = "Rule of this coach"
LINE: Final = "Least squares; Student's t"
LEVEL: Final = "Otsu 1979; rule of this coach"
LOADS: Final = "Coggan 2003 (power, pace); Banister 1991 (heart rate); Foster 2001 (effort)"

SOURCES: Mapping[str, str] = {
    RECORDED: "你的记录",
    MEASURED: "你的测量数据",
    SETTINGS: "你的设置",
    OF_PLAN: "你的计划",
    COACH: "本教练的规则",
    LINE: "最小二乘法，t 分布",
    LEVEL: "Otsu 1979；本教练的规则",
    LOADS: "Coggan 2003（功率、配速）；Banister 1991（心率）；Foster 2001（主观感受）",
    "Convention": "惯例",
    "Common practice": "通行做法",
}

TIMER: Final = "Seconds from start to stop of the timer, pauses left out."
COVERED: Final = "As the device measured it, else added up from positions."
POINTS: Final = (
    "Time × intensity² × 100 an hour by power or graded pace; else heart rate by its impulse against an hour at "
    "threshold; else how it felt, else an estimate."
)
FROM_START_TO_END: Final = "The last moment less the first, pauses included."
CLIMBED: Final = (
    "The device's own; else altitude that leaves its reference by 2 m (barometer), or by 3 m after smoothing "
    "(satellites)."
)
POWER_MEAN: Final = "Mean over timer time; values above 2,000 W left out."
PULSE_MEAN: Final = "Mean over timer time; seconds without a value left out."
PULSE_MOST: Final = "The highest value between 25 and 250 a minute."
TURNING: Final = "Mean of the seconds above 0."
STEPPING: Final = "Twice the mean of one leg's revolutions above 0."
MEDIAN_EFFORT: Final = "Median of the efforts found."
MEAN_EFFORT: Final = "Mean over all seconds of the efforts found."
AS_WRITTEN: Final = "As the device wrote it."
REMARKS: Final = "The number of remarks under “Read with care”."
AS_SET: Final = "As you set it."
VALID: Final = "The newest threshold power whose day has come."
DAYS_WEIGHED: Final = "Days with a weight among the last 28."
DAYS_SINCE: Final = "Today less the day of the last session."
SUM_OF_SEVEN: Final = "Sum of the daily loads of seven days."
NEWEST_NIGHT: Final = "Minutes asleep of the newest night; lying awake left out."
NIGHTS_KNOWN: Final = "Nights with sleep among the last seven."
SUM_OF_YESTERDAY: Final = "Sum of the loads of yesterday's sessions."
DAYS_TO: Final = "Days from today to the day of the goal."
SUM_OF_LOADS: Final = "Sum of the loads of the sessions counted."
SUM_OF_TIMES: Final = "Sum of the seconds with the timer running."
SUM_OF_DISTANCES: Final = "Sum over the sessions of this sport; sports are never added up."
NUMBER_OF: Final = "The number of sessions counted; what you said to ignore is not."
DAYS_WITH: Final = "Days with at least one session counted."
DAYS_OVER: Final = "Days before today, and today once there is a session on it."
LONGEST: Final = "The largest of their timers."
SHARE_OF_TIME: Final = "Its time over the time of all sessions."
BEST_BEFORE: Final = "The best of all days before the record."
AS_SHOWN: Final = "The difference of both as they are shown."
POINTS_OF_LINE: Final = "Bests of 2 to 20 minutes within the ninety days."
LINES: Final = "A line needs six points; it is clear when its interval leaves zero out."
END_OF_LINE: Final = "The value of the line on that day; of fitness the value itself."

CONVENTIONS: Mapping[str, str] = {
    TIMER: "计时器从开始到停止的秒数，不含暂停。",
    COVERED: "以设备测得的为准，没有则由位置累加。",
    POINTS: "按功率或坡度配速：每小时 100 ×强度的平方；否则按心率冲量与阈值强度一小时之比；再否则按主观感受或估算。",
    FROM_START_TO_END: "最后时刻减最初时刻，含暂停。",
    CLIMBED: "以设备的为准；否则海拔偏离参考值 2 米（气压计）或平滑后 3 米（卫星）才计入。",
    POWER_MEAN: "计时时间内的平均；2000 瓦以上的值不计。",
    PULSE_MEAN: "计时时间内的平均；没有值的秒不计。",
    PULSE_MOST: "每分钟 25 到 250 次之间的最高值。",
    TURNING: "大于 0 的各秒的平均。",
    STEPPING: "单腿每分钟转数（大于 0）平均的两倍。",
    MEDIAN_EFFORT: "所找到各段的中位数。",
    MEAN_EFFORT: "所找到各段全部秒数的平均。",
    AS_WRITTEN: "以设备写入的为准。",
    REMARKS: "“请谨慎看待”之下的条数。",
    AS_SET: "按你的设置。",
    VALID: "已生效的最新阈值功率。",
    DAYS_WEIGHED: "最近 28 天里有体重的天数。",
    DAYS_SINCE: "今天减去最后一次训练的日期。",
    SUM_OF_SEVEN: "七天每日负荷之和。",
    NEWEST_NIGHT: "最近一夜睡着的分钟数，不含醒着的时间。",
    NIGHTS_KNOWN: "最近七夜里有睡眠记录的夜数。",
    SUM_OF_YESTERDAY: "昨天各次训练的负荷之和。",
    DAYS_TO: "从今天到目标日的天数。",
    SUM_OF_LOADS: "所计各次训练的负荷之和。",
    SUM_OF_TIMES: "计时器运行的秒数之和。",
    SUM_OF_DISTANCES: "该项目各次训练之和；不同项目从不相加。",
    NUMBER_OF: "所计训练的次数；你说忽略的不计。",
    DAYS_WITH: "至少有一次所计训练的天数。",
    DAYS_OVER: "今天之前的天数；今天有训练时也算今天。",
    LONGEST: "计时时间最长的一次。",
    SHARE_OF_TIME: "该项目时间除以全部训练时间。",
    BEST_BEFORE: "该纪录之前所有日子里的最好成绩。",
    AS_SHOWN: "两者显示值之差。",
    POINTS_OF_LINE: "九十天内 2 到 20 分钟的最好成绩。",
    LINES: "一条线至少要六个点；区间不含零才算明确。",
    END_OF_LINE: "这条线在那一天的值；体能取其本身的值。",
}
