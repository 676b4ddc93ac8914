#!/usr/bin/env python
"""Runs Coach's commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
    from django.core.management import execute_from_command_line

    from coach import starting

    with starting.in_a_sentence():
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
