"""English, for the grounding rules."""

import re

from coach.gateway.vocabulary.kinds import NOTHING, Vocabulary, words

# What "one" may not stand before; elsewhere it is a pronoun.
COUNTED = (
    r"(?:more\s+)?(?:hours?|minutes?|seconds?|days?|weeks?|months?|years?|kms?|kilomet(?:er|re)s?|miles?"
    r"|met(?:er|re)s?"
    r"|points?|beats?|watts?|percent|per\s+cent|times?|sessions?|runs?|rides?|swims?|workouts?|thirds?|quarters?"
    r"|halves|fifths?|tenths?|hundred|thousand|zones?)"
)

ENGLISH = Vocabulary(
    letters=re.compile(r"[a-z]"),
    borrowed=NOTHING,
    strangers=words(
        "und oder nicht ist sind dein deine deinen deiner eine einen auf mit alle auch noch ein schreibe regeln wird "
        "les une vous votre avec dans mais sont los las una pero muy para por tus della che sono questa och inte een "
        "niet jouw zijn tua seu sua nao voce"
    ),
    numerals=re.compile(
        r"(?<!\w)(?:"
        r"zero|nought|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
        r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety|hundreds?"
        r"|thousands?|[mb]illions?|trillions?|umpteen|dozen(?:s|th)?|a\s+couple|couple\s+of|both\s+halves|pair\s+of"
        r"|scores?\s+of|handful|(?:thir|four|fif|six|seven|eigh|nine)teenth|eleventh"
        r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|thirtieth|fortieth|fiftieth|semi"
        r"|half|halves|halved|halving|thirds?|quarters?|fourth|fifths?|sixth|seventh|eighth|ninth|tenths?|twelfth"
        r"|twentieth|hundredth|twos|threes|tens|twice|thrice|doubl(?:e|ed|es|ing)|tripl(?:e|ed|es|ing)"
        r"|trebl(?:e|ed|es|ing)|quadrupl(?:e|ed|es|ing)|fold"
        r"|(?!un|scaf|blind|en)\w+-?fold"
        r"|fortnight(?:s|ly)?|bi-?(?:weekly|monthly)|decades?|century|centuries"
        rf"|one[\s-]+{COUNTED}|(?:first|second)\s+(?:hard\s+|easy\s+)?(?:half|third|quarter|hour|day|week"
        rf"|month)s?|(?:on"
        rf"|of)\s+the\s+(?:first|second)"
        rf"|equals?\s+one|in\s+one|a\s+single\s+{COUNTED}|once\s+(?:a|an|per|every|each)|nil"
        r"|(?:zone|week|phase|level|lap|day|interval)\s+[ivx]+"
        r")(?!\w)"
    ),
    not_numerals=re.compile(r"(?<!\w)(?:second\s+thoughts?|on\s+the\s+one\s+hand)(?!\w)"),
    dates=re.compile(
        r"(?<!\w)(?:(?i:January|February|April|June|July|August|September|October|November|December"
        r"|Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?)"
        r"|March|Weds|Christmas|Xmas|Easter|New\s+Year|Halloween|Thanksgiving|[Mm]idsummer|[Mm]idwinter"
        r"|(?:this|last|next|in|since)\s+(?:the\s+)?(?:spring|summer|autumn|winter)|Jan|Feb|Mar|Apr|Jun|Jul|Aug"
        r"|Sept?|Oct|Nov|Dec|Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun"
        r"|(?<=[a-z,] )May|May(?=\s+(?:was|is|has|had|the|and|to|saw|brought)\b))(?!\w)"
    ),
    yesterday=words("yesterday(?:'s|’s)? last_night the_day_before"),
    units=re.compile(
        r"[\s-]*(?:%|°|[€$£]|(?:percent|per\s+cent|km|kms|kilomet(?:er|re)s?|met(?:er|re)s?|miles?|feet|ft"
        r"|yards?|hours?"
        r"|hrs?|minutes?|mins?|seconds?|secs?|watts?|kilowatts?|bpm|beats?|rpm|kcal|calories|kilos?|kg|pounds?|lbs?"
        r"|times|fold|hundred|thousand|million|k|m|w|h|s|th|st|nd|rd|x|o['’]?clock)(?!\w))"
    ),
    attached=re.compile(r"\w"),
    signs=re.compile(r"(?:[−+±~≈<>≤≥×÷*/^$€£]\s*|(?<!\ue000)[-–—]|(?<!\w)(?:minus|plus|negative|positive|times)\s+)$"),
    up=words(
        "up upwards? rise rises rose risen rising increas(?:e|es|ed|ing) higher climb(?:s|ed|ing)? "
        "grow(?:s|n|ing)? grew growth gain(?:s|ed|ing)? raised surg(?:e|es|ed|ing) jump(?:s|ed|ing)? "
        "spik(?:e|es|ed|ing) bigger larger longer heavier harder steeper building accelerat(?:e|es|ed|ing) "
        "exceed(?:s|ed|ing)? soar(?:s|ed|ing)? rocket(?:s|ed|ing)? swell(?:s|ed|ing)? swollen "
        "expand(?:s|ed|ing)? elevated advanced surplus mount(?:s|ed|ing) picked_up rebound(?:s|ed|ing)? "
        "bounc(?:es|ed|ing)_back uptrend up-?trending more_than (?:much|far|slightly|even|clearly)_more "
        "above_(?:your|the|usual|average|normal|typical|last) overdoing"
    ),
    down=words(
        "down downwards? fall falls fell fallen falling drop(?:s|ped|ping)? decreas(?:e|es|ed|ing) "
        "declin(?:e|es|ed|ing) lower(?:ed|s|ing)? less_than fewer (?:much|far|slightly|even|clearly)_less "
        "shrink(?:s|ing)? shrank shrunk sank sunk sink(?:s|ing)? reduced smaller shorter lighter easier "
        "slipped slips slipping dip(?:s|ped|ping)? lost loses losing decayed plung(?:e|es|ed|ing) "
        "tumbl(?:e|es|ed|ing) plummet(?:s|ed|ing)? "
        "wan(?:e|es|ed|ing) slid(?:e|es|ing)? ebb(?:s|ed|ing)? erod(?:e|es|ed|ing) crash(?:es|ed|ing)? "
        "diminish(?:es|ed|ing)? nosediv(?:e|es|ed|ing) dwindl(?:e|es|ed|ing) downtrend lessen(?:s|ed|ing)? deficit "
        "(?:is|was|are|were)_less "
        "below_(?:your|the|usual|average|normal|typical|last) under_(?:your_|the_)?(?:usual|average|normal) easing"
    ),
    better=words(
        "better recovered improv(?:e|es|ed|ing) improvements? progress(?:ed|ing)? stronger fitter fresher "
        "sharper healthier"
    ),
    worse=words("worse worsen(?:s|ed|ing)? deteriorat(?:e|es|ed|ing) weaker setback regress(?:ed|ion|ing)? poorer"),
    faster=words("faster quicker"),
    slower=words("slower"),
    positive=words("positive in_the_black above_zero"),
    negative=words("negative in_the_red below_zero"),
    unchanged=words("unchanged no_change (?:has|have|had)_not_changed (?:hasn|haven|hadn)['’]?t_changed identical"),
    record=words(
        "records? best personal_best pb pbs pr prs fastest quickest slowest longest finest shortest highest "
        "new_high new_low "
        "lowest biggest largest smallest hardest easiest strongest heaviest ever all-time "
        "peak(?:s|ed|ing)? never_before top_of unprecedented milestone breakthrough first-ever"
    ),
    told=words(
        "rose risen rising increased climbed grew grown growth gained surged jumped spiked fell fallen "
        "falling dropped decreased declined shrank shrunk sank sunk reduced slipped dipped lost improved "
        "soared rocketed swelled plunged tumbled plummeted slid crashed diminished dwindled progressed worsened "
        "deteriorated exceeded peaked unprecedented milestone breakthrough ever all-time never_before records?"
    ),
    harmless=words(
        "warm(?:ing)?[\\s-]up warm-?ups? follow(?:ing)?_up sum(?:s|ming)?_up adds?_up makes?_up made_up "
        "keep(?:ing)?_up end(?:s|ed)?_up pick(?:ing)?_up set(?:ting)?_up "
        "(?<!went\\s)(?<!gone\\s)(?<!goes\\s)(?<!is\\s)(?<!was\\s)up_to up_to_date back_up "
        "catch(?:ing)?_up turns?_up look(?:ing)?_up slow(?:ing)?_down wind(?:ing)?_down "
        "cool(?:ing)?[\\s-]down cool-?downs? calm(?:ing)?_down broken?_down breaks?_down breakdown "
        "writ(?:e|ing)_(?:it_|this_|that_)?down settles?_down lie_down no_longer at_best best_to "
        "best_(?:kept|read|seen|judged) better_to no_better_time upper_body lower_body lower_leg "
        "fall_asleep and_record record_(?:it|your|the|every|each|more|a) (?:fell|falls?)_on longer_(?:window"
        "|term|run|mean|view|time|look) building_blocks? "
        "gain_from lost_in rise_to_the if_ever as_ever peak_hours on_top"
    ),
    more=words("more_than above exceed(?:s|ed|ing)? higher_than greater_than larger_than beats? outweigh(?:s|ed)?"),
    less=words("less_than below lower_than fewer_than smaller_than short_of"),
    negation=re.compile(
        r"(?<!\w)(?:not|no|never|neither|nor|without|hardly|isn['’]?t|wasn['’]?t|didn['’]?t|don['’]?t|"
        r"doesn['’]?t|hasn['’]?t|haven['’]?t|won['’]?t|cannot|can['’]?t)\s+(?:\w+\s+){0,2}$"
    ),
    clause_end=re.compile(r"[,;:.!?()–—\n]|(?<!\w)(?:while|whereas|but|and|although|though|yet|because)(?!\w)"),
    banned=re.compile(
        r"(?<!\w)(?:injur\w*|diseas\w*|ill|illness\w*|sick\w*|diagnos\w*|syndrome|symptoms?|disorders?|overtrain\w*"
        r"|medic\w*|drugs?|doctors?|physicians?|heart\s+attacks?|cardiac|arrhythmi\w*|strokes?|apn(?:o?ea|ea)"
        r"|infect\w*"
        r"|fever|virus|flu|covid|asthma|an(?:a?e)mi\w*|inflam\w*|tend[io]n\w*|fractur\w*|sprain\w*|strained"
        r"|muscle\s+strain|pains?|painful|depress\w*|burn-?out|rhabdo\w*|collapse\w*|steroids?|doping|diet(?:s|ing)?"
        r"|lose\s+weight|burn\s+fat|danger\w*|hurt\w*|sore|soreness|unwell|nause\w*|dizz\w*|faint(?:ed|ing)"
        r"|concuss\w*"
        r"|cancer\w*|tumou?rs?|diabet\w*|hypertens\w*|blood\s+pressure|pregnan\w*|anorexi\w*|bulimi\w*"
        r"|suicid\w*|die|dying|death"
        r"|pills?|supplements?|ibuprofen|aspirin|paracetamol|caffeine|creatine|fasting|calorie\s+deficit"
        r"|cut\s+calories"
        r"|heart\s+(?:failure|is\s+failing|problems?|conditions?)|surg(?:ery|ical)|therap\w*|physio\w*"
        r"|exhausted|swollen"
        r"|language\s+models?|as\s+an\s+ai|chatbot|system\s+prompt|prompts?|instructions?|jailbreak\w*"
        r"|developer\s+mode"
        r"|ignor(?:e|ing)\s+(?:all|any|the|previous|prior|your)|passwords?|api\s+keys?)(?!\w)"
    ),
    hype=re.compile(
        r"!|(?<!\w)(?:crush\w*|smash\w*|beast\w*|killer|killing\s+it|kill(?:ed)?\s+it|epic|insane|monster"
        r"|rock\s*star\w*"
        r"|on\s+fire|unstoppable|superhuman|invincible|amazing\w*|awesome\w*|incredibl\w*|fantastic\w*"
        r"|phenomenal\w*|legend\w*|hero\w*"
        r"|nail(?:ed|ing)\s+it|machine|warrior\w*|superstar\w*|mind-?blowing|jaw-?dropping|wow|yay|woohoo)(?!\w)"
    ),
    praise=words(
        "great excellent impressive superb brilliant outstanding well_done nice_(?:work|job|one) "
        "good_(?:work|job) strong_work bravo congratulations congrats kudos proud perfect(?:ly)? "
        "remarkabl[ey] stellar terrific wonderful exceptional magnificent keep_it_up solid_work hats_off "
        "hat_tip lovely admirabl[ey] way_to_go you_rock love_it what_a_(?:ride|run|swim|session|workout|effort"
        "|performance|week|result) "
        "did_(?:so_|very_|really_)?well a_joy flawless(?:ly)? textbook "
        "(?:good|nice|fine|solid|strong|super|lovely|tremendous|beautiful)_(?:ride|run|swim|walk|session|week|workout"
        "|effort|day|training|stuff|showing|form|shape|block|month|pace|result|performance)s?"
    ),
    absent=re.compile(
        r"(?<!\w)(?:no|we\s+lack|without(?:\s+any)?|lack(?:s|ing|ed)?(?:\s+of)?|missing"
        r"|absence\s+of)\s+(?:\w+\s+){0,2}"
        r"(?:data|readings?|information|power|watts?|heart[\s-]+rate|hr|hrv|cadence|gps|sleep|elevation"
        r"|altitude|ascent"
        r"|distance|temperature|weight|measurements?|records|values?|meter|sensor|strap|monitor|thresholds?)(?!\w)"
    ),
    absent_told=re.compile(
        r"(?<!\w)(?:(?:is|are|was|were|remains?|seems?|be)\s+(?:\w+\s+)?(?:missing|absent|unavailable|unknown)"
        r"|(?:not|never|\w+n['’]t)\s+(?:been\s+|be\s+)?(?:recorded|measured|available|logged|tracked|captured|known"
        r"|computed|calculated|present|read|there)|unrecorded|unmeasured|(?:meter|strap|sensor|monitor)\s+(?:is"
        r"|was)\s+(?:off|dead|broken|flat)|missing\s+data|data\s+gaps?)(?!\w)"
    ),
    synonyms={
        "hr": r"heart",
        "hrv": r"hrv|variability",
        "np": r"power",
        "ftp": r"power|threshold",
        "tss": r"load",
        "w": r"power",
        "vi": r"variability",
        "if": r"intensity",
        "ef": r"efficiency",
        "gps": r"gps|position|track|distance",
        "rhr": r"resting",
        "lthr": r"threshold",
    },
    gram=re.compile(r"\ue000|\w+"),
    sentence_end=re.compile(r"[.!?;\n]+\s*"),
)
