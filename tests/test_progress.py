"""A progress bar: on a terminal only, and never on the stream of the results."""

import io
import sys

import pytest

from emphatic.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch, capsys):  # after capsys, which has a stream of its own
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


def test_on_a_terminal_it_counts_what_is_finished(terminal, capsys):
    with progress_bar("fits", 5, show=True) as advance:
        advance()
        advance(4)
    assert "fits" in terminal.getvalue() and "5/5" in terminal.getvalue()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("total", "show"), [(0, True), (5, False)])
def test_nothing_to_do_or_not_wanted_shows_nothing(terminal, total, show):
    with progress_bar("fits", total, show=show) as advance:
        advance(total)
    assert terminal.getvalue() == ""


def test_in_a_pipe_it_shows_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_bar("fits", 2, show=True) as advance:
        advance()
    assert sys.stderr.getvalue() == ""
