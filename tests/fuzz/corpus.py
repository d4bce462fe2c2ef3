"""Cases that once failed, or that show what a case is: one JSON file each, replayed by the quick tests."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tests.fuzz.targets import TARGETS
from tests.fuzz.verdict import Fault

FOLDER = Path(__file__).parent / "corpus"


def run(case: dict[str, Any]) -> str:
    """ "answered" or "refused"; a Fault otherwise."""
    return str(TARGETS[case["target"]].run(case))


def name_cause(case: dict[str, Any], fault: Fault) -> str:
    """Equal for faults of one cause, as far as one can tell from outside."""
    words = re.sub(r"[\d.e+-]+", "#", str(fault))[:60]
    return f"{case['target']}: {fault.kind}, {fault.place or words}"


def show(case: dict[str, Any]) -> str:
    return json.dumps(case, sort_keys=True, ensure_ascii=False)


def reduce(case: dict[str, Any], cause: str) -> dict[str, Any]:
    """The case without the arguments that the fault does not need."""
    for name in [name for name in case if name != "target"]:
        smaller = {key: value for key, value in case.items() if key != name}
        try:
            run(smaller)
        except Fault as fault:
            if name_cause(smaller, fault) == cause:
                case = smaller
        except Exception:
            continue  # an argument that the case needs
    return case


def keep(case: dict[str, Any], folder: Path = FOLDER) -> Path:
    """Write a case into the corpus, under a name of its own."""
    digest = hashlib.sha256(show(case).encode()).hexdigest()[:8]
    path = folder / f"{re.sub('[^A-Za-z_]+', '-', case['target'])}-{digest}.json"
    path.write_text(json.dumps(case, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def read_all() -> dict[str, dict[str, Any]]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
