"""Chinese for weight. The trend and its uncertainty; words of direction only where the interval leaves out zero."""

from coach.narrator.plan import Phrases

# The interval says that there is a change, whichever way it goes.
SURE = (
    "变化是明确的，它的区间不含持平。",
    "体重确实在变，因为持平说不通。",
    "整个区间都朝着同样的方向。",
    "方向信得过，区间没有碰到持平。",
)

PHRASES: Phrases = {
    "body.headline.up": (
        "体重趋势{{weight}}，在上升：{{slope}}",
        "体重变化{{slope}}，趋势到了{{weight}}",
        "趋势往上走：现在{{weight}}，{{slope}}",
        "按趋势是{{weight}}，带着{{slope}}的变化",
    ),
    "body.headline.down": (
        "体重趋势{{weight}}，在下降：{{slope}}",
        "体重变化{{slope}}，趋势到了{{weight}}",
        "趋势往下走：现在{{weight}}，{{slope}}",
        "按趋势是{{weight}}，带着{{slope}}的变化",
    ),
    "body.headline.open": (
        "体重趋势{{weight}}，走向未定",
        "体重按趋势是{{weight}}，看不出方向",
        "{{weight}}：这条趋势线也许是平的",
        "趋势{{weight}}，先别读出什么",
    ),
    "body.headline.short": (
        "趋势从{{weight}}起步",
        "称重还不多，趋势先是{{weight}}",
        "{{weight}}的趋势还很新",
        "体重暂为{{weight}}，走向再等几天",
    ),
    "body.level": (
        "把每天的起伏抹平，你的体重是{{weight}}。",
        "称重背后的趋势在{{weight}}。",
        "要看的是趋势，现在为{{weight}}。",
        "去掉单日水分的波动，剩下{{weight}}。",
    ),
    "body.sure.up": SURE,
    "body.sure.down": SURE,
    "body.sure.open": (
        "是否在变还说不准，这些称重也容得下持平。",
        "变化的区间里包括原地不动。",
        "也许在动，也许没动，称重还分不出来。",
        "照这些称重，当它平稳也讲得通。",
    ),
    "body.sure.short": (
        "再称{{weigh_ins_short}}天，才看得出走向。",
        "走向还说不了，再有{{weigh_ins_short}}次称重就行。",
        "每周变化多少，要等{{weigh_ins_short}}天的体重。",
        "离看出方向，还差{{weigh_ins_short}}次称重。",
    ),
    "body.change.up": (
        "{{weigh_ins}}次称重连成的线在上升：{{slope}}（{{slope_low}}到{{slope_high}}）。",
        "从{{weigh_ins}}次称重读出{{slope}}，下限{{slope_low}}，上限{{slope_high}}。",
        "体重变化{{slope}}，依据{{weigh_ins}}次称重，区间{{slope_low}}到{{slope_high}}。",
        "照{{weigh_ins}}次称重看，体重增加：{{slope}}，介于{{slope_low}}与{{slope_high}}。",
    ),
    "body.change.down": (
        "{{weigh_ins}}次称重连成的线在下降：{{slope}}（{{slope_low}}到{{slope_high}}）。",
        "从{{weigh_ins}}次称重读出{{slope}}，下限{{slope_low}}，上限{{slope_high}}。",
        "体重变化{{slope}}，依据{{weigh_ins}}次称重，区间{{slope_low}}到{{slope_high}}。",
        "照{{weigh_ins}}次称重看，体重减少：{{slope}}，介于{{slope_low}}与{{slope_high}}。",
    ),
    "body.change.open": (
        "{{weigh_ins}}次称重连成的线是{{slope}}，余地从{{slope_low}}到{{slope_high}}。",
        "字面上是{{slope}}，可{{weigh_ins}}次称重容得下{{slope_low}}到{{slope_high}}。",
        "凭{{weigh_ins}}次称重，{{slope}}和原地不动分不开：{{slope_low}}到{{slope_high}}。",
        "{{slope}}周围的区间是{{slope_low}}到{{slope_high}}，来自{{weigh_ins}}次称重。",
    ),
    "body.change.short": (
        "近来有{{weigh_ins}}次称重，再有{{weigh_ins_short}}次就能算每周的变化。",
        "你近来站上秤{{weigh_ins}}天，还要{{weigh_ins_short}}天才连得成线。",
        "连线要等{{weigh_ins_short}}次称重，手头是{{weigh_ins}}次。",
        "到目前称了{{weigh_ins}}次，离方向差{{weigh_ins_short}}次。",
    ),
    "body.fast": (
        "相当于体重的{{slope_share}}；从{{fast}}起，这里就叫快。",
        "折成体重的比例是{{slope_share}}，越过了算快的{{fast}}。",
        "和体重放在一起，{{slope_share}}在{{fast}}之外，其中不少可能是水分。",
        "{{slope_share}}的周变化算快，界线是{{fast}}。",
    ),
    "body.goal.far": (
        "你设的目标是{{goal}}，趋势与它相差{{goal_gap}}。",
        "目标{{goal}}，差额{{goal_gap}}（趋势减去目标）。",
        "拿趋势对照{{goal}}的目标，得到{{goal_gap}}。",
        "趋势离设置里的{{goal}}有多远：{{goal_gap}}。",
    ),
    "body.goal.near": (
        "目标{{goal}}基本到了，相差{{goal_gap}}。",
        "趋势就在你设的{{goal}}上，出入{{goal_gap}}。",
        "和{{goal}}的目标差{{goal_gap}}，可以算到了。",
        "已在目标处：{{goal}}，差额{{goal_gap}}。",
    ),
    "body.power.entered": (
        "阈值功率按趋势体重折算为{{w_per_kg}}，功率取你填写的{{ftp}}。",
        "用你填的阈值{{ftp}}，对趋势上的体重得出{{w_per_kg}}。",
        "趋势上的每公斤，对应{{w_per_kg}}的阈值功率（{{ftp}}，由你填写）。",
        "你填写的{{ftp}}放到趋势体重上，是{{w_per_kg}}。",
    ),
    "body.power.estimated": (
        "阈值功率按趋势体重折算为{{w_per_kg}}，但其中的{{ftp}}是估计。",
        "阈值{{ftp}}出自估计，因此{{w_per_kg}}也只是估计。",
        "{{w_per_kg}}要谨慎看，它用的{{ftp}}是你标为估计的阈值。",
        "拿估计的{{ftp}}当阈值，对趋势上的体重得出{{w_per_kg}}。",
    ),
    "body.last": (
        "秤上最近的数是{{last_raw}}，在{{last_day}}；单独看说明不了什么。",
        "{{last_day}}称得{{last_raw}}，只是图上的点。",
        "最新的称重（{{last_day}}，{{last_raw}}）只占趋势的小部分。",
        "{{last_day}}的读数为{{last_raw}}，光是水分就能让每天不同。",
    ),
    "body.advice.short": (
        "再称几个早晨，或者补填以前的体重",
        "起床后站上秤，连着几个早晨",
        "把体重秤或应用里存着的体重带过来",
        "每次上秤，都在这个页面记下体重",
    ),
    "body.advice.steady": (
        "在同样的钟点称，只看趋势",
        "照现在这样称下去，点越密，区间越窄",
        "看线，不看点",
        "秤放在原处，称的钟点也别换",
    ),
    "body.advice.fast": (
        "变化这么快，先添几次称重再说",
        "把训练和睡眠放在旁边看看，这么快的变化少有单独出现的",
        "固定钟点称重，让水分少捣乱",
        "再等些日子，别急着下结论",
    ),
    "empty.body": (
        "你的体重还没有来到这里",
        "这个页面在等体重秤",
        "有了体重，趋势才有起点",
        "目前没有可以连成线的内容",
    ),
    "empty.upload.body": (
        "在下面填上今天的体重",
        "把秤上的数记在下面，或者上传健康数据的导出文件",
        "在导入页面上传体重秤或健康应用里的体重",
        "从这个页面的表单开始，填进体重",
    ),
}
