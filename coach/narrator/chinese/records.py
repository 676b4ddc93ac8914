"""Chinese for records: every best is named with its day, and what is new only where something is."""

from coach.narrator.plan import Phrases


def standing(key: str) -> dict[str, tuple[str, ...]]:
    """Return the phrases for a best, by its name."""
    best, what, on = (f"{{{{{key}{end}}}}}" for end in ("", "_what", "_on"))
    return {
        f"records.{key}": (
            f"{what}的最好成绩是{best}，{on}创下。",
            f"{what}至今以{on}的{best}为最佳。",
            f"{on}的{best}，是你在{what}上做到过的最好水平。",
            f"{what}的纪录是{best}，日期{on}。",
        )
    }


def foretold(key: str, what: str) -> dict[str, tuple[str, ...]]:
    seconds, source = f"{{{{{key}}}}}", f"{{{{{key}_from}}}}"
    return {
        f"records.{key}": (
            f"纸面上，这相当于{what}{seconds}，依据{source}。",
            f"照表推算，{what}是{seconds}；背后的成绩：{source}。",
            f"以你的耐力，{what}可换算成{seconds}（{source}）。",
            f"公式给{what}的时间是{seconds}，起点是这个成绩：{source}。",
        )
    }


PHRASES: Phrases = {
    "records.headline.new": (
        "{{newest_best_what}}有了新纪录：{{newest_best}}",
        "{{newest_best_on}}，{{newest_best_what}}刷新为{{newest_best}}",
        "新纪录：{{newest_best_what}}",
        "成绩表有了新内容：{{newest_best_what}}，{{newest_best}}",
    ),
    "records.headline.old": (
        "最近的纪录在{{newest_best_on}}：{{newest_best_what}}",
        "最近的仍是{{newest_best_what}}，{{newest_best}}",
        "{{newest_best_what}}，{{newest_best}}：成绩表停在这里",
        "从{{newest_best_on}}起，成绩表没有动过",
    ),
    "records.headline.first": (
        "{{newest_best_on}}起，表上有了{{newest_best_what}}",
        "{{newest_best_what}}：{{newest_best}}，此前空白",
        "{{newest_best_what}}从{{newest_best}}起步",
        "成绩表上最近的内容：{{newest_best_what}}，{{newest_best}}",
    ),
    "records.newest.beat": (
        "{{newest_best_on}}，{{newest_best_what}}做到{{newest_best}}，之前是{{newest_best_before}}。",
        "{{newest_best_what}}从{{newest_best_before}}到{{newest_best}}，改进了{{newest_gain}}，日期{{newest_best_on}}。",
        "{{newest_best_what}}原来停在{{newest_best_before}}，自{{newest_best_on}}起是{{newest_best}}。",
        "{{newest_best_on}}的{{newest_best}}取代了{{newest_best_before}}（{{newest_best_what}}），相差{{newest_gain}}。",
    ),
    "records.newest.even": (
        "{{newest_best_on}}，{{newest_best_what}}做到{{newest_best}}，和之前持平。",
        "{{newest_best_what}}从{{newest_best_on}}起记作{{newest_best}}，与旧的几乎没有差别。",
        "{{newest_best_on}}的{{newest_best}}（{{newest_best_what}}），和旧成绩不相上下。",
        "{{newest_best_what}}再次做到{{newest_best}}，差别看不出来，日期{{newest_best_on}}。",
    ),
    "records.newest.first": (
        "{{newest_best_on}}，{{newest_best_what}}记下{{newest_best}}，此前没有可以对照的。",
        "{{newest_best_what}}的底数是{{newest_best}}，日期{{newest_best_on}}。",
        "{{newest_best_what}}原先空着，{{newest_best_on}}填上了{{newest_best}}。",
        "{{newest_best_on}}的{{newest_best}}（{{newest_best_what}}）是起点，留给以后对照。",
    ),
    "records.count.new": (
        "近几周换成新成绩的有{{new_count}}项。",
        "最近合计刷新{{new_count}}项。",
        "表里标为新的共{{new_count}}项。",
        "这几周被取代的旧成绩：{{new_count}}项。",
    ),
    "records.count.first": (
        "取代了旧成绩的，这里才叫新。",
        "起点没有可以超越的对象，所以不算新。",
        "之后的日子就拿它来量。",
        "有了它，后来的成绩才有对照。",
    ),
    "records.count.none": (
        "近几周没有新的。",
        "最近这段日子，表上的成绩都没动。",
        "前几周过去，表里照旧。",
        "近来没有哪项被刷新。",
    ),
    "records.only": (
        "目前可以依据的是{{newest_best_what}}：{{newest_best}}，{{newest_best_on}}。",
        "成绩表上目前有{{newest_best_on}}的{{newest_best_what}}，{{newest_best}}。",
        "以后要对照，就从{{newest_best_what}}的{{newest_best}}（{{newest_best_on}}）开始。",
        "{{newest_best_what}}，{{newest_best}}，{{newest_best_on}}：手头的底数就是它。",
    ),
    **standing("best_power_5"),
    **standing("best_power_60"),
    **standing("best_power_300"),
    **standing("best_power_1200"),
    **standing("best_time_100"),
    **standing("best_time_400"),
    **standing("best_time_1000"),
    **standing("best_time_5000"),
    **standing("best_time_10000"),
    **standing("best_time_20000"),
    **standing("best_time_40000"),
    **standing("best_time_21097"),
    "records.critical": (
        "近期{{cp_points}}项成绩连成的线，给出临界功率{{cp}}、储备{{w_prime}}。",
        "临界功率算得{{cp}}，在它之上还有{{w_prime}}可用，依据{{cp_points}}项成绩。",
        "从近几个月的{{cp_points}}项成绩推出：能守住{{cp}}，另有{{w_prime}}可以花。",
        "长时间守得住的功率，理论上为{{cp}}；其余{{w_prime}}是储备，拟合自{{cp_points}}项成绩。",
    ),
    "records.vdot": (
        "近期成绩折合VDOT为{{vdot}}，依据{{vdot_from}}（{{vdot_from_on}}）。",
        "{{vdot_from_on}}的{{vdot_from}}，值{{vdot}}的VDOT。",
        "VDOT读数{{vdot}}，背后是{{vdot_from}}，跑于{{vdot_from_on}}。",
        "按丹尼尔斯的表，{{vdot_from_on}}跑出的{{vdot_from}}对应{{vdot}}。",
    ),
    **foretold("predicted_5000", "短程路跑"),
    **foretold("predicted_10000", "中程路跑"),
    **foretold("predicted_21097", "长程路跑"),
    **foretold("predicted_42195", "全程马拉松"),
    "records.advice": (
        "让{{newest_best_what}}歇歇，休息好之后挑别的项目试试",
        "从表里挑项旧的成绩，给它留个休息充分的日子",
        "休息好后再走熟悉的路线，之后才好和{{newest_best_what}}对照",
        "全力的尝试留给休息好的日子，表不着急",
    ),
}
