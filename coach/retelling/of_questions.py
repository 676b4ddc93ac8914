"""What Coach asks the athlete, and what it suggests."""

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("It says that it began on %(day)s%(why)s. When did it begin?"),
    _("Is it the same session as “%(name)s”? Coach is not sure: %(why)s."),
    _("Is it the same session as that of %(day)s? Coach is not sure: %(why)s."),
    _("95 % of your best 20 minutes, %(n)s W on %(day)s."),
    _("The pace at 88 % of the VDOT of %(n)s km in %(n_time)s on %(day)s."),
    _("The highest heart rate that held for 5 seconds, on %(day)s."),
    _("The mean of the last 20 of 30 even and hard minutes, on %(day)s."),
)
WORDS = (
    _(", which is still to come"),
    _(": the clock of the device was not set"),
    _("it fits two sessions that are not the same"),
    _("they are alike, but the clock of one is off"),
    _("they agree in time, but began at different places"),
    _("they agree, but the heart rates are not one person's"),
    _("they overlap, but the %(what)s differs"),
    _("they overlap, but %(what)s differ"),
    _("start"),
    _("duration"),
)
