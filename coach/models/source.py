"""Where recordings come from, and every file that was ever handed in."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.models.athlete import Athlete


class Source(models.Model):
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="sources")
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["athlete", "name"], name="source_name_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def lane(self) -> str:
        """The line in the queue in which everything that touches this source runs, one at a time."""
        return f"source:{self.pk}"


class ImportRun(models.Model):
    """One act of handing in files; one job reads them, an item a file."""

    class Way(models.TextChoices):
        PAGE = "page", _("the import page")
        COMMAND = "command", _("the command line")
        FOLDER = "folder", _("the watched folder")
        TOKEN = "token", _("a phone or program")

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="imports")
    way = models.CharField(max_length=8, choices=Way, default=Way.PAGE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"import {self.pk}"


class ImportFile(models.Model):
    """A file as it was handed in. The bytes are kept whatever becomes of it."""

    class Outcome(models.TextChoices):
        WAITING = "waiting", _("waiting")
        IMPORTED = "imported", _("imported")
        JOINED = "joined", _("joined with another recording")
        DOUBTED = "doubted", _("needs your answer")
        ASKED = "asked", _("say what its columns are")
        DUPLICATE = "duplicate", _("already there")
        REFUSED = "refused", _("refused")
        IGNORED = "ignored", _("holds no training")

    run = models.ForeignKey(ImportRun, on_delete=models.CASCADE, related_name="files")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="members")  # its archive
    name = models.CharField(max_length=300)  # as the athlete called it; never used as a path
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    outcome = models.CharField(max_length=16, choices=Outcome, default=Outcome.WAITING)
    sentence = models.CharField(max_length=1000, blank=True)  # what happened, for the athlete
    state = models.JSONField(default=dict)  # how far a file that is read in parts has been read
    mapping = models.JSONField(default=dict)  # what the athlete said the columns of a table are
    look = models.JSONField(default=dict)  # of a table, for the page that asks: heads, first rows, how many, a guess

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["run", "outcome"], name="import_file_outcome"),
            models.Index(fields=["sha256"], name="import_file_bytes"),
        ]

    def __str__(self) -> str:
        return self.name
