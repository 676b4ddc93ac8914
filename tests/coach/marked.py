"""Finds the texts that pages mark for translation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TRANSLATE = re.compile(r"\{%\s*translate\s+\"([^\"]+)\"|_\(\"([^\"]+)\"\)")
BLOCK = re.compile(r"\{%\s*blocktranslate\b[^%]*%\}(.*?)\{%\s*endblocktranslate\s*%\}", re.S)
VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
MARKS = {"gettext", "gettext_lazy", "gettext_noop", "_"}
NGETTEXT = "ngettext"


def in_templates() -> Iterator[str]:
    """Yield the message ids of templates; a plural's two forms are joined by NUL."""
    for path in sorted([*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates").rglob("*.txt")]):
        text = path.read_text(encoding="utf-8")
        yield from (match[1] or match[2] for match in TRANSLATE.finditer(text))
        for match in BLOCK.finditer(text):
            forms = re.split(r"\{%\s*plural\s*%\}", match[1])
            yield "\0".join(VARIABLE.sub(r"%(\1)s", form) for form in forms)


def in_code() -> Iterator[str]:
    for path in sorted((ROOT / "coach").rglob("*.py")):
        if "migrations" not in path.parts and "admin" not in path.parts:
            yield from in_module(ast.parse(path.read_text(encoding="utf-8")))


def in_module(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        words = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if name in MARKS and words:
            yield words[0]
        elif name == NGETTEXT:
            yield "\0".join(words[:2])
