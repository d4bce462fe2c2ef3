"""Warnings are ignored by tasks that run side by side, and by nobody afterwards."""

import threading
import warnings

import pytest

from emphatic.engines import Item, run_tasks
from emphatic.hush import ignore_warnings


def test_filters_are_back_when_the_last_task_has_ended():
    before = list(warnings.filters)
    first, second = ignore_warnings(), ignore_warnings()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)  # not in the order in which they began
    warnings.warn("nobody hears this", stacklevel=1)
    second.__exit__(None, None, None)
    assert list(warnings.filters) == before
    with pytest.raises(UserWarning, match="everybody hears this"):  # in tests, warnings are errors
        warnings.warn("everybody hears this", stacklevel=1)


def test_other_categories_are_heard():
    with ignore_warnings(FutureWarning):
        warnings.warn("nobody hears this", FutureWarning, stacklevel=1)
        with pytest.raises(UserWarning, match="everybody hears this"):
            warnings.warn("everybody hears this", stacklevel=1)


def test_threads_that_change_filters_leave_none_behind():
    before = list(warnings.filters)
    first_is_inside, second_is_inside, first_is_out = (threading.Event() for _ in range(3))

    def begin_first():
        with warnings.catch_warnings():  # as scikit-learn does to check a table
            warnings.simplefilter("error", FutureWarning)
            first_is_inside.set()
            second_is_inside.wait(timeout=60)
        first_is_out.set()

    def end_last():
        first_is_inside.wait(timeout=60)
        with warnings.catch_warnings():
            second_is_inside.set()
            first_is_out.wait(timeout=60)

    run_tasks(lambda task: task(), [Item((begin_first,)), Item((end_last,))], n_jobs=2, prefer="threads")
    assert list(warnings.filters) == before
