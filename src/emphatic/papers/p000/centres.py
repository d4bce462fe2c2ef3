"""Are centres drawn with emphasis better than without: what paper 000 claims about Table III beside Table II."""

from collections.abc import Sequence

from emphatic.papers.claims import Claim
from emphatic.papers.p000.judging import Verdict, judge
from emphatic.papers.p000.outcome import EARLY, Outcome, mean_over
from emphatic.papers.p000.rows import STAND_IN, printed_rows
from emphatic.papers.table import percent
from emphatic.study.statistics import mean_and_std

Pairs = Sequence[tuple[Outcome, Outcome]]
"""A row with emphasised centres, and the same with uniform ones."""


def judge_centres(emphasised: Sequence[Outcome], uniform: Sequence[Outcome]) -> list[Claim]:
    """Whether emphasised centres (Table II) are better than uniform ones (Table III), and converge faster."""
    wanted = {(one.row.problem, one.row.percent): one for one in emphasised if one.is_finished and not one.stand_in}
    own = {(one.row.problem, one.row.percent): one for one in uniform if one.is_finished and not one.stand_in}
    pairs = [(wanted[key], own[key]) for key in own if key in wanted]
    others = [pair for pair in pairs if pair[0].row.problem != "abalone"]
    n_rows = sum(row.problem not in {STAND_IN, "abalone"} for row in printed_rows("III"))
    finished = len(others) == n_rows
    fast = [pair for pair in others if pair[0].row.percent == 2 and pair[0].row.problem != "breast"]
    fast = [pair for pair in fast if all(one.real_adaboost in one.early for one in pair)]
    title = "Centres drawn with emphasis"
    return [
        judge(
            "Table III",
            f"{title} lower the error on every problem but Abalone (RA and best λ).",
            finished,
            _lower_means,
            others,
        ),
        judge(
            "Table III", f"{title} also lower the standard deviation (RA and best λ).", finished, _lower_stds, others
        ),
        judge(
            "Table III",
            f"{title} converge faster on Ripley, Image and Ionosphere "
            f"(RA with 2% of centres: lower error after {EARLY} rounds).",
            len(fast) == 3,
            _lower_early,
            fast,
        ),
    ]


def _lower_means(pairs: Pairs) -> Verdict:
    return _compare_pairs(pairs, 0)


def _lower_stds(pairs: Pairs) -> Verdict:
    return _compare_pairs(pairs, 1)


def _compare_pairs(pairs: Pairs, number: int) -> Verdict:
    """Means (0) or standard deviations (1) of the first against the second of each pair, for RA and the best lambda."""
    not_lower, parts = 0, []
    for first, second in pairs:
        for name, of in (("RA", lambda one: one.ra), ("best λ", lambda one: one.tests.errors[one.oracle])):
            left, right = (mean_and_std(percent(of(one)))[number] or 0.0 for one in (first, second))
            if not left < right:
                not_lower += 1
                parts.append(f"{first.row.name} {name} {left:.2f} against {right:.2f}")
    n = 2 * len(pairs)
    return not not_lower, f"lower in {n - not_lower} of {n} comparisons" + (
        f"; not: {', '.join(parts)}" if parts else ""
    )


def _lower_early(pairs: Pairs) -> Verdict:
    values = [[100 * mean_over(one.early[one.real_adaboost]) for one in pair] for pair in pairs]
    parts = [
        f"{pair[0].row.problem} {one[0]:.2f} against {one[1]:.2f}" for pair, one in zip(pairs, values, strict=True)
    ]
    return all(left < right for left, right in values), ", ".join(parts)
