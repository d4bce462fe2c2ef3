"""λ that changes over the rounds, which paper 000 leaves as future work: fast convergence first, a low error at last.

Schedules are fixed beforehand, nothing about them is chosen on test data. They go in a straight line from the emphasis
of the first round to that of the last one (`emphatic.emphasis.Annealed`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p000.judging import Verdict, judge
from emphatic.papers.p000.lines import RA, compare_with_ra, join_notes, lambda_text, rounds_text, share_fields
from emphatic.papers.p000.outcome import EARLY, Outcome, mean_over
from emphatic.papers.p000.rows import Row
from emphatic.papers.p000.table import EmphasisTable
from emphatic.papers.table import percent
from emphatic.report.page import Section
from emphatic.study import Store

PROBLEMS = ("breast", "ionosphere", "ripley")
ERRORS_FIRST = ((0.8, 0.2), (1.0, 0.0))
BOUNDARY_FIRST = ((0.2, 0.8),)
SCHEDULES = (*ERRORS_FIRST, *BOUNDARY_FIRST)
N_ROWS = 6


@dataclass(frozen=True)
class ScheduleTable(EmphasisTable):
    """Rows of Table II with schedules of λ beside fixed ones."""

    def rows(self, options: Options) -> list[Row]:
        return [row for row in super().rows(options) if row.problem in PROBLEMS]

    def candidates(self, row: Row, options: Options, lambdas: Sequence[float]) -> list[dict[str, Any]]:
        base = self._setting(row, options)
        changing = [{**base, "lam": first, "lam_end": last} for first, last in SCHEDULES]
        return [*super().candidates(row, options, lambdas), *changing]

    def outcome_lines(self, outcome: Outcome) -> Sequence[Line]:
        return list(_write_lines(outcome))

    def sections(self, options: Options, store: Store) -> list[Section]:
        return []

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        finished = [one for one in self.outcomes(options, store) if one.is_finished and one.early]
        return [judge_schedules(finished)]

    def caption_parts(self, options: Options) -> list[str]:
        extra = f"Schedules are fixed beforehand and go in a straight line. Notes: mean error after {EARLY} rounds."
        return [*(part for part in super().caption_parts(options) if not part.startswith("Each run on")), extra]


def _write_lines(outcome: Outcome) -> Iterator[Line]:
    """Real AdaBoost, the oracle of the fixed λ, and every schedule."""
    shared = share_fields(outcome)
    yield Line(method=RA, values=percent(outcome.ra), note=_note(outcome, outcome.real_adaboost), **shared)
    if not outcome.fixed:
        return
    chosen = [(outcome.oracle, "oracle"), *((outcome.find(first, lam_end=last), "") for first, last in SCHEDULES)]
    for setting, choice in chosen:
        errors = outcome.tests.errors.get(setting, {})
        yield Line(
            method=lambda_text(setting),
            values=percent(errors),
            choice=choice,
            note=_note(outcome, setting),
            **compare_with_ra(outcome, errors),
            **shared,
        )


def _note(outcome: Outcome, setting: str) -> str:
    known = setting in outcome.early
    after = f"after {EARLY} rounds {100 * mean_over(outcome.early[setting]):.2f}" if known else ""
    return join_notes(after, rounds_text(outcome, setting))


def judge_schedules(outcomes: Sequence[Outcome]) -> Claim:
    """Whether a schedule that begins with errors has what the paper hopes for."""
    text = (
        "λ that changes over the rounds could converge fast at first and end with a low error (from λ 0.8 to 0.2: "
        f"below RA both after {EARLY} rounds and at the end, on more than half of the rows)."
    )
    return judge("Conclusions", text, len(outcomes) == N_ROWS, _is_fast_and_low, outcomes)


def _is_fast_and_low(outcomes: Sequence[Outcome]) -> Verdict:
    counts = {schedule: _count_better(outcomes, schedule) for schedule in SCHEDULES}
    parts = [
        f"λ {first:g} to {last:g}: below RA early on {early}, at the end on {late}, both on {both}"
        for (first, last), (early, late, both) in counts.items()
    ]
    return counts[ERRORS_FIRST[0]][2] > len(outcomes) / 2, f"of {len(outcomes)} rows, {'; '.join(parts)}"


def _count_better(outcomes: Sequence[Outcome], schedule: tuple[float, float]) -> tuple[int, int, int]:
    """Rows on which a schedule is below RA early, at the end, and both."""
    early, late = [], []
    for one in outcomes:
        setting = one.find(schedule[0], lam_end=schedule[1])
        early.append(mean_over(one.early[setting]) < mean_over(one.early[one.real_adaboost]))
        late.append(one.mean(setting) < one.mean(one.real_adaboost))
    return sum(early), sum(late), sum(a and b for a, b in zip(early, late, strict=True))


SCHEDULE = ScheduleTable("000-schedule", "000, future work: λ changing over the rounds", "II", "emphasised", parts=0)
