"""One policy of what the columns of a table become, and everyone who takes raw tables follows it."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import EmphaticClassifier, cli
from emphatic.audit import audit_labels
from emphatic.auto import classifier
from emphatic.datasets import load, names
from emphatic.persistence import read
from emphatic.tables import TableTransformer, decide_columns
from emphatic.tables.policy import drop_columns
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
    SEVENTY: "column 'code' has 140 categories, of which only the 50 most frequent are used",
    UNIQUE: "column 'code' is left out: almost every value is unique (190 of 200)",
}
INDICATORS = {SEVENTY: 50, UNIQUE: 0}


@pytest.mark.parametrize("n_distinct", REMARKS)
def test_the_decision(n_distinct):
    code, size, age = decide_columns(make_table(n_distinct)[0])
    assert (code.remark, len(code.categories), code.left_out) == (
        REMARKS[n_distinct], INDICATORS[n_distinct], n_distinct == UNIQUE
    )  # fmt: skip
    assert set(code.categories) <= {f"c{i:03d}" for i in range(50)}, "the frequent ones"
    assert (size.categories, size.kind, size.remark) == (["m", "s"], "text", "")
    assert (age.categories, age.kind, age.remark) == (None, "numbers", "")


@pytest.mark.parametrize("n_distinct", REMARKS)
def test_the_classifier_follows_it(n_distinct, monkeypatch):
    X, y = make_table(n_distinct)
    few = classifier.list_candidates(N, 2, 2)[:2]
    monkeypatch.setattr(classifier, "list_candidates", lambda *size: few)
    model = EmphaticClassifier(random_state=0).fit(X, y)
    assert REMARKS[n_distinct].removeprefix("c") in model.explain()
    assert model._encoder.transform(X).shape == (N, INDICATORS[n_distinct] + 3)


@pytest.mark.parametrize("n_distinct", REMARKS)
def test_the_audit_follows_it(n_distinct, monkeypatch):
    fitted, fit = [], TableTransformer.fit
    monkeypatch.setattr(TableTransformer, "fit", lambda self, X, y=None: fitted.append(fit(self, X, y)) or self)
    X, y = make_table(n_distinct)
    audit_labels(X, y, cv=2)
    whole = [one for one in fitted if one.remarks_ == [REMARKS[n_distinct]]]
    assert whole, "the whole table was prepared"
    assert all(len(one.categories_[0]) <= INDICATORS[n_distinct] for one in fitted)


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
        assert done.stderr == f"emphatic: {REMARKS[n_distinct]}\n"
    saved = read("m.emphatic")
    assert saved.columns == {**({"code": "text"} if n_distinct == SEVENTY else {}), "size": "text", "age": "numbers"}
    assert saved.model["model"].n_features_in_ == INDICATORS[n_distinct] + 3


def test_the_limits():
    def decide(cells):
        return decide_columns(pd.DataFrame({"a": cells}))[0]

    texts = [f"t{i}" for i in range(100)]
    assert decide(texts[:19]).categories == sorted(texts[:19]), "too few rows to tell"
    assert decide(texts[:20]).left_out
    assert not decide(texts[:90] + texts[:10]).left_out, "nine tenths are not almost all"
    assert decide(texts[:91] + texts[:9]).left_out
    assert decide([*texts[:40], *[None] * 40]).categories == [*sorted(texts[:40]), None], "missing is one category"
    assert decide(np.arange(100.0)).categories is None, "numbers may all be different"
    assert decide([True, False] * 50).categories == ["False", "True"]
    assert decide(texts[:50] * 2).reason == ""
    assert decide(texts[:51] * 2).categories == sorted(texts[:51])[:50], "of equally frequent ones the first"


def test_arrays_and_frames_are_decided_alike():
    X, _ = make_table(SEVENTY)
    first, second = decide_columns(X), decide_columns(X.to_numpy(dtype=object))
    assert [one.categories for one in first] == [one.categories for one in second]
    assert [one.name for one in second] == ["x0", "x1", "x2"]


def test_a_table_of_which_nothing_is_useful():
    X = pd.DataFrame({"id": [f"row {i}" for i in range(30)]})
    with pytest.raises(ValueError, match=r"no column to learn from \(id: almost every value is unique \(30 of 30\)\)"):
        drop_columns(X, decide_columns(X))
    fitted = TableTransformer(columns="useful").set_output(transform="pandas").fit(X)
    assert fitted.transform(X).to_dict("list") == {"zero": [0.0] * 30}


def test_names_of_the_columns_that_are_used():
    X, _ = make_table(UNIQUE)
    fitted = TableTransformer(columns="useful").fit(X)
    assert fitted.get_feature_names_out().tolist() == ["size_m", "size_s", "age"]
    assert len(TableTransformer().fit(X).get_feature_names_out()) == UNIQUE + 3, "all, unless asked otherwise"


def test_bundled_problems_are_used_as_they_are():
    """So the policy changes no published or measured result."""
    assert not [one.remark for name in names() for one in decide_columns(load(name).X) if one.remark]
