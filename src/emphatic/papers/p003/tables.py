"""Paper 003, multi-view forests: Tables 2 and 3, on other digits than the paper's (see `paper_003_setup`).

Every line is one 10-fold cross-validation, as in the paper; all lines of a problem have the same folds and seeds. No
parameter is chosen. Beyond the paper there are forests of 40 prototypes a class, Dempster's rule, pruning by kappa on
folds of the training part, and support vector machines on the same views.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p003.setup import (
    FOLDER,
    IMAGE_VIEWS,
    build,
    columns_of,
    load_problem,
    problem_names,
    sets_of,
    transformer_of,
)
from emphatic.papers.published import lookup
from emphatic.study.protocol import RepeatedKFold
from emphatic.study.results import Errors, results_of
from emphatic.study.runner import Study
from emphatic.study.statistics import signed_rank_p
from emphatic.study.store import Store
from emphatic.study.tasks import Method, Setting, canonical

FOLDS, QUICK_FOLDS = 10, 3
PER_CLASS = (20, 40)
EVALUATIONS = {"DT": "walk", "DS": "evidence"}
RULES = {
    "MV": "majority",
    "Min": "minimum",
    "Max": "maximum",
    "Mean": "mean",
    "Prod": "product",
    "Dempster": "dempster_shafer",
}
SHAPES: dict[str, dict[str, Any]] = {
    "MVF_single": {"view_sets": "single", "keep": None, "kappa_folds": None, "dedupe": True},
    "MVF(all)": {"view_sets": "all", "keep": None, "kappa_folds": None, "dedupe": False},
    "MVF(all), different trees": {"view_sets": "all", "keep": None, "kappa_folds": None, "dedupe": True},
    "MVF(5)": {"view_sets": "all", "keep": 5, "kappa_folds": None, "dedupe": True},
    "MVF(5), kappa on folds": {"view_sets": "all", "keep": 5, "kappa_folds": 5, "dedupe": True},
}
FEW_RULES = {"MVF(all), different trees": ("Mean", "Prod"), "MVF(5), kappa on folds": ("Mean",)}
"""Shapes of ours, which differ from the paper's only a little or take long."""
PUBLISHED_SHAPES = {"MVF_single": "MVF_single", "MVF(all)": "MVF(31)", "MVF(5)": "MVF(5)"}
WITH_BEST_TREE = ("MVF_single", "MVF(all)")
MACHINES = ("mean", "dempster_shafer")


@dataclass(frozen=True)
class TreesTable:
    """One class tree on each view, by walk and by evidence."""

    id: str = "003-2"
    title: str = "003, Table 2: single-view class trees, other digits than the paper's"

    def problems(self, quick: bool = False) -> Sequence[str]:
        return ("digits",) if quick else problem_names()

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        yield [self.study(problem, options) for problem in _asked_for(self, options)]

    def study(self, problem: str, options: Options) -> Study:
        settings = [
            tree(problem, [view], evaluation, per_class)
            for per_class in (PER_CLASS[:1] if options.quick else PER_CLASS)
            for view in columns_of(problem)
            for evaluation in EVALUATIONS.values()
        ]
        return _study(self.id, "class tree", problem, settings, options)

    def lines(self, options: Options, store: Store) -> list[Line]:
        return [line for problem in _asked_for(self, options) for line in self._problem_lines(problem, options, store)]

    def _problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = results_of(self.study(problem, options), store).errors
        for per_class in PER_CLASS:
            for view in columns_of(problem):
                walks: list[float] = []
                for name, evaluation in EVALUATIONS.items():
                    values = accuracies(errors, tree(problem, [view], evaluation, per_class))
                    if not values:
                        continue
                    yield Line(
                        problem=problem,
                        setting=f"{view}, {per_class} a class",
                        method=name,
                        values=values,
                        published=_published_tree(problem, view, name, per_class),
                        p=signed_rank_p(walks, values) if walks else None,
                        stand_in=True,
                    )
                    walks = values

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {_folds(options)} folds. DT: walk to a leaf; DS: evidence of all nodes, "
            f"discounted. Published: another data set. p: Wilcoxon signed-rank test of DS against DT over the folds. "
            f"{_usps_remark()}"
        )


@dataclass(frozen=True)
class ForestsTable:
    """Forests of the single views, of all sets of views, and pruned; and support vector machines."""

    id: str = "003-3"
    title: str = "003, Table 3: multi-view forests, other digits than the paper's"

    def problems(self, quick: bool = False) -> Sequence[str]:
        return ("digits",) if quick else problem_names()

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        chosen = _asked_for(self, options)
        yield [study for problem in chosen for study in (self.forests(problem, options), self.trees(problem, options))]
        if not options.quick:
            yield [self.machines(problem, options) for problem in chosen]

    def forests(self, problem: str, options: Options) -> Study:
        names = list(SHAPES)[:1] if options.quick else list(SHAPES)
        settings = [forest(problem, name, *how, PER_CLASS[0]) for name in names for how in _decisions(name)]
        if not options.quick:
            settings += [forest(problem, names[0], *how, PER_CLASS[1]) for how in _decisions(names[0])]
        return _study(self.id, "forest", problem, settings, options)

    def trees(self, problem: str, options: Options) -> Study:
        """For the best tree of each forest."""
        sets = [[view] for view in columns_of(problem)] if options.quick else sets_of(problem)
        settings = [tree(problem, views, "evidence", PER_CLASS[0]) for views in sets]
        if not options.quick:
            settings += [tree(problem, [view], "evidence", PER_CLASS[1]) for view in columns_of(problem)]
        return _study(self.id, "class tree", problem, settings, options)

    def machines(self, problem: str, options: Options) -> Study:
        settings: list[Setting] = [machine(problem, [view]) for view in columns_of(problem)]
        settings += [machines(problem, fusion) for fusion in MACHINES]
        return _study(self.id, "support vector machines", problem, settings, options)

    def lines(self, options: Options, store: Store) -> list[Line]:
        return [line for problem in _asked_for(self, options) for line in self._problem_lines(problem, options, store)]

    def _problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = dict(results_of(self.forests(problem, options), store).errors)
        errors |= results_of(self.trees(problem, options), store).errors
        errors |= results_of(self.machines(problem, options), store).errors
        for per_class in PER_CLASS:
            for shape in SHAPES:
                yield from _forest_lines(problem, shape, per_class, errors)
        for view in columns_of(problem):
            values = accuracies(errors, machine(problem, [view]))
            if values:
                yield Line(problem, "SVC, C 10", view, values)
        for fusion in MACHINES:
            values = accuracies(errors, machines(problem, fusion))
            if values:
                yield Line(problem, f"SVCs on all {len(columns_of(problem))} views", fusion, values)

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {_folds(options)} folds. Published: another data set. DT: walks, DS: "
            "evidence; MV is the majority vote. Oracle tree: the best of the forest's trees on the test folds, by "
            "evidence; p: Wilcoxon signed-rank test against it over the folds (which share training samples: a ruler, "
            f"not a proof). {_usps_remark()}"
        )


