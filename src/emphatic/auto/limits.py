"""The limits of a fit, `time_budget` and `work_budget`: what is allowed, and what they were too short for."""

from emphatic import check
from emphatic.auto.searching.attempt import Attempt
from emphatic.user_warning import warn_user


def check_limits(time_budget: float | None, work_budget: float | None) -> None:
    """Raise ValueError or TypeError unless at most one is given, a positive number."""
    for name, value in (("time_budget", time_budget), ("work_budget", work_budget)):
        if value is not None:
            check.real(name, value, 0, open_low=True)
    if time_budget is not None and work_budget is not None:
        raise ValueError("time_budget and work_budget are two ways to limit a fit: set one of them.")


def warn_of_limits(attempt: Attempt, time_budget: float | None, work_budget: float | None) -> None:
    """Say which candidates and rows had to be left out of the attempt, if any."""
    n, n_skipped = len(attempt.task.lesson.y), attempt.search.n_skipped
    limit = f"time_budget={time_budget} s" if work_budget is None else f"work_budget={work_budget}"
    left_out = [f"{n_skipped} of {len(attempt.candidates)} candidates"] if n_skipped else []
    left_out += [f"{n - len(attempt.rows):,} of {n:,} rows"] if len(attempt.rows) < n else []
    if left_out:
        warn_user(f"{limit} was too short for {' and '.join(left_out)}: only the others were used.")
