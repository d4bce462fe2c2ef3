"""Judgements of paper 001's claims: whether one holds, and the measured numbers that say so.

"Clearly" better is p < 0.01 in a Wilcoxon rank-sum test of the trainings of two designs.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.papers.lines import Line
from emphatic.study.statistics import rank_sum_p, signed_rank_p
from emphatic.wording import count

REFERENCE = "RA"
CLEAR = 0.01
SPECIAL_CASES = ("no emphasis", "ARA", "betaRA")  # of CRA

SIZES = {
    "abalone": (2507, 1670),
    "breast": (420, 279),
    "crabs": (120, 80),
    "credit": (414, 276),
    "diabetes": (468, 300),
    "german": (700, 300),
    "hepatitis": (93, 62),
    "image": (1300, 1010),
    "ionosphere": (201, 150),
    "ripley": (250, 1000),
    "waveform": (400, 4600),
}
"""Rows of the training and the test part in Table 1, without Kwok, of which there is only a stand-in."""


@dataclass(frozen=True)
class MeasuredProblem:
    """What was measured on one problem. Errors are in percent.

    `lines` are by family; `alpha` is that of CRA, and `first_error` its error after the first round. `boundary_error`
    (alpha = beta = 0) and `reference_error` are the smallest on the folds, over H. `sizes` are the rows of the training
    and the test part.
    """

    problem: str
    lines: Mapping[str, Line]
    alpha: float
    first_error: float
    boundary_error: float
    reference_error: float
    sizes: tuple[int, int]


@dataclass(frozen=True)
class Measured:
    """What a table has measured: `finished` are those of `problems` of which all runs are there."""

    problems: Sequence[str]
    finished: Mapping[str, MeasuredProblem]

    @property
    def complete(self) -> bool:
        """Whether all problems are finished."""
        return len(self.finished) == len(self.problems) > 0

    def mean(self, problem: str, family: str) -> float:
        """The mean test error of a family, in percent."""
        return float(np.mean(self.finished[problem].lines[family].values))

    def compare(self, family: str, rival: str) -> dict[str, list[str]]:
        """On which problems a family is clearly "better" than its rival, clearly "worse", or neither ("same")."""
        found: dict[str, list[str]] = {"better": [], "worse": [], "same": []}
        for problem, one in self.finished.items():
            clear = rank_sum_p(one.lines[family].values, one.lines[rival].values) < CLEAR
            difference = self.mean(problem, family) - self.mean(problem, rival)
            found["same" if not clear else "better" if difference < 0 else "worse"].append(problem)
        return found

    def p_over_problems(self, family: str, rival: str) -> float:
        """p of the signed-rank test of the mean errors."""
        means = [[self.mean(problem, one) for problem in self.finished] for one in (rival, family)]
        return signed_rank_p(*means)


Verdict = tuple[bool | None, str]
Judge = Callable[[Measured], Verdict]


def judge_gain(family: str) -> Judge:
    """Whether a family is clearly better than the reference on more problems than clearly worse."""

    def judge(measured: Measured) -> Verdict:
        found = measured.compare(family, REFERENCE)
        p = measured.p_over_problems(family, REFERENCE)
        holds = len(found["better"]) > len(found["worse"])
        return holds, f"{_list_sides(found)}; p = {p:.2f} over the problems"

    return judge


def judge_alpha(measured: Measured) -> Verdict:
    """Whether CRA with an alpha above 0 is clearly better than with alpha = 0 on some problem."""
    moderated = [name for name, one in measured.finished.items() if one.alpha > 0]
    found = {side: [one for one in own if one in moderated] for side, own in measured.compare("CRA", "betaRA").items()}
    chosen = f"α > 0 was chosen on {len(moderated)} of {count(len(measured.finished), 'problem')}"
    return bool(found["better"]), f"{chosen}; there {_list_sides(found)}"


def judge_guarantee(measured: Measured) -> Verdict:
    """Whether CRA is clearly worse than the reference on some problem."""
    worse = measured.compare("CRA", REFERENCE)["worse"]
    return bool(worse), _list_means(measured, worse, "CRA", REFERENCE)


def judge_choice(measured: Measured) -> Verdict:
    """Whether CRA is clearly worse than one of its special cases on some problem."""
    worse = {case: measured.compare("CRA", case)["worse"] for case in SPECIAL_CASES}
    parts = [_list_means(measured, problems, "CRA", case) for case, problems in worse.items() if problems]
    return any(worse.values()), "; ".join(parts) or "on none"


def judge_best(measured: Measured) -> Verdict:
    """Whether no family has the smallest error on more than half of the problems."""
    best: Counter[str] = Counter()
    for problem, one in measured.finished.items():
        means = {family: measured.mean(problem, family) for family in one.lines}
        best[min(means, key=lambda family: means[family])] += 1
    listed = ", ".join(f"{family} on {number}" for family, number in best.most_common())
    return 2 * max(best.values()) <= len(measured.finished), f"smallest error: {listed}"


def judge_similarity(measured: Measured) -> Verdict:
    """Whether CRA and DWK-RA are on the same side of the reference on more than half of the problems."""
    signs = {
        family: np.sign([measured.mean(one, family) - measured.mean(one, REFERENCE) for one in measured.finished])
        for family in ("CRA", "DWK-RA")
    }
    alike = int((signs["CRA"] == signs["DWK-RA"]).sum())
    return 2 * alike > len(measured.finished), f"same side on {alike} of {count(len(measured.finished), 'problem')}"


def judge_boundary(measured: Measured) -> Verdict:
    """Whether looking at the boundary only has a larger error on the folds than the reference on some problem."""
    gaps = {name: one.boundary_error - one.reference_error for name, one in measured.finished.items()}
    worst = max(gaps, key=lambda problem: gaps[problem])
    larger = sum(gap > 0 for gap in gaps.values())
    return larger > 0, f"larger on {larger} of {count(len(gaps), 'problem')}, at most {gaps[worst]:+.2f} ({worst})"


def judge_equivalence(measured: Measured) -> Verdict:
    """Whether betaRA and Mixed do not differ clearly on more than half of the problems."""
    found = measured.compare("betaRA", "Mixed")
    return 2 * len(found["same"]) > len(measured.finished), f"betaRA {_list_sides(found)}"


def judge_end(measured: Measured) -> Verdict:
    """Whether the last error of CRA is below its first on more than half of the problems."""
    ends = [measured.mean(problem, "CRA") for problem in measured.finished]
    firsts = [one.first_error for one in measured.finished.values()]
    below = sum(end < first for end, first in zip(ends, firsts, strict=True))
    first, last = np.mean(firsts), np.mean(ends)
    means = f"mean error {first:.2f}% after one round, {last:.2f}% in the end"
    return 2 * below > len(ends), f"below on {below} of {count(len(ends), 'problem')}; {means}"


def judge_sensitivity(measured: Measured) -> Verdict:
    """Whether the families differ by more than the std of the reference on more than half of the problems."""
    above = 0
    for problem, one in measured.finished.items():
        means = [measured.mean(problem, family) for family in one.lines]
        above += bool(max(means) - min(means) > np.std(one.lines[REFERENCE].values, ddof=1))
    return 2 * above > len(measured.finished), f"on {above} of {count(len(measured.finished), 'problem')}"


def judge_sizes(measured: Measured) -> Verdict:
    """Whether all parts have the sizes of Table 1."""
    known = [problem for problem in measured.problems if problem in SIZES]
    equal = sum(measured.finished[problem].sizes == SIZES[problem] for problem in known)
    evidence = f"equal for {equal} of {count(len(known), 'problem')}; Kwok is not public, and a stand-in is used"
    return (equal == len(known) if known else None), evidence


def _list_sides(found: Mapping[str, Sequence[str]]) -> str:
    """Such as "better on 1 (image), worse on 0, no clear difference on 2"."""
    names = {"better": "better", "worse": "worse", "same": "no clear difference"}
    return ", ".join(
        f"{text} on {len(found[side])}" + (f" ({', '.join(found[side])})" if found[side] and side != "same" else "")
        for side, text in names.items()
    )


def _list_means(measured: Measured, problems: Sequence[str], family: str, rival: str) -> str:
    """Such as "diabetes (CRA 25.9, RA 24.1)"."""
    listed = (
        f"{one} ({family} {measured.mean(one, family):.2f}, {rival} {measured.mean(one, rival):.2f})"
        for one in problems
    )
    return ", ".join(listed) or "on none"
