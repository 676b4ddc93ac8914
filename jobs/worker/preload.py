"""Imported once by the fork server: Django loaded, no connection open, dead when its supervisor dies.

It is deaf to SIGTERM, which may be sent to the whole group: its slots end as their supervisor tells them.
"""

import signal

import django

from jobs.worker.lease import die_with_parent

die_with_parent()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
django.setup()
