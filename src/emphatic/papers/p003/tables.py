"""Paper 003, multi-view forests: Tables 2 and 3, on other digits than the paper's (see `digits`).

Every line is one 10-fold cross-validation, as in the paper; all lines of a problem have the same folds and seeds. No
parameter is chosen. Beyond the paper there are forests with 40 prototypes per class, Dempster's rule, pruning by kappa
on folds of the training part, and support vector machines on the same views.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p003.digits import (
    FOLDER,
    IMAGE_VIEWS,
    columns_of,
    list_problems,
    load_digits,
    make_transformer,
    view_sets,
)
from emphatic.papers.published import lookup
from emphatic.papers.table import OVERLAP, PublishedTable, Step, paired_p
from emphatic.study import Method, RepeatedKFold, Store, Study
from emphatic.study.results import Errors, results_of
from emphatic.study.tasks import Setting, canonical

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
"""Our own shapes, which differ little from the paper's or take long."""
PUBLISHED_SHAPES = {"MVF_single": "MVF_single", "MVF(all)": "MVF(31)", "MVF(5)": "MVF(5)"}
WITH_BEST_TREE = ("MVF_single", "MVF(all)")
SVC_FUSIONS = ("mean", "dempster_shafer")


def tree_setting(problem: str, views: Sequence[str], evaluation: str, per_class: int) -> dict[str, Any]:
    """The setting of a class tree."""
    return {"problem": problem, "model": "tree", "views": list(views), "evaluation": evaluation, "per_class": per_class}


def forest_setting(problem: str, shape: str, evaluation: str, rule: str, per_class: int) -> dict[str, Any]:
    """The setting of a forest."""
    names = {"problem": problem, "model": "forest", "evaluation": EVALUATIONS[evaluation], "fusion": RULES[rule]}
    return {**names, **SHAPES[shape], "per_class": per_class}


def svc_setting(problem: str, view: str) -> dict[str, Any]:
    """The setting of one support vector machine on one view."""
    return {"problem": problem, "model": "SVC", "views": [view], "fusion": "mean"}


def fused_svc_setting(problem: str, fusion: str) -> dict[str, Any]:
    """The setting of one support vector machine per view, fused."""
    return {"problem": problem, "model": "SVCs", "fusion": fusion}


def build(setting: Setting, random_state: int) -> Any:
    """The classifier of a setting: a tree, a forest under one rule, one SVC, or several SVCs fused."""
    from emphatic.fusion.classifier import FusionClassifier
    from emphatic.multiview.class_tree import ClassTreeClassifier

    columns = columns_of(setting["problem"])
    if setting["model"] == "tree":
        views = {view: columns[view] for view in setting["views"]}
        network, evaluation = _network(setting["per_class"]), setting["evaluation"]
        return ClassTreeClassifier(network, views, evaluation=evaluation, random_state=random_state)
    if setting["model"] == "forest":
        return FusedForest(setting, random_state)
    fused = setting["model"] == "SVCs"
    svc = _svc(calibrated=fused)
    members = [(view, svc, columns[view]) for view in (columns if fused else setting["views"])]
    return FusionClassifier(members, setting["fusion"], cv=3, random_state=random_state)


class FusedForest:
    """A forest under the rule of its setting; forests that differ only in the rule are trained once per table."""

    _last: ClassVar[tuple[Any, dict[str, Any]]] = (None, {})
    """The table of the last fit, and the forests trained on it."""

    def __init__(self, setting: Setting, random_state: int) -> None:
        self.setting, self.random_state = setting, random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Train the forest, unless one that differs only in the rule was trained on the same table."""
        if FusedForest._last[0] is not X:
            FusedForest._last = X, {}
        forests = FusedForest._last[1]
        shared = canonical({**self.setting, "fusion": "", "random_state": self.random_state})
        if shared not in forests:
            forests[shared] = self.forest().fit(X, y)
        self.forest_ = forests[shared]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Labels under the rule of the setting."""
        from emphatic.fusion.rules import find_rule

        winners = find_rule(self.setting["fusion"])(self.forest_.member_supports(X)).argmax(axis=1)
        return np.asarray(self.forest_.classes_[winners])

    def forest(self) -> Any:
        """The forest itself, unfitted."""
        from emphatic.multiview.forest import MultiViewForestClassifier

        names = ("view_sets", "fusion", "keep", "kappa_folds", "dedupe", "evaluation")
        return MultiViewForestClassifier(
            columns_of(self.setting["problem"]),
            _network(self.setting["per_class"]),
            random_state=self.random_state,
            **{name: self.setting[name] for name in names},
        )


