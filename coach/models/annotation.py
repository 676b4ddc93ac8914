"""One sentence about a session, for its line in the list."""

from django.db import models

from coach.models.activity import Activity


class Annotation(models.Model):
    activity = models.OneToOneField(Activity, on_delete=models.CASCADE, related_name="annotation", primary_key=True)
    about = models.CharField(max_length=64)  # Activity.look when it was written; another one, and it is out of date
    fingerprint = models.CharField(max_length=64)  # of the facts, and of who writes in what language
    writer = models.CharField(max_length=100)
    language = models.CharField(max_length=8)
    text = models.TextField()  # with tokens {{key}}
    facts = models.JSONField()  # key -> label, display, meaning: of those in the text
    asked = models.CharField(max_length=100, default="", blank=True)  # the model that was asked, whoever wrote then
    checked = models.JSONField(default=dict)  # see coach.scores
    created_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"a sentence about {self.activity_id} by {self.writer}"