def _forest_lines(problem: str, shape: str, per_class: int, errors: Errors) -> Iterator[Line]:
    """One shape of forest under every rule, and the best of its trees."""
    named: dict[str, Any] = {"problem": problem, "setting": f"{shape}, {per_class} a class", "stand_in": True}
    sets = [[view] for view in columns_of(problem)] if shape == "MVF_single" else sets_of(problem)
    of_trees = {"+".join(views): accuracies(errors, tree(problem, views, "evidence", per_class)) for views in sets}
    best = max(of_trees, key=lambda views: sum(of_trees[views])) if all(of_trees.values()) else None
    reference = [] if best is None else of_trees[best]
    for evaluation, rule in _decisions(shape):
        values = accuracies(errors, forest(problem, shape, evaluation, rule, per_class))
        if values:
            published = _published_forest(problem, shape, evaluation, rule, per_class)
            p = signed_rank_p(reference, values) if len(reference) == len(values) else None
            yield Line(method=f"{evaluation}, {rule}", values=values, published=published, p=p, **named)
    if best is not None and shape in WITH_BEST_TREE:
        published = _published_forest(problem, shape, "best", "", per_class)
        yield Line(method="tree", values=reference, choice="oracle", note=best, published=published, **named)


def _decisions(shape: str) -> list[tuple[str, str]]:
    """How trees are evaluated and fused."""
    if shape in FEW_RULES:
        return [("DS", rule) for rule in FEW_RULES[shape]]
    return [("DT", "MV"), *(("DS", rule) for rule in RULES)]


def tree(problem: str, views: Sequence[str], evaluation: str, per_class: int) -> dict[str, Any]:
    """The setting of a class tree."""
    return {"problem": problem, "model": "tree", "views": list(views), "evaluation": evaluation, "per_class": per_class}


def forest(problem: str, shape: str, evaluation: str, rule: str, per_class: int) -> dict[str, Any]:
    """The setting of a forest."""
    names = {"problem": problem, "model": "forest", "evaluation": EVALUATIONS[evaluation], "fusion": RULES[rule]}
    return {**names, **SHAPES[shape], "per_class": per_class}


def machine(problem: str, views: Sequence[str]) -> dict[str, Any]:
    """The setting of one support vector machine."""
    return {"problem": problem, "model": "SVC", "views": list(views), "fusion": "mean"}


def machines(problem: str, fusion: str) -> dict[str, Any]:
    """The setting of one support vector machine a view, fused."""
    return {"problem": problem, "model": "SVCs", "fusion": fusion}


def accuracies(errors: Errors, setting: Setting) -> list[float]:
    """In percent, fold by fold; empty where a fold is missing."""
    return [100.0 * (1.0 - error) for error in errors.get(canonical(setting), {}).values()]


def _study(table_id: str, name: str, problem: str, settings: list[Any], options: Options) -> Study:
    # all settings of a fold together: its views are made once
    method = Method(name, build, settings, transformer_of(problem), together=len(settings))
    return Study(table_id, [method], [load_problem(problem)], RepeatedKFold(_folds(options), 1))


def _folds(options: Options) -> int:
    return QUICK_FOLDS if options.quick else FOLDS


def _asked_for(table: Any, options: Options) -> list[str]:
    return [name for name in table.problems(options.quick) if not options.problems or name in options.problems]


def _usps_remark() -> str:
    return "" if "usps" in problem_names() else f"USPS is left out: {FOLDER} names no folder that holds it."


def _published_tree(problem: str, view: str, name: str, per_class: int) -> tuple[float, float | None] | None:
    if problem not in IMAGE_VIEWS or per_class != PER_CLASS[0]:
        return None
    return lookup("003", "2", "digits10k", f"single-view tree {name}", "accuracy_%", {"view": view})


def _published_forest(
    problem: str, shape: str, evaluation: str, rule: str, per_class: int
) -> tuple[float, float | None] | None:
    if problem not in IMAGE_VIEWS or per_class != PER_CLASS[0] or shape not in PUBLISHED_SHAPES or rule == "Dempster":
        return None
    name = PUBLISHED_SHAPES[shape]
    if evaluation == "best":
        return lookup("003", "3", "digits10k", f"{name} best single tree", "accuracy_%")
    return lookup("003", "3", "digits10k", f"{name} {rule}", "accuracy_%", {"tree_eval": evaluation})


TABLE_2 = TreesTable()
TABLE_3 = ForestsTable()
