"""The narrator's Chinese: as a coach would say it, with at least four phrases a slot."""

from coach.narrator.chinese import activity, common, load, week
from coach.narrator.plan import Phrases

CHINESE: Phrases = {**common.PHRASES, **activity.PHRASES, **load.PHRASES, **week.PHRASES}
