"""Weight against margin: the curves are the formulas, and what is no function of the margin is refused."""

import sys

import numpy as np
import pytest
from scipy.special import erfinv

from emphatic import plot
from emphatic.base import Emphasis
from emphatic.emphasis import (
    Annealed,
    Averaged,
    Brown,
    Capped,
    Controlled,
    CostSensitive,
    DynamicMixed,
    Exponential,
    Focal,
    FuzzyEntropy,
    Logistic,
    Mada,
    Mixed,
    Multiplicative,
    Neighbour,
    PatternType,
    Robust,
    Savage,
    Smooth,
    SoftMargin,
    Tangent,
    Undersampled,
    Uniform,
)
from emphatic.margins import normalise

M = np.linspace(-3.0, 3.0, 25)


def curves(*emphases, **more):
    return [np.array(trace.y) for trace in plot.emphasis(*emphases, **more).data]


def controlled(q, alpha, beta):
    return alpha + (1 - alpha) * (beta * (1 - q) ** 2 / 4 + (1 - beta) * (1 - q**2))


def focal(m, gamma):
    p = 1 / (1 + np.exp(-m))
    return (1 - p) ** gamma * (1 - p - gamma * p * np.log(p))


def robust(m):
    """At the start of the time, with rho from the share of errors."""
    sigma = np.sqrt(1.01 * np.e**2 - 1)
    rho = sigma * erfinv(1 - 2 * 0.1) / (2 * (np.e - 1))
    return np.exp(-(((m - (2 * rho - 2 * rho * np.e)) / sigma) ** 2))


@pytest.mark.parametrize(
    ("emphasis", "formula"),
    [
        (Uniform(), np.ones_like),
        (Exponential(), lambda m: np.exp(-m)),
        (Mixed(0.3), lambda m: np.exp(0.3 * (1 - m) ** 2 - 0.7 * m**2)),
        (Mixed(1.0), lambda m: np.exp((1 - m) ** 2)),
        (Mixed(0.3, "tanh"), lambda m: np.exp(0.3 * (1 - np.tanh(m)) ** 2 - 0.7 * np.tanh(m) ** 2)),
        (Controlled(0.2, 0.6), lambda m: controlled(m / 3, 0.2, 0.6)),
        (Controlled(0.0, 1.0, "clip"), lambda m: controlled(m.clip(-1, 1), 0.0, 1.0)),
        (Neighbour(Mixed(0.3), share=0.0), lambda m: np.exp(0.3 * (1 - m) ** 2 - 0.7 * m**2)),
        (Logistic(), lambda m: 1 / (1 + np.exp(m))),
        (Mada(), lambda m: np.minimum(1, np.exp(-m))),
        (Savage(), lambda m: np.exp(2 * m) / (1 + np.exp(2 * m)) ** 3),
        (Tangent(), lambda m: np.abs(1 - 2 * np.arctan(m)) / (1 + m**2)),
        (Focal(2.0), lambda m: focal(m, 2.0)),
        (Multiplicative(), lambda m: np.exp(-m)),
        (Smooth(0.2), lambda m: np.minimum(1, 0.8 ** ((m / 3 - 0.2 / 2.2) / 2))),
        (Brown(5.0), lambda m: np.exp(-((m + 5) ** 2) / 5)),  # at its start, s = c
        (Robust(0.1, spread=0.1), robust),
        (Undersampled(Exponential()), lambda m: np.exp(-m)),
        (Capped(Exponential(), np.inf), lambda m: np.exp(-m)),
        (Annealed(Mixed(0.7), Mixed(0.3), rounds=1), lambda m: np.exp(0.3 * (1 - m) ** 2 - 0.7 * m**2)),
    ],
    ids=lambda value: "formula" if callable(value) else repr(value),
)
def test_a_curve_is_the_formula_relative_to_the_margin_zero(emphasis, formula):
    (found,) = curves(emphasis, margins=M)
    np.testing.assert_allclose(found, formula(M) / formula(np.zeros(1)), rtol=1e-9, atol=1e-12)


