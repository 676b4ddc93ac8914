"""Whatever Coach keeps in English has its Chinese: every sentence that its modules hold is told, and told wholly."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.utils import translation

from coach.retelling import MODULES, SENTENCES, retold
from coach.retelling.pattern import Pattern

ROOT = Path(__file__).resolve().parent.parent.parent / "coach"
# What says something to athletes without knowing their language.
FOLDERS = ("formats", "metrics")
SERVICES = [
    "accounts",
    "arriving",
    "bodies",
    "columns",
    "dates",
    "deadline",
    "deciding",
    "exports",
    "folders",
    "handlers",
    "health_exports",
    "imports",
    "middleware",
    "originals",
    "origins",
    "plans",
    "quality",
    "reading",
    "recordings",
    "remarks",
    "settling",
    "suggesting",
    "telling",
    "together",
    "tokens",
    "unpacking",
    "uploads",
    "walking",
    "wellness_rows",
]
PAGES = ["columns_form", "forms", "list_form", "months", "panel_words", "plan_forms", "remarks_form", "weight_form"]
# For those who run the site, for logs and for programs.
NOT_FOR_ATHLETES = re.compile(
    r"No address here holds a NUL|There is no |No original is kept|has a reader already|The watched folder \S+ is not"
    r"|The streams of|holds? no packed|streams are damaged|This session has no samples in that part"
    r"|^Upload-(?:Length|Offset) must"
    r"|^7 left out\.$"  # whose beginning stands in the line above it
)
KEPT = re.compile(
    r"FIT|GPX|TCX|ZIP|RAR|PDF|JSON|XML|KML|UTC|HRV|SDNN|rMSSD|VDOT|MB|GB|Coach|Strava|Garmin|Apple|Activity|Zip|gzip"
    r"|iCalendar|\.ics|export\.zip|activities\.csv|%\(\w+\)s"
)


def files() -> list[Path]:
    return (
        [*(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))]
        + [ROOT / f"{name}.py" for name in [*SERVICES, *PAGES]]
        + [path for path in sorted((ROOT / "views").glob("*.py")) if path.stem not in ("api", "doors")]
    )


SAMPLES = ("7", "5 min", "3 May 2026", "heart rate", "3 nights", "row", "2 events lie", "is an estimate", "it")


def sentences(tree: ast.Module) -> Iterator[list[tuple[str, ...]]]:
    """Yield what looks like a sentence, as what each of its pieces may be."""
    silent = {id(one) for node in ast.walk(tree) for one in _not_said(node)}
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        pieces = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            pieces = [(node.value.replace("{}", "7"),)]
        elif isinstance(node, ast.JoinedStr):
            pieces = [_may_be(one) for one in node.values]
        text = "".join(one[0] for one in pieces)
        if re.match(r"[A-Z7].*[a-z]{2} .*[.?]$", text) and "\n" not in text:
            yield pieces


def _may_be(piece: ast.expr) -> tuple[str, ...]:
    if isinstance(piece, ast.Constant):
        return (str(piece.value),)
    assert isinstance(piece, ast.FormattedValue)
    value = piece.value
    if isinstance(value, ast.IfExp):
        ways = (value.body, value.orelse)
        if all(isinstance(way, ast.Constant) for way in ways):
            return tuple(ast.literal_eval(way) for way in ways)
    return SAMPLES


def untold(pieces: list[tuple[str, ...]]) -> list[str]:
    """Return, for each way that a sentence can take, one that no pattern tells; "7" and such stand for its values."""
    ways = [place for place, piece in enumerate(pieces) if piece is not SAMPLES]
    told = {picked for picked in product(*pieces) if not english_in(chinese("".join(picked)))}
    wanted = [(place, word) for place in ways for word in pieces[place]] or [(0, SAMPLES)]
    return [
        "".join(piece[0] for piece in pieces)
        for place, word in wanted
        if not any(picked[place] == word or word is SAMPLES for picked in told)
    ]


UNSEEN = ("gettext", "_", "ngettext", "Http404")  # a page that is not there says so in its own words


def _not_said(node: ast.AST) -> Iterator[ast.AST]:
    """Yield docstrings, parts of other texts, and what is marked for translation where it stands."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr):
            yield first.value
    if isinstance(node, ast.JoinedStr):
        yield from node.values
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in UNSEEN:
        yield from node.args


def chinese(text: str) -> str:
    with translation.override("zh-hans"):
        return retold(text)


