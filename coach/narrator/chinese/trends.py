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
    noise = (
        f"{what}还在波动之内：每月{slope}，误差范围{margin}。",
        f"凭现有的点（{n}），{what}往哪走还说不出：每月{slope}，上下{margin}。",
        f"至于{what}，画成平线也行：每月{slope}的变化，误差就有{margin}。",
        f"先别从{what}读出什么：{margin}的误差把{slope}盖住了。",
    )
    found = {**{f"trends.{key}.{going}": said for going, said in clear.items()}, f"trends.{key}.noise": noise}
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
    "trends.headline.some": (
        "{{line_count}}条趋势线里，{{clear_count}}条走出了波动",
        "方向明确的有{{clear_count}}条，共{{line_count}}条",
        "{{window}}里，{{clear_count}}条趋势线明确（共{{line_count}}条）",
        "看得出方向的趋势线：{{clear_count}}条，总数{{line_count}}",
    ),
    "trends.headline.none": (
        "{{window}}里，没有哪条趋势线走出波动",
        "趋势线都停在各自的区间里（{{line_count}}条）",
        "到{{until}}为止，看不出明确的方向",
        "方向都还说不清（趋势线{{line_count}}条）",
    ),
    "trends.range": (
        "范围是{{window}}，止于最后有训练的那天：{{until}}。",
        "这些趋势线从{{until}}往回看{{window}}。",
        "看的是{{window}}之内，到{{until}}，也就是数据的末尾。",
        "下面说的都在{{window}}里，最后算到{{until}}。",
    ),
    "trends.sum.some": (
        "区间里容不下平线的才算明确：{{line_count}}条里有{{clear_count}}条。",
        "{{clear_count}}条的区间排除了平线，其余的当作波动（共{{line_count}}条）。",
        "信号和波动以区间为界，{{line_count}}条趋势线中{{clear_count}}条在界外。",
        "落在自己区间里的，这里都叫波动；{{clear_count}}条不是，总共{{line_count}}条。",
    ),
    "trends.sum.none": (
        "趋势线的区间（{{line_count}}条）都容得下原地不动，所以说明不了什么。",
        "对这{{line_count}}条线来说，偶然就足以解释。",
        "没有哪条走出区间（共{{line_count}}条）；练得稳的时候也是这个样子。",
        "图上画出的（{{line_count}}条），可能全是波动。",
    ),
    "trends.advice": (
        "在相近的条件下重复熟悉的训练，下个点才好对照",
        "要照着趋势线行动，先看比{{window}}更长的范围",
        "设备和路线别换，每周留次训练作对照",
        "看线先看区间，区间宽的就先放着",
    ),
    **every(),
}
