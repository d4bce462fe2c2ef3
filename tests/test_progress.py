"""A progress bar: on a terminal only, and never on the stream of the results."""

import io
import sys

import pytest

from emphatic.progress import progress_bar


class Stream(io.StringIO):
    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


def shown(monkeypatch, total, show=True, is_terminal=True):
    """What is written to the error stream while 5 steps are finished."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Stream(is_terminal))
    with progress_bar("fits", total, show) as advance:
        advance()
        advance(4)
    return sys.stderr.getvalue()


def test_on_a_terminal_it_counts_what_is_finished(monkeypatch, capsys):
    text = shown(monkeypatch, 5)
    assert "fits" in text and "5/5" in text
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("total", "show", "is_terminal"), [(0, True, True), (5, False, True), (5, True, False)])
def test_without_work_or_a_terminal_or_if_it_is_not_wanted_it_shows_nothing(monkeypatch, total, show, is_terminal):
    assert shown(monkeypatch, total, show, is_terminal) == ""
