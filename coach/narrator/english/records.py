"""English for records: every best is named with its day, and what is new only where something is."""

from coach.narrator.plan import Phrases


def standing(key: str) -> dict[str, tuple[str, ...]]:
    """Return the phrases for a best, by its name."""
    best, what, on = (f"{{{{{key}{end}}}}}" for end in ("", "_what", "_on"))
    return {
        f"records.{key}": (
            f"Your best for {what} is {best}, set on {on}.",
            f"For {what} the record stands at {best} since {on}.",
            f"{best} on {on} is the best that is known of you for {what}.",
            f"Nothing here beats {best} for {what}; it is of {on}.",
        )
    }


def foretold(key: str, what: str) -> dict[str, tuple[str, ...]]:
    seconds, source = f"{{{{{key}}}}}", f"{{{{{key}_from}}}}"
    return {
        f"records.{key}": (
            f"On paper that is worth {seconds} over {what}, going by {source}.",
            f"A table would predict {seconds} for {what}; the result behind it: {source}.",
            f"Your endurance translates into {seconds} over {what}, computed from {source}.",
            f"For {what} the formula gives {seconds}, and what it rests on is {source}.",
        )
    }


PHRASES: Phrases = {
    "records.headline.new": (
        "New for {{newest_best_what}}: {{newest_best}}",
        "{{newest_best}} for {{newest_best_what}}, new on {{newest_best_on}}",
        "A new record for {{newest_best_what}}",
        "Your list has a new entry: {{newest_best_what}} at {{newest_best}}",
    ),
    "records.headline.old": (
        "The last record is of {{newest_best_on}}: {{newest_best_what}}",
        "Still standing: {{newest_best_what}} at {{newest_best}}",
        "{{newest_best_what}} at {{newest_best}} is still the latest entry",
        "Your records stand as they were on {{newest_best_on}}",
    ),
    "records.headline.first": (
        "On the list since {{newest_best_on}}: {{newest_best_what}}",
        "{{newest_best_what}}: {{newest_best}}, with nothing before it",
        "{{newest_best_what}} begins at {{newest_best}}",
        "The latest line of the list: {{newest_best_what}}, {{newest_best}}",
    ),
    "records.newest.beat": (
        "On {{newest_best_on}} you set {{newest_best}} for {{newest_best_what}}; before that it was "
        "{{newest_best_before}}.",
        "{{newest_best_what}} went from {{newest_best_before}} to {{newest_best}} on {{newest_best_on}}: "
        "{{newest_gain}} better.",
        "What stood at {{newest_best_before}} for {{newest_best_what}} is {{newest_best}} since {{newest_best_on}}.",
        "{{newest_best_on}} put {{newest_best}} in place of {{newest_best_before}} ({{newest_best_what}}), "
        "{{newest_gain}} apart.",
    ),
    "records.newest.even": (
        "On {{newest_best_on}} you set {{newest_best}} for {{newest_best_what}}, level with what stood before.",
        "{{newest_best_what}} stands at {{newest_best}} since {{newest_best_on}}, all but the same as what was there.",
        "The entry of {{newest_best_on}}, {{newest_best}} for {{newest_best_what}}, hardly differs from the last.",
        "{{newest_best}} for {{newest_best_what}} on {{newest_best_on}} is as much as before, to the digit.",
    ),
    "records.newest.first": (
        "On {{newest_best_on}} you set {{newest_best}} for {{newest_best_what}}, with nothing before to beat.",
        "{{newest_best_what}} has its first entry: {{newest_best}} on {{newest_best_on}}.",
        "The first value for {{newest_best_what}} is {{newest_best}}, of {{newest_best_on}}.",
        "{{newest_best}} on {{newest_best_on}} is where {{newest_best_what}} begins.",
    ),
    "records.count.new": (
        "New in these weeks: {{new_count}} in all.",
        "In total {{new_count}} took the place of an older value lately.",
        "Entries of the list that are new these weeks: {{new_count}}.",
        "The list counts {{new_count}} as new.",
    ),
    "records.count.first": (
        "Only what takes an older value's place is called new here.",
        "A first value has nothing to beat, so it does not count as new.",
        "It is a mark to measure later days by.",
        "What comes after can be held against it.",
    ),
    "records.count.none": (
        "Recent weeks brought none.",
        "Nothing of the last weeks is new in the list.",
        "The weeks behind you left the list as it was.",
        "Of late the list has kept its entries.",
    ),
    "records.only": (
        "So far the list rests on {{newest_best_what}} at {{newest_best}}, of {{newest_best_on}}.",
        "The entry to go by is {{newest_best}} for {{newest_best_what}}, from {{newest_best_on}}.",
        "{{newest_best_what}} on {{newest_best_on}}, at {{newest_best}}, is what there is to build on.",
        "What can be compared later is {{newest_best}} for {{newest_best_what}} of {{newest_best_on}}.",
    ),
    **standing("best_power_5"),
    **standing("best_power_60"),
    **standing("best_power_300"),
    **standing("best_power_1200"),
    **standing("best_time_100"),
    **standing("best_time_400"),
    **standing("best_time_1000"),
    **standing("best_time_5000"),
    **standing("best_time_10000"),
    **standing("best_time_20000"),
    **standing("best_time_40000"),
    **standing("best_time_21097"),
    "records.critical": (
        "The line through {{cp_points}} recent bests gives a critical power of {{cp}} and a reserve of {{w_prime}}.",
        "Critical power comes out at {{cp}}, with {{w_prime}} above it, from {{cp_points}} bests.",
        "From {{cp_points}} bests of these months follow {{cp}} to hold and {{w_prime}} to spend.",
        "What you could hold for long reads {{cp}}; {{w_prime}} lie on top of that, by a fit of {{cp_points}} bests.",
    ),
    "records.vdot": (
        "Your recent results amount to a VDOT of {{vdot}}, from {{vdot_from}} on {{vdot_from_on}}.",
        "{{vdot_from}} on {{vdot_from_on}} is worth a VDOT of {{vdot}}.",
        "VDOT reads {{vdot}}; the result behind it is {{vdot_from}}, run on {{vdot_from_on}}.",
        "By the tables of Daniels, {{vdot_from}} of {{vdot_from_on}} stands for {{vdot}}.",
    ),
    **foretold("predicted_5000", "the short road distance"),
    **foretold("predicted_10000", "the middle road distance"),
    **foretold("predicted_21097", "the long road distance"),
    **foretold("predicted_42195", "the marathon"),
    "records.advice": (
        "Leave {{newest_best_what}} alone for a while and pick another entry when you feel rested",
        "Choose one entry of the table that is old, and plan a rested day for it",
        "Repeat a known course when rested, so that the next entry can be compared with {{newest_best_what}}",
        "Keep hard tries for rested days; the list can wait",
    ),
}
