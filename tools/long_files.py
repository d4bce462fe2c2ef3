"""Name every Python file of more than 300 lines that is not a test, and fail if there is one."""

import sys
from pathlib import Path

LIMIT = 300

root = Path(__file__).parents[1]
lengths = {
    path.relative_to(root): len(path.read_text(encoding="utf-8").splitlines())
    for folder in ("src", "benchmarks", "tools")
    for path in sorted((root / folder).rglob("*.py"))
}
too_long = [f"{path}: {length} lines, {LIMIT} allowed" for path, length in lengths.items() if length > LIMIT]
if too_long:
    sys.exit("\n".join(too_long))
