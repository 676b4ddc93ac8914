"""Insights as a good model writes them, by hand: the check must let every one of them pass whole."""

from collections.abc import Iterator
from dataclasses import dataclass

from coach.scopes.facts import Facts
from tests.coach import stories, stories_of_days

RIDE = {"np": 210.0, "intensity": 0.85, "variability": 1.02, "decoupling": 3.1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Good:
    facts: Facts
    language: str
    headline: str
    summary: str
    findings: tuple[str, ...]
    suggestion: str = ""


def all_good() -> Iterator[Good]:
    for language, texts in (("en", ENGLISH), ("zh-hans", CHINESE)):
        for scope, headline, summary, findings, suggestion in texts:
            facts = stories.in_language(told(scope), language) if language != "en" else told(scope)
            yield Good(
                facts=facts, language=language, headline=headline, summary=summary,
                findings=findings, suggestion=suggestion,
            )  # fmt: skip


def told(scope: str) -> Facts:
    made = {
        "load": stories.load,
        "away": stories.away,
        "week": stories.week,
        "activity": lambda: stories.activity(**RIDE),
        "recovery": lambda: next(stories_of_days.recoveries()),
        "body": lambda: next(stories_of_days.bodies()),
        "today": lambda: next(stories_of_days.todays()),
        "records": lambda: next(stories.all_records()),
        "trends": lambda: next(stories.all_trends()),
    }
    return made[scope]()


Text = tuple[str, str, str, tuple[str, ...], str]

ENGLISH: tuple[Text, ...] = (
    (
        "load",
        "Building, and at a pace you can absorb",
        "Fitness stands at {{ctl}} and grew by {{ramp}} in the latest week. Form this morning is {{tsb}}, which is "
        "what steady building looks like.",
        (
            "The week brought {{load_week}} points, a ratio of {{load_ratio}} against the weeks before.",
            "Your days differ enough from each other: monotony is {{monotony}} and strain {{strain}}.",
        ),
        "Keep the hard days hard and let an easy day follow each of them",
    ),
    (
        "load",
        "What would happen if you rested now",
        "Without any training until {{projected_on}} your form would stand at {{tsb_projected}}.",
        ("Right now form is {{tsb}}, with fatigue at {{atl}}.", "{{share_power}} of the load was measured by power."),
        "If nothing is planned for that day, carry on with your usual rhythm",
    ),
    (
        "away",
        "Welcome back after a long break",
        "The last session here is from {{last_session}}, {{days_away}} days ago. Fitness was {{ctl_then}} on that day.",
        ("At your strongest, on {{ctl_peak_on}}, fitness came to {{ctl_peak}}.",),
        "Begin with short, easy outings and see how the body answers",
    ),
    (
        "week",
        "More than usual, and mostly easy",
        "You collected {{load}} points where {{load_usual}} are usual, a change of {{load_change}}.",
        (
            "{{easy_share}} of the time was easy and {{hard_share}} hard.",
            "The longest outing was {{longest}} of {{longest_sport}} on {{longest_day}}.",
            "Most of it was {{main_sport}}: {{main_sport_share}} of the time.",
        ),
        "Hold this level for another week before you add to it",
    ),
    (
        "week",
        "A full week on few days",
        "All {{sessions}} sessions fell on {{active_days}} days and took {{timer}} together.",
        ("Training time rose by {{timer_change}} over what you usually do, {{timer_usual}}.",),
        "Try to spread the same amount over more days",
    ),
    (
        "activity",
        "An even ride from start to finish",
        "This was a {{kind}} of {{timer}} over {{distance}}, ridden {{place}}.",
        (
            "Normalized power was {{np}} with a variability of {{variability}}, so the effort hardly wavered.",
            "Heart rate averaged {{heart_rate_avg}} and drifted by {{decoupling}} against power.",
        ),
        "A ride like this can be repeated within the week",
    ),
    (
        "activity",
        "Steady work, measured by power",
        "The {{kind}} of {{date}} gave {{load}} points, taken from {{load_from}}.",
        ("Its intensity of {{intensity}} is in the range of a steady effort.",),
        "",
    ),
    (
        "recovery",
        "Signals to watch, not to worry about",
        "Your resting heart rate is {{rhr_7d}}, {{rhr_delta}} against your normal.",
        (
            "Heart rate variability is {{hrv_7d}}; your own range goes from {{hrv_low}} to {{hrv_high}}.",
            "You slept {{asleep_mean}} a night over {{nights}} nights.",
        ),
        "Go to bed at the usual time and look again tomorrow",
    ),
    (
        "recovery",
        "Sleep has been regular lately",
        "Bedtimes vary by {{bedtime_sd}}, and the last night brought {{asleep_last}} of sleep.",
        ("Against a need of {{need}} a night, the debt over the longer window comes to {{debt_14}}.",),
        "An early night would be welcome this week",
    ),
    (
        "body",
        "The trend is clear, the single day is not",
        "Your weight trend is at {{weight}}. It goes down by {{slope}}.",
        (
            "The slope rests on {{weigh_ins}} weigh-ins and lies between {{slope_low}} and {{slope_high}}.",
            "The latest reading was {{last_raw}} on {{last_day}}; a single reading says little.",
        ),
        "Keep weighing at the same time of day",
    ),
    (
        "body",
        "Where the scale is heading",
        "From {{weigh_ins}} weigh-ins the trend comes out at {{weight}}.",
        ("Per week that is {{slope_share}} of your weight.",),
        "",
    ),
    (
        "today",
        "Take it easy today",
        "The rule says {{verdict}}, and what decides is {{because}}. Form is {{tsb}} this morning.",
        (
            "Yesterday's load was {{load_yesterday}} on top of a fatigue of {{atl}}.",
            "You slept {{sleep_last}} last night.",
        ),
        "Move gently, or not at all",
    ),
    (
        "records",
        "A new best for you",
        "Your new record over {{newest_best_what}} is {{newest_best}}, set on {{newest_best_on}}.",
        (
            "It is {{newest_gain}} above the previous best of {{newest_best_before}}.",
            "Critical power from {{cp_points}} efforts is {{cp}}, with {{w_prime}} of work above it.",
        ),
        "Give the legs a few quiet days before you test yourself again",
    ),
    (
        "records",
        "Bests, each with its day",
        "Of all your efforts, {{best_power_5}} is the best of its length, from {{best_power_5_on}}.",
        ("In this list {{new_count}} are new.",),
        "",
    ),
    (
        "trends",
        "One line of yours is more than noise",
        "Over {{window}}, until {{until}}, your fitness is {{fitness_trend}}.",
        ("It went from {{fitness_start}} to {{fitness_end}}, by {{fitness_slope}} give or take {{fitness_margin}}.",),
        "Look again once more weeks are in",
    ),
)

CHINESE: tuple[Text, ...] = (
    (
        "load",
        "在积累，步子稳当",
        "体能现在是{{ctl}}，最近这周变化{{ramp}}。今天早上的状态为{{tsb}}，积累期常常如此。",
        ("这周练了{{load_week}}点，与前几周的比值是{{load_ratio}}。", "单调度{{monotony}}，各天之间有轻有重。"),
        "重的日子之后，安排得轻松些",
    ),
    (
        "load",
        "如果现在开始休息",
        "从今天起不练，到{{projected_on}}状态会是{{tsb_projected}}。",
        ("疲劳目前为{{atl}}。", "负荷里有{{share_power}}来自功率，其余{{share_heart_rate}}来自心率。"),
        "没有比赛的话，照平常的节奏走就好",
    ),
    (
        "load",
        "体能慢慢往上",
        "体能上升到{{ctl}}，疲劳则是{{atl}}。",
        ("每周变化{{ramp}}，常用的参考是{{ramp_guide}}，只作经验看。",),
        "睡够，再看明天的状态",
    ),
    (
        "away",
        "隔了很久，欢迎回来",
        "这里的上一次训练在{{last_session}}，已经过去{{days_away}}天。",
        ("那天之后体能是{{ctl_then}}，现在是{{ctl}}。",),
        "先从短而轻松的训练开始",
    ),
    (
        "week",
        "比平时练得多，大多轻松",
        "这周负荷{{load}}点，平时是{{load_usual}}点，变化{{load_change}}。",
        (
            "轻松的时间占{{easy_share}}，高强度占{{hard_share}}。",
            "最长的训练是{{longest_day}}的{{longest_sport}}，用了{{longest}}。",
        ),
        "保持这个量，先不要再加",
    ),
    (
        "week",
        "训练集中在几天里",
        "{{sessions}}次训练落在{{active_days}}天，总共{{timer}}。",
        ("训练时间增加了，变化{{timer_change}}；往常是{{timer_usual}}。",),
        "同样的量，可以分到更多的天里",
    ),
    (
        "week",
        "主要在练{{main_sport}}",
        "{{main_sport}}占了{{main_sport_share}}的时间。",
        ("紧张度是{{strain}}，单调度是{{monotony}}。",),
        "",
    ),
    (
        "activity",
        "从头到尾都很均匀",
        "这次是{{kind}}，用时{{timer}}，距离{{distance}}。",
        (
            "标准化功率{{np}}，波动指数{{variability}}，用力几乎没有起伏。",
            "平均心率{{heart_rate_avg}}，漂移{{decoupling}}。",
        ),
        "本周之内可以再练同样的课",
    ),
    (
        "activity",
        "稳定的输出，按功率计",
        "{{date}}的训练带来{{load}}点负荷，依据是{{load_from}}。",
        ("强度{{intensity}}，属于稳定用力的范围。",),
        "",
    ),
    (
        "activity",
        "平稳的训练",
        "骑了{{distance}}，心率平均{{heart_rate_avg}}。",
        ("功率与心率的漂移为{{decoupling}}。",),
        "下次可以试着把开头放得更慢",
    ),
    (
        "load",
        "今天怎么看这些数",
        "状态{{tsb}}说的是今天早上，体能{{ctl}}说的是较长的时间。",
        ("把疲劳{{atl}}放在旁边看，意思就清楚了。",),
        "按计划练，不必追着数字跑",
    ),
    (
        "load",
        "轻重安排得开",
        "这周{{load_week}}点，紧张度{{strain}}。",
        ("单调度为{{monotony}}，说明各天并不一样。",),
        "",
    ),
    (
        "week",
        "把这周放进前几周里看",
        "前几周居中的负荷是{{load_usual}}，这周是{{load}}。",
        ("相比之下，变化为{{load_change}}。", "中等强度占{{moderate_share}}。"),
        "下周给自己留些余地",
    ),
    (
        "away",
        "先不急着看数值",
        "上一次训练在{{last_session}}，之后这里没有别的训练。",
        ("体能最高时在{{ctl_peak_on}}，为{{ctl_peak}}。",),
        "有遗漏的记录就先补上",
    ),
    (
        "activity",
        "读数齐全，可以放心看",
        "功率、心率和距离都在：{{np}}，{{heart_rate_avg}}，{{distance}}。",
        ("负荷{{load}}点，用时{{timer}}。",),
        "写几句感受，以后好对照",
    ),
)
