"""Claims about Table 2, and about training: how long it takes, and how errors fall."""

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.p002.claims.judging import CLOSE, NOT_FINISHED, count_problems, list_values, read_means
from emphatic.papers.p002.ensembles import SHOWN_EPOCHS
from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.problems import POLICIES, PROBLEMS
from emphatic.papers.p002.times import BATCH, ONLINE, Times, find_ratios


def judge_networks(found: Measured) -> list[Claim]:
    """Table 2, and the claims about training times."""
    means = read_means(found, "a", ("networks", "standard"))
    ahead = {problem: own["networks"] - own["standard"] for problem, own in means.items()}
    far = {problem: difference > CLOSE for problem, difference in ahead.items()}
    expected = {problem: far[problem] == (problem in ("ionosphere", "vehicle")) for problem in far}
    return [
        count_problems(
            "Table 2",
            "Boosted MLPs are more accurate than boosted perceptrons.",
            {problem: difference > 0 for problem, difference in ahead.items()},
            details=f"by {list_values(ahead)} points",
        ),
        count_problems(
            "Table 2",
            f"Perceptrons are close on all problems but Ionosphere and Vehicle (judged: within {CLOSE:g} points).",
            expected,
            details=f"MLPs ahead by {list_values(ahead)} points",
        ),
        judge_epochs(found),
    ]


def judge_times(times: Times) -> Claim:
    """The paper's perceptrons, in batches, against networks; those of the tables are named beside them."""
    text = "Training perceptrons takes much less time than training MLPs (judged: at most half, on every problem)."
    place = "Sections 1, 2, 4 and 5"
    if len(times) < len(PROBLEMS):
        return Claim(place, text, None, NOT_FINISHED)
    in_batches, as_here = (find_ratios(times, kind) for kind in (BATCH, ONLINE))
    evidence = (
        f"MLPs take so many times as long as perceptrons in batches: {list_values(in_batches)}; as those of the "
        f"tables: {list_values(as_here)}"
    )
    return Claim(place, text, min(in_batches.values()) >= 2, evidence)


def judge_epochs(found: Measured) -> Claim:
    """Section 4: "this error has an overall decreasing behavior"."""
    text = "The training error of a machine falls over its 250 epochs, all in all (judged: the last below the first)."
    curves = {}
    for problem in PROBLEMS:
        runs = [
            one["epoch_errors"]
            for one in found.metrics.get((problem, POLICIES["standard"]), [])
            if "epoch_errors" in one
        ]
        if runs:
            curves[problem] = 100 * np.mean([[error for _, error in run] for run in runs], axis=0)
    shown = "; ".join(
        f"{PROBLEMS[problem]} {', '.join(f'{error:.1f}' for error in errors)}" for problem, errors in curves.items()
    )
    details = f"weighted error in % after {', '.join(map(str, SHOWN_EPOCHS))} epochs: {shown}"
    falls = {problem: bool(errors[-1] < errors[0]) for problem, errors in curves.items()}
    return count_problems("Section 4", text, falls, details=details)
