"""Warnings are ignored by tasks that run side by side, and by nobody afterwards."""

import warnings

import pytest

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
