"""Decision regions: they are the predictions, points follow the weights, and the slider shows the rounds."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from emphatic import FuzzyBoostClassifier, RealAdaBoostClassifier, plot

X, Y = make_moons(90, noise=0.3, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1)


def fit(n_estimators=5, keep_weights=True, rows=X, labels=Y):
    model = RealAdaBoostClassifier(STUMP, n_estimators=n_estimators, keep_weights=keep_weights, random_state=0)
    return model.fit(rows, labels)


MODEL = fit()


def regions(figure):
    """Rows of the plane, and the codes of the classes drawn there."""
    heat = figure.data[0]
    plane = np.array([(a, b) for b in heat.y for a in heat.x])
    return plane, np.array(heat.z).ravel()


def sizes_by_row(figure, model, labels=Y, trace_data=None):
    sizes = np.empty(len(labels))
    for label, trace in zip(model.classes_, trace_data or figure.data[1:], strict=True):
        sizes[labels == label] = trace.marker.size
    return sizes


@pytest.mark.parametrize("number", [1, 3, 5])
def test_regions_are_the_predictions_after_the_round(number):
    plane, codes = regions(plot.boundary(MODEL, X, Y, round=number))
    predicted = list(MODEL.staged_predict(plane))[number - 1]
    np.testing.assert_array_equal(codes, predicted)
    assert len(np.unique(codes)) == 2
    assert (plane.min(axis=0) < X.min(axis=0)).all() and (plane.max(axis=0) > X.max(axis=0)).all()


def test_several_classes_of_any_label():
    rows, codes = make_blobs(80, centers=4, random_state=2)
    labels = np.array(["north", "<b>east</b>", "south", "west"])[codes]
    model = FuzzyBoostClassifier(n_estimators=4, random_state=0).fit(rows, labels)
    figure = plot.boundary(model, rows, labels)
    plane, found = regions(figure)
    np.testing.assert_array_equal(model.classes_[found], model.predict(plane))
    assert [trace.name for trace in figure.data[1:]] == ["&lt;b&gt;east&lt;/b&gt;", "north", "south", "west"]
    assert len({(trace.marker.symbol, trace.marker.color) for trace in figure.data[1:]}) == 4


def test_points_are_the_rows_of_their_classes():
    for code, trace in enumerate(plot.boundary(MODEL, X, Y, round=1).data[1:]):
        np.testing.assert_array_equal(np.column_stack([trace.x, trace.y]), X[code == Y])


@pytest.mark.parametrize("number", [1, 2, 5])
def test_sizes_follow_the_weights_of_the_round(number):
    figure = plot.boundary(MODEL, X, Y, round=number)
    weights = MODEL.sample_weights_[number - 1] * len(Y)
    sizes = sizes_by_row(figure, MODEL)
    np.testing.assert_allclose(((sizes - 3) / 5) ** 2, weights.clip(max=(29 / 5) ** 2))
    assert "as large as their weights" in figure.layout.title.subtitle.text
    assert (number == 1) == (np.ptp(sizes) < 1e-9)  # the first round is uniform


@pytest.mark.parametrize(
    ("model", "rows", "reason"),
    [
        (fit(keep_weights=False), slice(None), "was fitted without keep_weights=True"),
        (MODEL, slice(0, 30), "kept the weights of 90 rows, and X has 30"),
    ],
)
def test_without_weights_all_points_are_equal_and_that_is_said(model, rows, reason):
    figure = plot.boundary(model, X[rows], Y[rows], round=5)
    assert set(sizes_by_row(figure, model, Y[rows])) == {8.0}
    assert figure.layout.title.subtitle.text == f"All points are equally large: the model {reason}."


@pytest.mark.parametrize(("n_rounds", "n_steps"), [(1, 1), (5, 5), (20, 20), (45, 20)])
def test_the_slider_has_at_most_twenty_steps_from_the_first_round_to_the_last(n_rounds, n_steps):
    model = fit(n_rounds)
    assert len(model.alphas_) == n_rounds
    figure = plot.boundary(model, X, Y)
    (slider,) = figure.layout.sliders
    shown = [int(step.label) for step in slider.steps]
    assert len(shown) == n_steps and shown[0] == 1 and shown[-1] == n_rounds and shown == sorted(set(shown))
    assert [frame.name for frame in figure.frames] == [step.args[0][0] for step in slider.steps]
    assert slider.active == n_steps - 1


def test_each_step_shows_its_round_and_the_last_is_shown_first():
    figure = plot.boundary(MODEL, X, Y)
    for number, frame in enumerate(figure.frames, start=1):
        alone = plot.boundary(MODEL, X, Y, round=number)
        np.testing.assert_array_equal(frame.data[0].z, alone.data[0].z)
        np.testing.assert_array_equal(sizes_by_row(None, MODEL, trace_data=frame.data[1:]), sizes_by_row(alone, MODEL))
        assert frame.layout.title == alone.layout.title
    assert figure.layout.title == alone.layout.title
    assert figure.data == alone.data
    assert not alone.frames and not alone.layout.sliders


def test_the_title_says_the_error():
    model = fit(5)
    error = np.mean(list(model.staged_predict(X))[2] != Y)
    assert f"After round 3: error {100 * error:.1f}%" in plot.boundary(model, X, Y, round=3).layout.title.text


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_names_of_columns_are_those_of_the_axes(frame):
    table = frame({"width": X[:, 0], "a<b": X[:, 1]})
    figure = plot.boundary(fit(3, rows=table), table, Y, round=2)
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("width", "a&lt;b")
    np.testing.assert_array_equal(figure.data[0].z, plot.boundary(fit(3), X, Y, round=2).data[0].z)


def test_axes_without_names_are_the_inputs():
    layout = plot.boundary(MODEL, X.tolist(), Y.tolist(), round=2).layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("first input", "second input")


def test_a_constant_input_has_a_width():
    rows = np.column_stack([X[:, 0], np.zeros(len(X))])
    heat = plot.boundary(fit(2, rows=rows), rows, Y, round=1).data[0]
    assert min(heat.y) < 0 < max(heat.y)


def test_an_unfitted_model_says_so():
    with pytest.raises(NotFittedError):
        plot.boundary(RealAdaBoostClassifier(), X, Y)


@pytest.mark.parametrize("number", [0, -1, 6, 2.0, "3", True])
def test_unknown_rounds_are_refused(number):
    with pytest.raises(ValueError, match=r"round=.* is not allowed: .*round must be an integer"):
        plot.boundary(MODEL, X, Y, round=number)


def test_only_two_inputs_can_be_drawn():
    rows, labels = load_iris(return_X_y=True)
    model = fit(2, rows=rows, labels=labels)
    with pytest.raises(ValueError, match="model was trained on 4 inputs: only an ensemble of exactly 2 inputs"):
        plot.boundary(model, rows, labels)


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        (X[:, :1], Y, "X has 1 features"),
        (np.column_stack([X, X]), Y, "X has 4 features"),
        (X, Y[:-1], "X has 90 rows but y has 89 labels"),
        (X, Y + 5, "y holds 5, which is not among the classes|y holds 6, which is not among the classes"),
        (X[:0], Y[:0], "0 rows|0 sample"),
        (np.where(np.arange(180).reshape(90, 2) == 7, np.nan, X), Y, "X holds missing values"),
    ],
)
def test_wrong_rows_are_named(rows, labels, message):
    with pytest.raises(ValueError, match=message):
        plot.boundary(MODEL, rows, labels)


def test_text_is_no_point():
    table = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0.2, "high", "low")})

    class Reads(DecisionTreeClassifier):
        def _numbers(self, rows):
            return np.column_stack([rows["a"], rows["b"] == "high"])

        def fit(self, rows, labels, sample_weight=None):
            return super().fit(self._numbers(rows), labels, sample_weight)

        def predict_proba(self, rows, check_input=True):
            return super().predict_proba(self._numbers(rows))

    model = RealAdaBoostClassifier(Reads(max_depth=1), n_estimators=2, random_state=0).fit(table, Y)
    with pytest.raises(ValueError, match="X must hold two columns of numbers"):
        plot.boundary(model, table, Y)
