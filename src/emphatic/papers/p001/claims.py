"""What paper 001 claims, judged by what its tables have measured.

The text at hand ends where the results begin: it has no table of results, no discussion, no conclusions and no figures.
Claims are those of the abstract and of sections 1 to 3.2. "Clearly" is p < 0.01 in a Wilcoxon rank-sum test of the
trainings of two designs.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.p001 import judges
from emphatic.papers.p001.designs import QUARTERS
from emphatic.papers.p001.judges import Judge, Measured
from emphatic.study.statistics import signed_rank_p

NOT_FINISHED = "not finished"

OF_SEARCHES: Sequence[tuple[str, str, Judge]] = (
    (
        "Abstract",
        "The general emphasis is effective: CRA is clearly better than RA on more problems than worse.",
        judges.judge_gain("CRA"),
    ),
    (
        "Section 2",
        "Moderation, α > 0, is beneficial on some problems: CRA with α > 0 is clearly better than with α = 0 (betaRA) "
        "on at least one.",
        judges.judge_alpha,
    ),
    (
        "Section 1",
        "There is no guarantee of an advantage: CRA is clearly worse than RA on at least one problem.",
        judges.judge_guarantee,
    ),
    (
        "Section 1",
        "Parameters chosen on data may be suboptimal: on at least one problem CRA is clearly worse than a special case "
        "of it.",
        judges.judge_choice,
    ),
)
"""Those that rest on how the parameters are searched."""

OF_FAMILIES: Sequence[tuple[str, str, Judge]] = (
    (
        "Section 1",
        "No form of the emphasis is best everywhere: none has the smallest error on more than half of the problems.",
        judges.judge_best,
    ),
    (
        "Section 1",
        "The mixed emphasis is effective: Mixed is clearly better than RA on more problems than worse.",
        judges.judge_gain("Mixed"),
    ),
    (
        "Section 1",
        "DWK-RA gives excellent results: it is clearly better than RA on more problems than worse.",
        judges.judge_gain("DWK-RA"),
    ),
    (
        "Section 1",
        "The effects of CRA are similar to those of DWK-RA: on more than half of the problems both are on the same "
        "side of RA.",
        judges.judge_similarity,
    ),
    (
        "Section 1",
        "Too much emphasis on the boundary can do harm: on at least one problem α = 0, β = 0 has a larger error on the "
        "folds than RA.",
        judges.judge_boundary,
    ),
    (
        "Section 2",
        "With α = 0 the emphasis is equivalent to the mixed one: betaRA and Mixed do not differ clearly on more than "
        "half of the problems.",
        judges.judge_equivalence,
    ),
    (
        "Section 2",
        "The partial ensemble becomes a good guide: on most problems the error of CRA in the end is below that of its "
        "first network.",
        judges.judge_end,
    ),
    (
        "Section 3.2",
        "Perceptrons are sensitive to the emphasis: on more than half of the problems the families differ by more than "
        "the std of RA's trainings.",
        judges.judge_sensitivity,
    ),
    ("Table 1", "The sizes of the training and test parts.", judges.judge_sizes),
)

OPEN = (
    Claim(
        "Section 1",
        "Overfitting appears with much noise or many outliers, and emphasis on errors adds to it.",
        None,
        "cited from others, and the text has no experiment with noise; the table `emphases` has one of our own",
    ),
    Claim(
        "Section 1",
        "This emphasis improves deep classifiers with auxiliary machines.",
        None,
        "cited from others, without figures",
    ),
    Claim(
        "Section 2",
        "The form of the emphasis is computationally efficient.",
        None,
        "fits in step share their time; `python -m benchmarks.emphases` measures it",
    ),
    Claim(
        "Section 3.2",
        "The learning rate 0.01 is enough to reach convergence.",
        None,
        "the number of epochs of each network is not kept",
    ),
    Claim(
        "Section 3",
        "The results of 50 trainings of the cross-validated designs.",
        None,
        "the table of results is not in the text that we have",
    ),
)
"""Those that cannot be judged."""


def judge_choices(measured: Measured) -> list[Claim]:
    """The claims that every search of the parameters can be asked for."""
    return _judge(measured, OF_SEARCHES)


def judge_moderation(measured: Measured) -> list[Claim]:
    """All claims about two classes and the partial ensemble as guide."""
    n_networks = len(QUARTERS)
    cost = Claim(
        "Section 1",
        "The design of CRA costs much less than that of DWK-RA.",
        n_networks > 1,
        f"networks trained per round: CRA 1, DWK-RA {n_networks}, one for each λ; it also searches neighbours, and has "
        "their number and share to choose",
    )
    return [*judge_choices(measured), *_judge(measured, OF_FAMILIES), cost, *OPEN]


def judge_classes(lines: Sequence[Line], chance: Mapping[str, float], n_problems: int) -> list[Claim]:
    """The claim about more than two classes; `chance` are the errors, in percent, of guessing the largest class."""
    text = "The formulation is easily extended to several classes: CRA is better than guessing on every problem."
    own = {line.problem: line.measured[0] for line in lines if line.method.startswith("CRA") and line.measured}
    if len(own) < n_problems:
        return [Claim("Section 1", text, None, NOT_FINISHED)]
    listed = ", ".join(f"{problem} {error:.1f} ({chance[problem]:.1f})" for problem, error in own.items())
    holds = all(error < chance[problem] for problem, error in own.items())
    return [Claim("Section 1", text, holds, f"error in % (of guessing): {listed}")]


def judge_guides(errors: Mapping[str, Mapping[str, Sequence[float]]], own: str, n_problems: int) -> list[Claim]:
    """The claim about external guides; `errors` are means in percent by emphasis and guide, problem by problem."""
    text = (
        "The partial ensemble is an appropriate guide: with none of the emphases has an external one a smaller mean "
        "error over the problems."
    )
    finished = n_problems > 0 and all(len(one) == n_problems for guides in errors.values() for one in guides.values())
    if not finished:
        return [Claim("Section 2", text, None, NOT_FINISHED)]
    parts = []
    for emphasis, guides in errors.items():
        means = ", ".join(f"{guide} {np.mean(one):.2f}{_compare(guides[own], one)}" for guide, one in guides.items())
        parts.append(f"{emphasis}: {means}")
    holds = all(np.mean(guides[own]) <= min(map(np.mean, guides.values())) for guides in errors.values())
    return [Claim("Section 2", text, holds, f"error in %, p over the problems. {'; '.join(parts)}")]


def _compare(own: Sequence[float], other: Sequence[float]) -> str:
    """p of the signed-rank test, in brackets; nothing for a guide and itself."""
    return "" if other is own else f" (p = {signed_rank_p(own, other):.2f})"


def _judge(measured: Measured, asked: Sequence[tuple[str, str, Judge]]) -> list[Claim]:
    """Each claim with its verdict; none where a problem is not finished."""
    return [
        Claim(place, text, *(judge(measured) if measured.complete else (None, NOT_FINISHED)))
        for place, text, judge in asked
    ]
