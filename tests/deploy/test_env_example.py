"""deploy/env.example names every variable that the code reads, with its default, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
READERS = {"text", "number", "optional", "whole", "switch", "choice", "words", "mapping", "hosts", "origins", "address"}
LINE = re.compile(r"^(#?)([A-Z][A-Z0-9_]*)=(.*)$", re.MULTILINE)


def calls() -> Iterator[ast.Call]:
    for path in [*ROOT.glob("coach/**/*.py"), *ROOT.glob("jobs/**/*.py"), *ROOT.glob("deploy/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "env"
                and node.func.attr in READERS
            ):
                yield node


def name(call: ast.Call) -> str:
    assert isinstance(call.args[0], ast.Constant), "a variable is read by a name that stands in the code"
    return str(call.args[0].value)


def default(call: ast.Call) -> str | None:
    """Return the default as env.example writes it; None when it is computed."""
    values = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "default")]
    if not values:
        return ""
    if not isinstance(values[0], ast.Constant):
        return None
    value = values[0].value
    return str(int(value)) if isinstance(value, bool) else str(value)


def documented() -> dict[str, tuple[str, str]]:
    content = (ROOT / "deploy" / "env.example").read_text()
    return {match[2]: (match[1], match[3]) for match in LINE.finditer(content)}


def test_every_variable_is_documented_and_none_is_made_up() -> None:
    assert {name(call) for call in calls()} == set(documented())


def test_documented_defaults_are_the_real_ones() -> None:
    lines = documented()
    wrong = {
        name(call): default(call)
        for call in calls()
        if default(call) is not None and lines[name(call)][0] and lines[name(call)][1] != default(call)
    }
    assert wrong == {}
