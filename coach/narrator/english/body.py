"""English for weight. The trend and its uncertainty; words of direction only where the interval leaves out zero."""

from coach.narrator.plan import Phrases

# The interval says that there is a change, whichever way it goes.
SURE = (
    "The change is clear, as its interval leaves out standing still.",
    "There is a change, for a steady weight would not fit the weigh-ins.",
    "All of the interval around its change points the same way.",
    "You can rely on the direction: the interval does not touch standing still.",
)

PHRASES: Phrases = {
    "body.headline.up": (
        "Your trend is {{weight}}, and it rises: {{slope}}",
        "Weight moves {{slope}}, to a trend of {{weight}}",
        "A rising trend: {{weight}} now, {{slope}}",
        "{{weight}} by trend, with {{slope}} of change",
    ),
    "body.headline.down": (
        "Your trend is {{weight}}, and it falls: {{slope}}",
        "Weight moves {{slope}}, to a trend of {{weight}}",
        "A falling trend: {{weight}} now, {{slope}}",
        "{{weight}} by trend, with {{slope}} of change",
    ),
    "body.headline.open": (
        "Your trend is {{weight}}, and its course is open",
        "Weight stands at {{weight}} by trend",
        "{{weight}}: a trend that may well be steady",
        "By trend {{weight}}, with nothing to read into it",
    ),
    "body.headline.short": (
        "Your trend begins at {{weight}}",
        "{{weight}} by trend, from few weigh-ins",
        "A trend of {{weight}}, still young",
        "Weight is {{weight}} for now; its course needs more days",
    ),
    "body.level": (
        "Smoothed from day to day, your weight is {{weight}}.",
        "The trend behind your weigh-ins stands at {{weight}}.",
        "What counts is the trend, and that is {{weight}}.",
        "With the water of single days taken out, {{weight}} is left.",
    ),
    "body.sure.up": SURE,
    "body.sure.down": SURE,
    "body.sure.open": (
        "Whether it moves is open: a steady weight would fit the weigh-ins as well.",
        "The interval of its change holds standing still, too.",
        "It may move or stand still; the weigh-ins allow for either.",
        "Its change may be none at all, for what the weigh-ins tell.",
    ),
    "body.sure.short": (
        "Where it is going cannot be told yet; days on the scale to go: {{weigh_ins_short}}.",
        "Its course shows later, after this many weigh-ins: {{weigh_ins_short}}.",
        "For a change a week, days with a weight are still to come: {{weigh_ins_short}}.",
        "Weigh-ins to go until there is a direction: {{weigh_ins_short}}.",
    ),
    "body.change.up": (
        "From the last {{weigh_ins}} weigh-ins: {{slope}}, somewhere between {{slope_low}} and {{slope_high}}.",
        "The line through {{weigh_ins}} weigh-ins rises: {{slope}} ({{slope_low}} to {{slope_high}}).",
        "From {{weigh_ins}} weigh-ins comes an increase: {{slope}}, within {{slope_low}} to {{slope_high}}.",
        "Weight went {{slope}}, as {{weigh_ins}} weigh-ins tell it: {{slope_low}} to {{slope_high}}.",
    ),
    "body.change.down": (
        "From the last {{weigh_ins}} weigh-ins: {{slope}}, somewhere between {{slope_low}} and {{slope_high}}.",
        "The line through {{weigh_ins}} weigh-ins falls: {{slope}} ({{slope_low}} to {{slope_high}}).",
        "From {{weigh_ins}} weigh-ins comes a decrease: {{slope}}, within {{slope_low}} to {{slope_high}}.",
        "Weight went {{slope}}, as {{weigh_ins}} weigh-ins tell it: {{slope_low}} to {{slope_high}}.",
    ),
    "body.change.open": (
        "The line through {{weigh_ins}} weigh-ins moves {{slope}}, with room from {{slope_low}} to {{slope_high}}.",
        "From {{weigh_ins}} weigh-ins comes {{slope}}, and an interval of {{slope_low}} to {{slope_high}} around it.",
        "Taken at its word it is {{slope}}; {{weigh_ins}} weigh-ins allow {{slope_low}} to {{slope_high}}.",
        "With {{weigh_ins}} weigh-ins, {{slope}} cannot be told from standing still: {{slope_low}} to {{slope_high}}.",
    ),
    "body.change.short": (
        "Weigh-ins of late: {{weigh_ins}}; for a change a week it takes this many besides: {{weigh_ins_short}}.",
        "A line needs more days on the scale than are here ({{weigh_ins}}); to go: {{weigh_ins_short}}.",
        "Weigh-ins that make a line: {{weigh_ins}} here, {{weigh_ins_short}} to come.",
        "So far the count of weigh-ins is {{weigh_ins}}; a direction takes {{weigh_ins_short}} besides.",
    ),
    "body.fast": (
        "That is {{slope_share}} of your weight a week; beyond {{fast}} this page calls it fast.",
        "As a share of your weight it is {{slope_share}}, past the {{fast}} from which it counts as fast.",
        "Set beside your weight, {{slope_share}} is beyond {{fast}}, and a good part of that may be water.",
        "A change of {{slope_share}} of your weight goes by the name of fast here, which begins at {{fast}}.",
    ),
    "body.goal.far": (
        "The trend is {{goal_gap}} from your goal of {{goal}}.",
        "The trend stands {{goal_gap}} against the goal of {{goal}} that you set.",
        "Seen from your goal, {{goal}}, the trend is at {{goal_gap}}.",
        "To the {{goal}} of your settings the difference is {{goal_gap}}.",
    ),
    "body.goal.near": (
        "Your goal of {{goal}} is as good as there: {{goal_gap}}.",
        "The trend is at your goal of {{goal}}, give or take {{goal_gap}}.",
        "With {{goal_gap}} to the {{goal}} you set, you are there by any scale.",
        "At your goal: {{goal}}, with a difference of {{goal_gap}}.",
    ),
    "body.power.entered": (
        "Threshold power to weight is {{w_per_kg}}, from {{ftp}} {{ftp_is}}.",
        "With {{ftp}} at threshold, {{ftp_is}}, that makes {{w_per_kg}}.",
        "For every kilogram of the trend there are {{w_per_kg}} at threshold, from {{ftp}} {{ftp_is}}.",
        "Set against the trend, your {{ftp}} ({{ftp_is}}) give {{w_per_kg}}.",
    ),
    "body.power.estimated": (
        "Threshold power to weight is {{w_per_kg}}, though the {{ftp}} behind it are {{ftp_is}}.",
        "With {{ftp}} at threshold that makes {{w_per_kg}}; the threshold is {{ftp_is}}.",
        "Read {{w_per_kg}} at threshold with care, because its {{ftp}} are {{ftp_is}}.",
        "Your threshold of {{ftp}} is {{ftp_is}}, and so are the {{w_per_kg}} made of it.",
    ),
    "body.last": (
        "The scale last showed {{last_raw}}, on {{last_day}}; alone that says little.",
        "On {{last_day}} you weighed {{last_raw}}, a point by itself and nothing besides.",
        "The newest weigh-in, {{last_raw}} on {{last_day}}, is only a part of the trend.",
        "Of {{last_day}} there is a weigh-in of {{last_raw}}; days differ by water alone.",
    ),
    "body.advice.short": (
        "Weigh yourself on some more mornings, or type older weights in",
        "Step on the scale after getting out of bed, a few mornings in a row",
        "Bring in the weights that your scale or app has kept",
        "Add a weight on this page whenever you stand on a scale",
    ),
    "body.advice.steady": (
        "Weigh yourself at the same time of day, and look at the trend alone",
        "Go on weighing as you do; more points make the interval narrow",
        "Read the line and not the points",
        "Keep the scale where it is and the time of day the same",
    ),
    "body.advice.fast": (
        "Wait for some more weigh-ins before you read much into so fast a change",
        "Look at training and sleep beside it; so fast a change seldom comes alone",
        "Weigh yourself at the same time of day, so that water plays a small part",
        "Give it another week before you draw a conclusion",
    ),
    "empty.body": (
        "Your weight has still to arrive here",
        "This page waits for a scale",
        "A trend begins with the weights you bring in",
        "Nothing to smooth so far",
    ),
    "empty.upload.body": (
        "Type in the weight of today below",
        "Write down below what your scale shows, or bring in an export of your health data",
        "Hand in the weights of your scale or health app on the import page",
        "Begin with a weight in the form on this page",
    ),
}
