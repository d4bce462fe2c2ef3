"""Build all that is released, look into it, install it alone, and try it: `python -m tools.release [--tag v0.2.0]`.

What was built stays in dist/: `emphatic` and `data`, each with an sdist and a wheel.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.release import new_user
from tools.release.contents import Wheel, find_foreign_tables
from tools.release.environment import Environment
from tools.release.versions import ROOT, find_disagreements, read_version

DIST = ROOT / "dist"
PROJECTS = {"emphatic": ROOT, "data": ROOT / "packages/emphatic-data-gpl"}
LICENCES = """
from importlib import metadata
for one in sorted(metadata.distributions(), key=lambda one: one.name.lower()):
    texts = [one.metadata["License-Expression"], one.metadata["License"]]
    texts += [text.split(" :: ")[-1] for text in one.metadata.get_all("Classifier", []) if text.startswith("License")]
    print(f"  {one.name} {one.version}: {next((text for text in texts if text), 'not stated').splitlines()[0][:60]}")
"""
FIRST_ENSEMBLE = """
from emphatic import RealAdaBoostClassifier
from emphatic.datasets import load
problem = load("ionosphere", "001")
X, y, test = problem.X[problem.train], problem.y[problem.train], problem.test
print("the library alone:", RealAdaBoostClassifier(random_state=0).fit(X, y).score(problem.X[test], problem.y[test]))
"""


def build() -> list[Wheel]:
    """An sdist of each project, and the wheel that is built of that sdist."""
    shutil.rmtree(DIST, ignore_errors=True)
    for name, folder in PROJECTS.items():
        command = [sys.executable, "-m", "build", "--outdir", str(DIST / name), str(folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{folder} cannot be built:\n{done.stdout}\n{done.stderr}")
    files = sorted(DIST.glob("*/*"))
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, files)], check=True)
    return [Wheel(path) for path in files if path.suffix == ".whl"]


def read_readme_example() -> str:
    """The first example of the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[0]


def try_alone(folder: Path) -> None:
    """The wheel with nothing but its requirements; then its command, the README's example, and a row of a paper."""
    environment = Environment(folder)
    [wheel] = (DIST / "emphatic").glob("*.whl")
    seconds = environment.install(str(wheel), [])
    print(f"Installed alone in {seconds:.0f} s, with:\n{environment.run('python', '-c', LICENCES)[1]}", end="")
    print(f"Accuracy of {environment.run('python', '-c', FIRST_ENSEMBLE)[1]}", end="")
    environment.install(f"{wheel}[cli,papers]", [DIST / "data"])
    print(environment.run("emphatic", "--version")[1], end="")
    (environment.desk / "readme.py").write_text(read_readme_example(), encoding="utf-8")
    print(environment.run("python", "readme.py")[1], end="")
    print(environment.run("emphatic", "reproduce", "000-II", "--quick", "--report", "demo.html")[1], end="")
    place = environment.run("python", "-c", "import emphatic; print(emphatic.__file__)")[1]
    if str(folder) not in place:
        sys.exit(f"What was tried is {place}, not the wheel")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("--tag", help="the tag that is to be released, such as v0.2.0")
    start, tag = time.perf_counter(), parser.parse_args().tag
    faults = find_disagreements(tag)
    wheels = [] if faults else build()
    for wheel in wheels:
        [sdist] = wheel.path.parent.glob("*.tar.gz")
        print(f"{wheel.describe()}\n{sdist.name}: {sdist.stat().st_size / 1e6:.2f} MB")
        faults += wheel.find_faults() + find_foreign_tables(sdist, wheel.tables)
    if faults:
        sys.exit("Not to be released:\n" + "\n".join(f"- {fault}" for fault in faults))
    with tempfile.TemporaryDirectory(prefix="emphatic-release-") as folder:
        try_alone(Path(folder))
    new_user.main(str(DIST))
    print(f"emphatic {read_version()} can be released; checked in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
