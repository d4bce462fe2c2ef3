"""The charts and tables of a model card, made of what was measured."""

import datetime
from collections.abc import Sequence

import numpy as np

from emphatic.card.curves import (
    Curve,
    Threshold,
    bin_calibration,
    draw_precision_recall,
    draw_roc,
    find_best,
    list_thresholds,
    rank_by_certainty,
)
from emphatic.card.dependence import Dependence
from emphatic.card.evaluation import Evaluation
from emphatic.card.wording import percent, shorten
from emphatic.report import Axis, Bar, Chooser, Drawing, Grid, Line, Shade, make_axis
from emphatic.report.grid import Cell

MAX_MATRIX = 15
"""Classes of a confusion matrix; of more, only the most frequent mistakes are listed."""

MAX_PAIRS = 20
MAX_LINES = 5
"""Classes in a chart of dependence: those whose probability varies most."""

DIAGONAL = Line("", (0.0, 1.0), (0.0, 1.0), quiet=True)


def tabulate_confusion(found: Evaluation) -> Grid:
    """The confusion matrix, shaded by row; or the most frequent mistakes, where there are many classes."""
    names = [shorten(label, 40) for label in found.classes.tolist()]
    if len(names) > MAX_MATRIX:
        mistakes = found.confusion - np.diag(np.diag(found.confusion))
        worst = np.argsort(-mistakes, axis=None, kind="stable")[:MAX_PAIRS]
        pairs = [(int(i), int(j)) for i, j in zip(*np.unravel_index(worst, mistakes.shape)) if mistakes[i, j]]
        rows = [[names[i], names[j], f"{mistakes[i, j]:,}", percent(mistakes[i, j] / found.rows[i])] for i, j in pairs]
        titles = ("Class", "Predicted as", "Rows", "Share of the class")
        return Grid(titles, rows, "The most frequent mistakes, out of fold.", frozenset(titles[2:]))
    heads = ["Class", *(f"→ {name}" for name in names)]
    shares = found.confusion / np.maximum(found.rows, 1)[:, None]
    matrix: list[list[Cell]] = [
        [name, *(Shade(f"{found.confusion[i, j]:,}", float(shares[i, j])) for j in range(len(names)))]
        for i, name in enumerate(names)
    ]
    caption = "Confusion matrix: rows of each class (down) by the class they are predicted as (→), out of fold."
    return Grid(heads, matrix, caption, frozenset(heads[1:]))


def draw_ranking_curves(found: Evaluation) -> list[Drawing]:
    """ROC, and precision against recall."""
    several = len(found.classes) > 2
    whose = "each class against the rest" if several else f"of class {shorten(found.classes[found.positive], 40)!r}"
    curves, trades = draw_roc(found), draw_precision_recall(found)
    area = "The figure beside a name is" if len(curves) > 1 else f"{curves[0].area:.3f} is"
    roc = Drawing(
        "roc",
        f"ROC, {whose}",
        "The steeper the line rises, the better the class is ranked before the others; the diagonal is chance. "
        f"{area} the area under the curve.",
        [DIAGONAL, *_draw_curves(curves)],
        make_axis("false positive rate", 0.0, 1.0),
        make_axis("recall", 0.0, 1.0),
        _tabulate_curves(curves, "False positive rate", "Recall"),
    )
    precision = Drawing(
        "precision-recall",
        "Precision and recall",
        "What lowering the threshold of a class costs in precision. The figure beside a name is the average precision, "
        "which for chance is the share of the class.",
        _draw_curves(trades),
        make_axis("recall", 0.0, 1.0),
        make_axis("precision", 0.0, 1.0),
        _tabulate_curves(trades, "Recall", "Precision"),
    )
    return [roc, precision]


def draw_calibration(found: Evaluation) -> Drawing:
    """How often what was predicted with a probability came true."""
    what, means, shares, counts = bin_calibration(found)
    what = shorten(what, 40) if len(found.classes) > 2 else repr(shorten(what, 40))
    heads = ("Mean probability", "Share", "Rows")
    rows = [[f"{mean:.3f}", f"{share:.3f}", f"{n:,}"] for mean, share, n in zip(means, shares, counts.tolist())]
    return Drawing(
        "calibration",
        "Calibration",
        f"Rows in bins by the probability of {what}, and the share of them for which it is right: on the diagonal, "
        "probabilities can be taken at their word.",
        [DIAGONAL, Line("share", means.tolist(), shares.tolist(), marked=True)],
        make_axis(f"probability of {what}", 0.0, 1.0),
        make_axis("share", 0.0, 1.0),
        Grid(heads, rows, right=frozenset(heads)),
    )


def draw_certainty(found: Evaluation) -> Drawing:
    """What is gained by leaving the least certain rows to a person."""
    curve = rank_by_certainty(found)
    heads = ("Share of the rows", "Error")
    rows = [[percent(share), percent(error)] for share, error in zip(curve.x, curve.y)]
    return Drawing(
        "certainty",
        "Error of the most certain rows",
        "The error if only the rows with the most certain predictions are predicted, and the others are left to a "
        "person: where the line stays low, the model knows what it does not know.",
        [Line("error", curve.x.tolist(), curve.y.tolist())],
        make_axis("share of the rows that is predicted", 0.0, 1.0, "{:.0%}".format),
        make_axis("error", *_find_range(curve.y), "{:.3g}".format),
        Grid(heads, rows, right=frozenset(heads)),
    )


