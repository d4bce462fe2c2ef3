"""Claims about label noise: the paper's reason for its variants, and its further work."""

from collections.abc import Mapping

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.p002.claims.judging import NOT_FINISHED
from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.problems import PROBLEMS
from emphatic.papers.p002.spoilt import CONDITIONS, MALICIOUS

NOISY = CONDITIONS[1:]


def average(found: Measured, rule: str, figure: str) -> dict[str, float]:
    """Means over the seven problems, by condition; only conditions that are finished on all of them."""
    means = {
        condition: float(np.mean([found.mean(problem, f"{condition}: {rule}", figure) for problem in PROBLEMS]))
        for condition in CONDITIONS
    }
    return {condition: mean for condition, mean in means.items() if np.isfinite(mean)}


def list_conditions(by_rule: Mapping[str, Mapping[str, float]]) -> str:
    """Of every rule, all conditions."""
    return "; ".join(
        f"{rule} {', '.join(f'{value:.1f}' for value in means.values())}" for rule, means in by_rule.items()
    )


def judge_noise(found: Measured) -> list[Claim]:
    """Whether noise harms standard boosting, and whether the paper's variants withstand it."""
    rules = ("standard", "negative", "positive", "balanced", "RUSBoost", "Mada", "Savage", "Robust")
    accuracy, g = ({rule: average(found, rule, figure) for rule in rules} for figure in ("a", "g"))
    harm = "Boosting can deteriorate when labels are wrong (judged: standard boosting loses accuracy in every noise)."
    resist = (
        "Further work: leaving out noisy samples protects from label noise (judged: negative boosting is more accurate "
        "than standard boosting in every noise, on average over the problems)."
    )
    malicious = (
        "Further work: boosted perceptrons withstand malicious noise (judged: balanced boosting is better than "
        "standard boosting in accuracy and g, on average over the problems)."
    )
    others = (
        "Further work, beside other emphases: balanced boosting has the best g under noise (judged: on average over "
        "the problems, in every noise)."
    )
    if any(len(means) < len(CONDITIONS) for means in accuracy.values()):
        texts = {harm: "Abstract, Section 1", resist: "Section 5", malicious: "Section 5", others: "Section 5"}
        return [Claim(place, text, None, NOT_FINISHED) for text, place in texts.items()]
    order = ", ".join(CONDITIONS)
    a_evidence, g_evidence = (f"mean {name} in % ({order}): " for name in ("a", "g"))
    pair = {rule: accuracy[rule] for rule in ("standard", "negative")}
    balanced = [(figure["balanced"][MALICIOUS], figure["standard"][MALICIOUS]) for figure in (accuracy, g)]
    return [
        Claim(
            "Abstract, Section 1",
            harm,
            all(accuracy["standard"][noise] < accuracy["standard"]["clean"] for noise in NOISY),
            a_evidence + list_conditions({"standard": accuracy["standard"]}),
        ),
        Claim(
            "Section 5",
            resist,
            all(accuracy["negative"][noise] > accuracy["standard"][noise] for noise in NOISY),
            a_evidence + list_conditions(pair),
        ),
        Claim(
            "Section 5",
            malicious,
            all(one > other for one, other in balanced),
            f"{MALICIOUS}, balanced against standard: a {balanced[0][0]:.1f} against {balanced[0][1]:.1f}, "
            f"g {balanced[1][0]:.1f} against {balanced[1][1]:.1f}",
        ),
        Claim(
            "Section 5",
            others,
            all(g["balanced"][noise] == max(g[rule][noise] for rule in rules) for noise in NOISY),
            g_evidence + list_conditions(g),
        ),
    ]