def english_in(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]{2,}", KEPT.sub("", text))


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_sentence_that_is_kept_is_told(path: Path) -> None:
    said = [pieces for pieces in sentences(ast.parse(path.read_text())) if not is_for_others(pieces)]
    assert [text for pieces in said for text in untold(pieces)] == []


def is_for_others(pieces: list[tuple[str, ...]]) -> bool:
    return bool(NOT_FOR_ATHLETES.search("".join(piece[0] for piece in pieces)))


def test_a_pattern_finds_itself_and_leaves_no_english() -> None:
    for module in MODULES:
        for text in (*module.SENTENCES, *module.WORDS):
            assert english_in(chinese(text)) == [] or "%(" in text, text


TOLD = {
    "It holds 2 activities. The same session as “ride. 2.fit”, so both are one activity. "
    "It stands aside until you answer a question about it.": (
        "里面有 2 次训练。与「ride. 2.fit」是同一次训练，两者合为一个活动。先放在一边，等你回答一个问题。"
    ),
    "3 nights, 12 HRV values and 1 weight. 2 values outside of what a body can have were left out.": (
        "3 夜、12 次 HRV、1 次体重。略去了 2 个超出人体可能范围的数值。"
    ),
    "2 workouts and 1 route, each listed here.": "2 次训练、1 条路线，逐一列在这里。",
    "The same recording is already there, from 3 April 2026.": "同样的记录已经有了，日期是2026年4月3日。",
    "Is it the same session as that of 3 May 2026, 07:30? Coach is not sure: "
    "they overlap, but sport and start differ.": (
        "它和2026年5月3日 07:30的那次是同一次训练吗？Coach 拿不准：两者时间重叠，但项目、开始不同。"
    ),
    "Heart rate is missing in 12 % of the samples; cadence is missing in 7 % of the samples.": (
        "12% 的采样缺少心率；7% 的采样缺少踏频。"
    ),
    "3 gaps, 12 min in all; the longest 5 min.": "3 处缺口，共 12 分钟；最长 5 分钟。",
    "2 of 30 months have no session, the last of them Oct 2026, Nov 2026.": (
        "30 个月中有 2 个月没有训练，最近的是 2026年10月、2026年11月。"
    ),
    "Sudden jumps: 3 in heart rate, 2 in speed.": "突然跳变：心率 3 处、速度 2 处。",
    "It gives time, position and heart rate.": "提供：时间、位置、心率。",
    "The maximum, resting and threshold heart rate is estimated; set it in your settings for exact zones and load.": (
        "最大、静息、阈值心率是估计的；在「设置」里填写，区间和负荷才准确。"
    ),
    "95 % of your best 20 minutes, 312 W on 3 May 2026.": "你 20 分钟最佳功率（2026年5月3日的 312 瓦）的 95%。",
    "Resting heart rate (bpm): from Ring, Watch. Only one of them is used for a day.": (
        "静息心率（次/分）：来自 Ring, Watch。每天只采用其中一个。"
    ),
    "This is a PDF document, not a recording. Export the activity as FIT, TCX or GPX and upload that file.": (
        "这是 PDF 文档，不是记录。请把活动导出为 FIT、TCX 或 GPX，再上传那个文件。"
    ),
    "Sessions of the calendar: 3 new, 2 as before. 1 event lies outside of the coming year.": (
        "日历中的训练：新增 3 次、不变 2 次。有 1 个日程不在未来一年之内。"
    ),
    "The timer stood still for 3 hours. Check that the date is right.": "计时停了 3 小时。请检查日期是否正确。",
    "4 of 120 rows have a weight that is no number; the first is row 7.": (
        "120 行中有 4 行体重不是数字，第一处在第 7 行。"
    ),
}


@pytest.mark.parametrize("text", TOLD)
def test_what_was_kept_is_told_in_chinese(text: str) -> None:
    assert chinese(text) == TOLD[text]


def test_what_is_not_known_stays_and_what_follows_is_told() -> None:
    told = chinese("Something that an older release said. The same file is already there.")
    assert told == "Something that an older release said. 同样的文件已经有了。"


def test_english_stays_english() -> None:
    with translation.override("en"):
        assert retold("The same file is already there.") == "The same file is already there."


def test_a_name_is_never_translated() -> None:
    assert "「power」" in chinese("The same session as “power”, so both are one activity.")


def test_few_patterns_are_tried_for_a_sentence() -> None:
    """A page shows hundreds of sentences: patterns are found by their first words."""
    assert sum(1 for _ in SENTENCES.of("It holds 2 activities.")) < 40
    assert Pattern("A gap of %(span)s.").begins.match("A gap of 5 min. More.")
