"""What a fitted model says about its columns, itself and single rows."""

import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.exceptions import NotFittedError

from emphatic import EmphaticClassifier, persistence
from emphatic.auto.searching import attempt as module
from emphatic.auto.why import importance
from emphatic.blending.by_loss import log_loss
from emphatic.metrics import error_interval
from tests.auto.few import FEW

MODELS = Path(__file__).parents[1] / "data" / "models" / "format-2"


@pytest.fixture(autouse=True, scope="module")
def few_candidates():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "list_candidates", lambda *size, **how: FEW)
        yield


def make_table(n=120, seed=0):
    """A category that decides, a number that helps, noise, an identifier and a constant."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["good", "bad"], n)
    shape = np.where(rng.random(n) < 0.9, np.where(y == "good", "round", "flat"), "square")
    frame = pd.DataFrame(
        {
            "name": [f"row {i}" for i in range(n)],
            "noise": rng.normal(size=n),
            "shape": shape,
            "size": rng.normal(size=n) + (y == "good"),
            "always": "x",
        }
    )
    frame.loc[::9, "size"] = np.nan
    return frame, y


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(scope="module")
def model(table):
    return EmphaticClassifier(random_state=0).fit(*table)


# importances


def test_columns_are_ranked_by_what_they_decide(model):
    found = model.importances_
    assert list(found.columns) == ["column", "importance", "spread"]
    assert found["column"].tolist()[:2] == ["shape", "size"]
    by_name = found.set_index("column")
    assert by_name.loc["shape", "importance"] > 5 * abs(by_name.loc["noise", "importance"])
    assert by_name.loc[["name", "always"]].to_numpy().tolist() == [[0.0, 0.0]] * 2  # ignored
    assert model.importances_.equals(found)


def test_unchanged_rows_have_the_loss_of_the_blend(model):
    kept = model._left_out
    assert len(kept.codes) == 120  # all rows, of so few
    probabilities = kept.probabilities(kept.inputs, np.arange(120))
    np.testing.assert_allclose(probabilities, model.out_of_fold_, atol=1e-3)
    assert log_loss(probabilities, kept.codes, kept.weights) == pytest.approx(model.best_model_.loss, abs=1e-3)


def test_all_inputs_of_a_column_are_exchanged_together(model, monkeypatch):
    starts = model._starts
    kept, seen = model._left_out, []
    tables = kept.inputs[:, starts[2] : starts[3]]  # indicators of a shape
    known = {tuple(row) for row in tables.tolist()}
    original = type(kept).probabilities

    def spy(self, inputs, places):
        seen.extend(map(tuple, inputs[:, starts[2] : starts[3]].tolist()))
        return original(self, inputs, places)

    monkeypatch.setattr(type(kept), "probabilities", spy)
    importance.measure_importances(kept, starts, model._column_names)
    assert set(seen) == known


def test_batches_do_not_show(model, monkeypatch):
    expected = model.measure_importances().values
    monkeypatch.setattr(importance, "BATCH_CELLS", 1)
    found = importance.measure_importances(model._left_out, model._starts, model._column_names)
    np.testing.assert_allclose(found.values, expected, atol=1e-9)


def test_of_a_wide_table_only_the_columns_that_matter_are_measured(monkeypatch):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 40)), columns=[f"c{j}" for j in range(40)])
    model = EmphaticClassifier(random_state=0).fit(X, X["c17"] > 0)
    monkeypatch.setattr(importance, "PREDICTIONS_PER_ROW", 50)
    found = model.importances_
    assert found["column"][0] == "c17"
    assert found["importance"].isna().sum() == model.measure_importances().n_left > 0


def test_a_seed_determines_them_and_neither_pickle_nor_a_file_changes_them(model, table, tmp_path):
    again = EmphaticClassifier(random_state=0).fit(*table)
    pickled = pickle.loads(pickle.dumps(again))
    persistence.save(again, tmp_path / "m.emphatic")
    loaded = persistence.load(tmp_path / "m.emphatic")
    for one in (again, pickled, loaded):
        pd.testing.assert_frame_equal(one.importances_, model.importances_)
        assert one.explain() == model.explain()
    row = table[0].iloc[[3]]
    pd.testing.assert_frame_equal(loaded.explain(row).table, model.explain(row).table)


def test_one_column_and_nothing_but_an_identifier():
    y = np.tile([0, 1], 30)
    one = EmphaticClassifier(random_state=0).fit(y[:, None] + 0.0, y)
    assert one.importances_["importance"][0] > 0.1
    none = EmphaticClassifier(random_state=0).fit(pd.DataFrame({"name": [f"row {i}" for i in range(60)]}), y)
    assert none.importances_.to_numpy().tolist() == [["name", 0.0, 0.0]]
    assert "No column matters" in none.explain()
    found = none.explain({"name": "row 1"})
    assert found.base == pytest.approx(found.prediction)


def test_without_pandas_tables_are_dicts(model, table, monkeypatch):
    expected = model.importances_.to_dict("list")
    row = table[0].iloc[0].to_dict()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pandas", None)
        assert model.importances_ == expected
        assert set(model.explain(row).table) == {"column", "value", "contribution", "standard_error"}


# one row


def test_contributions_add_up_to_the_prediction(model, table):
    frame, _ = table
    row = frame.iloc[[5]]
    found = model.explain(row)
    assert found.predicted == found.label == model.predict(row)[0]
    probabilities = dict(zip(model.classes_, model.predict_proba(row)[0], strict=True))
    for label in model.classes_:
        other = found.of(label)
        assert other.prediction == probabilities[label]
        assert other.base + other.table["contribution"].sum() == pytest.approx(other.prediction, abs=1e-9)
    assert found.table["column"][0] == "shape"
    assert found.table.set_index("column").loc[["name", "always"], "contribution"].tolist() == [0.0, 0.0]
    assert set(found.table["column"]) == set(frame.columns)


def test_a_row_may_come_in_any_form(model, table):
    frame, _ = table
    expected = model.explain(frame.iloc[[4]]).table
    cells = frame.iloc[4].tolist()
    by_name = frame.iloc[4].to_dict()
    forms = [frame.iloc[4], by_name, dict(reversed(by_name.items())), cells, tuple(cells), [cells]]
    forms += [np.array(cells, dtype=object), np.array([cells], dtype=object), pl.DataFrame([by_name])]
    for form in forms:
        pd.testing.assert_frame_equal(model.explain(form).table, expected)


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        (lambda frame: frame.iloc[:2], ValueError, "explain takes one row, and 2 are given"),
        (lambda frame: frame.iloc[:2].to_numpy().tolist(), ValueError, "explain takes one row, and 2 are given"),
        (lambda frame: frame.iloc[:0], ValueError, "explain takes one row, and 0 are given"),
        (lambda frame: [1.0, 2.0], ValueError, "the row has 2 cells, and the table of the training has 5 columns"),
        (lambda frame: {**frame.iloc[0], "sise": 1.0}, ValueError, "unknown column sise; did you mean size"),
        (lambda frame: {"name": "a", "noise": 1.0}, ValueError, "the row has no 'shape', 'size', 'always'"),
        (lambda frame: "round", TypeError, "row='round' is not allowed"),
        (lambda frame: 3, TypeError, "row=3 is not allowed"),
        (lambda frame: frame.iloc[[0]].rename(columns={"size": "sise"}), ValueError, "feature names"),
    ],
)
def test_other_rows_are_refused(model, table, row, error, message):
    with pytest.raises(error, match=message):
        model.explain(row(table[0]))


def test_an_unknown_class_is_refused(model, table):
    with pytest.raises(ValueError, match="unknown class god; did you mean good"):
        model.explain(table[0].iloc[[0]]).of("god")


def test_words_of_a_row_are_its_numbers(model, table):
    found = model.explain(table[0].iloc[[5]])
    text = str(found)
    assert text.startswith(f"Predicted {found.label!r} with probability {found.prediction:.3f}; on average")
    assert f"{found.base:.3f}" in text
    by_name = found.table.set_index("column")["contribution"]
    listed = re.findall(r"(\w+) = [^()]* \(([+-][\d.]+)\)", text)
    assert len(listed) == 3
    for name, value in listed:
        assert value == f"{by_name[name]:+.3f}"
    assert str(found.of("good" if found.label == "bad" else "bad")).startswith("Class")


# the model in words


def test_words_of_the_model_are_its_numbers(model):
    text, blend = model.explain(), model.best_model_
    low, high = error_interval(blend.error, 120)
    assert f"log loss {blend.loss:.4f}, error {100 * blend.error:.1f}%" in text
    assert f"(95% interval {100 * low:.1f}% to {100 * high:.1f}%)" in text
    for one in blend.members:
        line = f"{100 * one.weight:5.1f}%  {one}: log loss {one.loss:.4f}, error {100 * one.error:.1f}%"
        assert line in text
    found = model.measure_importances()
    for place in found.order[:2]:
        assert f"{found.names[place]} ({found.values[place]:.4f} ± {found.spreads[place]:.4f})" in text
    assert f"on {found.n_rows} rows out of fold" in text
    assert "Column 'name': ignored" in text


def test_an_unfitted_model_explains_nothing(table):
    unfitted = EmphaticClassifier()
    for ask in (unfitted.explain, unfitted.measure_importances, unfitted.plot, lambda: unfitted.importances_):
        with pytest.raises(NotFittedError):
            ask()
    with pytest.raises(NotFittedError):
        unfitted.explain(table[0].iloc[[0]])


def test_a_file_of_a_former_version_says_what_it_lacks():
    former = persistence.load(MODELS / "emphatic.emphatic")
    assert not hasattr(former, "importances_")
    with pytest.raises(ValueError, match="kept nothing to explain it by: fit the model again"):
        former.measure_importances()
    with pytest.raises(ValueError, match="kept nothing to explain it by: fit the model again"):
        former.explain([0.0] * former.n_features_in_)
    assert "What matters most" not in former.explain()
    assert "emphatic-summary" in former._repr_html_()


# figures


def test_the_figure_shows_the_numbers_of_the_model(model, table, tmp_path):
    figure = model.plot()
    members, columns, _, calibration, confusion = figure.data
    assert list(members.x) == [one.weight for one in model.best_model_.members]
    assert list(columns.x) == sorted(model.measure_importances().values, reverse=True)
    counts = np.array(confusion.text, dtype=int)
    assert counts.sum() == 120
    wrong = model.classes_[model.out_of_fold_.argmax(axis=1)] != table[1]
    assert counts.sum() - np.trace(counts) == wrong.sum()
    assert len(calibration.x) == len(calibration.y)
    persistence.save(model, tmp_path / "m.emphatic")
    assert len(persistence.load(tmp_path / "m.emphatic").plot().data) == 2  # no training rows are in a file


def test_the_figure_of_a_row_has_its_contributions(model, table):
    found = model.explain(table[0].iloc[[5]])
    [bars] = found.plot().data
    assert sorted(bars.x) == sorted(value for value in found.table["contribution"] if value)


NASTY = "<script>alert(1)</script>"


def test_notebooks_show_a_summary_below_the_diagram_and_escape_what_others_wrote():
    frame, y = make_table(40)
    frame = frame.rename(columns={"shape": NASTY})
    frame[NASTY] = np.where(frame[NASTY] == "round", NASTY, frame[NASTY])
    model = EmphaticClassifier(random_state=0)
    assert "emphatic-summary" not in model._repr_html_()
    model.fit(frame, np.where(y == "good", NASTY, y))
    for page in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert f"error {100 * model.best_model_.error:.1f}%" in page
        assert f"{model.measure_importances().values.max():.4f}" in page
    summary = model._repr_html_().partition("emphatic-summary")[2]
    assert "&lt;script&gt;" in summary
    found = model.explain(frame.iloc[[0]])
    figures = [one.to_json() for one in (model.plot(), found.plot())]
    for text in (summary, found._repr_html_(), *figures):
        assert "<script" not in text
    with sklearn.config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert "text/html" not in model._repr_mimebundle_()


def test_a_row_of_pandas_own_types_may_lack_values():
    """NA neither equals anything nor differs from it: asking would raise an error."""
    rng = np.random.default_rng(0)
    size, colour = pd.array(rng.integers(9, size=120), dtype="Int64"), pd.array(["red", "blue"] * 60, dtype="string")
    size[:40], colour[20:60] = pd.NA, pd.NA
    frame = pd.DataFrame({"size": size, "colour": colour, "shape": rng.normal(size=120)})
    y = np.where(frame["size"].isna() ^ frame["colour"].isna(), "yes", "no")
    model = EmphaticClassifier(random_state=0).fit(frame, y)
    told = str(model.explain(frame.iloc[[30]]))
    assert "size = missing" in told and "colour = missing" in told