def test_an_average_is_half_way_between_equal_weights_and_those_of_the_emphasis():
    (found,) = curves(Averaged(Exponential()), margins=M)
    weights = np.exp(-M) / np.exp(-M).sum() + 1 / len(M)
    np.testing.assert_allclose(found, weights / weights[len(M) // 2])


def test_margins_are_three_on_either_side_unless_given_and_zero_need_not_be_among_them():
    trace = plot.emphasis(Exponential()).data[0]
    assert (min(trace.x), max(trace.x)) == (-3, 3)
    np.testing.assert_allclose(trace.y, np.exp(-np.array(trace.x)))
    trace = plot.emphasis(Exponential(), margins=[2.0, 1.0]).data[0]
    assert trace.x == (1.0, 2.0)
    np.testing.assert_allclose(trace.y, np.exp([-1.0, -2.0]))


def test_the_sum_of_the_votes_scales_those_that_divide_by_it_and_no_others():
    (q, m) = curves(Controlled(0.2, 0.6), Exponential(), margins=M, total_alpha=12)
    np.testing.assert_allclose(q, controlled(M / 12, 0.2, 0.6) / controlled(0, 0.2, 0.6))
    np.testing.assert_allclose(m, np.exp(-M))


def test_where_the_boundary_has_no_weight_to_speak_of_the_largest_counts_as_one():
    (found,) = curves(Mixed(1.0), margins=[-100.0, 0.0, 1.0])  # exp(10201) at the left end
    np.testing.assert_array_equal(found, [1.0, 0.0, 0.0])


def test_several_candidates_have_a_curve_each_named_after_what_they_try():
    lams = [0.1, 0.4, 0.9]
    figure = plot.emphasis(Uniform(), DynamicMixed(lams), margins=M)
    assert [trace.name for trace in figure.data] == ["Uniform()", "lams: 0.1", "lams: 0.4", "lams: 0.9"]
    assert [trace.legendgroup for trace in figure.data] == [None, "1", "1", "1"]
    for lam, trace in zip(lams, figure.data[1:], strict=True):
        np.testing.assert_allclose(trace.y, curves(Mixed(lam), margins=M)[0])
    assert len(curves(DynamicMixed())) == 11


def test_the_axis_is_logarithmic_where_a_weight_is_large():
    def axis(*emphases, **more):
        return plot.emphasis(*emphases, **more).layout.yaxis.type

    assert axis(Exponential()) != "log"  # exp(3) is 20
    assert axis(Exponential(), Mixed(0.7)) == "log"
    assert axis(Exponential(), scale="log") == "log"
    assert axis(Mixed(0.7), scale="linear") != "log"


def test_curves_differ_in_colour_or_dash_and_the_axes_are_named():
    figure = plot.emphasis(*(Mixed(lam) for lam in np.linspace(0, 1, 42)), margins=[-1, 1])
    assert len({(trace.line.color, trace.line.dash) for trace in figure.data}) == 42
    assert all(one.title.text for one in (figure.layout, figure.layout.xaxis, figure.layout.yaxis))


class OfRound(Emphasis):
    """Updates its last distribution, remembers something between its calls, and votes in its own way."""

    vote = "bound"

    def start(self, X, y):
        self.calls_ = ["start"]
        return super().start(X, y)

    def observe(self, stage):
        self.calls_.append("observe")
        return {}

    def update(self, stage):
        assert self.calls_ == ["start", "observe"]
        assert abs(stage.edge) < 1 and np.abs(stage.output).max() <= 1
        np.testing.assert_allclose(stage.score, stage.alpha * stage.output)
        return normalise(np.log(stage.weights) - stage.alpha * stage.margin)


def test_an_emphasis_of_ones_own_sees_a_round_that_is_consistent():
    emphasis = OfRound()
    np.testing.assert_allclose(curves(emphasis, margins=M)[0], np.exp(-M))
    assert not hasattr(emphasis, "calls_")  # a clone was asked


class Asks(Emphasis):
    """Makes its weights of whatever `of` says."""

    def __init__(self, of="row"):
        self.of = of

    def update(self, stage):
        n = len(stage.y)
        return {
            "row": lambda: np.arange(1.0, n + 1),
            "table": lambda: np.exp(stage.X[:, 0]),
            "label": lambda: np.exp(-stage.ensemble_margin) * np.where(stage.y == 1, 1.0, 2.0),
            "learner": lambda: np.asarray(stage.learner.predict(stage.X)),
            "chance": lambda: np.random.default_rng().random(n),
            "nan": lambda: np.full(n, np.nan),
            "nothing": lambda: np.zeros(n),
            "too few": lambda: np.ones(n - 1),
        }[self.of]()


@pytest.mark.parametrize(
    ("emphasis", "reason"),
    [
        (PatternType(), "it needs a learner that is a MarginLearner"),
        (Neighbour(PatternType()), "it needs a learner that is a MarginLearner"),
        (Neighbour(Exponential()), "exchange their margins"),
        (Neighbour(Exponential(), n_neighbors=10**6), "fails on samples that have nothing but margins"),
        (FuzzyEntropy(), ""),
        (CostSensitive(costs=(1, 5)), "inputs or on the labels"),
        (SoftMargin(), "fails on samples that have nothing but margins"),
        (FuzzyEntropy("easy", init="random"), ""),
        (FuzzyEntropy(memberships=[[0.5, 0.5]]), "fails on samples"),
        (Asks("row"), "exchange their margins"),
        (Asks("table"), "exchange their margins"),
        (Asks("label"), "inputs or on the labels"),
        (Asks("learner"), "fails on samples that have nothing but margins"),
        (Asks("chance"), "exchange their margins"),
    ],
    ids=repr,
)
def test_what_is_no_function_of_the_margin_is_refused_with_the_reason(emphasis, reason):
    with pytest.raises(ValueError, match=rf"cannot be drawn: .* not a function of the margin alone \(.*{reason}"):
        plot.emphasis(Exponential(), emphasis)


@pytest.mark.parametrize("of", ["nan", "nothing", "too few"])
def test_what_offers_no_distribution_is_refused(of):
    with pytest.raises(ValueError, match="offers no distributions"):
        plot.emphasis(Asks(of))


@pytest.mark.parametrize(
    ("emphases", "more", "error", "message"),
    [
        ([], {}, TypeError, "at least one Emphasis"),
        ([Exponential(), Exponential], {}, TypeError, r"emphases\[1\]=.* must be an Emphasis"),
        (["mixed"], {}, TypeError, r"emphases\[0\]='mixed' is not allowed"),
        ([Mixed(2.0)], {}, ValueError, "lam=2.0 is not allowed"),
        ([Mixed()], {"margins": [1.0]}, ValueError, "margins=.* at least two different numbers"),
        ([Mixed()], {"margins": [1.0, 1.0]}, ValueError, "margins=.* at least two different numbers"),
        ([Mixed()], {"margins": [[0.0, 1.0]]}, ValueError, "margins=.* at least two different numbers"),
        ([Mixed()], {"margins": [0.0, np.nan]}, ValueError, "margins=.* at least two different numbers"),
        ([Mixed()], {"margins": [0.0, 101.0]}, ValueError, r"margins=.* in \[-100, 100\]"),
        ([Mixed()], {"margins": ["a", "b"]}, ValueError, "margins must hold real numbers"),
        ([Mixed()], {"total_alpha": 2.0}, ValueError, r"total_alpha=2.0 is not allowed: .* in \[3, inf\]"),
        ([Mixed()], {"scale": "logarithmic"}, ValueError, "scale='logarithmic' is not allowed"),
    ],
)
def test_a_wrong_argument_is_named(emphases, more, error, message):
    with pytest.raises(error, match=message):
        plot.emphasis(*emphases, **more)


def test_without_plotly_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(ImportError, match=r'emphatic.plot needs the package plotly: pip install "emphatic\[plot\]"'):
        plot.emphasis(Exponential())
