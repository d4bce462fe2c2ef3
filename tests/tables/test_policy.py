"""One policy of what the columns of a table become, and everyone who takes raw tables follows it."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import EmphaticClassifier, cli
from emphatic.audit import audit_labels
from emphatic.auto.searching import attempt
from emphatic.datasets import load, names
from emphatic.persistence import read
from emphatic.tables import TableTransformer, decide_columns
from tests.audit.audits import made_result

N = 200


def make_table(n_distinct, n=N):
    """Text with so many distinct values, the first ones more frequent, beside numbers and a few categories."""
    rng = np.random.default_rng(0)
    codes = [f"c{i:03d}" for i in range(n_distinct)]
    codes += [codes[i % 50] for i in range(n - n_distinct)]
    table = pd.DataFrame({"code": rng.permutation(codes), "size": rng.choice(["s", "m"], n), "age": rng.normal(size=n)})
    return table, np.where(table["age"] + 0.3 * rng.normal(size=n) > 0, "yes", "no")


SEVENTY, UNIQUE = 140, 190
REMARKS = {
    SEVENTY: "column 'code': category, 140 values: the most frequent have indicators, and all are compared by their "
    "spelling",
    UNIQUE: "column 'code': ignored: almost every value is unique (190 of 200)",
}


@pytest.mark.parametrize("n_distinct", REMARKS)
def test_the_decision(n_distinct):
    code, size, age = decide_columns(make_table(n_distinct)[0])
    assert (code.remark, code.left_out, code.many) == (
        REMARKS[n_distinct], n_distinct == UNIQUE, n_distinct == SEVENTY
    )  # fmt: skip
    assert set(code.categories or ()) <= {f"c{i:03d}" for i in range(50)}, "the frequent ones"
    assert (size.categories, size.kind, size.remark) == (["m", "s"], "category", "")
    assert (age.categories, age.kind, age.remark) == (None, "number", "")


@pytest.mark.parametrize("n_distinct", REMARKS)
def test_the_classifier_follows_it(n_distinct, monkeypatch):
    X, y = make_table(n_distinct)
    few = attempt.list_candidates(N, 2, 2)[:2]
    monkeypatch.setattr(attempt, "list_candidates", lambda *size, **how: few)
    model = EmphaticClassifier(random_state=0).fit(X, y)
    assert REMARKS[n_distinct].removeprefix("c") in model.explain()
    assert model.columns_ == decide_columns(X)
    assert (model._encoder.transform(X).shape[1] == 3) == (n_distinct == UNIQUE)


@pytest.mark.parametrize("n_distinct", REMARKS)
def test_the_audit_follows_it(n_distinct, monkeypatch):
    fitted, fit = [], TableTransformer.fit
    monkeypatch.setattr(TableTransformer, "fit", lambda self, X, y=None: fitted.append(fit(self, X, y)) or self)
    X, y = make_table(n_distinct)
    audit_labels(X, y, cv=2)
    assert len(fitted) > 1, "the whole table and the folds were prepared"
    assert all(one.remarks_ == [REMARKS[n_distinct]] for one in fitted)


@pytest.mark.parametrize("n_distinct", REMARKS)
def test_the_commands_follow_it(n_distinct, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    X, y = make_table(n_distinct)
    X.assign(y=y).to_csv("data.csv", index=False)
    quick = made_result(X, y, np.zeros(N), y)
    monkeypatch.setattr("emphatic.audit.labels.audit_labels", lambda *_, **__: quick)
    for command in (
        ["fit", "--model", "m.emphatic", "--method", "LogisticRegression"],
        ["compare", "--quick", "--methods", "LogisticRegression"],
        ["audit"],
    ):
        done = CliRunner().invoke(cli.build_app(), [command[0], "data.csv", "--target", "y", *command[1:]])
        assert done.exit_code == 0, done.output
        assert REMARKS[n_distinct].partition(": ")[2] in done.output
    saved = read("m.emphatic")
    kinds = {"size": "category", "age": "number"}
    assert saved.columns == ({"code": "category", **kinds} if n_distinct == SEVENTY else kinds)


def test_the_limits():
    def decide(cells):
        return decide_columns(pd.DataFrame({"a": cells}))[0]

    texts = [f"t{i}" for i in range(100)]
    assert decide(texts[:19]).categories == sorted(texts[:19]), "too few rows to tell"
    assert decide(texts[:20]).left_out
    assert not decide(texts[:90] + texts[:10]).left_out, "nine tenths are not almost all"
    assert decide(texts[:91] + texts[:9]).left_out
    assert decide([*texts[:40], *[None] * 40]).categories == [*sorted(texts[:40]), None], "missing is one category"
    assert decide(np.arange(100.0) / 3).kind == "number", "numbers may all be different"
    assert decide([True, False] * 50).categories == ["False", "True"]
    assert decide(texts[:50] * 2).reason == ""
    assert decide(texts[:51] * 2).categories == sorted(texts[:51])[:50], "of equally frequent ones the first"


KINDS = {
    "number": ["1.5", "2", "NA", "-3e5", ""],
    "category": ["01", "02", "1", "2"],
    "boolean": ["TRUE", "false", None],
    "date": ["31.1.2024", "1.2.2024", "?"],
    "ignore": ["same"] * 3,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_kinds(kind):
    cells = [cell or None for cell in KINDS[kind]]
    for column in (cells, pd.array(cells, dtype="string")):
        assert decide_columns(pd.DataFrame({"a": column}))[0].kind == kind
    assert decide_columns(np.array(cells, dtype=object)[:, None])[0].kind == kind


def test_what_names_rows_is_ignored():
    rows = np.arange(100)
    rng = np.random.default_rng(0)
    X = pd.DataFrame({
        "Unnamed: 0": rng.permutation(rows), "nr": rows + 7, "from one": rows + 1, "customer_id": rng.permutation(rows),
        "year": rows + 1900, "count": rng.permutation(rows), "id": rng.integers(0, 50, 100), "same": 1.0, "none": None,
    })  # fmt: skip
    used = [one.name for one in decide_columns(X) if not one.left_out]
    assert used == ["year", "count", "id"], "years rise too; an id of several rows is a group"
    as_text = X.astype(object).where(X.notna(), None).map(lambda cell: None if cell is None else str(cell))
    assert [one.kind for one in decide_columns(as_text)] == [one.kind for one in decide_columns(X)]
    assert not any(one.left_out for one in decide_columns(X[["same", "year"]].to_numpy())), "an array stays as it is"


def test_one_decimal_sign_per_table_where_a_column_leaves_it_open():
    open_column, comma, point = ["1,234", "2,345"] * 5, ["1,5", "2,25"] * 5, ["1.5", "2.25"] * 5
    alone, *_ = decide_columns(pd.DataFrame({"a": open_column}))
    assert alone.doubt == "1,234 is read as 1234; it could also be 1.234" and alone.doubt in alone.remark
    with_comma, _ = decide_columns(pd.DataFrame({"a": open_column, "b": comma}))
    with_point, _ = decide_columns(pd.DataFrame({"a": open_column, "b": point}))
    assert (with_comma.spelling.decimal, with_comma.doubt) == (",", "")
    assert (with_point.spelling.thousands, with_point.doubt) == (",", "")
    unclear, *_ = decide_columns(pd.DataFrame({"a": open_column, "b": comma, "c": point}))
    assert unclear.doubt, "the others disagree"


def test_a_copy_of_the_target_is_named():
    rng = np.random.default_rng(0)
    y = rng.choice(["no", "yes"], 200)
    X = pd.DataFrame({
        "paid": np.where(y == "yes", 10.0, 0.0) + rng.normal(size=200), "code": np.where(y == "yes", "P", "N"),
        "good": np.where(y == "yes", 1.0, 0.0) + rng.normal(size=200),
    })  # fmt: skip
    paid, code, good = decide_columns(X, y)
    assert "alone tells 100.0% of the labels" in paid.warning and "alone tells 100.0%" in code.warning
    assert good.warning == "" and not any(one.warning for one in decide_columns(X))
    assert [one.warning for one in audit_labels(X, y, cv=2).columns] == [paid.warning, code.warning, ""]
    assert not any(one.warning for one in decide_columns(X, rng.permutation(y)))


def test_the_classifier_names_a_copy_of_the_target_too(monkeypatch):
    few = attempt.list_candidates(N, 2, 2)[:2]
    monkeypatch.setattr(attempt, "list_candidates", lambda *size, **how: few)
    X, y = make_table(SEVENTY)
    model = EmphaticClassifier(random_state=0).fit(X.assign(copy=y), y)
    assert [one.name for one in model.columns_ if one.warning] == ["copy"]
    assert "Column 'copy': category, 2 values; alone tells 100.0% of the labels" in model.explain()


def test_words_among_numbers_are_said_and_read_as_missing_when_asked():
    X = pd.DataFrame({"a": [*(f"{k / 4:g}" for k in range(40)), *["n.d."] * 20, *["low"] * 10]})
    (alone,) = decide_columns(X)
    assert alone.kind == "category"
    assert alone.doubt == "it holds numbers beside 'n.d.', 'low'; if that means missing values, its kind is number"
    assert alone.doubt in alone.remark
    (asked,) = decide_columns(X, columns={"a": "number"})
    assert (asked.kind, asked.spelling.marks) == ("number", ("n.d.", "low"))
    transformer = TableTransformer(columns={"a": "number"}, scale="none").fit(X)
    assert transformer.transform(X)[[1, 45, 65], 0].tolist() == [0.25, 4.875, 4.875], "the mean"
    (few,) = decide_columns(pd.DataFrame({"a": ["1", "2", "3", "other"] * 5}))
    assert few.doubt == "", "codes, rather"


def test_wishes_that_cannot_be_met():
    X = pd.DataFrame({"a": ["x", "y", "z"] * 10, "n": np.arange(30) % 7})
    for wish, message in {
        "number": "'a' cannot be used as a number", "date": "'a' cannot be used as a date",
        "boolean": "'a' cannot be used as a boolean: it holds 3",
    }.items():  # fmt: skip
        with pytest.raises(ValueError, match=message):
            decide_columns(X, columns={"a": wish})
    assert [one.kind for one in decide_columns(X, columns={"a": "text", "n": "text"})] == ["text", "text"]
    assert decide_columns(X, columns={"n": "category"})[1].categories == list("0123456")


def test_arrays_and_frames_are_decided_alike():
    X, _ = make_table(SEVENTY)
    first, second = decide_columns(X), decide_columns(X.to_numpy(dtype=object))
    assert [one.categories for one in first] == [one.categories for one in second]
    assert [one.name for one in second] == ["x0", "x1", "x2"]


def test_a_table_of_which_nothing_is_useful(monkeypatch, tmp_path):
    X = pd.DataFrame({"id": [f"row {i}" for i in range(30)]})
    fitted = TableTransformer(columns="useful").set_output(transform="pandas").fit(X)
    assert fitted.transform(X).to_dict("list") == {"zero": [0.0] * 30}
    monkeypatch.chdir(tmp_path)
    X.assign(y=["a", "b"] * 15).to_csv("data.csv", index=False)
    done = CliRunner().invoke(cli.build_app(), ["audit", "data.csv", "--target", "y"])
    assert (done.exit_code, done.stderr) == (
        2, "emphatic: there is no column to learn from (id: almost every value is unique (30 of 30))\n"
    )  # fmt: skip


def test_names_of_the_columns_that_are_used():
    X, _ = make_table(UNIQUE)
    fitted = TableTransformer(columns="useful").fit(X)
    assert fitted.get_feature_names_out().tolist() == ["size_m", "size_s", "age"]
    assert len(TableTransformer().fit(X).get_feature_names_out()) == UNIQUE + 3, "all, unless asked otherwise"


def test_bundled_problems_are_used_as_they_are():
    """So the policy changes no published or measured result."""
    assert not [one.remark for name in names() for one in decide_columns(load(name).X) if one.remark]


@pytest.mark.parametrize(("n", "most"), [(1_000, 50), (4_000, 100), (20_000, 254)])
def test_the_more_rows_the_more_categories_have_an_indicator(n, most):
    def decide(n_distinct):
        return decide_columns(pd.DataFrame({"a": [f"t{i % n_distinct}" for i in range(n)]}))[0]

    few, many = decide(most), decide(most + 1)
    assert (len(few.categories), few.many) == (most, False)
    assert (len(many.categories), many.many) == (most, True)


@pytest.mark.parametrize("columns", ["useful", {"b": "number"}])
def test_how_many_may_have_one_can_be_said(columns):
    table = pd.DataFrame({"a": [f"t{i % 30}" for i in range(200)], "b": np.arange(200.0) % 7})
    names = TableTransformer(columns=columns, max_categories=30).fit(table).get_feature_names_out()
    assert sum(name.startswith("a_t") for name in names) == 30
    names = TableTransformer(columns=columns, max_categories=29).fit(table).get_feature_names_out()
    assert any(name.startswith("a_similar") for name in names)
    with pytest.raises(ValueError, match="max_categories"):
        TableTransformer(columns=columns, max_categories=0).fit(table)


def test_a_table_without_columns_is_refused():
    with pytest.raises(ValueError, match="0 feature"):
        decide_columns(pd.DataFrame(index=range(3)))
