"""The corpus of nasty tables (tools/make_corpus.py), and what became of a file: right, refused or misread."""

import json
import math
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "data" / "tables"
NAMES = sorted(path.name.removesuffix(".expected.json") for path in FOLDER.glob("*.expected.json"))


def expect(name: str) -> dict[str, Any]:
    """What a person would read in a file."""
    return json.loads((FOLDER / f"{name}.expected.json").read_text())


def judge(expected: dict[str, Any], columns: dict[str, list[Any]] | None, error: str | None) -> str:
    """`right`, `refused` (also if that is not what was expected) or `misread`."""
    if error is not None:
        pattern = expected.get("refused", expected.get("may_refuse"))
        return "right" if "refused" in expected and re.search(pattern, error, re.DOTALL) else "refused"
    found = {name: [None if _is_missing(cell) else cell for cell in cells] for name, cells in (columns or {}).items()}
    return "right" if found == expected.get("columns") and list(found) == list(expected["columns"]) else "misread"


def _is_missing(cell: Any) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))
