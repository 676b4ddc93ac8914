"""What a file's rows are counted in: 3 nights, 5 weights and 1 route."""

import re

from django.utils.translation import gettext_noop as _

WORDS = (
    _("%(n)s night"),
    _("%(n)s nights"),
    _("%(n)s weight"),
    _("%(n)s weights"),
    _("%(n)s body fat value"),
    _("%(n)s body fat values"),
    _("%(n)s resting heart rate"),
    _("%(n)s resting heart rates"),
    _("%(n)s HRV value"),
    _("%(n)s HRV values"),
    _("%(n)s day of heart rate"),
    _("%(n)s days of heart rate"),
    _("%(n)s breathing rate"),
    _("%(n)s breathing rates"),
    _("%(n)s oxygen saturation"),
    _("%(n)s oxygen saturations"),
    _("%(n)s VO2max estimate"),
    _("%(n)s VO2max estimates"),
    _("%(n)s day of steps"),
    _("%(n)s days of steps"),
    _("%(n)s sleep duration"),
    _("%(n)s sleep durations"),
    _("%(n)s value"),
    _("%(n)s values"),
    _("%(n)s workout"),
    _("%(n)s workouts"),
    _("%(n)s route"),
    _("%(n)s routes"),
)
ONE = rf"\d[\d,]* (?:{'|'.join(re.escape(word.partition(' ')[2]) for word in reversed(WORDS))})"
COUNTED = rf"{ONE}(?:, {ONE})*(?: and {ONE})?"
