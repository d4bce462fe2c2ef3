"""`python -m benchmarks.prediction [--problems NAME ...] [--repeats 5]`: how long an `EmphaticClassifier` predicts.

One row, in the forms in which a service may get it: of the table as it was trained on, as a list of rows, and as an
array where all columns are numbers. And 10,000 rows, beside the default `LGBMClassifier` on one thread, trained on the
same rows; it gets a table whose columns of text are categories already.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.timing import interleaved
from emphatic import EmphaticClassifier
from emphatic.datasets import load, names
from emphatic.inputs import take_rows
from tools.cpu_code import describe_cpu_code

N_TRAIN, N_ROWS = 1000, 10_000
CALLS = 20
"""Predictions of one row that are timed together: the clock of the processor is too coarse for one."""

MOST_MILLISECONDS, MOST_RATIO = 1.0, 1.0

FORMS = ("frame", "list", "array")


class Outcome(NamedTuple):
    """Of one problem."""

    name: str
    one: dict[str, float]
    """Milliseconds of one row, by its form."""
    many: float
    """Milliseconds of `N_ROWS` rows."""
    peer: float
    """Of LightGBM."""

    def format(self) -> str:
        forms = "".join(f"{self.one[form]:>9.2f}" if form in self.one else f"{'':>9}" for form in FORMS)
        return f"{self.name:>26}{forms}{self.many:>11.1f}{self.peer:>11.1f}{self.many / self.peer:>8.2f}"


HEADER = f"{'':>26}" + "".join(f"{one:>9}" for one in FORMS) + f"{'10,000':>11}{'LightGBM':>11}{'ratio':>8}"


def list_forms(row: Any) -> dict[str, Any]:
    """A table of one row in all forms that it can have: an array holds numbers only."""
    if not hasattr(row, "columns"):
        return {"array": row, "list": row.tolist()}
    forms = {"frame": row, "list": row.to_numpy(dtype=object).tolist()}
    if all(getattr(one, "kind", "O") in "iuf" for one in row.dtypes):
        forms["array"] = row.to_numpy(dtype=np.float64)
    return forms


def measure(name: str, repeats: int) -> Outcome:
    problem, rng = load(name), np.random.default_rng(0)
    rows = rng.permutation(len(problem.y))[:N_TRAIN]
    X, y = take_rows(problem.X, rows), problem.y[rows]
    model = EmphaticClassifier(random_state=0).fit(X, y)
    # a model of named columns warns of rows without names
    unnamed = EmphaticClassifier(random_state=0).fit(list_forms(X)["list"], y) if hasattr(X, "columns") else model
    drawn = rng.integers(len(problem.y), size=N_ROWS)
    forms = list_forms(take_rows(problem.X, drawn[:1]))
    actions = {form: _repeat(model if form == "frame" else unnamed, one) for form, one in forms.items()}
    taken = interleaved(actions, 2 * repeats)
    asked = take_rows(problem.X, drawn)
    peer, asked_of_peer = _fit_peer(problem.X, rows, y), take_rows(_with_categories(problem.X), drawn)
    both = {"ours": lambda: model.predict_proba(asked), "peer": lambda: peer.predict_proba(asked_of_peer)}
    many = interleaved(both, repeats)
    one = {form: 1e3 * seconds / CALLS for form, seconds in taken.items()}
    return Outcome(name, one, 1e3 * many["ours"], 1e3 * many["peer"])


def _repeat(model: Any, row: Any) -> Callable[[], None]:
    def act() -> None:
        for _ in range(CALLS):
            model.predict_proba(row)

    return act


def _fit_peer(X: Any, rows: np.ndarray, y: np.ndarray) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=1, verbose=-1).fit(take_rows(_with_categories(X), rows), y)


def _with_categories(X: Any) -> Any:
    """Columns of text as categories, which is what LightGBM takes."""
    if not hasattr(X, "columns"):
        return X
    texts = [name for name, dtype in X.dtypes.items() if getattr(dtype, "kind", "O") == "O"]
    return X.astype(dict.fromkeys(texts, "category"))


def summarise(found: list[Outcome]) -> str:
    """The median and the worst, beside the aims."""
    slowest = [max(one.one.values()) for one in found]
    ratios = [one.many / one.peer for one in found]
    met = sum(one <= MOST_RATIO for one in ratios)
    return (
        f"One row, in its slowest form: median {median(slowest):.2f} ms, worst {max(slowest):.2f} ms "
        f"(aim: {MOST_MILLISECONDS:g}).\n"
        f"{N_ROWS:,} rows, as a share of LightGBM's time: median {median(ratios):.2f}, worst {max(ratios):.2f} "
        f"(aim: {MOST_RATIO:g}); met on {met} of {len(ratios)} problems."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", nargs="+", default=names(), help="all that are bundled if not given")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    print(f"{describe_cpu_code()}\n\nMilliseconds\n{HEADER}")
    found = []
    for name in given.problems:
        found.append(measure(name, given.repeats))
        print(found[-1].format(), flush=True)
    print(summarise(found))
    print("no share of a limit: which members a model has, and so the work of a row, differs from table to table")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
