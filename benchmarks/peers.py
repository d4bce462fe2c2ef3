"""`python -m benchmarks.peers`: ours against the peers, over all bundled problems, clean and with flipped labels.

Every contender of `emphatic.comparison.contenders` that is installed, at its defaults; with `--tuned` also after a
random search in the CPU time that EmphaticClassifier took for the same fit. Random stratified partitions, 60% for
training (cut at `--max-train` rows) and 40% for testing, whose labels are clean. All contenders finish a partition of
all problems before the next one is begun, and what the store holds is not done again: stop and go on at will. Those of
`benchmarks.peers_automl`, which take a minute each, take part if `--methods` names them. `--records` is a table of
fits of peers that were done before, here or elsewhere; `benchmarks/records/peers.csv` is the one of docs/peers.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

import numpy as np

from benchmarks.pages import write_figures
from benchmarks.peers_automl import list_installed_automl
from benchmarks.peers_methods import CORRECTED, NOISE, at_defaults, tuned
from benchmarks.peers_pairs import pair_page
from benchmarks.peers_problems import HALVES, StratifiedPartition, problem
from benchmarks.peers_records import TABLE, add_records, write_records
from benchmarks.peers_report import page
from benchmarks.peers_results import OURS
from benchmarks.peers_tuning import SPACES
from emphatic.comparison.contenders import list_installed
from emphatic.names import unknown
from emphatic.recipes import Recipe
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.tasks import Record, canonical

SLOWEST = (
    "RealAdaBoost of trees",
    "HistGradientBoosting",
    "EasyEnsemble",
    "EmphaticClassifier",
    "EmphaticClassifier, noise corrected",
    "CatBoost",
)
"""These come last within a partition, the slowest at the very end."""

LONG, PARTITIONS_IF_LONG = 120.0, 1
"""A contender that took more CPU seconds for a fit is given that problem on so many partitions only."""


def choose(names: Sequence[str]) -> list[Recipe]:
    """The contenders, the cheap ones first; those that search for a minute only if they are named."""
    usual = {**list_installed(), CORRECTED.name: CORRECTED}
    known = {**usual, **list_installed_automl()}
    for name in names:
        if name not in known:
            raise unknown("method", name, known)
    picked = [known[name] for name in (names or usual)]
    return sorted(picked, key=lambda one: SLOWEST.index(one.name) if one.name in SLOWEST else -1)


def default_studies(
    methods: Sequence[Recipe],
    names: Sequence[str],
    part: StratifiedPartition,
    store: Store,
    noise: Sequence[float] = NOISE,
) -> Iterator[Study]:
    """One a method: it is done with a partition before the next one begins."""
    for contender in methods:
        taken = [problem(name) for name in taken_by(contender, names, part, store)]
        yield Study(TABLE, [at_defaults(contender, noise)], taken, part)


def tuned_studies(
    methods: Sequence[Recipe], names: Sequence[str], part: StratifiedPartition, store: Store
) -> Iterator[Study]:
    """One a method and problem, with the time that ours took for the same rows and labels; none if ours is not done.

    Nor where the defaults are known to take longer than that: they would be kept (see `peers_results`).
    """
    budget_of = _fit_seconds(OURS, part, store)
    for contender in methods:
        defaults = _fit_seconds(contender.name, part, store)
        for name in taken_by(contender, names, part, store) if contender.name in SPACES else ():
            settings = {share: (name, canonical({"flipped": share})) for share in NOISE}
            budgets = {
                share: budget_of[key]
                for share, key in settings.items()
                if key in budget_of and defaults.get(key, 0.0) <= budget_of[key]
            }
            if budgets:
                yield Study(TABLE, [tuned(contender, budgets)], [problem(name)], part)


def taken_by(contender: Recipe, names: Sequence[str], part: StratifiedPartition, store: Store) -> list[str]:
    """Problems it can solve, without those on which it takes long if the partition is not one of the first."""
    long = too_long(contender.name, store) if part.number >= PARTITIONS_IF_LONG else set()
    return [name for name in names if contender.supports(len(np.unique(problem(name).y))) and name not in long]


def too_long(method: str, store: Store) -> set[str]:
    """Problems on which a fit of the method at its defaults took longer than `LONG`."""
    records = store.records(TABLE, method=method)
    return {record.key.problem for record in records if record.fit_cpu_seconds > LONG and not _is_tuned(record)}


def _is_tuned(record: Record) -> bool:
    return "tuned" in json.loads(record.key.setting)


def _fit_seconds(method: str, part: StratifiedPartition, store: Store) -> dict[tuple[str, str], float]:
    """By problem and setting, on one partition."""
    return {
        (record.key.problem, record.key.setting): record.fit_cpu_seconds
        for record in store.records(TABLE, method=method)
        if record.key.split == part.id
    }


def run(studies: Iterable[Study], store: Store) -> None:
    """One study after another, in this process; what was done is said on the error stream."""
    for study in studies:
        done = study.run(store, progress=False)
        if done.n_done or done.n_failed:
            what = f"{study.methods[0].name}: {done.n_done} done, {done.n_failed} failed {done.first_failure}"
            print(what.rstrip(), file=sys.stderr, flush=True)


def versions() -> str:
    """What the figures were made with, if nothing was installed anew meanwhile."""
    names = ("emphatic", "scikit-learn", "lightgbm", "xgboost", "catboost", "imbalanced-learn", "numpy")
    at_hand = {distribution.name.lower() for distribution in metadata.distributions()}
    return "Versions: " + ", ".join(f"{name} {metadata.version(name)}" for name in names if name in at_hand) + "."


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=Path("peers.sqlite"), help="file of finished fits")
    parser.add_argument("--partitions", type=int, default=10, metavar="N")
    parser.add_argument("--methods", nargs="+", default=[], metavar="NAME", help="run these only")
    every = HALVES["all"]
    parser.add_argument("--problems", nargs="+", default=every, choices=every, metavar="NAME")
    parser.add_argument("--max-train", type=int, default=1500, metavar="ROWS", help="training rows are cut at this")
    parser.add_argument("--flipped", nargs="+", type=float, default=NOISE, choices=NOISE, metavar="SHARE")
    parser.add_argument("--tuned", action="store_true", help="also tuned with equal time; needs ours in the store")
    parser.add_argument("--no-run", action="store_true", help="report what the store holds, and fit nothing")
    parser.add_argument("--records", type=Path, help="a table of fits of peers, to be added to")
    parser.add_argument("--pairs", action="store_true", help="report ours beside each peer, two by two")
    parser.add_argument("--markdown", type=Path, help="fill in the figures of this page, such as docs/peers.md")
    options = parser.parse_args(arguments)
    with Store(options.store) as store:
        methods = choose(options.methods)
        if options.records:
            add_records(store, options.records)
        for number in range(0 if options.no_run else options.partitions):
            part = StratifiedPartition(number, options.max_train)
            print(part.id, file=sys.stderr, flush=True)
            run(default_studies(methods, options.problems, part, store, options.flipped), store)
            if options.tuned:
                run(tuned_studies(methods, options.problems, part, store), store)
            if options.records:
                write_records(options.records, store.records(TABLE))
        report = pair_page if options.pairs else page
        figures = report(list(store.records(TABLE)), options.problems, NOISE, options.max_train)
    lines = [versions(), "", *figures]
    print("\n".join(lines))
    if options.markdown:
        write_figures(options.markdown, lines, f"benchmarks.peers{', pairs' * options.pairs}")


if __name__ == "__main__":
    main()
