"""Simplified Chinese, for the grounding rules."""

import re

from coach.gateway.vocabulary.chinese_numerals import BESIDE_NUMERALS, DATES, NUMERALS, UNITS
from coach.gateway.vocabulary.kinds import NOTHING, Vocabulary, signs


def simplified(letter: str) -> bool:
    """Say whether a letter is of the set for Simplified Chinese; 減 is not, and could hide a word from these "
    "rules."""
    try:
        letter.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


HAN = "".join(filter(simplified, map(chr, range(0x4E00, 0x9FA6))))
COMPARED = r"(?<![对相百])比(?![例较重赛值起率如得不])[^，。；]{1,8}?"
OF_A_THRESHOLD = "(?!你?的?(?:阈值|功能阈值|乳酸阈|最大心率|静息))"


def verbs(text: str) -> re.Pattern[str]:
    """Compile alternatives that 了 may follow, which makes a report of a verb."""
    return re.compile(f"(?:{'|'.join(text.split())})了?")


CHINESE = Vocabulary(
    letters=re.compile(f"[{HAN}]"),
    strangers=NOTHING,
    borrowed=re.compile(
        r"(?<![a-z])(?:ftp|gps|hrv|rhr|lthr|ctl|atl|tsb|tss|np|if|vi|ef|rpe|trimp|vdot|fit|gpx|tcx|zip|coach)(?![a-z])"
    ),
    numerals=NUMERALS,
    not_numerals=BESIDE_NUMERALS,
    dates=DATES,
    yesterday=signs("昨天 昨日 昨晚 昨夜 前天 前日"),
    units=UNITS,
    attached=re.compile(r"[a-z0-9]"),
    signs=re.compile(
        r"(?:[−+±~≈<>≤≥×÷*/^$€£￥]\s*|(?<!\ue000)[-–—]"
        r"|(?:负|(?<![修改纠真反不])正|(?<![增追参附叠])加|(?<![增缩削递])减|乘|除以|零下|不到|不足|超|不止"
        r"|(?<!接)近|第|至少|最少|至多|最多)\s*)$"
    ),
    up=verbs(
        "上升 上涨 上扬 升高 升至 升到 升了 拉高 推高 提高 提升 增加 增长 增多 增大 增强 增至 增到 变长 变高 "
        "变大 变重 变多 "
        "加大 加重 走高 走强 攀升 激增 猛增 陡增 飙升 扩大 涨到 涨了 多了 高了 长了 重了 高出 多出 偏高 偏多 "
        "较高 较多 "
        f"更高 更长 更大 更重 更多(?!的?(?:数据|记录|信息|天|几)) 高于{OF_A_THRESHOLD} 多于 超过{OF_A_THRESHOLD} "
        f"超出{OF_A_THRESHOLD} 大于 {COMPARED}(?:高|多|大|重|长) 积累期 在积累 过量 "
        "回升 反弹 拉升 抬升 高企 涨(?!潮) 向上(?!坡) 往上走 越来越(?:高|多|长|大)"
    ),
    down=verbs(
        "下降 下滑 下跌 下行 回落 降低 降至 降到 降了 减少 减小 减弱 减轻 减至 减到 锐减 变短 变低 变小 变轻 "
        "变少 走低 走弱 "
        "跌至 跌到 跌了 缩短 缩减 缩小 收缩 少了 低了 短了 轻了 偏低 偏少 较低 较少 更低 更短 更小 更轻 "
        f"更少(?!的?(?:数据|记录|信息)) 低于{OF_A_THRESHOLD} 少于 小于 {COMPARED}(?:低|少|小|轻|短) "
        "不足(?=平时|往常|以往|上周) 滑落 流失 减量期 在减量 下探 跳水 掉(?:了|到|至|下来) 跌 滑坡 缩水 衰退 "
        "减退 消退 往下走 向下(?!坡) 退了 在降 越来越(?:低|少|短|小)"
    ),
    better=verbs("改善 好转 进步 变好 变强 更好(?!地) 更强 更省力 更健康 向好 改进 恢复了 越来越(?:好|强)"),
    worse=verbs(
        "恶化 变差 变弱 变糟 退步 倒退 更差 更糟 更弱 退化 转差 不如(?:以前|从前|平时|往常|上周) 大不如前 弱于 "
        "逊于 越来越(?:差|弱)"
    ),
    faster=verbs("更快 加快 变快 提速 加速 快了"),
    slower=verbs("更慢 减慢 变慢 放慢 减速 变缓 放缓 慢了"),
    positive=signs("为正 是正的 正值 转正 回正"),
    negative=signs("为负 是负的 负值 转负"),
    unchanged=signs("没有变化 无变化 保持不变 维持不变 未变 不变 没变"),
    record=signs(
        "纪录 记录新高 最佳 最好 最快 最慢 最长 最短 最高(?!心率) 最低(?!心率|限度) 最大(?!心率|摄氧) 最小 "
        "最强 最弱 最重 "
        "最轻(?!松) 最多 最少 历史性 史上 有史以来 前所未有 从未(?:有过|这么|如此) 巅峰 顶峰 峰值 里程碑 突破 "
        "首次 首度 "
        "头一回 新高 新低 历来 最远 首位 榜首"
    ),
    told=re.compile(
        "了$|纪录|历史性|史上|有史以来|前所未有|新高|新低|回升|反弹|跳水|滑坡|缩水|衰退|减退|消退|上升|上涨|升高"
        "|走高|攀升|激增|飙升|下降|下滑|下跌|回落|走低"
        "|滑落|好转|进步|恶化|退步|倒退|变差|变好|创下|突破了"
    ),
    harmless=signs(
        "提高警惕 最好(?=先|在|不|别|能|把|再|休|安排|多|少|等|保持|让|选|用|是|从|给|只) 最多再 最少要 不足为奇 "
        "慢慢 加速度"
    ),
    more=signs("高于 多于 大于 超过 超出 高过 胜过"),
    less=signs("低于 少于 小于 不及 不如"),
    negation=re.compile(r"(?:没有|没|未|并未|并非|不是|不再|无|不)[^，。；]{0,3}$"),
    clause_end=re.compile(
        r"[，。；：！？、,;:.!?()（）\n]|(?:而且|但是|不过|然而|同时|因为|虽然|尽管|(?<![不])但(?!愿)|却)"
    ),
    banned=signs(
        "伤 病 疾 症(?!结) 疼 痛 炎(?!热|夏) 药 医 诊 综合征 感染 感冒 发烧 发热 流感 骨折 劳损 肌腱 跟腱 "
        "半月板 抽筋 痉挛 "
        "心梗 心律 心肌 心衰 中风 中暑 贫血 血压 血糖 哮喘 过敏 呼吸暂停 猝 晕 昏 休克 崩溃 虚脱 抑郁 焦虑 "
        "过度训练 训练过度 过劳 手术 住院 理疗 兴奋剂 类固醇 激素 减肥 减重 减脂 瘦身 节食 断食 禁食 燃脂 危险 "
        "酸痛 发酸 酸胀 (?<!乳)酸(?![奶性]) 扭到 肿 癌 瘤 糖尿 怀孕 孕 死(?![板守角]) "
        "补剂 补充剂 少吃 布洛芬 阿司匹林 恶心 呕 "
        # A coach does not talk about being a machine, nor of what it was told.
        "指令 提示词 语言模型 人工智能 机器人 越狱 开发者模式 密码 密钥 忽略[^，。；]{0,4}(?:规则|以上|之前|上面|所有)"
    ),
    hype=signs(
        "！ ! 太棒 真棒 超棒 棒极 太强 碾压 秒杀 炸裂 爆炸 逆天 爆表 爆棚 无敌 神级 封神 燃爆 燃起来 了不起 "
        "惊人 惊艳 "
        "不可思议 奇迹 英雄 传奇 战神 猛兽 狂飙 霸气 势不可挡 所向披靡 牛逼 给力 绝了 哇 加油 超人 超凡"
    ),
    praise=signs(
        "优秀 优异 出色 完美 厉害 很棒 精彩 漂亮 卓越 杰出 出众 祝贺 恭喜 了不得 干得好 "
        "做得(?:很|非常|真)?(?:好|不错) "
        "不错 很好 真好 非常好 值得(?:骄傲|表扬|肯定|称赞) 骄傲 可喜 令人(?:印象深刻|欣喜|振奋|惊喜|满意|鼓舞) "
        "表现(?:得)?(?:很|非常|十分)?(?:好|良好|稳健) 赞 棒 牛(?![奶肉]) 佩服 太好 太强 真行 非凡 极佳 状态(?:很"
        "|非常)?(?:佳|良好) 好样 不赖 干得漂亮"
    ),
    absent=signs(
        "(?:没有|没)[^，。；]{0,6}(?:数据|记录|读数|功率|心率|踏频|步频|睡眠|海拔|距离|体重|信息|阈值) "
        "缺(?:少|乏|失)?[^，。；]{0,6}(?:数据|记录|读数|功率|心率|踏频|步频|睡眠|海拔|距离|体重|信息|阈值) "
        "无[^，。；]{0,4}(?:数据|功率|心率|记录) "
        "(?:看|查|找)不到[^，。；]{0,4}(?:数据|记录|功率|心率|踏频|步频|睡眠|海拔|距离|体重) "
        "未见[^，。；]{0,4}(?:数据|记录|功率|心率|踏频|步频|睡眠|海拔|距离|体重)"
    ),
    absent_told=signs(
        "(?:数据|记录|功率|心率|踏频|步频|睡眠|海拔|距离|体重)[^，。；]{0,4}(?:缺失|缺少|缺了|缺(?![口点氧])"
        "|没测|没开|没记|不可用|未知|不详|空白) "
        "(?:未|没有|没)(?:被)?(?:记录|测量|测到|采集|提供)"
    ),
    synonyms={
        "power": "功率",
        "np": "功率",
        "w": "功率",
        "ftp": "功率|阈值",
        "hr": "心率",
        "heart": "心率",
        "rhr": "静息",
        "hrv": "心率变异|变异|hrv",
        "cadence": "踏频|步频",
        "steps": "步频",
        "sleep": "睡眠",
        "ascent": "爬升|海拔",
        "distance": "距离",
        "weight": "体重",
        "pace": "配速",
        "speed": "速度",
        "load": "负荷",
        "change": "变化|相比",
        "usual": "平时|往常",
        "monotony": "单调",
        "strain": "紧张度",
        "intensity": "强度",
        "variability": "波动",
        "efficiency": "效率",
        "decoupling": "漂移",
        "energy": "能量|热量",
    },
    gram=re.compile(r"\ue000|[\u3400-\u9fff]|[a-z]+"),
    sentence_end=re.compile(r"[。！？；!?;\n]+\s*"),
)
