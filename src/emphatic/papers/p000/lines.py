"""The lines of one row: Real AdaBoost, the oracle lambda, and the cross-validated one."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from emphatic.papers.lines import Line
from emphatic.papers.p000.outcome import Outcome, mean_over
from emphatic.papers.p000.rows import METRIC, PAPER, REAL_ADABOOST
from emphatic.papers.published import find, lookup
from emphatic.papers.table import both_p, percent
from emphatic.study.results import Run

RA = "RA, λ=0.5"
METHODS = {"II": "weighted emphasis (best lambda)", "III": "weighted emphasis (best lambda)", "IV": "separate emphasis"}
"""What the published numbers call the best lambda of each table."""


def write_lines(outcome: Outcome, printed: str) -> Iterator[Line]:
    """Published beside measured, for one row of the table with the number `printed`."""
    row, conditions = outcome.row, {"K%": str(outcome.row.percent)}
    shared = share_fields(outcome)
    used = {split: f"regularisation {one:g}" for split, one in outcome.regularisations.items() if one is not None}
    yield Line(
        method=RA,
        values=percent(outcome.ra),
        published=lookup(PAPER, printed, row.dataset, REAL_ADABOOST, METRIC, conditions),
        note=join_notes(count_choices(used), rounds_text(outcome, outcome.real_adaboost)),
        **shared,
    )
    if not outcome.tests.errors:
        return
    best = outcome.oracle
    [value] = find(PAPER, printed, row.dataset, METHODS[printed], METRIC, conditions)
    rank_sum = find(PAPER, printed, row.dataset, "WRT RA vs best lambda", "p_value", conditions)
    n_missing = len(outcome.tests.incomplete)
    yield Line(
        method=lambda_text(best),
        values=percent(outcome.tests.errors[best]),
        published=(value.mean, value.std),
        choice="oracle",
        p_published=rank_sum[0].mean if rank_sum else None,
        note=join_notes(
            f"published {_published_lambda(value.setting)}",
            rounds_text(outcome, best),
            f"{n_missing} λ not finished" if n_missing else "",
        ),
        **compare_with_ra(outcome, outcome.tests.errors[best]),
        **shared,
    )
    errors, choices = outcome.choose_on_folds()
    if errors:
        yield Line(
            method="λ",
            values=percent(errors),
            choice="cross-validated",
            note=join_notes(
                count_choices({split: lambda_text(setting) for split, setting in choices.items()}),
                _part_text(outcome, errors),
            ),
            **compare_with_ra(outcome, errors),
            **shared,
        )


def share_fields(outcome: Outcome) -> dict[str, Any]:
    """The fields that all lines of a row have in common."""
    return {"problem": outcome.row.problem, "setting": outcome.row.setting, "stand_in": outcome.stand_in}


def compare_with_ra(outcome: Outcome, errors: Mapping[Run, float]) -> dict[str, Any]:
    """Tests against Real AdaBoost on the same runs; none where it lacks them."""
    ra = [outcome.ra[run] for run in errors if run in outcome.ra]
    return both_p(ra, list(errors.values()))


def rounds_text(outcome: Outcome, setting: str) -> str:
    """The mean number of rounds reached, where it is below T.

    Growth can end early: at a negative edge if that stops it, or when all training samples are safely right.
    """
    reached = mean_over(outcome.rounds[setting]) if setting in outcome.rounds else outcome.row.n_estimators
    return f"{reached:.0f} rounds reached" if reached < outcome.row.n_estimators else ""


def lambda_text(setting: str) -> str:
    """The lambda of a setting, or both, or how it changes."""
    values = json.loads(setting)
    if "lam_cen" in values:
        return f"λ_out={values['lam']:g}, λ_cen={values['lam_cen']:g}"
    if "lam_end" in values:
        return f"λ from {values['lam']:g} to {values['lam_end']:g}"
    return f"λ={values['lam']:g}"


def count_choices(choices: Mapping[str, str]) -> str:
    """What was chosen, and on how many training parts."""
    counts = Counter(choices.values())
    return "; ".join(text if len(choices) == 1 else f"{text} ×{count}" for text, count in counts.most_common())


def join_notes(*notes: str) -> str:
    """Those that are not empty, as one text."""
    return "; ".join(note for note in notes if note)


def _part_text(outcome: Outcome, errors: Mapping[Run, float]) -> str:
    """Which part of the runs this is, if it is not all of them, and the error of Real AdaBoost there."""
    ra = {run: outcome.ra[run] for run in errors if run in outcome.ra}
    if len(errors) == len(outcome.ra) or not ra:
        return ""
    return f"first {len({run[0] for run in errors})} partitions only, RA there {100 * mean_over(ra):.2f}"


def _published_lambda(setting: Mapping[str, str]) -> str:
    short = {"lambda": "λ", "lambda_out": "λ_out", "lambda_cen": "λ_cen"}
    return ", ".join(f"{short[name]}={value}" for name, value in setting.items() if name in short)
