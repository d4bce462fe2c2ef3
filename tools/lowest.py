"""Print `name==bound` for each lower bound in pyproject.toml: the core's, and those of the extras named as arguments.

`make test-oldest` installs under these pins, so the bounds are tested and there is no second list to keep.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def requirements(project: dict, extras: list[str]) -> Iterator[Requirement]:
    lines = list(project["dependencies"]) if not extras else project["optional-dependencies"][extras[0]]
    for requirement in map(Requirement, lines):
        if canonicalize_name(requirement.name) == project["name"]:
            for extra in sorted(requirement.extras):  # emphatic[cli] stands for the lines of that extra
                yield from requirements(project, [extra])
        else:
            yield requirement


def lower_bound(requirement: Requirement) -> str:
    bounds = [s.version for s in requirement.specifier if s.operator == ">="]
    if len(bounds) != 1:
        sys.exit(f"pyproject.toml: {requirement} needs exactly one lower bound (>=), or test-oldest cannot test it")
    return bounds[0]


def main() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    for group in [[], *([extra] for extra in sys.argv[1:])]:
        for requirement in requirements(project, group):
            print(f"{requirement.name}=={lower_bound(requirement)}")


if __name__ == "__main__":
    main()
