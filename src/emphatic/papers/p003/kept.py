"""Which trees a forest keeps, and how many of them are different, read from the store."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from emphatic.papers.p003.settings import PER_CLASS, SHAPES, forest_setting
from emphatic.report.grid import Grid
from emphatic.study import Store, Study
from emphatic.study.tasks import canonical

Forests = Mapping[str, Sequence[Mapping[str, Any]]]
"""What was measured of the forests of a shape, fold by fold; only shapes that have finished all folds."""


def read_forests(study: Study, store: Store) -> Forests:
    """The forests of each shape that are finished, evaluated by evidence and fused by the mean."""
    [method], [problem] = study.methods, study.problems
    records = {one.key: one.metrics for one in store.records(study.name, problem=problem.name, method=method.name)}
    by_setting: dict[str, list[Mapping[str, Any] | None]] = {}
    for task in study.tasks():
        by_setting.setdefault(task.key.setting, []).append(records.get(task.key))
    found: dict[str, list[Mapping[str, Any]]] = {}
    for shape in SHAPES:
        setting = canonical(forest_setting(problem.name, shape, "DS", "Mean", PER_CLASS[0]))
        folds = [metrics for metrics in by_setting.get(setting, []) if metrics is not None and "kept_views" in metrics]
        if folds and len(folds) == len(by_setting[setting]):
            found[shape] = folds
    return found


def count_kept(folds: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """In how many folds each tree is kept.

    >>> count_kept([{"kept_views": ["a", "a+b"]}, {"kept_views": ["a", "b"]}])
    Counter({'a': 2, 'a+b': 1, 'b': 1})
    """
    return Counter(views for metrics in folds for views in metrics["kept_views"])


def count_single(folds: Sequence[Mapping[str, Any]]) -> list[int]:
    """How many of the kept trees have one view, fold by fold."""
    return [sum("+" not in views for views in metrics["kept_views"]) for metrics in folds]


def tabulate_kept(problem: str, forests: Forests) -> Grid:
    """One row per shape that is pruned or has all sets of views."""
    rows = []
    for shape, folds in forests.items():
        if SHAPES[shape]["keep"] is not None:
            listed = ", ".join(f"{views} {times}" for views, times in count_kept(folds).most_common())
            rows.append([shape, f"{sum(count_single(folds)) / len(folds):.1f}", listed])
        elif SHAPES[shape]["view_sets"] == "all":
            different = [metrics["different_trees"] for metrics in folds]
            total = max(len(metrics["kept_views"]) for metrics in folds)
            rows.append([shape, "", f"{min(different)} to {max(different)} different trees of {total}"])
    columns = ("Forest", "Single views kept", "Trees, and in how many folds")
    return Grid(columns, rows, f"{problem}, {max(map(len, forests.values()), default=0)} folds")


def agreement(folds: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """Mean kappa of every pair of trees, over the folds."""
    names = folds[0]["kept_views"]
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    return {(names[i], names[j]): sum(one["kappa"][i][j] for one in folds) / len(folds) for i, j in pairs}
