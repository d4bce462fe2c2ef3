"""Claims about Table 4, and what abstract and conclusions say of balanced boosting."""

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.p002.claims.judging import (
    CLOSE,
    NOT_FINISHED,
    count_problems,
    judge_order,
    list_values,
    read_means,
)
from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.orders import BALANCE
from emphatic.papers.p002.problems import IMBALANCED, POLICIES, PROBLEMS


def judge_balance(found: Measured) -> list[Claim]:
    """Table 4, and what abstract and conclusions say of balanced boosting."""
    every, five = tuple(POLICIES), (*POLICIES, "networks")
    g, with_networks = read_means(found, "g", every), read_means(found, "g", five)
    ranks = {problem: sorted(own, key=lambda name: -own[name]) for problem, own in g.items()}
    all_ranks = {problem: sorted(own, key=lambda name: -own[name]) for problem, own in with_networks.items()}
    firsts = ", ".join(f"{PROBLEMS[problem]} {own[0]}" for problem, own in all_ranks.items())
    gained = {problem: own["balanced"] - max(own["standard"], own["negative"]) for problem, own in g.items()}
    behind = {problem: own["networks"] - own["balanced"] for problem, own in with_networks.items()}
    accuracy = read_means(found, "a", ("networks", "balanced"))
    apart = {problem: own["balanced"] - own["networks"] for problem, own in accuracy.items()}
    return [
        judge_order("Table 4, abstract", BALANCE, found),
        count_imbalanced(found),
        count_problems(
            "Table 4",
            "Of the perceptrons, balanced boosting has the best g on 5 of 7 problems and comes second on the others.",
            {problem: own[0] == "balanced" for problem, own in ranks.items()},
            needed=5,
            details=f"first or second on {sum('balanced' in own[:2] for own in ranks.values())}",
        ),
        count_problems(
            "Table 4",
            "Of the perceptrons, positive boosting has the best g on Cancer and Vehicle, the lowest on Ionosphere and "
            "Diabetes.",
            {
                problem: own[0] == "positive" if problem in ("breast", "vehicle") else own[-1] == "positive"
                for problem, own in ranks.items()
            },
            among=("breast", "vehicle", "ionosphere", "diabetes"),
        ),
        count_problems(
            "Table 4",
            "Standard and negative boosting are clearly poorer in g on Diabetes, Vehicle and Thyroid (judged: by more "
            f"than {CLOSE:g} points).",
            {problem: gain > CLOSE for problem, gain in gained.items()},
            among=("diabetes", "vehicle", "thyroid"),
            details=f"balanced ahead of both by {list_values(gained)} points",
        ),
        count_problems(
            "Table 4",
            "Of all five methods, balanced boosting has the best g on 3 of 7 problems and is second on the other 4.",
            {problem: "balanced" in own[:2] for problem, own in all_ranks.items()},
            details=f"best: {firsts}",
        ),
        count_problems(
            "Section 4",
            "Perceptrons are clearly behind MLPs in accuracy on Ionosphere and Vehicle, ahead on Cancer and Glass, and "
            f"similar elsewhere (judged for balanced boosting; clearly: by more than {CLOSE:g} points).",
            {
                problem: difference < -CLOSE
                if problem in ("ionosphere", "vehicle")
                else difference > 0
                if problem in ("breast", "glass")
                else abs(difference) <= CLOSE
                for problem, difference in apart.items()
            },
            details=f"balanced ahead by {list_values(apart)} points",
        ),
        count_problems(
            "Sections 1, 4 and 5",
            f"The g of balanced boosting is comparable to that of boosted MLPs (judged: at most {CLOSE:g} points "
            "lower; in the paper's own table on 6 of 7).",
            {problem: difference <= CLOSE for problem, difference in behind.items()},
            needed=6,
            details=f"MLPs ahead by {list_values(behind)} points",
        ),
    ]


def count_imbalanced(found: Measured) -> Claim:
    """The abstract's "particularly in some that present a marked imbalance"."""
    text = "Balanced boosting helps particularly where classes are of very different sizes."
    g = read_means(found, "g", ("balanced", "standard"))
    if len(g) < len(PROBLEMS):
        return Claim("Abstract", text, None, NOT_FINISHED)
    gains = {problem: own["balanced"] - own["standard"] for problem, own in g.items()}
    inside, outside = (
        float(np.mean([gain for problem, gain in gains.items() if (problem in IMBALANCED) == wanted]))
        for wanted in (True, False)
    )
    evidence = (
        f"gain in g over standard boosting: {inside:.1f} points on the four imbalanced problems on average, "
        f"{outside:.1f} on the others ({list_values(gains)}); judged: the first is larger"
    )
    return Claim("Abstract", text, inside > outside, evidence)
