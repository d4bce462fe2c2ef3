"""An empty virtual environment, outside of the checkout, in which a wheel is tried as its users will."""

import os
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from pathlib import Path


class Environment:
    """A new virtual environment in `folder`, and an empty folder to work in."""

    def __init__(self, folder: Path):
        self.desk = folder / "desk"
        self.desk.mkdir(parents=True)
        venv.create(folder / "venv", with_pip=True)
        self.programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")

    def install(self, requirement: str, links: Sequence[Path]) -> float:
        """Install with all that it requires, also from the folders `links`; the seconds it takes."""
        found = [part for link in links for part in ("--find-links", str(link))]
        quiet = ["-qq", "--disable-pip-version-check", "--no-input"]
        return self.run("python", "-m", "pip", "install", *quiet, *found, requirement)[0]

    def run(self, program: str, *arguments: str) -> tuple[float, str]:
        """Run a program of the environment at the desk; the seconds it needs, and what it printed.

        Seconds are those of the clock, or of the processor if these are fewer: others may use the machine, too.
        """
        # Nothing of the caller's Python may be seen, least of all the checkout.
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
        paths = f"{self.programs}{os.pathsep}{kept.get('PATH', '')}"
        start, before = time.perf_counter(), os.times()
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            cwd=self.desk,
            env={**kept, "PATH": paths, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        clock, after = time.perf_counter() - start, os.times()
        processor = (after.children_user - before.children_user) + (after.children_system - before.children_system)
        if done.returncode:
            sys.exit(f"{program} {' '.join(arguments)} failed in an empty environment:\n{done.stdout}\n{done.stderr}")
        return min(clock, processor or clock), done.stdout  # Windows counts no time of children
