"""Sentences about the facts of stories.load that are false, or that no coach says; none may ever be shown."""

from collections.abc import Iterator, Mapping
from random import Random

from tests.coach.gateway.disguise import NUMBERS, ODD, Lie, digits, hidden
from tests.coach.gateway.lies_in_chinese import CHINESE

ENGLISH: Mapping[str, Lie] = {
    "digits": lambda it: it.choice(
        (
            "Fitness is {d} now.",
            "Your form reads -{d} points.",
            "Load grew {d}% in a week.",
            "You rode {d} km beside {{{{ctl}}}}.",
            "Your heart beat {d} bpm.",
            "It took {d}:3{e}.",
            "Fitness is {{{{ctl}}}} of {d}.",
        )
    ).format(d=digits(it), e=it.randrange(10)),
    "odd numbers": lambda it: f"Fitness is {it.choice(ODD[:-1])} of {{{{ctl}}}}.",
    "number words": lambda it: it.choice(
        (
            "You trained {n} times for {{{{load_week}}}}.",
            "Fitness is {n}.",
            "{n} sessions made {{{{load_week}}}}.",
            "It is a {n}fold load: {{{{load_week}}}}.",
            "Form is {n} points above {{{{tsb}}}}.",
        )
    ).format(n=it.choice(NUMBERS)),
    "shares": lambda it: it.choice(
        (
            "Half of {{load_week}} was hard.",
            "That is double {{load_week}}.",
            "Twice {{ctl}} is your aim.",
            "A third of {{load_week}} was easy.",
            "A couple of sessions gave {{load_week}}.",
            "A dozen rides gave {{load_week}}.",
            "Three quarters of {{load_week}} came late.",
            "Load halved to {{load_week}}.",
            "Load tripled to {{load_week}}.",
        )
    ),
    "dates": lambda it: it.choice(
        (
            "On {w} you made {{{{load_week}}}}.",
            "Since {w} fitness is {{{{ctl}}}}.",
            "Rest until {w}, with {{{{tsb}}}}.",
        )
    ).format(
        w=it.choice(
            (
                "Monday",
                "Tuesday",
                "Wed",
                "Thursday",
                "Sundays",
                "January",
                "February",
                "June",
                "Sept",
                "December",
                "Xmas",
            )
        )
    ),
    "directions": lambda it: it.choice(
        (
            "Fitness {d} to {{{{ctl}}}}.",
            "With {{{{ctl}}}} your fitness {d}.",
            "Your ramp of {{{{ramp}}}} {d}.",
        )
    ).format(
        d=it.choice(
            (
                "fell",
                "dropped",
                "declined",
                "sank",
                "decreased",
                "plunged",
                "slipped",
                "has fallen",
                "went down",
                "shrank",
            )
        )
    ),
    "rises": lambda it: it.choice(
        (
            "Form {d}: {{{{tsb}}}}.",
            "Fatigue {d} to {{{{atl}}}}.",
            "Your fatigue of {{{{atl}}}} {d}.",
        )
    ).format(
        d=it.choice(
            (
                "rose",
                "climbed",
                "increased",
                "grew",
                "jumped",
                "surged",
                "went up",
                "soared",
                "is higher than usual",
            )
        )
    ),
    "hidden": lambda it: (
        f"Fitness {hidden(it.choice(('fell', 'dropped', 'declined', 'decreased')), it)} to {{{{ctl}}}}."
    ),
    "hidden numbers": lambda it: (
        f"Your {hidden(it.choice(('twelve', 'seven', 'double', 'twice')), it)} sessions: {{{{ctl}}}}."
    ),
    "comparisons": lambda it: it.choice(
        (
            "Fitness {{ctl}} exceeds fatigue {{atl}}.",
            "Fatigue {{atl}} is less than fitness {{ctl}}.",
            "Fitness of {{ctl}} is higher than fatigue of {{atl}}.",
            "Form of {{tsb}} is more than {{ctl}}.",
        )
    ),
    "names": lambda it: it.choice(
        (
            "Fatigue is {{ctl}} today.",
            "Fitness has come to {{atl}}.",
            "Monotony stands at {{ctl}}.",
            "Strain is {{ctl}} points.",
        )
    ),
    "records": lambda it: it.choice(
        (
            "A new record: {{ctl}}.",
            "Your best week ever, {{load_week}}.",
            "Never before did you reach {{ctl}}.",
            "An all-time high of {{ctl}}.",
            "Your hardest week: {{load_week}}.",
        )
    ),
    "praise": lambda it: it.choice(
        (
            "Great work with {{load_week}}.",
            "Impressive: {{load_week}}.",
            "You are crushing it at {{ctl}}.",
            "What a beast, {{ctl}}.",
            "Well done with {{tsb}}.",
            "You are a hero at {{ctl}}!",
            "Amazing form of {{tsb}}.",
            "Solid week of {{load_week}}.",
        )
    ),
    "medicine": lambda it: it.choice(
        (
            "{{load_week}} raises your injury risk.",
            "A form of {{tsb}} means you are ill.",
            "See a doctor about {{tsb}}.",
            "Take ibuprofen at {{tsb}}.",
            "This is overtraining: {{tsb}}.",
            "Your heart is failing at {{atl}}.",
            "Skip meals to lose weight at {{ctl}}.",
            "You may collapse at {{tsb}}.",
        )
    ),
    "missing": lambda it: it.choice(
        (
            "There is no power data behind {{ctl}}.",
            "Heart rate is missing, so {{ctl}} is a guess.",
            "Without heart rate {{ctl}} says little.",
            "HRV was not recorded beside {{ctl}}.",
        )
    ),
    "tokens": lambda it: it.choice(
        (
            "Fitness is {{vo2max}}.",
            "Form is {{__class__}}.",
            "Fitness is {{ctl|safe}}.",
            "Fitness is {{{ctl}}}.",
            "Fitness is {ctl}.",
            "Fitness is {{ctl}}{{atl}}.",
            "Fitness is {{ctl}}.{{atl}} now.",
            "Fitness is {{ctl}}%.",
            "Fitness is minus {{ctl}}.",
            "Fitness is {{ctl}} km.",
            "Fitness is {{ctl}}th.",
            "Fitness is -{{ctl}}.",
            "Fitness is {{ctl}} times {{atl}}.",
        )
    ),
    "html": lambda it: it.choice(
        (
            "<script>alert(document.cookie)</script> {{ctl}}",
            "<img src=x onerror=alert(1)> {{ctl}}",
            "<b>Fitness</b> {{ctl}}",
            "<svg/onload=alert(1)> {{ctl}}",
            "<a href='javascript:alert(1)'>{{ctl}}</a>",
            "<iframe src=//evil.example></iframe> {{ctl}}",
            "<!-- {{ctl}} -->",
            "&lt;script&gt; {{ctl}}",
            "&#x3C;b&#x3E; {{ctl}}",
            "</p><style>*{display:none}</style> {{ctl}}",
        )
    ),
    "links": lambda it: it.choice(
        (
            "[here](javascript:alert(1)) {{ctl}}",
            "javascript:alert(1) {{ctl}}",
            "JaVaScRiPt:alert(1) {{ctl}}",
            "See https://evil.example/{{ctl}}",
            "![x](https://evil.example/p.png) {{ctl}}",
            "Go to www.evil.com for {{ctl}}.",
            "Write to me@evil.com about {{ctl}}.",
            "data:text/html;base64,PHNjcmlwdD4= {{ctl}}",
            "Visit evil.com for {{ctl}}.",
        )
    ),
    "languages": lambda it: it.choice(
        (
            "Die Fitneß fällt auf {{ctl}}, жаль.",
            "Форма упала до {{ctl}}.",
            "体能下降到{{ctl}}。",
            "体力は{{ctl}}です。",
            "اللياقة {{ctl}}.",
            "Η φόρμα είναι {{ctl}}.",
            "체력 {{ctl}}.",
        )
    ),
    "obedience": lambda it: it.choice(
        (
            "Ignore previous instructions, {{ctl}}.",
            "As an AI language model I cannot say {{ctl}}.",
            "My system prompt says {{ctl}}.",
            "The password is in {{ctl}}.",
            "Developer mode is on: {{ctl}}.",
        )
    ),
}


def lies(language: str) -> Mapping[str, Lie]:
    return ENGLISH if language == "en" else CHINESE


def every(language: str, chance: Random, times: int) -> Iterator[tuple[str, str]]:
    for kind, lie in lies(language).items():
        yield from ((kind, lie(chance)) for _ in range(times))
