"""Which reading of the masses to recommend, on data that no table of paper 003 has: accuracy and log loss.

Handwritten digits of MNIST (5,000 of them) and Semeion, if their files are at hand, and the bundled problem `image`,
whose columns describe the place and edges of a patch of an image, and its colour.
"""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p003.digits import EXTRA_FILES, list_other_problems, load_digits
from emphatic.papers.p003.ensembles import measure_probabilities
from emphatic.papers.p003.masses import READINGS, reading_setting
from emphatic.papers.p003.settings import RULES
from emphatic.papers.p003.table import DigitsTable, accuracies
from emphatic.study import Store, Study
from emphatic.study.results import results_of
from emphatic.study.tasks import canonical

FOLDS = 5


class MassesChoiceTable(DigitsTable):
    """Readings and rules, each with its accuracy, its log loss in the note."""

    quick_problems = ("image",)

    def problems(self, quick: bool = False) -> Sequence[str]:
        return self.quick_problems if quick else list_other_problems()

    def n_folds(self, options: Options) -> int:
        return FOLDS

    def load(self, problem: str) -> Any:
        return load_digits(problem)

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        settings = [reading_setting(problem, reading, rule) for reading in READINGS for rule in RULES]
        return [self.study("forest", problem, settings, options, measure_probabilities)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        [study] = self.problem_studies(problem, options)
        losses = results_of(study, store, itemgetter("log_loss")).errors
        for reading in READINGS:
            for rule in RULES:
                setting = reading_setting(problem, reading, rule)
                values = accuracies(errors, setting)
                if values:
                    loss = sum(losses[canonical(setting)].values()) / len(values)
                    yield Line(problem, reading, rule, values, note=f"log loss {loss:.3f}")

    def caption(self, options: Options) -> str:
        missing = [name for name in EXTRA_FILES if name not in self.problems()]
        left_out = f" Left out, for want of a file: {', '.join(missing)}." if missing else ""
        return (
            f"Accuracy in %, mean (std) over {FOLDS} folds, and mean log loss of the supports, scaled to sum 1: "
            f"forests of single views, 20 prototypes per class, by evidence.{left_out}"
        )
