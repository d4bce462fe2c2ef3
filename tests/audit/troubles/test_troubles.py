"""All troubles of a table: what is told, in which forms, and what is refused."""

import html
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

from emphatic.audit import Finding, Troubles, audit_labels, find_troubles, page
from emphatic.audit.troubles import KINDS
from emphatic.report.page import write_page
from tests.audit.audits import fruits
from tests.audit.troubles.planted import blobs


def messy():
    """A table with a trouble of nearly every kind."""
    X, y = blobs(300, 5)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(X, columns=list("abcde"))
    table["same"], table["key"] = 1.0, [f"k{i}" for i in range(300)]
    labels = np.where(y == 1, "yes", "no").astype(object)
    labels[:6] = "maybe"
    table["copy"] = np.where(labels == "yes", 7.0, np.where(labels == "no", 8.0, 9.0))
    table.loc[rng.choice(300, 60, replace=False), "b"] = np.nan
    table["e"] += np.linspace(0, 3, 300)
    table.loc[10, "a"], table.loc[11, list("abcde")] = 70.0, table.loc[12, list("abcde")]
    labels[11] = "no" if labels[12] == "yes" else "yes"
    table.loc[11, "copy"] = table.loc[12, "copy"]
    return table, labels


@pytest.fixture(scope="module")
def found():
    return find_troubles(*messy())


def test_each_kind_is_found_where_it_is(found):
    columns = {kind: [name for one in found.of(kind) for name in one.columns] for kind in found.kinds}
    assert isinstance(found, Troubles) and all(isinstance(one, Finding) for one in found.findings)
    assert columns["leaking columns"] == ["copy"]
    assert columns["columns left out"] == ["same", "key"]
    assert columns["missing values"] == ["b"]
    assert "e" in columns["drift"]
    assert found.of("missing values")[0].score == pytest.approx(0.2, abs=0.01)
    assert found.of("outliers")[0].rows == (10,)
    assert found.of("exact duplicates")[0].rows == found.of("conflicting duplicates")[0].rows == (11, 12)
    [rare] = found.of("rare classes")
    assert rare.rows == tuple(range(6)) and rare.score == pytest.approx(1 - 6 / 100)
    assert rare.explanation == "maybe is the label of 6 of 300 rows (2%)."


def test_findings_are_ordered_by_kind_and_score_and_their_scores_are_shares(found):
    assert found.kinds == [kind for kind in KINDS if kind in {one.kind for one in found.findings}]
    keys = [(list(KINDS).index(one.kind), -one.score) for one in found.findings]
    assert keys == sorted(keys)
    assert all(0.0 <= one.score <= 1.0 for one in found.findings)
    for kind, scores in found.scores.items():
        assert scores.shape == (300,)
        for one in found.of(kind):
            assert (scores[list(one.rows)] >= one.score - 1e-12).all()


def test_table_summary_and_explanation_tell_all_kinds(found):
    table = found.table()
    assert list(table.columns) == ["kind", "score", "rows", "columns", "explanation"]
    assert len(table) == len(found) == len(found.findings)
    assert len(found.summary().splitlines()) == len(found.kinds)
    assert all(KINDS[kind] in found.explain() for kind in found.kinds)
    assert "and " in found.explain(most=1) and len(found.explain(most=1)) < len(found.explain())


def test_rows_are_told_by_their_names():
    table, labels = messy()
    named = find_troubles(table.set_index("key"), labels)
    assert named.of("outliers")[0].rows == (10,)
    assert named.of("outliers")[0].explanation.startswith("Row k10 is unlike any other")
    assert named.table().query("kind == 'exact duplicates'")["rows"].iloc[0] == ["k11", "k12"]


def test_a_table_without_trouble_says_so():
    X = np.random.default_rng(0).uniform(size=(300, 3))
    X = X[np.abs(X.sum(axis=1) - 1.5) > 0.2]
    clean = find_troubles(X, (X.sum(axis=1) > 1.5).astype(int))
    assert len(clean) == 0 and clean.kinds == [] and clean.to_sections() == []
    assert clean.summary() == clean.explain() == "No other trouble was found."
    assert len(clean.table()) == 0


def test_pandas_polars_and_lists_give_the_same_findings():
    X, y = blobs(120, 3)
    X[5, 1] = 44.0
    table = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    tables = [table, pl.from_pandas(table), X, X.tolist()]
    first, *others = (find_troubles(one, y).findings for one in tables)
    assert first and all(one == first for one in others)


def test_columns_are_used_as_the_user_wants():
    table, labels = messy()
    found = find_troubles(table, labels, columns={"same": "ignore", "copy": "ignore"})
    assert [one.columns for one in found.of("columns left out")] == [("key",)]
    assert found.of("leaking columns") == []