def choose_threshold(found: Evaluation) -> tuple[Chooser, str] | None:
    """A slider over the thresholds of two classes, and which are the best; None for more classes."""
    thresholds = list_thresholds(found)
    if not thresholds:
        return None
    label, other = (shorten(found.classes[k], 30) for k in (found.positive, 1 - found.positive))
    best = {name: find_best(thresholds, measure) for name, measure in _BEST.items()}
    heads = (
        f"Predict {label!r} from",
        "Recall",
        "Precision",
        "F1",
        "Balanced accuracy",
        f"{label!r} found",
        f"{label!r} missed",
        f"{other!r} right",
        "False alarms",
    )
    rows = [_list_threshold(one) for one in thresholds]
    listed = "; ".join(
        f"{name} is best at {one.value:.2f} ({percent(getattr(one, _BEST[name]))})" for name, one in best.items()
    )
    text = (
        f"What becomes of the predictions if {label!r} is predicted from another probability than 0.50 on: {listed}. "
        "These thresholds were found on the same rows, so on new ones they are slightly less good. `emphatic predict "
        "--threshold` applies one."
    )
    chooser = Chooser("threshold", Grid(heads, rows, "Thresholds", frozenset(heads)), start=49)
    return chooser, text


_BEST = {"F1": "f1", "balanced accuracy": "balanced_accuracy"}


def _list_threshold(one: Threshold) -> list[str]:
    shares = (one.recall, one.precision, one.f1, one.balanced_accuracy)
    counts = (one.right_positive, one.wrong_negative, one.right_negative, one.wrong_positive)
    return [f"{one.value:.2f}", *map(percent, shares), *(f"{count:,}" for count in counts)]


def draw_dependence(dependence: Dependence, found: Evaluation, number: int) -> Drawing:
    """Curves over a column of numbers or dates."""
    shown = _choose_lines(dependence, found)
    x, y = dependence.values, dependence.means
    names = [shorten(found.classes[k], 40) for k in shown]
    write = _write_date if dependence.kind == "date" else "{:.6g}".format
    title = shorten(dependence.name, 60)
    heads = ["Value", *names]
    rows = [[write(value), *(f"{y[i, k]:.3f}" for k in shown)] for i, value in enumerate(x)]
    return Drawing(
        f"dependence-{number}",
        title,
        "" if len(shown) > 1 else f"Probability of {names[0]!r}.",
        [Line(name, x, y[:, k].tolist(), marked=True) for name, k in zip(names, shown)],
        _make_value_axis(title, x, dependence.kind),
        make_axis("probability", *_find_range(y[:, shown])),
        Grid(heads, rows, right=frozenset(heads)),
        rug=dependence.deciles.tolist(),
    )


def tabulate_dependence(dependence: Dependence, found: Evaluation) -> Grid:
    """Bars (two classes) or shades (more) over the categories of a column."""
    shown = _choose_lines(dependence, found)
    names = [shorten(found.classes[k], 40) for k in shown]
    single = len(shown) == 1
    heads = [shorten(dependence.name, 60), "Rows", *([""] if single else []), *(f"p({name})" for name in names)]
    rows: list[list[Cell]] = []
    for value, means, count in zip(dependence.values, dependence.means, dependence.counts):
        shares = [float(means[k]) for k in shown]
        bars: list[Cell] = [Bar(shares[0])] if single else []
        cells: list[Cell] = [f"{shares[0]:.3f}"] if single else [Shade(f"{share:.3f}", share) for share in shares]
        rows.append(["missing" if value is None else shorten(value, 60), f"{count:,}", *bars, *cells])
    which = "All values" if sum(dependence.counts) == found.n_rows else f"The {len(rows)} most frequent values"
    caption = f"{which} of {shorten(dependence.name, 60)}."
    return Grid(heads, rows, caption, frozenset(heads[1:]))


def _choose_lines(dependence: Dependence, found: Evaluation) -> list[int]:
    """The positive one of two classes; of many, those whose probability varies most."""
    if len(found.classes) == 2:
        return [found.positive]
    ranges = np.ptp(dependence.means, axis=0)
    return sorted(np.argsort(-ranges, kind="stable")[:MAX_LINES].tolist())


def _find_range(means: np.ndarray) -> tuple[float, float]:
    """From 0 to 1 unless all is small: then up to a round number above the largest."""
    largest = float(means.max())
    return 0.0, next(top for top in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if largest <= top or top == 1.0)


def _make_value_axis(title: str, values: Sequence[float], kind: str) -> Axis:
    if kind != "date":
        return make_axis(title, values[0], values[-1])
    places = (values[0], (values[0] + values[-1]) / 2, values[-1])
    return Axis(title, values[0], values[-1], [(place, _write_date(place)) for place in places])


def _write_date(seconds: float) -> str:
    return (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)).date().isoformat()


def _draw_curves(curves: Sequence[Curve]) -> list[Line]:
    return [Line(_label(curve), curve.x.tolist(), curve.y.tolist()) for curve in curves]


def _label(curve: Curve) -> str:
    return f"{shorten(curve.name, 40)} ({curve.area:.3f})"


def _tabulate_curves(curves: Sequence[Curve], x: str, y: str) -> Grid:
    heads = ("Class", x, y)
    rows = [[_label(curve), f"{a:.4f}", f"{b:.4f}"] for curve in curves for a, b in zip(curve.x, curve.y)]
    return Grid(heads, rows, right=frozenset(heads[1:]))
