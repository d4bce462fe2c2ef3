"""The card as a whole: what it holds, what the summary says, and what the page shows."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from emphatic import EmphaticClassifier
from emphatic.card import describe_model, evaluate, summarise, write_card
from emphatic.card.page import make_sections
from emphatic.tables import TableTransformer
from tests.card.cards import NASTY, make_card, make_model, make_nasty_card, make_table


@pytest.fixture(scope="module")
def card():
    return make_card()


@pytest.fixture(scope="module")
def three():
    return make_card(3)


def read_page(card, folder):
    write_card(card, folder / "card.html")
    return (folder / "card.html").read_text(encoding="utf-8")


def section(card, id):
    [found] = [one for one in make_sections(card) if one.id == id]
    return found


def test_importances_find_what_decides(card):
    names = [card.importances.names[place] for place in card.importances.order]
    assert names[:2] == ["age", "size"]
    assert "id" not in names  # ignored, so not measured
    assert [one.name for one in card.dependences][:2] == ["age", "size"]
    assert [one.kind for one in card.dependences][:2] == ["number", "category"]


def test_the_same_seed_gives_the_same_card(card):
    again = make_card(n_dependences=0)
    np.testing.assert_array_equal(card.importances.values, again.importances.values)
    np.testing.assert_array_equal(card.evaluation.probabilities, again.evaluation.probabilities)


def test_unsure_and_suspicious_rows(card):
    largest = card.evaluation.probabilities.max(axis=1)
    assert len(card.unsure) == 20
    assert largest[card.unsure].max() <= np.delete(largest, card.unsure).min()
    own = card.evaluation.probabilities[np.arange(200), card.evaluation.codes]
    assert own[card.suspects[0]] == own.min()
    assert (card.evaluation.predicted[card.suspects] != card.evaluation.codes[card.suspects]).all()


def test_a_classifier_that_keeps_its_out_of_fold_probabilities():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = EmphaticClassifier(time_budget=1e-3, random_state=0)
    with pytest.warns(UserWarning, match="time_budget"):
        model.fit(X, y)
    card = describe_model(model, X, y, n_dependences=1)
    np.testing.assert_allclose(card.evaluation.probabilities, model.out_of_fold_, rtol=1e-15)
    assert card.importances is model.measure_importances()
    assert card.candidates["weight"] == list(model.search_results_["weight"])
    assert [one.id for one in make_sections(card)][-2:] == ["candidates", "origin"]
    assert "held-out rows" in "\n".join(summarise(card))


def test_many_rows_are_cross_validated_in_two_folds_and_the_page_stays_small(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(50_001, 2)), columns=["a", "b"])
    y = (X["a"] + rng.normal(size=50_001) > 0).astype(int)
    card = describe_model(GaussianNB().fit(X, y), X, y)
    assert "2-fold cross-validation" in card.origin
    assert card.importances.n_rows == 2000
    assert len(read_page(card, tmp_path)) < 200_000


def test_summary_answers_the_questions_of_a_practitioner(card):
    lines = summarise(card)
    found = card.evaluation
    assert lines[0] == "Pipeline in 1.5 s: 200 rows, 3 of 4 columns used, 2 classes of ill"
    assert f"Out-of-fold error {100 * found.error:.1f}% ± {100 * found.standard_error:.1f}%" in lines[1]
    assert f"Log loss {found.log_loss:.4f}" in lines[2]
    assert "5-fold cross-validation" in lines[3]
    [yes] = [line.split() for line in lines if line.startswith("yes ")]
    assert yes[1:4] == ["100", f"{100 * found.recall[1]:.1f}%", f"{100 * found.precision[1]:.1f}%"]
    start = next(i for i, line in enumerate(lines) if line.startswith("Most important columns"))
    assert lines[start + 1].split()[:2] == ["age", f"{card.importances.values[0]:.4f}"]
    assert "  id     ignored: almost every value is unique (200 of 200)" in lines
    assert lines[-1].startswith("Warning: Ignored: 'id'")


def test_summary_of_many_classes_and_columns_is_a_screenful():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 25)), columns=[f"c{j}" for j in range(25)])
    y = np.array([f"class {k:02}" for k in range(30)] * 10)
    lines = summarise(describe_model(GaussianNB().fit(X, y), X, y, n_dependences=0))
    assert len(lines) < 60
    assert "and 18 more with a better recall" in lines
    assert "  and 5 more" in lines


def test_the_page_shows_what_was_measured(card, tmp_path):
    text = read_page(card, tmp_path)
    assert len(text) < 200_000
    assert "plotly.js v" not in text
    for heading in ("Summary", "Classes", "Probabilities", "Thresholds", "Important columns", "Columns"):
        assert f">{heading}</h2>" in text
    assert "<h1>Model card: ill</h1>" in text
    assert "from patients.csv" in text
    cells = dict(section(card, "origin").grids[0].rows)
    assert (cells["Rows"], cells["Columns"], cells["Missing values"], cells["Seed"]) == ("200", "4", "20", "7")
    assert {"emphatic", "numpy", "scikit-learn", "Python"} <= set(cells)
    matrix = section(card, "classes").grids[1].rows
    assert [[int(cell.text) for cell in row[1:]] for row in matrix] == card.evaluation.confusion.tolist()


def test_rows_are_listed_with_their_labels_and_most_important_cells(card):
    grid = section(card, "unsure").grids[0]
    assert grid.columns[:6] == ["Row", "Label", "Predicted", "p(label)", "p(predicted)", "age"]
    assert len(grid.rows) == 20
    first = card.unsure[0]
    assert grid.rows[0][:2] == [str(first), card.y[first]]
    assert grid.rows[0][5] == f"{card.X['age'].iloc[first]:.6g}"


def test_the_slider_starts_at_one_half_with_the_figures_of_the_model(card):
    chooser = section(card, "thresholds").chooser
    value, recall, precision, *_ = chooser.grid.rows[chooser.start]
    positive = card.evaluation.positive
    assert value == "0.50"
    assert recall == f"{100 * card.evaluation.recall[positive]:.1f}%"
    assert precision == f"{100 * card.evaluation.precision[positive]:.1f}%"


def test_three_classes_have_no_thresholds_and_a_curve_each(three, tmp_path):
    ids = [one.id for one in make_sections(three)]
    assert "thresholds" not in ids
    roc = section(three, "curves").charts[0]
    assert [line.name.partition(" (")[0] for line in roc.lines if not line.quiet] == ["class 0", "class 1", "class 2"]
    read_page(three, tmp_path)


def test_many_classes_list_the_most_frequent_mistakes_instead_of_a_matrix(tmp_path):
    X, _ = make_table(400)
    y = np.array([f"class {k:02}" for k in range(20)] * 20)
    card = describe_model(make_model().fit(X, y), X, y)
    grid = section(card, "classes").grids[1]
    assert grid.columns[:2] == ("Class", "Predicted as")
    assert len(grid.rows) == 20
    assert int(grid.rows[0][2]) == (card.evaluation.confusion - np.diag(np.diag(card.evaluation.confusion))).max()
    assert len(read_page(card, tmp_path)) < 300_000


def test_a_model_without_probabilities(tmp_path):
    X, y = make_table()
    model = make_pipeline(TableTransformer(columns="useful"), RidgeClassifier()).fit(X, y)
    card = describe_model(model, X, y)
    assert card.importances.loss == "error"
    assert not any("Log loss" in line for line in summarise(card))
    assert [one.id for one in make_sections(card)] == [
        "summary", "classes", "importances", "dependence", "columns", "origin"
    ]  # fmt: skip
    read_page(card, tmp_path)


def test_dates_and_numbers_that_are_written_as_text(tmp_path):
    rng = np.random.default_rng(0)
    days = rng.integers(0, 1000, 200)
    price = rng.integers(100, 99_999, 200)
    X = pd.DataFrame(
        {
            "bought": (np.datetime64("2020-01-01") + days).astype(str),
            "price": [f"{one // 100},{one % 100:02}" for one in price],
        },
        dtype=object,
    )
    X.loc[3, "price"] = None
    y = np.where(days / 10 + price / 1000 > 100, "late", "early")
    card = describe_model(make_model().fit(X, y), X, y)
    by_name = {one.name: one for one in card.dependences}
    assert by_name["bought"].kind == "date"
    assert by_name["price"].kind == "number"
    assert by_name["price"].values[-1] <= 1000.0
    chart = next(one for one in section(card, "dependence").charts if one.title == "bought")
    assert re.fullmatch(r"202\d-\d\d-\d\d", chart.x.ticks[0][1])
    assert {note.name: note.missing for note in card.columns} == {"bought": 0, "price": 1}
    read_page(card, tmp_path)


def test_free_text_has_no_curve():
    rng = np.random.default_rng(0)
    words = ["river", "stone", "cloud", "winter", "garden", "silver", "window", "market", "planet", "orange", "castle"]
    texts = [" ".join(rng.choice(words, 6)) for _ in range(150)]
    y = np.array(["winter" in text for text in texts])
    X = pd.DataFrame({"letter": texts, "age": rng.normal(size=150)})
    card = describe_model(make_model().fit(X, y), X, y)
    assert card.columns[0].decision.kind == "text"
    assert card.importances.names[card.importances.order[0]] == "letter"
    assert "letter" not in [one.name for one in card.dependences]


def test_a_model_that_reads_no_column(tmp_path):
    X, y = make_table(60)
    card = describe_model(DummyClassifier(strategy="prior").fit(X, y), X, y)
    assert "  none: shuffling a column makes the predictions no worse" in summarise(card)
    assert "dependence" not in [one.id for one in make_sections(card)]
    read_page(card, tmp_path)


def test_long_lists_are_cut_and_the_page_says_so(card):
    many = replace(card, columns=card.columns * 60, importances=replace(card.importances, n_left=7))
    assert len(section(many, "columns").grids[0].rows) == 200
    assert section(many, "columns").text[-1] == "The first 200 are listed."
    assert "7 columns looked less important in groups" in section(many, "importances").text[1]
    names = [f"k{k:02}" for k in range(60)]
    evaluation = evaluate(None, names, names * 2, predicted=names + names[::-1])
    classes = replace(card, evaluation=evaluation, suspicion=None)
    assert len(section(classes, "classes").grids[0].rows) == 50
    assert "Of 60 classes the 50 with the lowest recall are listed." in section(classes, "classes").text


def test_nothing_in_the_table_is_markup(tmp_path):
    text = read_page(make_nasty_card(), tmp_path)
    assert len(re.findall(r"<script\b", text)) == 3
    assert "<img" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "{{data}}" in text  # text, not a mark
    assert "\x1b" not in text
    assert max(len(cell) for cell in re.findall(r"<td[^>]*>([^<]*)</td>", text)) < 300
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!data:|#)|@import|\burl\(|https?://|style=""", text)


def test_nothing_in_the_table_commands_the_terminal():
    lines = summarise(make_nasty_card())
    assert all(line.isprintable() for line in lines)
    assert any(NASTY[0] in line for line in lines)


def test_given_warnings_come_first(tmp_path):
    card = make_card(n=60, warnings=["read this first"], n_dependences=0)
    assert card.warnings[0] == "read this first"
    assert '<p class="warning">read this first</p>' in read_page(card, tmp_path)


def test_bad_input():
    X, y = make_table()
    model = make_model().fit(X, y)
    with pytest.raises(TypeError, match="must be a pandas DataFrame"):
        describe_model(model, X.to_numpy(), y)
    with pytest.raises(ValueError, match="n_dependences=None is not allowed"):
        describe_model(model, X, y, n_dependences=None)
    with pytest.raises(ValueError, match="give the table that the model was fitted to"):
        describe_model(model, X[["age", "size", "id", "noise"]], y)


def test_a_page_that_cannot_be_written_leaves_nothing(card, tmp_path):
    with pytest.raises(FileNotFoundError, match="its folder does not exist"):
        write_card(card, tmp_path / "missing" / "card.html")
    assert list(tmp_path.iterdir()) == []
