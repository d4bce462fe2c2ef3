"""All readings of how outputs become masses, under all rules: forests of single views, 20 prototypes per class.

The paper says only that outputs "are transformed into bpas" and combined "without normalization". A forest is trained
once per fold; readings and rules change what its trees say.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p003.judging import NOT_FINISHED, mean
from emphatic.papers.p003.settings import PER_CLASS, RULES, SOFT_RULES, forest_setting
from emphatic.papers.p003.table import DigitsTable, accuracies, find_published, remark_on_usps
from emphatic.papers.table import paired_p
from emphatic.study import Store, Study
from emphatic.study.results import Errors

READINGS: dict[str, dict[str, Any]] = {
    f"{masses}{', normalised' if normalise else ''}": {"masses": masses, "normalise": normalise}
    for masses in ("discount", "balloon", "plain")
    for normalise in (False, True)
}


def reading_setting(problem: str, reading: str, rule: str) -> dict[str, Any]:
    """The forest of single views under a reading and a rule."""
    return forest_setting(problem, "MVF_single", "DS", rule, PER_CLASS[0], **READINGS[reading])


class MassesTable(DigitsTable):
    """Forests of single views, read in six ways and fused by six rules."""

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        settings = [reading_setting(problem, reading, rule) for reading in READINGS for rule in RULES]
        return [self.study("forest", problem, settings, options)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        for reading in READINGS:
            votes = accuracies(errors, reading_setting(problem, reading, "MV"))
            for rule in RULES:
                values = accuracies(errors, reading_setting(problem, reading, rule))
                if values:
                    published = None
                    if rule != "Dempster":
                        method = f"MVF_single {rule}"
                        published = find_published("3", problem, method, PER_CLASS[0], tree_eval="DS")
                    p = None if rule == "MV" else paired_p(votes, values)
                    yield Line(problem, reading, rule, values, published, p=p, stand_in=True)

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        errors = {name: self.problem_errors(name, options, store) for name in self.chosen_problems(options)}
        return [judge_soft_rules(errors, reading) for reading in READINGS]

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {self.n_folds(options)} folds: forests of single views, 20 prototypes per "
            "class, by evidence. Discount, balloon, plain: how much a node says about classes that it never saw. "
            "Normalised: the supports of each tree scaled to sum 1. Published: another data set, unnormalised, its "
            "masses not stated. p: Wilcoxon signed-rank test against the majority vote over the folds. "
            f"{remark_on_usps()}"
        )


def judge_soft_rules(errors: Mapping[str, Errors], reading: str) -> Claim:
    """Whether the four soft rules of the paper are above the majority vote, on every set of digits."""
    place = "Table 3, section 4"
    text = f"Soft rules are more accurate than the majority vote (masses: {reading})."
    parts, above = [], []
    for problem, found in errors.items():
        values = {rule: accuracies(found, reading_setting(problem, reading, rule)) for rule in ("MV", *SOFT_RULES)}
        if all(values.values()):
            means = {rule: mean(each) for rule, each in values.items()}
            above.append(min(means[rule] for rule in SOFT_RULES) > means["MV"])
            order = sorted(means, key=lambda rule: -means[rule])
            parts.append(f"{problem} " + ", ".join(f"{rule} {means[rule]:.2f}" for rule in order))
    if not parts:
        return Claim(place, text, None, NOT_FINISHED)
    evidence = f"all four above the vote on {sum(above)} of {len(above)} sets; holds if on all: {'; '.join(parts)}"
    return Claim(place, text, all(above), evidence)
