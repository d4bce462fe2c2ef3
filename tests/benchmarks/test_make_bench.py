"""`make bench`: the limits come first, and what benchmarks import from here is there, also where peers are not."""

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = re.findall(r"-m (benchmarks\.\w+)", (ROOT / "Makefile").read_text())
FILES = sorted((ROOT / "benchmarks").glob("*.py"))


def test_limits_come_first():
    assert RUN[0] == "benchmarks.limits"
    assert all(find_spec(name) for name in RUN)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_that_are_imported_exist(path):
    for statement in ast.walk(ast.parse(path.read_text())):
        if isinstance(statement, ast.ImportFrom) and re.match(r"(emphatic|tools)\b", statement.module or ""):
            module = import_module(statement.module)
            for alias in statement.names:
                assert hasattr(module, alias.name) or find_spec(f"{statement.module}.{alias.name}"), alias.name
