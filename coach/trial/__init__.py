"""A small slow gateway of our own: a real HTTP server that speaks chat completions and fails on request."""

from coach.trial.script import Turn
from coach.trial.server import TrialGateway

__all__ = ["TrialGateway", "Turn"]
