"""What the published column of 31 trees gives away about the ratio that chose their views.

Its vote (walks 94.08, evidence 94.59) is that of one weak tree, the one on row sums (94.07, 94.52); its minimum and
maximum are those of the five single views (97.41 against 97.43, 97.62 against 97.63); its mean and product fall. That
is what copies of single-view trees do, most of them of one view: copies change votes, means and products, not extremes.
The squared distance of the two means over the inner distances makes such copies, for it favours the view with the
largest numbers; but the paper calls its criterion independent of the scale, and that one is not.
"""

from collections.abc import Mapping

from emphatic.papers.claims import Claim
from emphatic.papers.p003.judging import NOT_FINISHED, mean, most_like_the_papers
from emphatic.papers.p003.kept import Forests, count_single
from emphatic.papers.p003.settings import list_decisions, list_settings
from emphatic.papers.p003.table import accuracies
from emphatic.papers.published import lookup
from emphatic.study.results import Errors

READINGS = {"gap": "MVF(all)", "squared gap": "MVF(all), squared gap"}


def judge_fingerprint(errors: Mapping[str, Errors], forests: Mapping[str, Forests]) -> list[Claim]:
    """Which ratio comes nearer to the published differences, and which trees kappa then keeps."""
    problem = most_like_the_papers(list(errors))
    if problem is None:
        return [_judge_copies()]
    return [_judge_copies(), _judge_ratio(problem, errors[problem]), _judge_kept(problem, forests[problem])]


def published_changes() -> dict[str, float]:
    """Accuracy of the 31 trees minus that of the five, by decision, as published.

    >>> {name: round(value, 2) for name, value in published_changes().items()}
    {'DT, MV': -2.72, 'DS, MV': -2.55, 'DS, Min': -0.02, 'DS, Max': -0.01, 'DS, Mean': -1.95, 'DS, Prod': -1.2}
    """
    decisions = [one for one in list_decisions("MVF_single") if one[1] != "Dempster"]
    return {
        f"{how}, {rule}": _published(f"MVF(31) {rule}", how) - _published(f"MVF_single {rule}", how)
        for how, rule in decisions
    }


def _published(method: str, evaluation: str) -> float:
    return lookup("003", "3", "digits10k", method, "accuracy_%", {"tree_eval": evaluation})[0]


def measured_changes(problem: str, found: Errors, shape: str) -> dict[str, float]:
    """Accuracy of all sets of views minus that of the single views, by decision, where both are finished."""
    single, every = list_settings(problem, "MVF_single"), list_settings(problem, shape)
    changes = {}
    for name in published_changes():
        five, all_sets = accuracies(found, single[name]), accuracies(found, every[name])
        if five and all_sets:
            changes[name] = mean(all_sets) - mean(five)
    return changes


def _judge_copies() -> Claim:
    """From the published figures alone."""
    gaps = []
    for evaluation in ("DT", "DS"):
        view = {"view": "rows_sum"}
        tree = lookup("003", "2", "digits10k", f"single-view tree {evaluation}", "accuracy_%", view)[0]
        gaps.append(_published("MVF(31) MV", evaluation) - tree)
    changes = published_changes()
    evidence = (
        f"published: the vote of the 31 differs from the rows_sum tree by {gaps[0]:+.2f} (walks) and {gaps[1]:+.2f} "
        f"(evidence), from the vote of the five by {changes['DT, MV']:+.2f} and {changes['DS, MV']:+.2f}; minimum and "
        f"maximum by {changes['DS, Min']:+.2f} and {changes['DS, Max']:+.2f}; holds if the first two and the last two "
        "are within 0.1"
    )
    holds = all(abs(value) < 0.1 for value in (*gaps, changes["DS, Min"], changes["DS, Max"]))
    return Claim("Table 3", "The 31 trees are near-copies of single-view trees (our inference).", holds, evidence)


def _judge_ratio(problem: str, found: Errors) -> Claim:
    place = "Table 3"
    text = "The squared distance in the ratio explains the 31 trees better than the distance (our inference)."
    published = published_changes()
    measured = {ratio: measured_changes(problem, found, shape) for ratio, shape in READINGS.items()}
    if any(len(changes) < len(published) for changes in measured.values()):
        return Claim(place, text, None, NOT_FINISHED)
    away = {
        ratio: mean([abs(changes[name] - published[name]) for name in published]) for ratio, changes in measured.items()
    }
    shown = {"published": published, **measured}
    listed = "; ".join(
        f"{source} " + ", ".join(f"{name} {value:+.2f}" for name, value in changes.items())
        for source, changes in shown.items()
    )
    evidence = (
        f"{problem}, 31 trees minus 5 in points: {listed}; mean distance from the published {away['gap']:.2f} with the "
        f"gap, {away['squared gap']:.2f} squared; holds if the latter is smaller. The square depends on the scale, "
        "which the text denies"
    )
    return Claim(place, text, away["squared gap"] < away["gap"], evidence)


def _judge_kept(problem: str, forests: Forests) -> Claim:
    place, text = "Section 3.1", "With the squared distance kappa keeps exactly the single views (our inference)."
    folds = forests.get("MVF(5), squared gap", [])
    if not folds:
        return Claim(place, text, None, NOT_FINISHED)
    exact = sum(single == 5 for single in count_single(folds))
    return Claim(place, text, exact == len(folds), f"{problem}: in {exact} of {len(folds)} folds; holds if in all")
