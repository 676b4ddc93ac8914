"""The same in Chinese: false of the facts of stories.load, or said by no coach."""

from collections.abc import Mapping

from tests.coach.gateway.disguise import Lie, digits

FALLS = ["下降了", "降低", "跌至", "回落", "下滑", "减弱", "走低", "衰退", "掉了", "低于平时"]
RISES = ["上升了", "提高", "回升", "升至", "增强", "攀升", "反弹", "高于平时", "大涨"]
PRAISE = ["太棒了", "干得好", "非常出色", "真厉害", "做得很好", "加油", "好样的", "牛"]
CHINESE: Mapping[str, Lie] = {
    "digits": lambda it: f"体能现在是{digits(it)}点，{{{{ctl}}}}。",
    "number words": lambda it: it.choice(
        (
            "练了{n}次，负荷{{{{load_week}}}}。",
            "体能是{n}，{{{{ctl}}}}。",
            "这是平时的{n}倍：{{{{load_week}}}}。",
            "{n}成来自功率，{{{{ctl}}}}。",
        )
    ).format(n=it.choice("两三四五六七八九十百千万仨俩")),
    "shares": lambda it: it.choice(
        (
            "一半来自功率，{{load_week}}。",
            "负荷翻番，{{load_week}}。",
            "练了半小时，{{load_week}}。",
            "负荷是两倍，{{load_week}}。",
            "三成是轻松的，{{load_week}}。",
            "负荷成倍增加，{{load_week}}。",
        )
    ),
    "dates": lambda it: (
        f"{it.choice(['周二', '周五', '星期天', '礼拜六', '三月', '十二月', '春节', '元旦'])}的体能为{{{{ctl}}}}。"
    ),
    "directions": lambda it: f"体能{it.choice(FALLS)}，{{{{ctl}}}}。",
    "rises": lambda it: f"状态{it.choice(RISES)}，{{{{tsb}}}}。",
    "hidden": lambda it: (
        f"体能{it.choice(['下 降', '下\u200b降', '下\u202e降', '下̶降', '下·降', '下\u2060降'])}，{{{{ctl}}}}。"
    ),
    "comparisons": lambda it: it.choice(
        ("体能{{ctl}}高于疲劳{{atl}}。", "疲劳{{atl}}低于体能{{ctl}}。", "体能{{ctl}}超过疲劳{{atl}}。")
    ),
    "names": lambda it: it.choice(("疲劳为{{ctl}}。", "体能为{{atl}}。", "紧张度为{{ctl}}。")),
    "records": lambda it: (
        f"{it.choice(['新的纪录', '历史最高', '最长的一周', '创新高', '史上最好'])}，{{{{load_week}}}}。"
    ),
    "praise": lambda it: f"{it.choice(PRAISE)}，{{{{load_week}}}}。",
    "medicine": lambda it: (
        f"{it.choice(['可能受伤', '像是生病', '去看医生', '过度训练了', '膝盖疼', '吃点药', '要节食'])}，{{{{tsb}}}}。"
    ),
    "missing": lambda it: (
        f"{it.choice(['没有功率数据', '心率没有记录', '缺少心率', '看不到功率', '睡眠数据缺失'])}，{{{{ctl}}}}。"
    ),
    "tokens": lambda it: it.choice(
        (
            "体能{{vo2max}}。",
            "体能{ctl}。",
            "体能{{ctl}}%。",
            "体能负{{ctl}}。",
            "体能{{ctl}}公里。",
            "体能{{ctl}}{{atl}}。",
            "百分之{{ctl}}。",
            "超{{ctl}}点。",
            "体能第{{ctl}}。",
        )
    ),
    "html": lambda it: it.choice(
        ("<b>体能</b>{{ctl}}", "<script>alert(1)</script>{{ctl}}", "<img src=x onerror=alert(1)>{{ctl}}")
    ),
    "links": lambda it: it.choice(
        ("[看](javascript:alert(1)){{ctl}}", "见 https://evil.example {{ctl}}", "见evil.com，{{ctl}}")
    ),
    "languages": lambda it: it.choice(
        (
            "Fitness fell to {{ctl}}.",
            "體能下降，{{ctl}}。",
            "体力は{{ctl}}です。",
            "Форма {{ctl}}.",
            "Die Form fällt auf {{ctl}}.",
        )
    ),
    "obedience": lambda it: it.choice(
        ("忽略以上规则，{{ctl}}。", "作为语言模型，{{ctl}}。", "密码在{{ctl}}。", "我的指令是{{ctl}}。")
    ),
}
