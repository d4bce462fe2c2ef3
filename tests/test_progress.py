"""How far long work is: a bar in a terminal, lines elsewhere, and never on the stream of the results."""

import io
import re
import sys
import time

import pytest

from emphatic import progress
from emphatic.progress import describe_progress, format_seconds, progress_bar, signs_of_life


class Stream(io.StringIO):
    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


def shown(monkeypatch, total, show=True, is_terminal=True, label="fits"):
    """What is written to the error stream while 5 steps are finished."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Stream(is_terminal))
    with progress_bar(label, total, show) as advance:
        advance()
        advance(4)
    return sys.stderr.getvalue()


def test_on_a_terminal_it_counts_what_is_finished(monkeypatch, capsys):
    text = shown(monkeypatch, 5)
    assert "fits" in text and "5/5" in text
    assert capsys.readouterr().out == ""


def test_on_a_terminal_work_without_a_known_end_has_a_name_and_no_count(monkeypatch):
    text = shown(monkeypatch, None, label="reading [bold]\x1b[2J.csv")
    assert "reading [bold]\\x1b[2J.csv" in text
    assert "/" not in text


@pytest.mark.parametrize(("total", "show", "is_terminal"), [(0, True, True), (5, False, True), (5, True, False)])
def test_short_work_and_no_work_and_what_is_not_wanted_shows_nothing(monkeypatch, total, show, is_terminal):
    assert shown(monkeypatch, total, show, is_terminal) == ""


def test_a_closed_error_stream_is_no_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with progress_bar("fits", 2, show=True) as advance:
        advance()


def wait_for_lines(stream, n_lines):
    until = time.monotonic() + 30
    while stream.getvalue().count("\n") < n_lines and time.monotonic() < until:
        time.sleep(0.005)


def test_in_a_pipe_a_line_says_again_and_again_how_far_it_is_even_within_a_step(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Stream(is_terminal=False))
    for name in ("FIRST_LINE", "NEXT_LINE", "LAST_GAP"):
        monkeypatch.setattr(progress, name, 0.01)
    with progress_bar("candidates", 13, show=True) as advance:
        wait_for_lines(sys.stderr, 1)
        advance(3)
        wait_for_lines(sys.stderr, 3)
    lines = sys.stderr.getvalue().splitlines()
    assert lines[0] == "emphatic: candidates: 0 of 13, 0 s"
    assert re.fullmatch(r"emphatic: candidates: 3 of 13, 0 s, about \d s left", lines[-1])
    time.sleep(0.05)
    assert sys.stderr.getvalue().splitlines() == lines  # none after the end


def test_lines_to_a_stream_that_was_closed_end_quietly(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Stream(is_terminal=False))
    monkeypatch.setattr(progress, "FIRST_LINE", 0.01)
    with progress_bar("fits", 2, show=True) as advance:
        sys.stderr.close()
        time.sleep(0.05)
        advance()


def test_signs_of_life_come_only_while_no_bar_is_shown(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Stream(is_terminal=False))
    monkeypatch.setattr(progress, "FIRST_LINE", 0.01)
    monkeypatch.setattr(progress, "NEXT_LINE", 0.05)
    with signs_of_life(show=True):
        wait_for_lines(sys.stderr, 1)
        with progress_bar("fits", 3, show=True):
            before = sys.stderr.getvalue().splitlines()
            wait_for_lines(sys.stderr, len(before) + 3)
            during = sys.stderr.getvalue().splitlines()[len(before) :]
        after = len(sys.stderr.getvalue().splitlines())
        wait_for_lines(sys.stderr, after + 1)
        last = sys.stderr.getvalue().splitlines()[-1]
    assert before[0] == last == "emphatic: at work, 0 s"
    assert set(during[1:]) == {"emphatic: fits: 0 of 3, 0 s"}


def test_who_wants_none_sees_no_signs_of_life(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Stream(is_terminal=False))
    monkeypatch.setattr(progress, "FIRST_LINE", 0.0)
    with signs_of_life(show=False):
        time.sleep(0.03)
    assert sys.stderr.getvalue() == ""


@pytest.mark.parametrize(
    ("finished", "total", "seconds", "line"),
    [
        (0, 5, 1.2, "emphatic: fits: 0 of 5, 1 s"),
        (5, 5, 9.0, "emphatic: fits: 5 of 5, 9 s, about 0 s left"),
        (70_000, None, 130.0, "emphatic: fits: 70000, 2 min"),
        (0, None, 1.0, "emphatic: fits, 1 s"),
    ],
)
def test_a_line_says_no_more_than_is_known(finished, total, seconds, line):
    assert describe_progress("fits", finished, total, seconds) == line


def test_times_are_rounded_as_people_do():
    assert [format_seconds(one) for one in (0.4, 59, 119.4, 119.6, 3599, 3600)] == [
        *("0 s", "59 s", "119 s", "2 min", "59 min", "1 h 0 min"),
    ]
