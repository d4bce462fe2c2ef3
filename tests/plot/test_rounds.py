"""What happened in the rounds: the curves are what the model recorded, and what its stages say."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from emphatic import EmphaticClassifier, FuzzyBoostClassifier, RealAdaBoostClassifier, plot

X, Y = make_moons(120, noise=0.3, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1)
MODEL = RealAdaBoostClassifier(STUMP, n_estimators=8, random_state=0).fit(X[:80], Y[:80])
RECORDED = {"edge": "edges_", "vote": "alphas_", "effective sample size": "effective_sample_sizes_"}


def values(figure):
    found = {trace.name: np.array(trace.y) for trace in figure.data}
    assert len(found) == len(figure.data)
    return found


@pytest.mark.parametrize(
    "model", [MODEL, FuzzyBoostClassifier(n_estimators=5, random_state=0).fit(X, Y)], ids=lambda one: type(one).__name__
)
def test_recorded_values_are_those_of_the_model(model):
    figure = plot.rounds(model)
    found = values(figure)
    assert list(found) == list(RECORDED)
    for name, attribute in RECORDED.items():
        np.testing.assert_array_equal(found[name], getattr(model, attribute))
    assert all(list(trace.x) == list(range(1, len(model.alphas_) + 1)) for trace in figure.data)


def test_an_ensemble_without_records_shows_its_votes():
    class Bare(RealAdaBoostClassifier):
        def _record(self, *arguments):
            super()._record(*arguments)
            del self.edges_, self.effective_sample_sizes_

    model = Bare(STUMP, n_estimators=3, random_state=0).fit(X, Y)
    assert list(values(plot.rounds(model))) == ["vote"]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_margins_and_errors_are_those_of_the_stages(n_classes):
    rows, labels = (X, np.array(["no", "yes"])[Y]) if n_classes == 2 else load_iris(return_X_y=True)
    train, test = slice(0, None, 2), slice(1, None, 2)
    model = RealAdaBoostClassifier(STUMP, n_estimators=6, random_state=0).fit(rows[train], labels[train])
    figure = plot.rounds(model, rows[train], labels[train], rows[test], labels[test])
    found = values(figure)
    assert len(found) == 3 + 2 * 4
    for kind, part in (("training", train), ("test", test)):
        codes = np.searchsorted(model.classes_, labels[part])
        n = len(codes)
        for t, score in enumerate(model.staged_decision_function(rows[part])):
            if n_classes == 2:
                margin = np.where(codes == 1, score, -score)
            else:
                own = score[np.arange(n), codes]
                others = [max(np.delete(score[i], codes[i])) for i in range(n)]
                margin = (own - others) / 2
            margin = margin / np.abs(model.alphas_[: t + 1]).sum()
            expected = margin.min(), np.quantile(margin, 0.1), np.median(margin)
            names = ("smallest margin", "a tenth is below", "median margin")
            np.testing.assert_allclose([found[f"{kind}: {name}"][t] for name in names], expected, atol=1e-12)
        errors = [np.mean(one != labels[part]) for one in model.staged_predict(rows[part])]
        np.testing.assert_allclose(found[f"{kind}: error"], errors)
    if n_classes == 2:
        assert found["training: smallest margin"][-1] == pytest.approx(model.margin_)


def test_margins_of_fuzzy_boost_are_shares_of_its_votes():
    model = FuzzyBoostClassifier(n_estimators=4, random_state=0).fit(X, Y)
    found = values(plot.rounds(model, X, Y))
    assert found["training: median margin"][0] == 1.0  # a single learner has all the votes
    assert len(found) == 3 + 4


def test_test_rows_may_come_alone():
    assert {name.partition(":")[0] for name in values(plot.rounds(MODEL, X_test=X, y_test=Y))} == {*RECORDED, "test"}


def test_panels_are_above_each_other_with_names_and_one_axis_of_rounds():
    figure = plot.rounds(MODEL, X, Y)
    axes = [figure.layout[f"yaxis{number}" if number > 1 else "yaxis"] for number in range(1, 6)]
    assert [axis.title.text.replace("<br>", " ") for axis in axes] == [
        *RECORDED,
        "margin over sum of votes",
        "error",
    ]
    ends = [end for axis in reversed(axes) for end in axis.domain]
    assert ends == sorted(ends) and ends[0] >= 0 and ends[-1] == 1
    assert {trace.xaxis for trace in figure.data} == {"x"}
    assert "8 rounds" in figure.layout.title.text


def test_a_single_round_is_a_point():
    model = RealAdaBoostClassifier(STUMP, n_estimators=1, random_state=0).fit(X, Y)
    assert {trace.mode for trace in plot.rounds(model).data} == {"markers"}


def test_an_unfitted_model_says_so():
    with pytest.raises(NotFittedError):
        plot.rounds(RealAdaBoostClassifier())


def test_a_model_without_rounds_is_refused():
    with pytest.warns(UserWarning, match="class frequencies"):
        model = RealAdaBoostClassifier(STUMP, n_estimators=3).fit(np.ones((8, 2)), [0, 1] * 4)
    with pytest.raises(ValueError, match="model has no rounds"):
        plot.rounds(model)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (EmphaticClassifier(), "model=EmphaticClassifier.* must be a fitted ensemble that adds up its learners"),
        ("model", "model='model' is not allowed"),
        (RealAdaBoostClassifier, "is not allowed"),
        (make_pipeline(StandardScaler(), MODEL), "Of a pipeline pass the last step"),
    ],
)
def test_other_models_are_refused(model, message):
    with pytest.raises(TypeError, match=message):
        plot.rounds(model)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": X}, "Only one of X and y is given"),
        ({"y": Y}, "Only one of X and y is given"),
        ({"X": X, "y": Y, "y_test": Y}, "Only one of X_test and y_test is given"),
        ({"X": X, "y": Y[:-1]}, "X has 120 rows but y has 119 labels"),
        ({"X_test": X[:5], "y_test": Y}, "X_test has 5 rows but y_test has 120 labels"),
        ({"X": X, "y": Y + 1}, r"y holds 2, which is not among the classes of the model: \[0, 1\]"),
        ({"X_test": X, "y_test": ["a"] * 120}, "y_test holds 'a', which is not among"),
        ({"X": X[:, :1], "y": Y}, "X has 1 features"),
    ],
)
def test_wrong_rows_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        plot.rounds(MODEL, **arguments)
