"""A job queue for slow, shared upstreams, on PostgreSQL."""

__version__ = "0.1.0"
