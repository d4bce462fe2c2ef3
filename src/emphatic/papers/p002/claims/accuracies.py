"""Claims about Tables 1 and 3: the accuracies of the four variants."""

import numpy as np

from emphatic.emphasis.pattern_type import FACTORS
from emphatic.papers.claims import Claim
from emphatic.papers.p002.claims.judging import (
    CLOSE,
    NAMES,
    NOT_FINISHED,
    compare,
    count_problems,
    judge_order,
    list_values,
    read_means,
)
from emphatic.papers.p002.measured import Measured, measure_differences
from emphatic.papers.p002.orders import POSITIVES
from emphatic.papers.p002.problems import FIGURES, NETWORKS, POLICIES, PROBLEMS, find_published

FAR = 5.0
"""Points: single figures that are further off are named."""

TABLE_1 = {
    "negative": (1.0, -1.0, 1.0, 1.0),
    "positive": (1.0, -1.0, -1.0, 1.0),
    "balanced": (1.0, -1.0, 0.0, 1.0),
}
"""R as printed, for redundant, noisy, near noisy and other borderline samples."""


def judge_accuracies(found: Measured) -> list[Claim]:
    """Tables 1 and 3."""
    every = tuple(POLICIES)
    a = read_means(found, "a", every)
    best = {problem: max(own, key=lambda name: own[name]) for problem, own in a.items()}
    behind = {problem: max(own.values()) - own["balanced"] for problem, own in a.items()}
    plus, minus = (read_means(found, figure, every) for figure in ("a+", "a-"))
    gaps = {problem: {name: abs(plus[problem][name] - minus[problem][name]) for name in every} for problem in plus}
    favoured = {
        problem: all(minus[problem][name] > plus[problem][name] for name in ("standard", "negative"))
        for problem in plus
    }
    return [
        Claim(
            "Table 1",
            "R by type of sample and variant.",
            all(FACTORS[policy] == printed for policy, printed in TABLE_1.items()),
            "a definition; `PatternType` has the printed numbers",
        ),
        count_problems(
            "Section 3",
            "Positive boosting raises a+ and lowers a-, against standard boosting.",
            {
                problem: plus[problem]["positive"] > plus[problem]["standard"]
                and minus[problem]["positive"] < minus[problem]["standard"]
                for problem in plus
            },
        ),
        count_problems(
            "Section 3",
            "Negative boosting raises a-, against standard boosting (in the paper's own table on 5 of 7).",
            compare(found, "a-", every, lambda own: own["negative"] > own["standard"]),
            needed=5,
        ),
        count_problems(
            "Table 3",
            "Negative boosting is the most accurate variant on 4 of 7 problems.",
            {problem: name == "negative" for problem, name in best.items()},
            needed=4,
            details="most accurate: " + ", ".join(f"{PROBLEMS[problem]} {name}" for problem, name in best.items()),
        ),
        count_problems(
            "Table 3",
            "Positive boosting is the most accurate on Cancer and the least accurate elsewhere.",
            {
                problem: best[problem] == "positive"
                if problem == "breast"
                else min(own, key=lambda name: own[name]) == "positive"
                for problem, own in a.items()
            },
        ),
        count_problems(
            "Table 3",
            "Positive boosting has the highest a+.",
            compare(found, "a+", every, lambda own: own["positive"] == max(own.values())),
        ),
        judge_order("Table 3", POSITIVES, found),
        count_problems("Table 3", "Standard and negative boosting favour the larger class.", favoured),
        count_problems(
            "Table 3",
            f"The accuracy of balanced boosting is close to the best (judged: within {CLOSE:g} points).",
            {problem: difference <= CLOSE for problem, difference in behind.items()},
            details=f"behind by {list_values(behind)} points",
        ),
        count_problems(
            "Table 3, Section 5",
            "Balanced boosting has the smallest difference between a+ and a- (in the paper's own table on 6 of 7).",
            {problem: own["balanced"] == min(own.values()) for problem, own in gaps.items()},
            needed=6,
        ),
        judge_distance(found),
    ]


def judge_distance(found: Measured) -> Claim:
    """All figures of Tables 3 and 4 together."""
    text = f"The figures of perceptrons (judged: with one reading for all, |difference| at most {CLOSE:g} on average)."
    far = measure_differences({place: own for place, own in found.figures.items() if place[1] != NETWORKS})
    if len(far) < len(PROBLEMS) * len(POLICIES):
        return Claim("Tables 3 and 4", text, None, NOT_FINISHED)
    values = [value for four in far.values() for value in four]
    by_problem = {p: float(np.mean([far[p, method] for method in POLICIES.values()])) for p in PROBLEMS}
    furthest = [
        f"{PROBLEMS[problem]} {NAMES[method]} {figure} {found.mean(problem, method, figure):.1f} "
        f"(published {find_published(problem, method, figure)[0]:.1f})"
        for (problem, method), four in far.items()
        for figure, value in zip(FIGURES, four, strict=True)
        if value > FAR
    ]
    evidence = f"{np.mean(values):.2f} over {len(values)} figures; {list_values(by_problem)}"
    if furthest:
        evidence += f"; more than {FAR:g} points off: {', '.join(furthest)}"
    return Claim("Tables 3 and 4", text, float(np.mean(values)) <= CLOSE, evidence)
