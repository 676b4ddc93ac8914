"""The list of pools: each with its breaker as a sentence and its seats."""

from collections import Counter

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.utils.safestring import SafeString

from jobs import reserve
from jobs.admin import cells
from jobs.console import machine, words
from jobs.models import Pool


class PoolChangeList(ChangeList):
    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        pictured = {pool.name: pool for pool in machine.pools()}
        self.result_list = [pool for pool in self.result_list if pool.pk in pictured]
        for pool in self.result_list:
            pool.picture = pictured[pool.pk]


class Cells:
    @admin.display(description="state")
    def state(self, pool: Pool) -> SafeString:
        return cells.state(_picture(pool).state)

    @admin.display(description="breaker")
    def says(self, pool: Pool) -> str:
        return _picture(pool).sentence

    @admin.display(description="gap in seconds")
    def gap_seconds(self, pool: Pool) -> str:
        return f"{pool.gap.total_seconds():g}"

    @admin.display(description="leave to the neighbours")
    def reserve_lines(self, pool: Pool) -> str:
        return reserve.told(pool.reserve) or "–"

    @admin.display(description="seats")
    def seats(self, pool: Pool) -> str:
        return words.listed(Counter(seat.state for seat in _picture(pool).seats)) or "none"


def _picture(pool: Pool) -> machine.Pool:
    picture: machine.Pool = pool.picture  # type: ignore[attr-defined]
    return picture