def _network(per_class: int) -> Any:
    from emphatic.learners import ClassKMeans, RBFNetworkClassifier

    return RBFNetworkClassifier(ClassKMeans(per_class), regularisation=1e-8)


def _svc(calibrated: bool) -> Any:
    """Fusion rules need probabilities: one machine on all samples, its scores calibrated by 3-fold cross-validation."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import SVC

    return CalibratedClassifierCV(SVC(C=10), cv=3, ensemble=False) if calibrated else SVC(C=10)


@dataclass(frozen=True)
class DigitsTable(PublishedTable):
    """What both tables share."""

    quick_problems = ("digits",)
    larger_is_better = True

    def problems(self, quick: bool = False) -> Sequence[str]:
        return self.quick_problems if quick else list_problems()

    def load(self, problem: str) -> Any:
        return load_digits(problem)

    def study(self, name: str, problem: str, settings: Sequence[Setting], options: Options) -> Study:
        # all settings of a fold together: its views are computed once
        method = Method(name, build, settings, partial(make_transformer, problem), together=len(settings))
        return self.make_study(problem, method, RepeatedKFold(_n_folds(options), 1))


class TreesTable(DigitsTable):
    """One class tree per view, evaluated by walk and by evidence."""

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        settings = [
            tree_setting(problem, [view], evaluation, per_class)
            for per_class in (PER_CLASS[:1] if options.quick else PER_CLASS)
            for view in columns_of(problem)
            for evaluation in EVALUATIONS.values()
        ]
        return [self.study("class tree", problem, settings, options)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        for per_class in PER_CLASS:
            for view in columns_of(problem):
                walks: list[float] = []
                for name, evaluation in EVALUATIONS.items():
                    values = accuracies(errors, tree_setting(problem, [view], evaluation, per_class))
                    if values:
                        yield Line(
                            problem=problem,
                            setting=f"{view}, {per_class} per class",
                            method=name,
                            values=values,
                            published=find_published("2", problem, f"single-view tree {name}", per_class, view=view),
                            p=paired_p(walks, values),
                            stand_in=True,
                        )
                        walks = values

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {_n_folds(options)} folds. DT: walk to a leaf; DS: evidence of all nodes, "
            "discounted. Published: another data set. p: Wilcoxon signed-rank test of DS against DT over the folds. "
            f"{_remark_on_usps()}"
        )


class ForestsTable(DigitsTable):
    """Forests of single views, of all sets of views, and pruned; and support vector machines."""

    def steps(self, options: Options) -> list[Step]:
        svcs = Step(lambda _: [self._svcs(problem, options) for problem in self.chosen_problems(options)])
        return super().steps(options) + ([] if options.quick else [svcs])

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        """Of forests, and of all their trees, among which the best is looked for."""
        few, many = PER_CLASS
        single = [[view] for view in columns_of(problem)]
        if options.quick:
            shapes, sets = [("MVF_single", few)], [(views, few) for views in single]
        else:
            shapes = [*((shape, few) for shape in SHAPES), ("MVF_single", many)]
            sets = [*((views, few) for views in view_sets(problem)), *((views, many) for views in single)]
        forests = [
            forest_setting(problem, shape, *decision, per_class)
            for shape, per_class in shapes
            for decision in _decisions(shape)
        ]
        trees = [tree_setting(problem, views, "evidence", per_class) for views, per_class in sets]
        return [self.study("forest", problem, forests, options), self.study("class tree", problem, trees, options)]

    def _svcs(self, problem: str, options: Options) -> Study:
        settings = [svc_setting(problem, view) for view in columns_of(problem)]
        settings += [fused_svc_setting(problem, fusion) for fusion in SVC_FUSIONS]
        return self.study("support vector machines", problem, settings, options)

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = {
            **self.problem_errors(problem, options, store),
            **results_of(self._svcs(problem, options), store).errors,
        }
        for per_class in PER_CLASS:
            for shape in SHAPES:
                yield from _forest_lines(problem, shape, per_class, errors)
        views = columns_of(problem)
        svcs = [Line(problem, "SVC, C 10", view, accuracies(errors, svc_setting(problem, view))) for view in views]
        for fusion in SVC_FUSIONS:
            values = accuracies(errors, fused_svc_setting(problem, fusion))
            svcs.append(Line(problem, f"SVCs on all {len(views)} views", fusion, values))
        yield from (line for line in svcs if line.values)

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {_n_folds(options)} folds. Published: another data set. DT: walks, DS: "
            "evidence; MV: majority vote. Oracle tree: the best tree of the forest on the test folds, by evidence; "
            f"p: Wilcoxon signed-rank test against it over the folds ({OVERLAP}). {_remark_on_usps()}"
        )


def _forest_lines(problem: str, shape: str, per_class: int, errors: Errors) -> Iterator[Line]:
    """One shape of forest under every rule, and the best of its trees."""
    shared: dict[str, Any] = {"problem": problem, "setting": f"{shape}, {per_class} per class", "stand_in": True}
    sets = [[view] for view in columns_of(problem)] if shape == "MVF_single" else view_sets(problem)
    of_trees = {
        "+".join(views): accuracies(errors, tree_setting(problem, views, "evidence", per_class)) for views in sets
    }
    best = max(of_trees, key=lambda views: sum(of_trees[views])) if all(of_trees.values()) else None
    reference = [] if best is None else of_trees[best]
    theirs = PUBLISHED_SHAPES.get(shape)
    for evaluation, rule in _decisions(shape):
        values = accuracies(errors, forest_setting(problem, shape, evaluation, rule, per_class))
        if values:
            published = None
            if theirs and rule != "Dempster":
                published = find_published("3", problem, f"{theirs} {rule}", per_class, tree_eval=evaluation)
            p = paired_p(reference, values)
            yield Line(method=f"{evaluation}, {rule}", values=values, published=published, p=p, **shared)
    if best is not None and shape in WITH_BEST_TREE:
        published = find_published("3", problem, f"{theirs} best single tree", per_class)
        yield Line(method="tree", values=reference, choice="oracle", note=best, published=published, **shared)


def _decisions(shape: str) -> list[tuple[str, str]]:
    """How trees are evaluated and fused."""
    if shape in FEW_RULES:
        return [("DS", rule) for rule in FEW_RULES[shape]]
    return [("DT", "MV"), *(("DS", rule) for rule in RULES)]


def accuracies(errors: Errors, setting: Setting) -> list[float]:
    """In percent, fold by fold; empty unless all folds are finished."""
    return [100.0 * (1.0 - error) for error in errors.get(canonical(setting), {}).values()]


def find_published(
    table: str, problem: str, method: str, per_class: int, **conditions: str
) -> tuple[float, float | None] | None:
    """The paper's accuracy; None for other prototypes, and for mfeat, which has other views."""
    if problem not in IMAGE_VIEWS or per_class != PER_CLASS[0]:
        return None
    return lookup("003", table, "digits10k", method, "accuracy_%", conditions)


def _n_folds(options: Options) -> int:
    return QUICK_FOLDS if options.quick else FOLDS


def _remark_on_usps() -> str:
    return "" if "usps" in list_problems() else f"USPS is left out: {FOLDER} does not point to a folder that holds it."


TABLE_2 = TreesTable("003-2", "003, Table 2: single-view class trees, other digits than the paper's")
TABLE_3 = ForestsTable("003-3", "003, Table 3: multi-view forests, other digits than the paper's")
