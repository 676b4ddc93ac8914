"""Sentences about sessions, evaluations of models and prompts, and what upstreams turned out to know."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("coach", "0013_training_days"),
    ]

    operations = [
        migrations.CreateModel(
            name="Annotation",
            fields=[
                (
                    "activity",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="annotation",
                        serialize=False,
                        to="coach.activity",
                    ),
                ),
                ("about", models.CharField(max_length=64)),
                ("fingerprint", models.CharField(max_length=64)),
                ("writer", models.CharField(max_length=100)),
                ("language", models.CharField(max_length=8)),
                ("text", models.TextField()),
                ("facts", models.JSONField()),
                ("asked", models.CharField(blank=True, default="", max_length=100)),
                ("checked", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="Evaluation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=100)),
                ("sides", models.JSONField()),
                ("created_by", models.CharField(max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "permissions": [("run_evaluation", "Can run, judge and export evaluations")],
            },
        ),
        migrations.CreateModel(
            name="EvaluationCase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                ("language", models.CharField(max_length=8)),
                ("facts", models.JSONField()),
                (
                    "athlete",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="evaluation_cases", to="coach.athlete"
                    ),
                ),
                (
                    "evaluation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cases", to="coach.evaluation"
                    ),
                ),
                (
                    "insight",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="evaluation_cases",
                        to="coach.insight",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EvaluationText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.PositiveSmallIntegerField()),
                ("writer", models.CharField(max_length=100)),
                ("text", models.JSONField(default=dict)),
                ("violations", models.JSONField(default=list)),
                ("checked", models.JSONField(default=dict)),
                ("error", models.CharField(blank=True, max_length=300)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="texts", to="coach.evaluationcase"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EvaluationVerdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("judge", models.CharField(max_length=150)),
                ("better", models.SmallIntegerField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="verdicts", to="coach.evaluationcase"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Upstream",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pool", models.CharField(max_length=64)),
                ("model", models.CharField(max_length=80)),
                ("place", models.CharField(max_length=64)),
                ("features", models.JSONField(null=True)),
                ("learnt_at", models.DateTimeField(null=True)),
                ("prompt_s", models.FloatField(null=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("pool", "model"), name="upstream_once_a_model")],
            },
        ),
        migrations.AddConstraint(
            model_name="evaluationcase",
            constraint=models.UniqueConstraint(fields=("evaluation", "position"), name="evaluation_case_once_a_place"),
        ),
        migrations.AddConstraint(
            model_name="evaluationtext",
            constraint=models.UniqueConstraint(fields=("case", "side"), name="evaluation_text_once_a_side"),
        ),
        migrations.AddConstraint(
            model_name="evaluationverdict",
            constraint=models.UniqueConstraint(fields=("case", "judge"), name="evaluation_verdict_once_a_judge"),
        ),
    ]
