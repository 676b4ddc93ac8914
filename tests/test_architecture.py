"""Which module may import which, where a statement may stand, how long a file may be: read from syntax trees."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 350
WRITES = re.compile(r"\s*(INSERT\s+INTO|UPDATE\s+\w+|DELETE\s+FROM|TRUNCATE|ALTER|DROP|CREATE|WITH\s+\w+\s+AS)\s", re.S)
READS = re.compile(r"\s*(SELECT|LISTEN)\s", re.S)
NAMED_FOR_NOTHING = {"utils", "util", "helpers", "helper", "base", "manager", "managers"}


def files(*folders: str) -> list[Path]:
    return [
        path.relative_to(ROOT)
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "migrations" not in path.parts
    ]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


def module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    """Yield the full names that a file imports when it runs; what only a type checker reads is left out."""
    todo: list[ast.AST] = [tree(path)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        todo += ast.iter_child_nodes(node)


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def strays(folder: str, *allowed: str, of: str, but: tuple[str, ...] = ()) -> list[str]:
    """Return the imports from `of` in the folder that are not among the allowed ones; `but` are files left out."""
    return [
        f"{path} imports {name}"
        for path in files(folder)
        if not within(module(path), *but)
        for name in imports(path)
        if within(name, of) and not within(name, *allowed)
    ]


def statements(path: Path, words: re.Pattern[str]) -> list[str]:
    texts = (node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant))
    return [f"{path}: {text.strip()[:40]}" for text in texts if isinstance(text, str) and words.match(text)]


# The queue and the product


def test_the_queue_knows_nothing_of_the_product():
    assert strays("jobs", of="coach") == []


def test_the_product_knows_the_queue_by_its_face():
    assert strays("coach", "jobs.api", of="jobs") == []


def test_the_scripts_of_a_deployment_only_look_beside():
    assert strays("deploy", "jobs.api", "jobs.models", of="jobs") == []


def test_the_tests_of_the_product_move_no_row_of_the_queue_by_its_inside():
    seen = ("jobs.api", "jobs.testing", "jobs.exceptions", "jobs.models")
    assert [stray for folder in ("tests/coach", "tests/browser") for stray in strays(folder, *seen, of="jobs")] == []


# Inside the queue: commands → worker → transitions → models → the rest


LAYERS = [
    {
        "jobs.exceptions",
        "jobs.conf",
        "jobs.events",
        "jobs.text",
        "jobs.backoff",
        "jobs.registry",
        "jobs.reserve",
        "jobs.starts_at",
    },
    {"jobs.models", "jobs.sql"},
    {"jobs.transitions", "jobs.ticket"},
    {"jobs.worker"},
    {"jobs.api", "jobs.testing", "jobs.console", "jobs.checks"},
    {"jobs.admin", "jobs.management", "jobs.templatetags", "jobs.apps", "jobs.handlers"},
]


def layer(name: str) -> int | None:
    """Return how high a module of the queue stands; None for names of the package itself, like its version."""
    return next((height for height, modules in enumerate(LAYERS) if within(name, *modules)), None)


def test_every_module_of_the_queue_has_its_layer():
    assert [str(path) for path in files("jobs") if layer(module(path)) is None and module(path) != "jobs"] == []


def test_inside_the_queue_imports_go_down():
    upwards = [
        f"{path} imports {name}"
        for path in files("jobs")
        for name in imports(path)
        if within(name, "jobs") and (layer(name) or 0) > (layer(module(path)) or 0)
    ]
    assert upwards == []


def test_the_models_of_the_queue_import_nothing_of_it():
    assert strays("jobs/models", "jobs.models", of="jobs") == []


# Inside the product: views, admin, commands → handlers → services → models → formats, metrics, scopes


PURE = {
    "coach/formats": ("coach.formats",),
    "coach/metrics": ("coach.metrics", "coach.formats"),
    "coach/narrator": ("coach.narrator", "coach.scopes"),
    "coach/models": ("coach.models", "coach.formats.wellness"),
    "coach/scopes": (
        "coach.scopes", "coach.models", "coach.metrics", "coach.formats", "coach.display", "coach.streams",
        "coach.stored", "coach.preferred", "coach.places",
    ),
}  # fmt: skip


@pytest.mark.parametrize("folder", PURE)
def test_what_computes_and_what_stores_knows_nothing_of_what_uses_it(folder):
    assert strays(folder, *PURE[folder], of="coach") == []
    assert strays(folder, of="jobs") == []


@pytest.mark.parametrize("folder", ["coach/formats", "coach/metrics", "coach/narrator"])
def test_what_is_pure_needs_no_django(folder):
    assert strays(folder, of="django") == []


@pytest.mark.parametrize("top", ["coach.views", "coach.admin", "coach.handlers", "coach.management", "coach.urls"])
def test_nothing_stands_on_what_is_on_top(top):
    assert strays("coach", of=top, but=(top, "coach.urls", "coach.settings")) == []


def test_settings_are_read_by_way_of_django():
    assert strays("coach", of="coach.settings") == []


@pytest.mark.parametrize("client", ["requests", "httpx", "urllib.request", "http.client"])
def test_only_the_gateway_talks_to_the_upstream(client):
    assert strays("coach", of=client, but=("coach.gateway", "coach.trial")) == []
    assert strays("jobs", of=client) == []


@pytest.mark.parametrize("part", ["coach.trial", "coach.demo"])
def test_the_product_runs_without_its_trial_and_its_demo(part):
    assert strays("coach", of=part, but=(part, "coach.management")) == []


# Statements


def test_rows_of_the_queue_change_in_its_transitions():
    """And in the fenced saves of a run. `testing` sets what is due; migrations make the tables."""
    writers = ("jobs.transitions", "jobs.worker.run", "jobs.testing")
    found = [text for path in files("jobs") if not within(module(path), *writers) for text in statements(path, WRITES)]
    found += [f"{path}: {call}" for path in files("jobs") if not within(module(path), *writers) for call in saves(path)]
    assert found == []


def saves(path: Path) -> Iterator[str]:
    """Yield the calls by which an ORM changes rows."""
    verbs = {"create", "bulk_create", "get_or_create", "update_or_create", "update", "bulk_update", "delete", "save"}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in verbs:
            text = ast.unparse(node.func)
            if text == "run.save":  # the fenced door of a handler
                continue
            if ".objects." in text or node.func.attr in ("save", "bulk_create", "bulk_update"):
                yield text


def test_rows_of_the_queue_are_read_where_they_are_explained():
    readers = ("jobs.transitions", "jobs.worker", "jobs.ticket", "jobs.console", "jobs.checks", "jobs.sql")
    found = [text for path in files("jobs") if not within(module(path), *readers) for text in statements(path, READS)]
    assert found == []


def test_the_product_writes_no_sql():
    found = [text for path in files("coach") for words in (WRITES, READS) for text in statements(path, words)]
    assert found in ([], ["coach/views/doors.py: SELECT 1"])


@pytest.mark.parametrize("path", files("jobs/transitions"), ids=str)
def test_a_statement_is_a_named_constant_above_its_function(path):
    """Text inside a function is no statement, so that each has a name and a line that says what it is for."""
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]
    words = {ast.get_docstring(function, clean=False) for function in functions}
    inside = [
        node.value
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in words
        if WRITES.match(node.value) or READS.match(node.value)
    ]
    assert inside == []


# Files


@pytest.mark.parametrize("folder", ["coach", "jobs", "tests", "deploy"])
def test_no_file_is_long(folder):
    lengths = {str(path): len((ROOT / path).read_text().splitlines()) for path in files(folder)}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


@pytest.mark.parametrize("folder", ["coach", "jobs"])
def test_each_module_says_what_it_is_for(folder):
    silent = [str(path) for path in files(folder) if tree(path).body and not ast.get_docstring(tree(path))]
    assert silent == []


@pytest.mark.parametrize("folder", ["coach", "jobs", "tests"])
def test_no_module_is_named_for_nothing(folder):
    assert [str(path) for path in files(folder) if path.stem in NAMED_FOR_NOTHING] == []
