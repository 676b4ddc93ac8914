"""The sentences the trial gateway can say about any facts, in variants that share no turn of phrase."""

import re
from dataclasses import dataclass

LATIN = re.compile(r"[A-Za-z][A-Za-z ]{1,40}")
HAN = re.compile(r"[\u4e00-\u9fff]{2,20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """One way to say it; {name} is a fact's label and {key} its token."""

    headline: str
    summary: str
    closing: str
    findings: tuple[str, ...]
    suggestion: str
    when: str
    nameless: str
    plain: re.Pattern[str] = LATIN


ENGLISH = (
    Phrases(
        headline="The picture so far is easy to read",
        summary="{name} stands at {key}. ",
        closing="The values beside this text carry the rest of the story.",
        findings=(
            "{name} stands at {key}, as the chart shows.",
            "The table gives {name} as {key}.",
            "Note {name}: {key}.",
        ),
        suggestion="Keep your usual rhythm and look here again after the next session",
        when="this week",
        nameless="This value",
    ),
    Phrases(
        headline="What your own recordings say",
        summary="Measured on your recordings, {name} comes to {key}. ",
        closing="Everything else follows from it.",
        findings=(
            "Your recordings put {name} at {key}.",
            "Beside it, {name} reads {key}.",
            "{name} completes this with {key}.",
        ),
        suggestion="Plan what comes next around how you feel on the day",
        when="today",
        nameless="the value",
    ),
    Phrases(
        headline="A calm look at where you are",
        summary="Start from {name}, which is {key} at the moment. ",
        closing="Read it together with the chart below.",
        findings=(
            "At the moment {name} is {key}.",
            "You can see {name} at {key} too.",
            "Then there is {name} with {key}.",
        ),
        suggestion="Leave room for an easy day if the legs ask for it",
        when="tomorrow",
        nameless="this figure",
    ),
    Phrases(
        headline="Training and what it left behind",
        summary="The figure to begin with is {name}: {key}. ",
        closing="It was worked out by the formula named beside it.",
        findings=(
            "Worked out by its formula, {name} gives {key}.",
            "For {name} the result is {key}.",
            "Last, {name}: {key}.",
        ),
        suggestion="Write a short note after training so that the numbers have company",
        when="this week",
        nameless="this result",
    ),
    Phrases(
        headline="Nothing here needs hurry",
        summary="Among the facts of this page {name} has {key}. ",
        closing="Take the time to compare it with how training felt.",
        findings=(
            "Among the facts, {name} has {key}.",
            "Another fact is {name} with {key}.",
            "To round it off, {name} has {key}.",
        ),
        suggestion="Compare the figures with how training felt before changing a plan",
        when="this week",
        nameless="this entry",
    ),
)

CHINESE = (
    Phrases(
        headline="目前的情况很清楚",
        summary="{name}为{key}。",
        closing="其余数据请看旁边的图表。",
        findings=("{name}为{key}，图中可见。", "表中的{name}是{key}。", "另外，{name}是{key}。"),
        suggestion="保持平常的节奏，下次训练后再来看看",
        when="本周",
        nameless="该数值",
        plain=HAN,
    ),
    Phrases(
        headline="来自你自己的记录",
        summary="根据你的记录，{name}达到{key}。",
        closing="请结合训练时的感受来理解。",
        findings=(
            "你的记录显示{name}：{key}。",
            "与此同时，{name}显示为{key}。",
            "最后看{name}，读数{key}。",
        ),
        suggestion="接下来的安排以当天的感觉为准",
        when="今天",
        nameless="这项数据",
        plain=HAN,
    ),
    Phrases(
        headline="平静地看看现状",
        summary="先看{name}：现在是{key}。",
        closing="再对照下方的曲线。",
        findings=("现在{name}处于{key}。", "同样可以看到{name}：{key}。", "还有{name}，数值{key}。"),
        suggestion="如果腿部疲劳，就安排轻松的训练",
        when="明天",
        nameless="这个指标",
        plain=HAN,
    ),
    Phrases(
        headline="训练留下了什么",
        summary="按照公式计算，{name}得出{key}。",
        closing="公式写在旁边。",
        findings=("公式给出的{name}是{key}。", "关于{name}，结果为{key}。", "至于{name}，得到{key}。"),
        suggestion="训练后写几句笔记，让数字有所参照",
        when="本周",
        nameless="此结果",
        plain=HAN,
    ),
)
