"""Does another λ converge faster, and is it robust against overfitting: what paper 000 claims about Figure 1."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from emphatic.papers.claims import Claim
from emphatic.papers.p000.judging import Verdict, judge
from emphatic.papers.p000.outcome import EARLY, interpolate_curve

SHOWN = (0.2, 0.5, 1.0)
"""The λ of Figure 1."""
RA = 0.5
N_ROWS = 4
Curve = Sequence[tuple[int, float]]  # round, mean error in percent
Curves = Mapping[float, Curve]  # by lambda
Key = tuple[str, int]  # problem, percent of centres


def early(curve: Curve) -> float:
    """The error after `EARLY` rounds."""
    return interpolate_curve(curve, [EARLY])[0]


def late(curve: Curve) -> float:
    """The error after the last round."""
    return curve[-1][1]


def rise(curve: Curve) -> float:
    """How far the error rises from its lowest value to the last round.

    >>> rise([(1, 30.0), (10, 9.0), (100, 10.0)])
    1.0
    """
    return late(curve) - min(error for _, error in curve)


def judge_curves(curves: Mapping[Key, Curves]) -> list[Claim]:
    """Convergence and overfitting, by the rows that are finished."""
    shown, overfitted = curves.get(("ionosphere", 2)), curves.get(("ripley", 10))
    return [
        judge(
            "Figure 1",
            "On Ionosphere the error falls faster for large λ "
            f"(after {EARLY} rounds with 2% of centres: λ 1 below 0.5 below 0.2).",
            shown is not None,
            lambda found: _compare(found, early, SHOWN[::-1]),
            shown,
        ),
        judge(
            "Figure 1",
            "On Ionosphere lower λ end with lower errors (after all rounds, 2% of centres: λ 0.2 below 0.5 below 1).",
            shown is not None,
            lambda found: _compare(found, late, SHOWN),
            shown,
        ),
        judge(
            "Abstract",
            f"Another λ can converge faster (after {EARLY} rounds λ 0.2 or 1 is below RA on more than half of the rows "
            "of Ionosphere and Ripley).",
            len(curves) == N_ROWS,
            _is_faster,
            curves,
        ),
        judge(
            "Abstract",
            "Another λ is robust against the overfitting of RA (Ripley, 10% of centres: the error of RA rises from its "
            "lowest value to the end, that of λ 1 less than half as much).",
            overfitted is not None,
            _is_robust,
            overfitted,
        ),
    ]


def _compare(found: Curves, what: Callable[[Curve], float], order: Sequence[float]) -> Verdict:
    """Whether the errors increase in this order of λ."""
    errors = [what(found[lam]) for lam in order]
    evidence = ", ".join(f"λ {lam:g}: {error:.2f}" for lam, error in zip(order, errors, strict=True))
    return all(left < right for left, right in pairwise(errors)), evidence


def _is_faster(curves: Mapping[Key, Curves]) -> Verdict:
    found, parts = [], []
    for (problem, percent), by_lambda in curves.items():
        errors = {lam: early(curve) for lam, curve in by_lambda.items()}
        best = min((lam for lam in errors if lam != RA), key=lambda lam: errors[lam])
        found.append(errors[best] < errors[RA])
        parts.append(f"{problem} {percent}%: λ {best:g} {errors[best]:.2f}, RA {errors[RA]:.2f}")
    return sum(found) > len(found) / 2, "; ".join(parts)


def _is_robust(found: Curves) -> Verdict:
    rises = {lam: rise(found[lam]) for lam in SHOWN}
    evidence = ", ".join(f"λ {lam:g} rises by {value:.2f}" for lam, value in rises.items())
    return rises[RA] > 0 and rises[1.0] < rises[RA] / 2, evidence
