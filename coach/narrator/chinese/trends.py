"""Chinese for trends: a change with its interval, or noise that is called noise; no cause, because a line has none."""

from collections.abc import Mapping

from coach.narrator.plan import Phrases, in_step

FAMILIES = {
    "running": "跑步",
    "cycling": "骑行",
    "swimming": "游泳",
    "walking": "步行",
    "rowing": "划船",
    "skiing": "越野滑雪",
    "strength": "力量训练",
    "other": "其他项目",
}
MOVES = {"up": "上升", "down": "下降"}
PACE_MOVES = {"up": "变慢", "down": "变快"}  # more time for a kilometre is slower


def line(key: str, what: str, *, moves: Mapping[str, str] = MOVES) -> Phrases:
    """Return the phrases for one line, clear either way or within its noise."""
    slope, margin, n = f"{{{{{key}_slope}}}}", f"{{{{{key}_margin}}}}", f"{{{{{key}_n}}}}"
    start, end = f"{{{{{key}_start}}}}", f"{{{{{key}_end}}}}"
    clear = {
        going: (
            f"{what}在{verb}：每月{slope}，误差范围{margin}，点数{n}。",
            f"从{start}到{end}，{what}{verb}，每月{slope}，不像是偶然（点数{n}）。",
            f"{what}明确{verb}，每月{slope}；上下各让出{margin}，也还是同样的方向。",
            f"每月{slope}，盖过了{margin}的误差：{what}{verb}，趋势线停在{end}。",
        )
        for going, verb in moves.items()
    }
    head = (
        f"动得最明确的是{what}：从{start}到{end}",
        f"{what}最值得看：每月{slope}",
        f"先看{what}：原来{start}，现在{end}",
        f"最突出的是{what}，{start}之后是{end}",
    )
    noise = (
        f"{what}还在波动之内：每月{slope}，误差范围{margin}。",
        f"凭现有的点（{n}），{what}往哪走还说不出：每月{slope}，上下{margin}。",
        f"至于{what}，画成平线也行：每月{slope}的变化，误差就有{margin}。",
        f"先别从{what}读出什么：{margin}的误差把{slope}盖住了。",
    )
    found = {f"trends.{key}.{going}": said for going, said in clear.items()}
    found |= {f"trends.{key}.headline": head, f"trends.{key}.noise": noise}
    return {slot: in_step(slot, said) for slot, said in found.items()}


def every() -> Phrases:
    found = dict(line("fitness", "体能"))
    found |= line("running_pace", "常用心率下的配速", moves=PACE_MOVES)
    found |= line("running_vdot", "跑步成绩折合的VDOT")
    for family, word in FAMILIES.items():
        found |= line(f"{family}_efficiency", f"{word}心率效率")
        found |= line(f"{family}_volume", f"每周{word}时间")
    return found


PHRASES: Phrases = {
    "trends.headline.none": (
        "{{window}}里，没有哪条趋势线走出波动",
        "{{line_count}}条趋势线都没有明确的方向",
        "到{{until}}为止，看不出明确的方向",
        "没有什么需要调整：{{line_count}}条趋势线都在波动之内",
    ),
    "trends.range": (
        "范围是{{window}}，止于最后有训练的那天：{{until}}。",
        "这些趋势线从{{until}}往回看{{window}}。",
        "看的是{{window}}之内，到{{until}}，也就是数据的末尾。",
        "下面说的都在{{window}}里，最后算到{{until}}。",
    ),
    "trends.sum.some": (
        "{{line_count}}条趋势线里，{{clear_count}}条的变化不像是偶然，其余的先放着。",
        "{{clear_count}}条走出了波动（共{{line_count}}条），值得琢磨的就是它们。",
        "平线解释不了其中的{{clear_count}}条，总共画了{{line_count}}条，别的都解释得了。",
        "要看的是{{clear_count}}条，总数{{line_count}}，剩下的可能只是偶然。",
    ),
    "trends.sum.none": (
        "趋势线的区间（{{line_count}}条）都容得下原地不动，所以说明不了什么。",
        "对这{{line_count}}条线来说，偶然就足以解释。",
        "没有哪条走出区间（共{{line_count}}条）；练得稳的时候也是这个样子。",
        "图上画出的（{{line_count}}条），可能全是波动。",
    ),
    "trends.advice.none": (
        "调整之前，先看比{{window}}更长的范围",
        "计划照旧，这里没有什么反对它",
        "在相近的条件下重复熟悉的训练，下个点才好对照",
        "眼下凭训练的感觉走，多攒些周再来看",
    ),
    "trends.advice.up": (
        "再加量之前，先排个轻松的周",
        "守住这个水平，直到它变得平常",
        "先看睡眠和心情跟不跟得上，再考虑加量",
        "小步往前，轻松的日子继续轻松",
    ),
    "trends.advice.down": (
        "若本来就想少练，那就这样；若不是，每周补回某次训练",
        "先想清楚眼下是否愿意少练；若不愿意，从轻松训练开始回来",
        "翻翻最近的周，看缺的是哪些，把最想念的那部分放回来",
        "这若不在计划之内，就小步回来，先做轻松训练",
    ),
    "trends.advice.effort": (
        "先在休息好的日子重复熟悉的训练，再下结论",
        "每周留次训练，设备和路线都不换，看它是否站得住",
        "拿相近的来比：同样的路线，同样的鞋或车，气温也相近",
        "也问问腿：熟悉的路线跑骑起来什么感觉，和趋势线放在一起看",
    ),
    **every(),
}
