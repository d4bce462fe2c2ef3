"""Table 2 of paper 003: one class tree per view, by walk and by evidence, on other digits than the paper's."""

from collections.abc import Iterator, Sequence

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p003.digits import columns_of
from emphatic.papers.p003.ensembles import measure_tree
from emphatic.papers.p003.settings import EVALUATIONS, PER_CLASS, tree_setting
from emphatic.papers.p003.table import DigitsTable, accuracies, find_published, remark_on_usps
from emphatic.papers.p003.tree_claims import judge_trees
from emphatic.papers.table import paired_p
from emphatic.study import Store, Study

FORMS = (*((f"{count} per class", count, "ridge") for count in PER_CLASS), ("pseudo-inverse", 20, "pseudo_inverse"))
"""Networks by name: prototypes per class, and solver."""


class TreesTable(DigitsTable):
    """One class tree per view, evaluated by walk and by evidence."""

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        settings = [
            tree_setting(problem, [view], evaluation, per_class, solver)
            for _, per_class, solver in (FORMS[:1] if options.quick else FORMS)
            for view in columns_of(problem)
            for evaluation in EVALUATIONS.values()
        ]
        return [self.study("class tree", problem, settings, options, measure_tree)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        for form, per_class, solver in FORMS:
            for view in columns_of(problem):
                walks: list[float] = []
                for name, evaluation in EVALUATIONS.items():
                    values = accuracies(errors, tree_setting(problem, [view], evaluation, per_class, solver))
                    if values:
                        yield Line(
                            problem=problem,
                            setting=f"{view}, {form}",
                            method=name,
                            values=values,
                            published=find_published("2", problem, f"single-view tree {name}", per_class, view=view),
                            p=paired_p(walks, values),
                            stand_in=True,
                        )
                        walks = values

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        found = {name: self.problem_errors(name, options, store) for name in self.chosen_problems(options)}
        return judge_trees(found)

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {self.n_folds(options)} folds. DT: walk to a leaf; DS: evidence of all "
            "nodes, discounted. Output weights by ridge (1e-8), or by the true pseudo-inverse (20 per class). "
            "Published: another data set. p: Wilcoxon signed-rank test of DS against DT over the folds. "
            f"{remark_on_usps()}"
        )
