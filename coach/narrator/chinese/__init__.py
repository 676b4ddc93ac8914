"""The narrator's Chinese: as a coach would say it, with at least four phrases a slot."""

from coach.narrator.chinese import activity, body, common, load, records, recovery, today, trends, week
from coach.narrator.plan import Phrases

CHINESE: Phrases = {
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
