"""Chinese for what every screen has: when to act, and what to do where there is not enough data."""

from coach.narrator.plan import Phrases

PHRASES: Phrases = {
    "when.now": ("现在",),
    "when.today": ("今天",),
    "when.tonight": ("今晚",),
    "when.tomorrow": ("明天",),
    "when.this_week": ("这周",),
    "when.next_week": ("下周",),
    "when.next_session": ("下次训练",),
    "empty": (
        "这里的内容还不够，暂时说不出什么",
        "这个页面在等你的训练",
        "目前还是空白的页面",
        "你的训练还没有来到这里",
    ),
    "empty.week": (
        "这周到目前是空的",
        "这周还没有可以汇总的内容",
        "这个页面上，本周是空白",
        "本周各天都没有训练",
    ),
    "empty.load": (
        "要看体能和状态，先得有训练",
        "负荷从你的上传开始",
        "这个页面目前没有可以累计的内容",
        "内容太少，还看不出体能和状态",
    ),
    "empty.records": (
        "这个项目还没有成绩可看",
        "成绩表还是空的",
        "有了带距离或功率的训练，这里才开始",
        "目前没有可以对照的成绩",
    ),
    "empty.trends": (
        "点太少，连不成线",
        "要画趋势线，点还不够",
        "这个范围里画不出趋势",
        "范围里的内容太薄，看不出走向",
    ),
    "empty.upload": (
        "在导入页面上传 FIT、GPX 或 TCX 文件，或者它们的 ZIP 压缩包",
        "打开导入页面，把设备里的文件拖进去",
        "把设备或旧平台的存档带过来，FIT、GPX、TCX 文件打成 ZIP 也可以",
        "从手表或码表里取出原始文件，交到导入页面",
    ),
}
