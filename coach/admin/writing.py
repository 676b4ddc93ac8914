"""How well each model keeps to the facts, and what each athlete's texts cost a day."""

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from coach import budget
from coach.admin.kept import Derived
from coach.models import Spending, Upstream, WriterScore


@admin.register(WriterScore)
class WriterScoreAdmin(Derived[WriterScore]):
    list_display = (
        "model", "prompt_version", "written", "was_repaired", "had_fallen_back", "findings", "were_dropped", "by_rule",
        "last_at",
    )  # fmt: skip
    ordering = ("-last_at",)
    fields = (
        "model", "prompt_version", "written", "was_repaired", "had_fallen_back", "findings", "were_dropped", "by_rule",
        "first_at", "last_at",
    )  # fmt: skip

    @admin.display(description="repaired", ordering="repaired")
    def was_repaired(self, score: WriterScore) -> str:
        return share(score.repaired, of=score.written)

    @admin.display(description="fell back", ordering="fell_back")
    def had_fallen_back(self, score: WriterScore) -> str:
        return share(score.fell_back, of=score.written + score.fell_back)

    @admin.display(description="findings dropped", ordering="dropped")
    def were_dropped(self, score: WriterScore) -> str:
        return share(score.dropped, of=score.findings)

    @admin.display(description="by rule")
    def by_rule(self, score: WriterScore) -> SafeString:
        often = sorted(score.rules.items(), key=lambda pair: (-pair[1], pair[0]))
        return format_html_join(", ", "{} {}", often)


@admin.register(Spending)
class SpendingAdmin(Derived[Spending]):
    list_display = ("day", "athlete", "of_calls", "of_tokens")
    list_select_related = ("athlete__user",)
    search_fields = ("athlete__user__username",)
    ordering = ("-day", "-tokens")
    fields = ("athlete", "day", "of_calls", "of_tokens")

    @admin.display(description="calls", ordering="calls")
    def of_calls(self, row: Spending) -> str:
        return f"{row.calls} of {budget.limits(row.athlete)[0]}"

    @admin.display(description="tokens", ordering="tokens")
    def of_tokens(self, row: Spending) -> str:
        return f"{row.tokens} of {budget.limits(row.athlete)[1]}"


@admin.register(Upstream)
class UpstreamAdmin(Derived[Upstream]):
    list_display = ("pool", "model", "knows", "learnt_at", "reads", "changed_at")
    ordering = ("pool", "model")
    fields = ("pool", "model", "knows", "learnt_at", "reads", "changed_at")

    @admin.display(description="knows")
    def knows(self, row: Upstream) -> str:
        if not row.features:
            return "nothing was refused"
        return ", ".join(f"{name} {value or 'no'}" for name, value in row.features.items())

    @admin.display(description="reads, tokens a second")
    def reads(self, row: Upstream) -> str:
        return f"{1 / row.prompt_s:.0f}" if row.prompt_s else "not measured"


def share(count: int, *, of: int) -> str:
    """Return the count with its share: 12 (3 %)."""
    return f"{count} ({100 * count / of:.0f} %)" if of else str(count)
