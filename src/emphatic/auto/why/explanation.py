"""Why the model is what it is, in plain words: a list of sentences whose numbers are those of the model."""

from collections.abc import Sequence

from emphatic.auto.searching.blend import LEAST_NOISE, Blend, Member
from emphatic.auto.searching.results import CandidateResult
from emphatic.importance import Importances
from emphatic.metrics import error_interval
from emphatic.wording import as_one_line, count

MOST_NAMED = 5
"""Columns that are named."""


def explain_blend(
    results: Sequence[CandidateResult], blend: Blend, metric: str, noise: float, notes: Sequence[str]
) -> str:
    """A few sentences for whoever has to justify the model; `notes` are those of others."""
    complete = [one for one in results if not one.dropped]
    return "\n".join(
        [
            *_explain_search(results),
            *_explain_members(blend, len(complete[0].scores), metric),
            *_explain_probabilities(blend),
            *_explain_noise(results, blend, noise),
            *notes,
        ]
    )


def _explain_search(results: Sequence[CandidateResult]) -> list[str]:
    best = min((one for one in results if not one.dropped), key=lambda one: one.loss)
    return [
        f"Candidates evaluated on rows they were not trained on: {len(results)} "
        f"(dropped early: {sum(one.dropped for one in results)}).",
        f"Best single candidate: {best.candidate.name(best.variant)}, {_losses(best)}.",
    ]


def _explain_members(blend: Blend, n_rows: int, metric: str) -> list[str]:
    low, high = error_interval(blend.error, n_rows)
    whole = (
        f"The blend (members: {len(blend.members)}) has {_losses(blend)} "
        f"(95% interval {100 * low:.1f}% to {100 * high:.1f}%)."
    )
    if len(blend.members) == 1:
        return [whole, f"Its only member: {blend.members[0]}: {_losses(blend.members[0])}"]
    return [
        f"{whole} A weight rewards a low {metric.replace('_', ' ')} of the member itself, and what it adds to the "
        "others: of two members, the one with the higher loss weighs more where its mistakes are different ones.",
        *(f"  {100 * one.weight:5.1f}%  {one}: {_losses(one)}" for one in blend.members),
    ]


def _explain_probabilities(blend: Blend) -> list[str]:
    lines = [
        f"Probabilities are {'sharpened' if blend.factor > 1 else 'softened'} by a factor of {blend.factor:.2f}, "
        "which calibrates them out of fold.",
    ]
    if blend.shares is not None:
        lines.append("They are corrected to what they would be if all classes were equally frequent.")
    return lines


def _explain_noise(results: Sequence[CandidateResult], blend: Blend, noise: float) -> list[str]:
    if noise <= LEAST_NOISE:
        return ["There is no clear sign of wrong labels."]
    found = f"At least {100 * noise:.0f}% of the labels look wrong (emphatic.audit shows which)."
    if any(len(one.passes) > 1 for one in results):
        found += " Members were fitted again with less weight on these, and predict as the mean of all fits."
    if not blend.noise:
        return [found, "Probabilities are not corrected for that: they are those of labels with as many mistakes."]
    if blend.clean_chance == 1.0:
        return [found, "Probabilities are corrected for that: they are valid only for clean labels."]
    return [
        found,
        "Whether the labels to be predicted are clean or have as many mistakes is not known: probabilities are the "
        "mean of those for either case, which changes no predicted class unless costs are given. If you know, say so: "
        'label_noise="correct" (clean) or "ignore" (as many mistakes).',
    ]


def explain_columns(found: Importances) -> str:
    """Which columns matter most, in a sentence."""
    top = [place for place in found.order[:MOST_NAMED] if found.values[place] > 0.0]
    if not top:
        return "No column matters: shuffling the cells of any of them makes the predictions no worse."
    listed = ", ".join(
        f"{as_one_line(found.names[place])} ({found.values[place]:.4f} ± {found.spreads[place]:.4f})" for place in top
    )
    how = f"the increase of the log loss when the cells of a column are shuffled, on {count(found.n_rows, 'row')}"
    return f"What matters most ({how} out of fold): {listed}."


def _losses(one: CandidateResult | Member | Blend) -> str:
    return f"log loss {one.loss:.4f}, error {100 * one.error:.1f}%"
