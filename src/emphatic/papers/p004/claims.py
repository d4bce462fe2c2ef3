"""What the slides claim about wins and about their figure of errors against the number of learners, judged.

"Better" means: more wins than losses over the 20 problems, by a sign test with p below 0.05.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.p004.problems import LARGEST, PROBLEMS
from emphatic.papers.p004.scores import PUBLISHED, Score, find_published
from emphatic.papers.p004.trees_table import MeanErrors

LEVEL = 0.05
RESULTS, WEIGHTS, CONCLUSIONS = "results table", "weight initialization", "conclusions"
IN_WORDS = {"easy only": "its easy chain alone", "difficult only": "its difficult chain alone"}
FROM_LEARNERS = 10
"""Curves are compared from this number of learners on."""
USUALLY = 4
"""Of six problems."""

Curves = Mapping[str, Mapping[str, Sequence[tuple[int, float]]]]
"""Problem -> method -> (number of learners, error in %)."""


def is_clear(score: Score) -> bool:
    """Whether the first of a pair is better by the rule of this module.

    >>> is_clear(Score(15, 4, 1)), is_clear(Score(14, 5, 1))
    (True, False)
    """
    return score.wins > score.losses and score.sign_p < LEVEL


def report_missing(n_problems: int) -> str:
    """The evidence of a claim about 20 problems while only some are finished."""
    return f"not finished: {n_problems} of {len(PROBLEMS)} problems"


def judge_score(
    errors: MeanErrors,
    first: str,
    second: str,
    published: Score | None,
    text: str,
    *,
    place: str = RESULTS,
    clear: bool = True,
    more: str = "",
) -> Claim:
    """A claim that the first is better than the second; unless it must be `clear`, more wins than losses suffice."""
    if len(errors.problems) < len(PROBLEMS):
        return Claim(place, text, None, report_missing(len(errors.problems)))
    score = errors.score(first, second)
    means = [float(errors.of[one].mean()) for one in (first, second)]
    evidence = [
        f"win/lose/draw {score}, sign test p {score.sign_p:.3f}",
        f"mean error {means[0]:.2f}% against {means[1]:.2f}%",
        *([f"by repetition {', '.join(map(str, errors.scores(first, second)))}"] if errors.n_repetitions > 1 else []),
        *([f"published {published}, p {published.sign_p:.3f}"] if published else []),
        *([more] if more else []),
        f"rule: more wins than losses{f', p < {LEVEL}' if clear else ''}",
    ]
    return Claim(place, text, is_clear(score) if clear else score.wins > score.losses, "; ".join(evidence))


def judge_wins(errors: MeanErrors) -> list[Claim]:
    """The seven pairs of the results table, and the conclusion that is drawn from four of them."""
    claims = {}
    for first, second in PUBLISHED:
        own = (first, second) == ("DFA", "FuzzyBoost")  # published 8/6/6: only a direction
        often = "more often smaller" if own else "smaller"
        text = f"{first} has {often} errors than {IN_WORDS.get(second, second)}."
        published = find_published(first, second)
        claims[first, second] = judge_score(errors, first, second, published, text, clear=not own)
    rivals = [claims[first, second] for first in ("FuzzyBoost", "DFA") for second in ("AdaBoost", "Bagging")]
    text = "FuzzyBoost and DFA perform better than AdaBoost and Bagging."
    if any(claim.holds is None for claim in rivals):
        return [*claims.values(), Claim(CONCLUSIONS, text, None, rivals[0].evidence)]
    n_held = sum(claim.holds is True for claim in rivals)
    evidence = f"{n_held} of the 4 pairs hold; rule: all of them"
    return [*claims.values(), Claim(CONCLUSIONS, text, n_held == len(rivals), evidence)]


def judge_curves(curves: Curves) -> Claim:
    """Whether both chains together are below each of them, at most numbers of learners."""
    text = (
        "Whatever the number of classifiers, the ensemble of both chains usually has a smaller error than one of easy "
        "or of difficult samples only (one of six pictures is shown, without numbers)."
    )
    if len(curves) < len(LARGEST):
        return Claim(WEIGHTS, text, None, f"not finished: {len(curves)} of {len(LARGEST)} problems")
    below = [problem for problem, own in curves.items() if all(_is_below(own, one) for one in ("easy", "difficult"))]
    evidence = (
        f"with {FROM_LEARNERS} or more learners, below both on {len(below)} of {len(curves)} problems"
        f" ({', '.join(below) or 'none'}); rule: on at least {USUALLY}, by the mean over the curve"
    )
    return Claim(WEIGHTS, text, len(below) >= USUALLY, evidence)


def _is_below(curves: Mapping[str, Sequence[tuple[int, float]]], half: str) -> bool:
    """Whether FuzzyBoost is below one of its halves."""
    both, alone = (
        np.mean([error for rounds, error in curves[name] if rounds >= FROM_LEARNERS])
        for name in ("FuzzyBoost", f"{half} only")
    )
    return bool(both < alone)
