"""Is it better to emphasise centres and output weights apart: what paper 000 claims about Table IV and Figure 2."""

import json
from collections.abc import Sequence

from emphatic.papers.claims import Claim
from emphatic.papers.p000.judging import SIGNIFICANT, UNKNOWN_DATA, Verdict, judge_rows
from emphatic.papers.p000.lines import lambda_text
from emphatic.papers.p000.outcome import Outcome
from emphatic.papers.table import percent
from emphatic.study.results import best_setting
from emphatic.study.statistics import rank_sum_p


def judge_separation(outcomes: Sequence[Outcome]) -> list[Claim]:
    """Table IV and Figure 2."""
    further = (
        "Separate λ for output weights and centres lower the error on {} (best pair against best common λ, p < 0.1)."
    )
    kwok = [one for one in outcomes if one.stand_in and one.is_finished]
    beside = f"; on the stand-in: {_separation(kwok)[1]}" if kwok else ""
    ranges = f"; on the stand-in: {_output_ranges(kwok[0])}" if kwok else ""
    return [
        judge_rows("Table IV", further.format("Abalone"), outcomes, {("abalone", 10)}, _separation),
        Claim("Table IV", further.format("Kwok"), None, f"{UNKNOWN_DATA}{beside}"),
        Claim(
            "Figure 2",
            "With centres on the most erroneous samples (λ_cen > 0.9) λ_out hardly matters; with centres on the "
            "boundary it changes the error from 12 to 13.45%.",
            None,
            f"{UNKNOWN_DATA}{ranges}",
        ),
    ]


def _separation(rows: Sequence[Outcome]) -> Verdict:
    [one] = rows
    common = best_setting({key: runs for key, runs in one.fixed.items() if _is_common(key)}, lambda _: 0)
    pair, p = one.oracle, rank_sum_p(percent(one.tests.errors[common]), percent(one.tests.errors[one.oracle]))
    holds = pair != common and p < SIGNIFICANT
    best, other = (f"{lambda_text(key)}: {one.mean(key):.2f}" for key in (pair, common))
    return holds, f"best pair {best}; best common λ {other}; p {p:.2f}"


def _output_ranges(one: Outcome) -> str:
    """How much the error changes with lambda_out, for centres on the boundary and on the errors."""
    parts = []
    for lam_cen in (0.0, 1.0):
        means = [one.mean(key) for key in one.fixed if json.loads(key)["lam_cen"] == lam_cen]
        if means:
            parts.append(f"{min(means):.2f} to {max(means):.2f} over λ_out at λ_cen = {lam_cen:g}")
    return ", ".join(parts)


def _is_common(setting: str) -> bool:
    values = json.loads(setting)
    return bool(values["lam"] == values["lam_cen"])
