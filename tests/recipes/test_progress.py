"""The bar of a model is its own where it has one, and leaves no trace in the model."""

import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from emphatic import EmphaticClassifier
from emphatic.progress import progress_bar
from emphatic.recipes import show_progress
from tests.test_progress import Stream

X, Y = np.arange(40.0).reshape(20, 2), np.repeat([0, 1], 10)


@pytest.fixture
def terminal(monkeypatch):
    """A function, as pytest sets the stream anew before it calls a test."""
    monkeypatch.setenv("TERM", "xterm")

    def open_terminal():
        monkeypatch.setattr(sys, "stderr", Stream(is_terminal=True))
        return sys.stderr

    return open_terminal


@pytest.mark.parametrize("wrap", [lambda model: model, lambda model: make_pipeline(StandardScaler(), model)])
def test_a_model_with_a_bar_counts_its_candidates(terminal, wrap):
    model = wrap(EmphaticClassifier(random_state=0))
    before, screen = str(model), terminal()
    with show_progress(model, "fit", show=True):
        assert str(model) != before
        model.fit(X, Y)
    assert "candidates" in screen.getvalue() and "fit" not in screen.getvalue()
    assert str(model) == before


def test_any_other_model_shows_that_it_is_at_work(terminal):
    model, screen = LogisticRegression(), terminal()
    with show_progress(model, "fit LogisticRegression", show=True):
        model.fit(X, Y)
    assert "fit LogisticRegression" in screen.getvalue()


def test_the_parameter_is_put_back_after_an_error_too():
    model = EmphaticClassifier()
    with pytest.raises(ValueError, match="0"), show_progress(model, "fit", show=True):
        model.fit(X[:0], Y[:0])
    assert model.progress is False


def test_without_show_nothing_is_shown(terminal):
    model, screen = LogisticRegression(), terminal()
    with show_progress(model, "fit", show=False), progress_bar("more", 3, show=False):
        model.fit(X, Y)
    assert screen.getvalue() == ""
