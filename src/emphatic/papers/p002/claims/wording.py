"""Whether the paper's own wording leads to its figures."""

from collections.abc import Sequence

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.p002.claims.judging import CLOSE, NOT_FINISHED
from emphatic.papers.p002.readings import AS_PRINTED, READING


def judge_reading(lines: Sequence[Line], n_problems: int) -> list[Claim]:
    """Whether the paper's own wording leads to its figures."""
    text = "Batch updates, and near noisy samples that are wrong in all perceptrons, give the published figures."
    # a reading that was scored again has two lines: the later one is that of all readings
    distances = {line.method: line.measured[0] for line in lines if line.measured and len(line.values) == n_problems}
    if len(distances) < len({line.method for line in lines}):
        return [Claim("Sections 3 and 4", text, None, NOT_FINISHED)]
    printed = distances[str(AS_PRINTED)]
    evidence = (
        f"mean |difference| on training folds {printed:.2f} as worded ({AS_PRINTED}), {distances[str(READING)]:.2f} as "
        f"used here ({READING}), {min(distances.values()):.2f} at best; judged: at most {CLOSE:g} as worded"
    )
    return [Claim("Sections 3 and 4", text, printed <= CLOSE, evidence)]
