"""What is wrong to say on one screen, whatever its numbers: causes, norms, weather, diets and the like."""

import re
from collections.abc import Mapping

from coach.gateway.vocabulary.kinds import Pattern, signs

HARD_DAY = "hard day"  # wrong where the rule says easy
WEATHER = "weather and feelings"  # wrong unless the athlete wrote or said so
SCOLDING = "scolding"  # wrong of the evenness of intervals and races


def english(text: str) -> Pattern:
    return re.compile(rf"(?<!\w)(?:{text})(?!\w)")


ENGLISH: Mapping[str, Pattern] = {
    HARD_DAY: english(
        r"(?:go|train|push|ride|run|swim|work|make\s+it)\s+hard(?:er)?|all\s+out|max(?:imal|imum)?\s+effort|go\s+for\s+it"
        r"|(?:do|add|ride|run)\s+(?:some\s+|your\s+)?intervals"
    ),
    WEATHER: english(
        r"weather|wind|winds|windy|headwinds?|tailwinds?|rain|rainy|rained|raining|sunny|heat|hot|cold|humid\w*|storm\w*"
        r"|snow\w*|(?:you|legs)\s+(?:must\s+have\s+)?(?:felt|were\s+feeling)|mood|motivat\w+|enjoy\w*|frustrat\w*"
        r"|grumpy|bored"
    ),
    SCOLDING: english(
        r"poor(?:ly)?|bad(?:ly)?|erratic|inconsisten\w+|sloppy|uneven\s+pacing|pacing|should\s+have|too\s+(?:uneven|variable)"
    ),
    "trends": english(
        r"because|due\s+to|thanks\s+to|caus(?:e|es|ed|ing)|owing\s+to|as\s+a\s+result|led\s+to|leads\s+to|explains?"
        r"|stems?\s+from"
    ),
    "load": english(
        r"perform\w*|race[\s-]ready|ready\s+to\s+race|(?:race|run|ride|swim)\s+faster"
        r"|in\s+(?:great|good|best|top|race)\s+(?:shape|form)"
    ),
    "recovery": english(
        r"(?:for\s+)?your\s+age|population|norms?|(?:other|most|healthy|average|normal|typical)\s+(?:people|adults?|men"
        r"|women|athletes?|persons?|runners?|riders?)|for\s+(?:an?\s+)?(?:men|women|adults?|man|woman)"
        r"|(?:the\s+)?higher(?:\s+is|,?\s+the)\s+better|more\s+is\s+better"
    ),
    "body": english(
        r"eat|eats|eating|food|meals?|calori\w+|carb\w*|fasting|snack\w*|protein|sugar|portions?|skip(?:ping)?\s+\w+"
        r"|cut(?:ting)?\s+out"
    ),
    "records": english(r"ultras?|ultra-?marathons?"),
}
CHINESE: Mapping[str, Pattern] = {
    HARD_DAY: signs("全力 拼一把 练狠 做间歇 跑间歇 骑间歇"),
    WEATHER: signs("天气 大风 逆风 顺风 下雨 雨天 炎热 高温 寒冷 潮湿 下雪 心情 情绪 你感到 你觉得 享受"),
    SCOLDING: signs("配速差 节奏差 不稳定 糟糕 不均匀 应该更均匀 太乱"),
    "trends": signs("因为 由于 归功于 导致 得益于 原因是"),
    "load": signs("竞技表现 成绩会 跑得更快 骑得更快 状态最佳"),
    "recovery": signs("同龄 常人 正常人 一般人 人群 越高越好"),
    "body": signs("少吃 饮食 热量 节食 碳水 断食 蛋白质"),
    "records": signs("超级马拉松 超马"),
}


def of(language: str) -> Mapping[str, Pattern]:
    return CHINESE if language == "zh-hans" else ENGLISH
