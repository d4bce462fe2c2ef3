"""What paper 003 says about single trees (Table 2), judged."""

from collections.abc import Mapping
from typing import Any

from emphatic.papers.claims import Claim
from emphatic.papers.p003.digits import columns_of
from emphatic.papers.p003.judging import NOT_FINISHED, NOT_PUBLIC, judge_differences, mean, most_like_the_papers
from emphatic.papers.p003.settings import EVALUATIONS, PER_CLASS, tree_setting
from emphatic.papers.p003.table import accuracies
from emphatic.study.results import Errors


def judge_trees(errors: Mapping[str, Errors]) -> list[Claim]:
    """All claims about Table 2, from the errors of each problem."""
    return [
        judge_differences(
            "Table 2",
            "Evidence of all nodes is more accurate than the walk to a leaf, in every view.",
            {problem: _gains(problem, found) for problem, found in errors.items()},
            "evidence minus walk in points",
        ),
        _judge_views(errors),
        _judge_solver(errors),
        Claim("Table 2", "The accuracies as printed.", None, NOT_PUBLIC),
    ]


def _read(problem: str, found: Errors, **more: Any) -> dict[str, dict[str, float]]:
    """Mean accuracies of the views whose trees are finished, by evaluation."""
    means: dict[str, dict[str, float]] = {}
    for view in columns_of(problem):
        both = {
            name: accuracies(found, tree_setting(problem, [view], evaluation, PER_CLASS[0], **more))
            for name, evaluation in EVALUATIONS.items()
        }
        if all(both.values()):
            means[view] = {name: mean(values) for name, values in both.items()}
    return means


def _gains(problem: str, found: Errors) -> dict[str, float]:
    return {view: means["DS"] - means["DT"] for view, means in _read(problem, found).items()}


def _judge_views(errors: Mapping[str, Errors]) -> Claim:
    place, text = "Table 2", "Orientation histograms are the best view, row sums and column sums the two weakest."
    problem = most_like_the_papers(list(errors))
    means = _read(problem, errors[problem]) if problem else {}
    if problem is None or len(means) < len(columns_of(problem)):
        return Claim(place, text, None, NOT_FINISHED)
    order = sorted(means, key=lambda view: -means[view]["DS"])
    holds = order[0] == "orienthisto" and set(order[-2:]) == {"rows_sum", "cols_sum"}
    listed = ", ".join(f"{view} {means[view]['DS']:.2f}" for view in order)
    return Claim(place, text, holds, f"{problem}, by evidence: {listed}")


def _judge_solver(errors: Mapping[str, Errors]) -> Claim:
    """The paper prints no figures for another solver: only that the classification is good."""
    place = "Section 2.1.1"
    text = "Output weights by the pseudo-inverse give good classification results."
    gaps = []
    for problem, found in errors.items():
        ridge, exact = _read(problem, found), _read(problem, found, solver="pseudo_inverse")
        gaps += [abs(exact[view]["DS"] - ridge[view]["DS"]) for view in exact if view in ridge]
    if not gaps:
        return Claim(place, text, None, NOT_FINISHED)
    evidence = (
        f"{len(gaps)} trees by pseudo-inverse differ from those by ridge 1e-8 by {mean(gaps):.2f} points on average, "
        f"at most {max(gaps):.2f}; the paper compares with nothing: holds if that is below half a point"
    )
    return Claim(place, text, mean(gaps) < 0.5, evidence)
