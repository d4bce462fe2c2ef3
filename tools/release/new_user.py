"""The path of a new user, timed: install the built wheel, first model, first audit page.

`python -m tools.release.new_user DIST`, where DIST holds the folders that `python -m tools.release` makes. Uses nothing
but the standard library, so that it runs wherever the wheel is to be tried.
"""

import sys
import tempfile
from pathlib import Path

from tools.release.environment import Environment

LIMIT = 20.0  # seconds of our own: all but the installation

FIRST_MODEL = """
from emphatic import EmphaticClassifier
from emphatic.datasets import load

problem = load("hepatitis")
model = EmphaticClassifier(random_state=0).fit(problem.X[::2], problem.y[::2])
print(model.score(problem.X[1::2], problem.y[1::2]))
problem.X.assign(outcome=problem.y).to_csv("hepatitis.csv", index=False)
"""


def walk(dist: Path, folder: Path) -> dict[str, float]:
    """Seconds of each step."""
    environment = Environment(folder)
    [wheel] = (dist / "emphatic").glob("*.whl")
    seconds = {"install emphatic[all]": environment.install(f"{wheel}[all]", [dist / "data"])}
    (environment.desk / "first.py").write_text(FIRST_MODEL, encoding="utf-8")
    seconds["emphatic --version"], version = environment.run("emphatic", "--version")
    if wheel.name.split("-")[1] not in version:
        sys.exit(f"{wheel.name} says that it is {version}")
    seconds["first model"], accuracy = environment.run("python", "first.py")
    if not 0.7 < float(accuracy) <= 1:
        sys.exit(f"the first model's accuracy is {accuracy}")
    audit = ["audit", "hepatitis.csv", "--target", "outcome", "--report", "page.html"]
    seconds["first audit page"], _ = environment.run("emphatic", *audit)
    if "<html" not in (environment.desk / "page.html").read_text(encoding="utf-8")[:1000]:
        sys.exit("the audit's page is no page")
    return seconds


def main(dist: str) -> None:
    with tempfile.TemporaryDirectory(prefix="emphatic-new-user-") as folder:
        steps = walk(Path(dist).resolve(), Path(folder))
    for step, seconds in steps.items():
        print(f"{seconds:7.1f} s  {step}")
    ours = sum(steps.values()) - steps["install emphatic[all]"]
    print(f"{ours:7.1f} s  ours, of {sum(steps.values()):.1f} s in all")
    if ours > LIMIT:
        sys.exit(f"A new user waits {ours:.1f} s for us; at most {LIMIT:.0f} s are allowed.")


if __name__ == "__main__":
    main(sys.argv[1])
