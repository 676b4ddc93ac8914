"""The PostgreSQL that comes with Coach: from a wheel, on loopback, for trying and for one small host."""


class SetupError(Exception):
    """What went wrong, as one sentence for the person at the terminal."""
