"""What a run of a study did, in four numbers."""

from __future__ import annotations

from dataclasses import dataclass

from emphatic.study.tasks import Record


@dataclass(frozen=True)
class Summary:
    """What a run did: fits finished, fits failed and why the first of them failed, fits that exceeded their limits."""

    n_done: int = 0
    n_failed: int = 0
    first_failure: str = ""
    n_over_limits: int = 0

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            self.n_done + other.n_done,
            self.n_failed + other.n_failed,
            self.first_failure or other.first_failure,
            self.n_over_limits + other.n_over_limits,
        )


def summarise(record: Record) -> Summary:
    """What one record adds to a summary.

    >>> from emphatic.study.tasks import TaskKey
    >>> summarise(Record(TaskKey("mine", "iris", "tree", "{}", "predefined", 0), "failed", {"message": "no rows"}))
    Summary(n_done=0, n_failed=1, first_failure='iris, tree {}, predefined: no rows', n_over_limits=0)
    """
    if record.status == "done":
        return Summary(n_done=1)
    if record.exceeded is not None:
        return Summary(n_over_limits=1)
    where = f"{record.key.problem}, {record.key.method} {record.key.setting}, {record.key.split}"
    return Summary(n_failed=1, first_failure=f"{where}: {record.metrics['message']}")
