"""Commands in the process of the tests say nothing about progress: how slow a machine is decides no test."""

import pytest

from emphatic import progress


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch):
    monkeypatch.setattr(progress, "FIRST_LINE", 1e6)
