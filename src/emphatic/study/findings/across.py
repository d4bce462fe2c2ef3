"""Methods over several problems: by ranks, as errors of different problems cannot be averaged."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from emphatic.check import FloatArray
from emphatic.study.findings.outcome import FEWEST, Outcome
from emphatic.study.statistics import against_all, friedman, mean_ranks
from emphatic.wording import count


@dataclass(frozen=True, eq=False)
class Across:
    """Methods by rising mean rank; `errors` (problems, methods) are means over the folds.

    Only methods and problems without a gap are here: a method that finished no problem is left out, and then every
    problem that one of the others did not finish.
    """

    problems: list[str]
    methods: list[str]
    errors: FloatArray

    @property
    def ranks(self) -> FloatArray:
        """Mean rank of each method over the problems, 1 is best."""
        return mean_ranks(self.errors)

    @property
    def has_tests(self) -> bool:
        return len(self.problems) >= FEWEST and len(self.methods) > 1

    @property
    def friedman_p(self) -> float | None:
        """p of Friedman's test that all are equally good; None for two methods, or too few problems."""
        return friedman(self.errors).p if self.has_tests and len(self.methods) > 2 else None

    @property
    def pair_ps(self) -> FloatArray | None:
        """p of each method against the first: Wilcoxon's signed-rank test over the problems, corrected by Holm."""
        return against_all(self.errors, 0) if self.has_tests else None

    def describe(self) -> list[str]:
        """Ranks and tests, a line each."""
        over = count(len(self.problems), "problem")
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(self.methods, self.ranks, strict=True))
        lines = [f"Mean ranks over {over}, 1 is best: {ranks}"]
        if not self.has_tests:
            return [*lines, f"No test over the problems: {over} are too few, {FEWEST} are needed"]
        if self.friedman_p is not None:
            lines.append(f"Friedman's test that all are equally good: p = {self.friedman_p:.2g}")
        if self.pair_ps is not None:
            ps = ", ".join(f"{name} {p:.2g}" for name, p in zip(self.methods[1:], self.pair_ps[1:], strict=True))
            lines.append(f"p against {self.methods[0]} (Wilcoxon's signed-rank test, Holm's correction): {ps}")
        return lines


def compare_across(outcomes: Mapping[str, Outcome]) -> Across | None:
    """Compare methods over the problems; None if fewer than two methods or problems can be compared."""
    means = {problem: {one.name: one.mean("error") for one in found.finished} for problem, found in outcomes.items()}
    methods = list(dict.fromkeys(name for found in means.values() for name in found))
    complete = [problem for problem, found in means.items() if len(found) == len(methods)]
    if len(complete) < 2 or len(methods) < 2:
        return None
    errors = np.array([[means[problem][name] for name in methods] for problem in complete])
    order = mean_ranks(errors).argsort(kind="stable")
    return Across(complete, [methods[place] for place in order], errors[:, order])
