"""Table 3 of paper 003: forests of single views, of all sets of views, and pruned, on other digits than the paper's."""

from collections.abc import Iterator, Sequence
from typing import Any

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p003.digits import columns_of, view_sets
from emphatic.papers.p003.ensembles import measure_forest, measure_tree
from emphatic.papers.p003.figures import draw_digits, draw_trees
from emphatic.papers.p003.forest_claims import judge_forests
from emphatic.papers.p003.kept import read_forests, tabulate_kept
from emphatic.papers.p003.settings import (
    PER_CLASS,
    PUBLISHED_SHAPES,
    SHAPES,
    WITH_BEST_TREE,
    forest_setting,
    list_decisions,
    list_shapes,
    tree_setting,
)
from emphatic.papers.p003.table import DigitsTable, accuracies, find_published, remark_on_usps
from emphatic.papers.table import OVERLAP, paired_p
from emphatic.report.page import Section
from emphatic.study import Store, Study
from emphatic.study.results import Errors


class ForestsTable(DigitsTable):
    """Forests of single views, of all sets of views, and pruned in several ways."""

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        """Of forests, and of all their trees, among which the best is looked for."""
        return [self.forest_study(problem, options), self.tree_study(problem, options)]

    def forest_study(self, problem: str, options: Options) -> Study:
        """All shapes under all rules; with twice the prototypes only the single views."""
        few, many = PER_CLASS
        shapes = [(shape, few) for shape in list_shapes(problem)]
        shapes = shapes[:1] if options.quick else [*shapes, ("MVF_single", many)]
        settings = [
            forest_setting(problem, shape, *decision, per_class)
            for shape, per_class in shapes
            for decision in list_decisions(shape)
        ]
        return self.study("forest", problem, settings, options, measure_forest)

    def tree_study(self, problem: str, options: Options) -> Study:
        """One tree per set of views, by evidence."""
        few, many = PER_CLASS
        single = [[view] for view in columns_of(problem)]
        sets = [(views, few) for views in (single if options.quick else view_sets(problem))]
        sets += [] if options.quick else [(views, many) for views in single]
        settings = [tree_setting(problem, views, "evidence", per_class) for views, per_class in sets]
        return self.study("class tree", problem, settings, options, measure_tree)

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        for per_class in PER_CLASS:
            for shape in SHAPES:
                yield from _forest_lines(problem, shape, per_class, errors)

    def sections(self, options: Options, store: Store) -> list[Section]:
        """What pruning keeps, and Figures 2 to 4."""
        problems = self.chosen_problems(options)
        kept = [tabulate_kept(name, read_forests(self.forest_study(name, options), store)) for name in problems]
        charts = [
            chart
            for name in problems
            for chart in draw_trees(name, self.tree_study(name, options), store, self.load(name))
        ]
        charts += [draw_digits(self.load("digits"))] if "digits" in problems else []
        sections = [
            Section(
                "003-kept",
                "What pruning keeps",
                ["In how many folds a tree is kept, and how many of the trees of all sets of views are different."],
                [grid for grid in kept if grid.rows],
            ),
            Section("003-figures", "Figures 2, 3 and 4 of paper 003", ["Drawn anew, from other digits."], [], charts),
        ]
        return [section for section in sections if section.grids or section.charts]

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        problems = self.chosen_problems(options)
        errors = {name: self.problem_errors(name, options, store) for name in problems}
        forests = {name: read_forests(self.forest_study(name, options), store) for name in problems}
        return judge_forests(errors, forests)

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {self.n_folds(options)} folds. Published: another data set. DT: walks, "
            "DS: evidence, discounted and not normalised; MV: majority vote. By removal: of the two most similar trees "
            "the later is dropped, until five are left. Squared gap: the view of a node by the squared distance of the "
            "two means, which we infer from the published figures. Oracle tree: the best tree of the forest on the "
            f"test folds, by evidence; p: Wilcoxon signed-rank test against it over the folds ({OVERLAP}). "
            f"{remark_on_usps()}"
        )


def _forest_lines(problem: str, shape: str, per_class: int, errors: Errors) -> Iterator[Line]:
    """One shape of forest under every rule, and the best of its trees."""
    shared: dict[str, Any] = {"problem": problem, "setting": f"{shape}, {per_class} per class", "stand_in": True}
    sets = _trees_of(problem, shape)
    of_trees = {
        "+".join(views): accuracies(errors, tree_setting(problem, views, "evidence", per_class)) for views in sets
    }
    best = max(of_trees, key=lambda views: sum(of_trees[views])) if sets and all(of_trees.values()) else None
    reference = [] if best is None else of_trees[best]
    theirs = PUBLISHED_SHAPES.get(shape)
    for evaluation, rule in list_decisions(shape):
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


def _trees_of(problem: str, shape: str) -> list[list[str]]:
    """The sets of views of the trees that a shape is compared with; none if its own trees are others."""
    if SHAPES[shape]["solver"] != "ridge" or SHAPES[shape]["ratio"] != "gap":
        return []
    if SHAPES[shape]["view_sets"] == "all":
        return view_sets(problem)
    return [[view] for view in columns_of(problem) if view not in shape]
