"""What the page of the emphasis study shows: a section per condition, and what all of them say together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from emphatic.papers.emphases.conditions import IMBALANCE
from emphatic.papers.emphases.curves import draw_curves
from emphatic.papers.emphases.outcome import Outcome
from emphatic.papers.emphases.rules import NONE, REFERENCE, RULES, SHIFTED
from emphatic.report.figures import draw_ranks
from emphatic.report.grid import Grid, Shade
from emphatic.report.page import Chart, Section
from emphatic.study.statistics import (
    cliques,
    improvability,
    mean_ranks,
    nemenyi_distance,
    signed_rank_posterior,
    win_rates,
)
from emphatic.wording import count

ROPE = 0.005
"""Errors that differ by less than half a percentage point are practically equal."""

FEWEST = 5
"""Problems that tests need."""


def write_sections(outcomes: Sequence[Outcome]) -> list[Section]:
    """One section for each condition, after one that compares them."""
    enough = [one for one in outcomes if len(one.over_learners) >= FEWEST]
    return [compare_conditions(enough), *(write_condition(one) for one in enough)] if enough else []


def compare_conditions(outcomes: Sequence[Outcome]) -> Section:
    """Mean ranks of the rules that all conditions share, and what any emphasis gains over none."""
    shared = outcomes[0].rules
    columns = [one.condition for one in outcomes]
    ranks = np.array([mean_ranks(one.over_learners[:, : len(shared)]) for one in outcomes])
    order = np.argsort(ranks.mean(axis=0), kind="stable")
    rows = [[shared[rule], ranks[:, rule].mean(), *ranks[:, rule]] for rule in order]
    gains = [_measure_gains(one) for one in outcomes]
    return Section(
        "emphases-all",
        "Which rule under which condition",
        [
            "Mean ranks of the rules over the problems, errors averaged over the learners first. Then what emphasis is "
            f"worth at all: '{NONE}' is a plain committee of the same learners on bootstraps.",
        ],
        [
            _number_grid(("Rule", "Mean", *columns), rows, digits=1),
            Grid(
                (
                    "Condition",
                    f"Error of {NONE}",
                    f"of {REFERENCE}",
                    "of the best rule",
                    "which is",
                    "Rules below none",
                ),
                [[one.condition, *gain] for one, gain in zip(outcomes, gains, strict=True)],
                "Mean errors in %. 'Rules below none' counts those that are better with a probability above 0.95.",
                right=frozenset({f"Error of {NONE}", f"of {REFERENCE}", "of the best rule", "Rules below none"}),
            ),
            tabulate_choices(outcomes),
        ],
    )


def tabulate_choices(outcomes: Sequence[Outcome]) -> Grid:
    """Which candidates cross-validation chose, where there was a choice."""
    rows = []
    for rule in (name for name in outcomes[0].rules if len(RULES[name].candidates) > 1):
        shares = [_count_choices(one, rule) for one in outcomes]
        for number, candidate in enumerate(RULES[rule].candidates):
            label = ", ".join(" ".join(repr(part).split()) for part in candidate.values())
            rows.append([rule, label, *(f"{100 * share[number]:.0f}" for share in shares)])
    heads = ("Rule", "Candidate", *(one.condition for one in outcomes))
    return Grid(heads, rows, "How often cross-validation chose each candidate, in %.", right=frozenset(heads[2:]))


def _count_choices(one: Outcome, rule: str) -> np.ndarray:
    chosen = [run["candidate"] for case in one.cases for run in one.runs[case, rule]]
    return np.bincount(chosen, minlength=len(RULES[rule].candidates)) / len(chosen)


def write_condition(one: Outcome) -> Section:
    """Ranks, probabilities, win rates and curves under one condition."""
    errors, name = one.over_learners, _slug(one.condition)
    ranks = mean_ranks(errors)
    order = np.argsort(ranks, kind="stable")
    distance = nemenyi_distance(len(one.rules), len(errors))
    judged = "Mean error of the two classes" if one.condition == IMBALANCE else "Error"
    text = [
        f"{count(len(errors), 'problem')}, {count(len(one.learners), 'learner')} ({', '.join(one.learners)}). {judged} "
        f"on clean test labels. Critical difference of mean ranks (Nemenyi, 5%): {distance:.1f}. Probabilities are "
        f"those of the Bayesian signed-rank test; errors within {100 * ROPE:g} points are equal in practice.",
    ]
    bars = [tuple(int(np.flatnonzero(order == member)[0]) for member in group) for group in cliques(ranks, distance)]
    diagram = draw_ranks([one.rules[rule] for rule in order], ranks[order].tolist(), bars)
    charts = [
        Chart(f"{name}-ranks", "Mean ranks", "Bars join rules that the test cannot tell apart.", diagram),
        *draw_curves(one, name),
    ]
    return Section(name, f"Emphases: {one.condition}", text, [tabulate_rules(one), tabulate_wins(one)], charts)


def tabulate_rules(one: Outcome) -> Grid:
    """One row per rule, by rising mean rank: ranks per learner, errors, and the comparison with a few others."""
    errors, others = one.over_learners, [name for name in (NONE, REFERENCE, SHIFTED) if name in one.rules]
    ranks, spare = mean_ranks(errors), improvability(errors)
    per_learner = [mean_ranks(one.of_learner(learner)) for learner in one.learners]
    rows = []
    for rule in np.argsort(ranks, kind="stable"):
        against = [_compare(one, int(rule), other) for other in others]
        rows.append(
            [
                one.rules[rule],
                f"{ranks[rule]:.1f}",
                *(f"{own[rule]:.1f}" for own in per_learner),
                f"{100 * errors[:, rule].mean():.2f}",
                f"{spare[rule]:.1f}",
                *against,
            ]
        )
    heads = (
        "Rule",
        "Mean rank",
        *one.learners,
        "Error in %",
        "Improvable by %",
        *(f"Against {other}" for other in others),
    )
    caption = (
        "Against another rule: probability in % that this one is better / practically equal / worse. Improvable: by "
        "how much the best rule's error is lower, on average."
    )
    return Grid(heads, rows, caption, right=frozenset(heads[1:]))


def tabulate_wins(one: Outcome) -> Grid:
    """How often the row's rule has a lower error than the column's, which are numbered as the rows."""
    order = np.argsort(mean_ranks(one.over_learners), kind="stable")
    rates = win_rates(one.over_learners)[np.ix_(order, order)]
    heads = ("Rule", *(str(number + 1) for number in range(len(order))))
    rows = [
        [
            f"{number + 1} {one.rules[rule]}",
            *("" if np.isnan(rate) else Shade(f"{100 * rate:.0f}", float(rate)) for rate in rates[number]),
        ]
        for number, rule in enumerate(order)
    ]
    return Grid(heads, rows, "Win rates in %: the row's rule against the column's.", right=frozenset(heads[1:]))


def _compare(one: Outcome, rule: int, other: str) -> str:
    if one.rules[rule] == other:
        return ""
    errors = one.over_learners
    found = signed_rank_posterior(errors[:, rule], errors[:, list(one.rules).index(other)], ROPE)
    return " / ".join(f"{100 * share:.0f}" for share in (found.first_better, found.equivalent, found.second_better))


def _measure_gains(one: Outcome) -> list[str | int]:
    errors, rules = one.over_learners, list(one.rules)
    none, means = errors[:, rules.index(NONE)], 100 * errors.mean(axis=0)
    best = int(means.argmin())
    better = sum(
        signed_rank_posterior(errors[:, rule], none, ROPE).first_better > 0.95
        for rule in range(len(rules))
        if rules[rule] != NONE
    )
    shown = [f"{means[rule]:.2f}" for rule in (rules.index(NONE), rules.index(REFERENCE), best)]
    return [*shown, rules[best], f"{better} of {len(rules) - 1}"]


def _number_grid(heads: Sequence[str], rows: Sequence[Sequence[str | float]], digits: int) -> Grid:
    cells = [[cell if isinstance(cell, str) else f"{cell:.{digits}f}" for cell in row] for row in rows]
    return Grid(heads, cells, right=frozenset(heads[1:]))


def _slug(condition: str) -> str:
    return "emphases-" + "".join(letter if letter.isalnum() else "-" for letter in condition)
