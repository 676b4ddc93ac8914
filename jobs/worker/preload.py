"""Imported once by the fork server: Django loaded, no connection open, dead when its supervisor dies."""

import django

from jobs.worker.lease import die_with_parent

die_with_parent()
django.setup()
