"""The narrator's English: at least four phrases a slot, so that four texts in a row never share a sentence."""

from coach.narrator.english import activity, body, common, load, records, recovery, today, trends, week
from coach.narrator.plan import Phrases

ENGLISH: Phrases = {
    **common.PHRASES,
    **activity.PHRASES,
    **body.PHRASES,
    **load.PHRASES,
    **records.PHRASES,
    **recovery.PHRASES,
    **today.PHRASES,
    **trends.PHRASES,
    **week.PHRASES,
}
