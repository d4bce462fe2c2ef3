"""`make fuzz HOURS=2`: odd calls in as many processes as there are cores; what fails goes into the corpus.

Each worker writes down a case before it tries it, so that a crash or an endless loop in compiled code has a case too.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SILENCE = 180
"""Seconds of wall time without a new case after which a worker hangs where no watchdog reaches it."""

SLICE_CALLS, SLICE_SECONDS = 300, 5
"""A target's turn, so that a slow one does not take all the time, and a quick one not all the calls."""

LARGEST_MEMORY = 8 * 2**30


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--hours", type=float, default=0.1)
    parser.add_argument("--calls", type=int, default=10**12, help="stop after about so many calls, if earlier")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    parser.add_argument("--only", default="", help="targets, separated by commas")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker is not None:
        work(given.worker, given.seed, given.only)
        return 0
    print(f"seed {given.seed}, {given.jobs} processes, {given.hours:g} hours", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        crashes = supervise(Path(folder), given)
        return report(Path(folder), crashes)


def supervise(folder: Path, given: argparse.Namespace) -> list[dict[str, Any]]:
    """Keep the workers running until the time is over, or Ctrl-C; the cases that ended a worker."""
    until, crashes, started = time.monotonic() + 3600 * given.hours, [], 0
    running: dict[Path, subprocess.Popen[bytes]] = {}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while time.monotonic() < until and count_calls(folder) < given.calls:
            while len(running) < given.jobs:
                started += 1
                home = folder / f"worker{started}"
                home.mkdir()
                command = [sys.executable, "-m", "tests.fuzz", "--worker", str(home), "--only", given.only]
                running[home] = subprocess.Popen([*command, "--seed", str(given.seed + 1000 * started)])
            time.sleep(1)
            for home, process in list(running.items()):
                end = find_end(home, process)
                if end:
                    del running[home]
                    crashes.append({"case": json.loads((home / "case.json").read_text()), "text": end})
                    print(crashes[-1], flush=True)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    return crashes


def find_end(home: Path, process: subprocess.Popen[bytes]) -> str:
    """Why a worker has ended, or has to end now; nothing if it goes on."""
    case = home / "case.json"
    if case.exists() and time.time() - case.stat().st_mtime > SILENCE:
        process.kill()
        process.wait()
        return "hang"
    if process.poll() is None:
        return ""
    if not case.exists():
        raise RuntimeError("a worker ended before its first case")
    return f"crash with exit code {process.returncode}"


def count_calls(folder: Path) -> int:
    return sum(json.loads(path.read_text())["calls"] for path in folder.glob("*/tally.json"))


def report(folder: Path, crashes: list[dict[str, Any]]) -> int:
    """Print the calls per target and the faults, keep the cases, and say by the exit code whether there were any."""
    from tests.fuzz.corpus import keep

    ends: dict[str, dict[str, int]] = {}
    faults: dict[str, tuple[dict[str, Any], str]] = {}
    for path in sorted(folder.glob("*/tally.json")):
        tally = json.loads(path.read_text())
        for key, count in tally["ends"].items():
            target, _, end = key.rpartition("|")
            here = ends.setdefault(target, dict.fromkeys(("answered", "refused", "fault"), 0))
            here[end] += count
        faults.update(tally["faults"])
    print(f"{'target':<32}{'cases':>9}{'answered':>10}{'refused':>10}{'faults':>10}")
    for target, here in sorted(ends.items()):
        print(f"{target:<32}{sum(here.values()):>9}{here['answered']:>10}{here['refused']:>10}{here['fault']:>10}")
    found = [*faults.values(), *((one["case"], one["text"]) for one in crashes)]
    for case, text in found:
        print(f"\n{text}\n  kept as {keep(case)}")
    total = sum(sum(here.values()) for here in ends.values())
    calls = count_calls(folder)
    print(f"\n{total} cases of {len(ends)} targets, {calls} calls, {len(found)} causes of faults")
    return 1 if found else 0


def work(home: Path, seed: int, only: str) -> None:
    """Try the targets in turn for ever, in a new order each time; the supervisor ends it."""
    from tests.fuzz.corpus import show
    from tests.fuzz.engine import Tally, fuzz, reduce_all
    from tests.fuzz.targets import TARGETS
    from tests.fuzz.verdict import COUNT

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the supervisor
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, LARGEST_MEMORY))
    tally, known = Tally(), 0
    names = only.split(",") if only else list(TARGETS)

    def write_down(case: dict[str, Any]) -> None:
        (home / "case.json").write_text(show(case))

    while True:
        random.Random(seed).shuffle(names)
        for name in names:
            seed += 1
            fuzz(name, seed, calls=SLICE_CALLS, seconds=SLICE_SECONDS, tally=tally, before=write_down)
            if len(tally.faults) > known:
                known = len(tally.faults)
                reduce_all(tally)
            ends = {f"{target}|{end}": count for (target, end), count in tally.ends.items()}
            text = json.dumps({"ends": ends, "faults": tally.faults, "calls": COUNT["calls"]})
            (home / "new.json").write_text(text)
            (home / "new.json").replace(home / "tally.json")


if __name__ == "__main__":
    sys.exit(main())
