"""What the slides claim about the reward and the deflections, judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from emphatic.papers.claims import Claim
from emphatic.papers.p004.claims import CONCLUSIONS, LEVEL, is_clear, report_missing
from emphatic.papers.p004.problems import PROBLEMS
from emphatic.papers.p004.scores import Score
from emphatic.papers.p004.sweep_results import SweepResults
from emphatic.study.statistics import friedman

PARAMETERS = "influence of the parameters"
APART = 0.1
"""Groups of memberships that are farther apart than this (of at most 1.41) are different clusterings."""


def judge_rewards(results: SweepResults, reward: float, n_deflections: int) -> list[Claim]:
    """The claims about the reward; `reward` is that of table 004, `n_deflections` that of DFA there."""
    places = {
        "With a fixed number of deflections the reward changes the mean error.": PARAMETERS,
        "Choosing reward and number of deflections together for each problem makes the errors smaller.": PARAMETERS,
        "Each problem has a best reward, which differs from one problem to another.": CONCLUSIONS,
    }
    closeness = Claim(
        CONCLUSIONS,
        "The best reward reveals the internal closeness of the data.",
        None,
        "the slides do not say how closeness is measured",
    )
    if len(results.problems) < len(PROBLEMS):
        missing = report_missing(len(results.problems))
        return [*(Claim(place, text, None, missing) for text, place in places.items()), closeness]
    influence, choice, best = places
    return [
        _judge_influence(results, influence, n_deflections),
        _judge_choice(results, choice, reward, (0, n_deflections)),
        _judge_best(results, best),
        closeness,
    ]


def _judge_influence(results: SweepResults, text: str, n_deflections: int) -> Claim:
    places = results.places(n_deflections=n_deflections)
    means = results.means[:, places]
    p = friedman(means).p
    by_reward = ", ".join(
        f"{results.variants[place]['reward']}: {mean:.2f}%"
        for place, mean in zip(places, means.mean(axis=0), strict=True)
    )
    evidence = f"{n_deflections} deflections, {by_reward}; Friedman test over the problems p {p:.3f}"
    return Claim(PARAMETERS, text, p < LEVEL, f"{evidence}; rule: p < {LEVEL}; the slides print no numbers")


def _judge_choice(results: SweepResults, text: str, reward: float, numbers: Sequence[int]) -> Claim:
    chosen, oracle = results.choose_by_other_folds(), results.means.min(axis=1)
    fixed = [results.means[:, results.places(reward=reward, n_deflections=number)[0]] for number in numbers]
    scores = [Score.of(chosen, values) for values in fixed]
    against = " and ".join(
        f"{number} deflections ({values.mean():.2f}%) {score}, p {score.sign_p:.3f}"
        for number, values, score in zip(numbers, fixed, scores, strict=True)
    )
    evidence = (
        f"chosen for each fold by the other folds {chosen.mean():.2f}%, against reward {reward} with "
        f"{against}; oracle {oracle.mean():.2f}%; rule: more wins than losses, p < {LEVEL}, against both"
    )
    return Claim(PARAMETERS, text, all(map(is_clear, scores)), evidence)


def _judge_best(results: SweepResults, text: str) -> Claim:
    """Whether two halves of the folds choose the same reward more often than if the problem made no difference."""
    places = results.places(n_deflections=0)
    rewards = [results.variants[place]["reward"] for place in places]
    even, odd = results.choose_by_halves(places)
    n_same, n_problems = int((even == odd).sum()), len(even)
    shares = [np.bincount(half, minlength=len(places)) / n_problems for half in (even, odd)]
    expected = float(shares[0] @ shares[1])
    p = float(stats.binomtest(n_same, n_problems, min(expected, 1.0), alternative="greater").pvalue)
    best = Counter(rewards[place] for place in results.means[:, places].round(9).argmin(axis=1))
    counts = ", ".join(f"{reward} on {best[reward]}" for reward in rewards if best[reward])
    evidence = (
        f"best reward of FuzzyBoost (oracle): {counts}; two halves of the folds agree on {n_same} of {n_problems} "
        f"problems, by chance on {expected * n_problems:.1f}, p {p:.3f}; rule: p < {LEVEL}"
    )
    return Claim(CONCLUSIONS, text, p < LEVEL and len(best) > 1, evidence)


def judge_deflections(results: SweepResults, deflected: Mapping[str, Any]) -> list[Claim]:
    """Whether deflection finds other clusterings; `deflected` are the parameters of DFA in table 004."""
    text = "Deflection finds further optimal points, that is other fuzzy labellings of the training data."
    if len(results.problems) < len(PROBLEMS):
        return [Claim(CONCLUSIONS, text, None, report_missing(len(results.problems)))]
    found = []
    for aligned in (False, True):
        [place] = results.places(n_deflections=deflected["n_deflections"], aligned=aligned)
        own = results.distances[:, place]
        name = "aligned" if aligned else "not aligned"
        found.append(f"{name}: mean distance {own.mean():.2f}, more than {APART} on {int((own > APART).sum())}")
    [used] = results.places(n_deflections=deflected["n_deflections"], aligned=deflected["aligned"])
    n_apart = int((results.distances[:, used] > APART).sum())
    evidence = (
        f"distance of a deflected group from the nearest before it, of {len(PROBLEMS)} problems; {'; '.join(found)}; "
        f"rule: more than {APART} on more than half of the problems, with distances as in table 004"
    )
    return [Claim(CONCLUSIONS, text, 2 * n_apart > len(PROBLEMS), evidence)]
