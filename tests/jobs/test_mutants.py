"""The lines that `mutants` breaks and the tests that jobs/README.md names are still there."""

import re

import pytest

from tests.jobs.mutants import MUTANTS, ROOT

FILES = sorted((ROOT / "tests").rglob("test_*.py"))
TESTS = "\n".join(path.read_text() for path in FILES)
NAMED = sorted(set(re.findall(r"test_[a-z0-9_]+", (ROOT / "jobs" / "README.md").read_text())))


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.guarantee for mutant in MUTANTS])
def test_a_line_to_break_stands_once_where_it_is_said_to(mutant):
    assert (ROOT / "jobs" / mutant.file).read_text().count(mutant.line) == 1
    path, _, name = mutant.test.partition("::")
    assert f"def {name}" in (ROOT / "tests" / path).read_text()


@pytest.mark.parametrize("name", NAMED)
def test_a_test_that_the_readme_names_is_there(name):
    assert name in {path.stem for path in FILES} or f"def {name}" in TESTS