def test_the_same_seed_gives_the_same_findings_and_progress_is_told():
    X, y = blobs(150, 3)
    calls = []
    one = find_troubles(X, y, random_state=4, progress=lambda done, total: calls.append((done, total)))
    assert one.findings == find_troubles(X, y, random_state=4).findings
    assert calls == [(i, len(calls)) for i in range(1, len(calls) + 1)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": [0, 1] * 10}, "X has 60 rows but y has 20 labels"),
        ({"y": [0] * 60}, "only one class"),
        ({"groups": ["a"] * 60}, "groups holds one group only"),
        ({"annotators": ["a"] * 60}, "annotators holds one annotator only"),
        ({"annotators": ["a"] * 59}, r"annotators has shape \(59,\)"),
        (
            {"annotators": [None, *["a", "b"] * 29, "a"]},
            "annotators has no value in 1 row: every row needs its annotator",
        ),
        ({"groups": "colour"}, "unknown column colour"),
        ({"probabilities": np.ones((60, 3))}, r"probabilities has shape \(60, 3\)"),
        ({"probabilities": np.full((60, 2), np.nan)}, "negative, NaN or infinite"),
        ({"columns": {"x9": "number"}}, "unknown column x9"),
        ({"random_state": -1}, "random_state=-1 is not allowed"),
    ],
)
def test_bad_input_is_refused_by_name(change, message):
    X, y = blobs(60, 2)
    with pytest.raises((ValueError, TypeError), match=message):
        find_troubles(**{"X": X, "y": y, **change})


def test_unknown_kinds_and_lengths_are_refused(found):
    with pytest.raises(ValueError, match="kind='typos' is not allowed"):
        found.of("typos")
    with pytest.raises(ValueError, match="most=0 is not allowed"):
        found.explain(most=0)


@pytest.mark.parametrize("n", [2, 3, 12])
def test_tiny_tables_are_no_error(n):
    X = np.random.default_rng(0).normal(size=(n, 2))
    assert isinstance(find_troubles(X, np.arange(n) % 2), Troubles)
    assert isinstance(find_troubles(pd.DataFrame({"a": ["x"] * n}), np.arange(n) % 2), Troubles)


# The audit and its page


def test_an_audit_hands_on_its_probabilities_and_columns():
    table, labels = messy()
    table = table.drop(columns="copy")
    model = LogisticRegression(max_iter=1000)
    numbers = table[["a", "c", "d"]]
    audit = audit_labels(numbers, labels, model, columns={"d": "ignore"})
    ours = audit.troubles(time=np.arange(300))
    direct = find_troubles(
        numbers, labels, probabilities=audit.probabilities, columns={"d": "ignore"}, time=np.arange(300)
    )
    assert ours.findings == direct.findings
    [one] = [one for one in ours.of("confused classes") if "no and yes" in one.explanation]
    own = audit.probabilities[np.arange(300), np.searchsorted(audit.classes, labels)]
    pair = np.isin(labels, ["no", "yes"])
    beyond = pair & (audit.probabilities[:, np.searchsorted(audit.classes, ["no", "yes"])].max(axis=1) > own)
    assert one.rows == tuple(np.flatnonzero(beyond).tolist())


def test_constants_of_an_array_are_told_though_the_audit_uses_them():
    X, y = blobs(60, 2)
    audit = audit_labels(np.column_stack([X, np.ones(60)]), y, LogisticRegression())
    assert [one.columns for one in audit.troubles().of("columns left out")] == [("x2",)]


def test_the_page_has_a_section_for_each_kind_and_runs_nothing_of_the_data(found, tmp_path):
    nasty = Finding("outliers", 1.0, "<script>alert(1)</script>", (0,))
    troubles = Troubles([*found.findings, nasty], found.index, found.scores)
    audit = fruits()
    path = tmp_path / "page.html"
    audit.to_html(path, troubles=troubles)
    text = path.read_text(encoding="utf-8")
    assert re.findall(r'<section id="trouble-([\w-]+)"', text) == [kind.replace(" ", "-") for kind in found.kinds]
    assert all(f'href="#trouble-{kind.replace(" ", "-")}"' in text for kind in found.kinds)
    assert html.escape(nasty.explanation) in text and nasty.explanation not in text
    assert len(re.findall(r"<script\b", text)) == 2
    assert "trouble" not in page.render_page(audit).replace(page.read_part("emphatic.audit", "troubles.css"), "")
    write_page(tmp_path / "own.html", "Troubles", "Of a table.", troubles.to_sections())


def test_a_page_lists_the_first_of_many(found):
    many = Troubles([Finding("outliers", 1.0, f"Row {i}.", (i,)) for i in range(45)], np.arange(45), {})
    [section] = many.to_sections()
    assert section.title == "Outliers (45)" and len(section.grids[0].rows) == 20
    assert section.grids[0].caption == "The first 20 of 45."
    [wide] = Troubles([Finding("rare classes", 1.0, "a", tuple(range(30)))], np.arange(45), {}).to_sections()
    assert wide.title == "Rare classes (1, 30 rows)"
    assert wide.grids[0].rows[0][1] == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... (30)"
