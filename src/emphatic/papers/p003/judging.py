"""Small sentences of evidence, and verdicts that are None while something is missing."""

from collections.abc import Mapping, Sequence

from emphatic.papers.claims import Claim

NOT_FINISHED = "not finished"
NOT_PUBLIC = "the paper's digits are not public: figures on other digits can show an order, not the same numbers"


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    return sum(values) / len(values)


def most_like_the_papers(problems: Sequence[str]) -> str | None:
    """USPS, or without it the other images."""
    return next((name for name in ("usps", "digits") if name in problems), None)


def judge_differences(place: str, text: str, differences: Mapping[str, Mapping[str, float]], rule: str) -> Claim:
    """Whether most differences of every set of digits are above 0: `differences[problem][name]`."""
    shown = {problem: named for problem, named in differences.items() if named}
    if not shown:
        return Claim(place, text, None, NOT_FINISHED)
    parts = []
    for problem, named in shown.items():
        above = sum(value > 0 for value in named.values())
        listed = ", ".join(f"{name} {value:+.2f}" for name, value in named.items())
        parts.append(f"{problem} {above} of {len(named)} ({listed})")
    holds = all(2 * sum(value > 0 for value in named.values()) > len(named) for named in shown.values())
    return Claim(place, text, holds, f"{rule}; holds if most are above 0 on every set: {'; '.join(parts)}")
