"""The narrator's English: at least four phrases a slot, so that four texts in a row never share a sentence."""

from coach.narrator.english import activity, common, load, records, trends, week
from coach.narrator.plan import Phrases

ENGLISH: Phrases = {
    **common.PHRASES,
    **activity.PHRASES,
    **load.PHRASES,
    **records.PHRASES,
    **trends.PHRASES,
    **week.PHRASES,
}
