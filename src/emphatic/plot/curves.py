"""Weight against margin: what an emphasis does."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.base import Emphasis
from emphatic.check import FloatArray
from emphatic.plot.figure import make_figure, style_line
from emphatic.plot.trial import weights_at
from emphatic.report.figures import wrap_legend
from emphatic.wording import as_one_line

STEEP = 100.0
"""From this largest weight on a linear axis would show nothing else, and "auto" takes a logarithmic one."""

LARGEST_MARGIN = 100.0
"""Beyond it most weights are 0 or infinite."""


def emphasis(
    *emphases: Emphasis, margins: ArrayLike | None = None, total_alpha: float | None = None, scale: str = "auto"
) -> Any:
    """Draw the weight that each emphasis gives to a sample against the margin of that sample: a plotly Figure.

    Weights are relative to that of a sample on the boundary, m = 0 (or, where that has none to speak of, to the
    largest). An emphasis that offers several distributions, such as `DynamicMixed`, has a curve for each.

    Parameters
    ----------
    *emphases : Emphasis
        One or more, of this library or your own. Their weights must be a function of the margin alone: an emphasis
        that needs a certain learner (`PatternType`), or the inputs (`Neighbour`, `FuzzyEntropy`), is refused.
    margins : array, default=None
        Where to draw, at least two numbers in [-100, 100]; None: from -3 to 3.
    total_alpha : float, default=None
        The sum of the votes so far, by which `f_scale="sum"` divides the margin; None: the largest of the margins,
        without sign, which is the least that it can be.
    scale : {"auto", "linear", "log"}, default="auto"
        The axis of the weights; "auto" is logarithmic where a weight is above 100.

    Notes
    -----
    The weights come from the emphasis itself, after one made-up round (`emphatic.plot.trial`) in which one learner
    answered m / total_alpha and got the vote total_alpha. So the curve of an emphasis that changes over the rounds is
    that of its second round, the first after the start.

    Examples
    --------
    >>> from emphatic import plot
    >>> from emphatic.emphasis import Exponential, Mixed
    >>> figure = plot.emphasis(Exponential(), Mixed(0.3), margins=[-1.0, 0.0, 1.0])
    >>> [(curve.name, curve.y) for curve in figure.data]
    [('Exponential()', (2.718, 1.0, 0.368)), ('Mixed(lam=0.3)', (1.221, 1.0, 0.368))]
    """
    if not emphases:
        raise TypeError("emphasis() needs at least one Emphasis, such as Mixed(0.3).")
    for place, one in enumerate(emphases):
        check.instance(f"emphases[{place}]", one, Emphasis, "Mixed(0.3)")
    places = _check_margins(margins)
    largest = float(np.abs(places).max())
    total = largest if total_alpha is None else check.real("total_alpha", total_alpha, largest)
    check.one_of("scale", scale, ("auto", "linear", "log"))
    traces: list[dict[str, Any]] = []
    for group, one in enumerate(emphases):
        for name, weights in _name_curves(one, _scaled_weights(one, places, total)):
            curve = {"type": "scatter", "mode": "lines", "name": wrap_legend(name), "line": style_line(len(traces))}
            shown = "margin %{x:.2f}: weight %{y:.3g}"
            traces.append({**curve, "x": places.tolist(), "y": weights.tolist(), "hovertemplate": shown})
            if name != as_one_line(repr(one)):  # one of several, which share a title in the legend
                title = {"text": wrap_legend(as_one_line(repr(one)))}
                traces[-1] |= {"legendgroup": str(group), "legendgrouptitle": title}
    heaviest = max(max(trace["y"]) for trace in traces)
    steep = scale == "log" or (scale == "auto" and heaviest > STEEP)
    return make_figure({"data": traces, "layout": _lay_out(steep)})


def _check_margins(margins: ArrayLike | None) -> FloatArray:
    if margins is None:
        return np.linspace(-3.0, 3.0, 241)
    given = check.numbers("margins", margins)
    inside = given.ndim == 1 and bool((np.abs(given) <= LARGEST_MARGIN).all())  # NaN is not
    if not inside or len(np.unique(given)) < 2:
        raise ValueError(
            f"margins={margins!r:.60} is not allowed: margins must be at least two different numbers in "
            f"[-{LARGEST_MARGIN:g}, {LARGEST_MARGIN:g}]."
        )
    return np.unique(given)


def _scaled_weights(one: Emphasis, places: FloatArray, total_alpha: float) -> FloatArray:
    """(candidates, n): weights relative to that at the margin 0, or to the largest."""
    tried = np.union1d(places, 0.0)
    weights = weights_at(one, tried, total_alpha)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scaled = weights / weights[:, tried == 0.0]
    by_largest = weights / weights.max(axis=1, keepdims=True)
    usable = np.isfinite(scaled).all(axis=1, keepdims=True)
    return np.where(usable, scaled, by_largest)[:, np.isin(tried, places)]


def _name_curves(one: Emphasis, curves: FloatArray) -> list[tuple[str, FloatArray]]:
    """Curves by name: the emphasis, or if it has several, the value of the parameter that lists as many."""
    if len(curves) == 1:
        return [(as_one_line(repr(one)), curves[0])]
    parameters = one.get_params(deep=False).items()
    lists = [(name, values) for name, values in parameters if _is_list(values) and len(values) == len(curves)]
    if len(lists) != 1:
        return [(f"candidate {number}", curve) for number, curve in enumerate(curves)]
    ((name, values),) = lists
    return [(f"{name}: {value}", curve) for value, curve in zip(values, curves, strict=True)]


def _is_list(values: Any) -> bool:
    return isinstance(values, np.ndarray) or (isinstance(values, Sequence) and not isinstance(values, str))


def _lay_out(steep: bool) -> dict[str, Any]:
    weights: dict[str, Any] = {"title": {"text": "weight (at margin 0: 1)"}}
    if steep:
        weights |= {"type": "log", "exponentformat": "power"}
    else:
        weights |= {"rangemode": "tozero"}
    return {
        "template": "plotly_white",
        "title": {"text": "Weight against margin"},
        "xaxis": {"title": {"text": "margin (below 0 wrong, above 0 right)"}, "zeroline": True},
        "yaxis": weights,
        "showlegend": True,
        "legend": {"groupclick": "toggleitem"},
    }
