"""`audit_annotators` as a whole: with a table and without."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

from emphatic.audit import AnnotatorAudit, audit_annotators, audit_labels
from tests.audit.annotators.drawn import draw_labels, name_labels

LOGISTIC = LogisticRegression()
ACCURACIES = (0.95, 0.85, 0.75, 0.65, 0.55)
NAMES = np.array(["ape", "bee", "cow"])


def blobs(n=240, missing=0.5, accuracies=ACCURACIES, seed=0, spread=1.0):
    """Three overlapping clouds, their classes, and labels of annotators, each row having one at least."""
    rng = np.random.default_rng(seed)
    true = rng.integers(3, size=n)
    X = np.array([[0, 0], [3, 0], [0, 3]])[true] + spread * rng.normal(size=(n, 2))
    codes = draw_labels(true, accuracies, missing, rng)
    empty = (codes < 0).all(axis=1)
    codes[empty, 0] = true[empty]
    return X, codes, true


@pytest.fixture(scope="module")
def found():
    X, codes, true = blobs()
    return audit_annotators(X, name_labels(codes), LOGISTIC), X, codes, true


def agrees(audit, true):
    return (audit.consensus == NAMES[true]).mean()


# The inputs help


def test_the_consensus_is_better_than_labels_alone_which_are_better_than_majority_vote(found):
    audit, _, codes, true = found
    alone = audit_annotators(None, name_labels(codes))
    majority = (audit.majority == NAMES[true]).mean()
    assert agrees(audit, true) > agrees(alone, true) + 0.03 > majority + 0.05
    assert alone.predictions is None
    assert audit.probability.mean() == pytest.approx(agrees(audit, true), abs=0.03)


def test_qualities_are_near_the_truth(found):
    audit, _, codes, true = found
    given = codes >= 0
    right = ((codes == true[:, None]) & given).sum(axis=0) / given.sum(axis=0)
    np.testing.assert_allclose(audit.quality, right, atol=0.05)
    assert (np.diff(audit.information) < 0.0).all()  # the annotators were drawn best first


def test_one_label_per_row_is_enough_where_the_inputs_tell_the_classes():
    X, codes, true = blobs(300, 0.0, (0.9, 0.5), spread=0.7)
    codes[np.arange(300), np.arange(300) % 2] = -1
    audit = audit_annotators(X, name_labels(codes), LOGISTIC)
    assert agrees(audit, true) > 0.93
    np.testing.assert_allclose(audit.quality, [0.9, 0.5], atol=0.1)


def test_a_model_without_knowledge_changes_little(found):
    _, X, codes, _ = found
    idle = audit_annotators(X, name_labels(codes), DummyClassifier(strategy="prior"))
    alone = audit_annotators(None, name_labels(codes))
    assert (idle.consensus == alone.consensus).mean() > 0.95
    np.testing.assert_allclose(idle.quality, alone.quality, atol=0.03)


def test_rows_without_labels_are_answered_by_the_models_and_flagged():
    X, codes, true = blobs(spread=0.5)
    codes[:20] = -1
    with pytest.warns(UserWarning, match="20 rows without any label, the first at position 0: the models alone"):
        audit = audit_annotators(X, name_labels(codes), LOGISTIC)
    assert (audit.n_labels == 0).sum() == 20
    assert (audit.consensus[:20] == NAMES[true[:20]]).all()
    assert set(audit.majority[:20]) == {None}
    np.testing.assert_allclose(audit.probabilities[:20], audit.predictions[:20], atol=1e-8)
    with pytest.warns(UserWarning, match="the frequencies of the classes answer"):
        alone = audit_annotators(None, name_labels(codes))
    assert (alone.probabilities[:20] == alone.probabilities[0]).all()


def test_what_models_say_of_a_row_does_not_depend_on_its_own_labels():
    X, codes, _ = blobs(60)
    changed = codes.copy()
    changed[7] = np.where(codes[7] >= 0, (codes[7] + 1) % 3, -1)
    one, other = (audit_annotators(X, name_labels(each), LOGISTIC, cv=60) for each in (codes, changed))
    np.testing.assert_allclose(one.predictions[7], other.predictions[7], atol=0.05)
    assert np.abs(one.probabilities[7] - other.probabilities[7]).max() > 0.2


def test_the_models_of_the_label_audit_are_the_default(found):
    _, X, codes, true = found
    table = pd.DataFrame(X, columns=["a", "b"], index=[f"r{i}" for i in range(len(X))])
    calls = []
    labels = pd.DataFrame(name_labels(codes), columns=list("vwxyz"))
    audit = audit_annotators(table, labels, cv=3, progress=lambda done, total: calls.append((done, total)))
    assert agrees(audit, true) > 0.92
    assert calls == [(i, 6) for i in range(1, 7)]
    assert audit.index[0] == "r0" and audit.annotators.tolist() == list("vwxyz")


# What must hold exactly


def test_the_same_seed_gives_the_same_audit_for_every_number_of_jobs(found):
    audit, X, codes, _ = found
    again = audit_annotators(X, name_labels(codes), LOGISTIC, n_jobs=2)
    assert (again.probabilities == audit.probabilities).all()
    other = audit_annotators(X, name_labels(codes), LOGISTIC, random_state=1)
    assert (other.probabilities != audit.probabilities).any()


def test_the_order_of_rows_and_annotators_does_not_matter():
    X, codes, _ = blobs(60)
    rng = np.random.default_rng(3)
    rows, annotators = rng.permutation(60), rng.permutation(5)
    one = audit_annotators(X, name_labels(codes), LOGISTIC, cv=60)  # one row per fold: no fold depends on the order
    other = audit_annotators(X[rows], name_labels(codes[rows][:, annotators]), LOGISTIC, cv=60)
    np.testing.assert_allclose(other.probabilities, one.probabilities[rows], atol=1e-4)
    np.testing.assert_allclose(other.quality, one.quality[annotators], atol=1e-4)
    np.testing.assert_allclose(other.gain, one.gain[rows], atol=1e-3)


def test_the_result_fits_together(found):
    audit, _, codes, _ = found
    assert isinstance(audit, AnnotatorAudit)
    np.testing.assert_allclose(audit.probabilities.sum(axis=1), 1.0)
    assert (audit.probability == audit.probabilities.max(axis=1)).all()
    assert (audit.consensus == audit.classes[audit.probabilities.argmax(axis=1)]).all()
    given = codes >= 0
    assert (audit.n_labels == given.sum(axis=1)).all() and (audit.n_given == given.sum(axis=0)).all()
    assert (audit.labels == name_labels(codes)).all()
    assert (np.isnan(audit.suspicion) == ~given).all()
    np.testing.assert_allclose(audit.quality, 1.0 - np.nanmean(audit.suspicion, axis=0))
    table = audit.table
    assert list(table.columns) == ["index", "consensus", "probability", "majority", "labels", "gain", "ask"]
    assert table["gain"].is_monotonic_decreasing and sorted(table["index"]) == list(range(240))
    for row, asked in enumerate(audit.ask):  # who has given a label is not asked again
        assert (asked is None and given[row].all()) or not given[row, audit.annotators.tolist().index(asked)]
    people = audit.annotator_table
    assert list(people.columns) == ["annotator", "labels", "quality", "information", "kappa", "mistake"]
    assert people["quality"].is_monotonic_decreasing
    assert people["mistake"].str.fullmatch(r"(ape|bee|cow) for (ape|bee|cow) \(\d+%\)").all()
    assert audit.summary().startswith(f"240 rows, 5 annotators, {given.sum()} labels of 3 classes.")


def test_one_annotator_is_the_consensus_and_that_is_said():
    labels = [["a"], ["b"], ["a"], ["a"]]
    with pytest.warns(UserWarning, match="only one annotator has given labels: .* the quality is not known"):
        audit = audit_annotators(None, labels)
    assert audit.consensus.tolist() == ["a", "b", "a", "a"]
    assert audit.ask.tolist() == [None] * 4
    assert np.isnan(audit.krippendorff_alpha) and np.isnan(audit.annotator_table["kappa"][0])
    assert "Agreement" not in audit.summary()


def test_annotators_who_always_agree_have_a_quality_of_nearly_one():
    labels = np.repeat(np.array(["a", "b"] * 50)[:, None], 3, axis=1)
    audit = audit_annotators(None, labels)
    assert audit.quality.min() > 0.999 and audit.information.min() > 0.8
    assert audit.krippendorff_alpha == audit.fleiss_kappa == 1.0
    assert audit.gain.max() < 0.01


def test_a_tie_without_other_evidence_is_the_first_class():
    audit = audit_annotators(None, [["a", "b"], ["b", "a"], ["a", "a"], ["b", "b"]])
    assert audit.consensus.tolist() == ["a", "a", "a", "b"]
    assert audit.probability[:2] == pytest.approx(0.5)
    assert audit.order[:2].tolist() == [0, 1]


# Annotators of whom little can be learnt


def test_an_annotator_with_one_label_is_named_and_counts_little():
    X, codes, true = blobs()
    labels = pd.DataFrame(name_labels(codes), columns=list("vwxyz"))
    labels["always"] = "cow"
    with pytest.warns(
        UserWarning, match="annotator 'always' has given the label 'cow' to all its 240 rows: this does not"
    ):
        audit = audit_annotators(X, labels, LOGISTIC)
    assert audit.information[-1] < 0.02
    assert agrees(audit, true) > 0.9
    assert audit.quality[-1] == pytest.approx((true == 2).mean(), abs=0.05)


def test_an_annotator_without_labels_is_named_and_has_no_quality(tmp_path):
    _, codes, _ = blobs()
    labels = pd.DataFrame(name_labels(codes), columns=list("vwxyz"))
    without = audit_annotators(None, labels)
    labels["idle"] = None
    with pytest.warns(UserWarning, match="annotator 'idle' has given no label"):
        audit = audit_annotators(None, labels)
    assert np.isnan(audit.quality[-1]) and np.isnan(audit.information[-1]) and np.isnan(audit.confusion[-1]).all()
    assert "idle" not in audit.ask
    assert audit.annotator_table["annotator"].iloc[-1] == "idle"
    np.testing.assert_allclose(audit.probabilities, without.probabilities, atol=1e-8)
    audit.to_html(tmp_path / "page.html")


def test_rows_without_inputs_rest_on_their_labels():
    X, codes, _ = blobs()
    X[:10] = np.nan
    audit = audit_annotators(X, name_labels(codes))
    assert np.isfinite(audit.probabilities).all()
    assert audit.predictions[:10].max() < audit.predictions[10:].max(axis=1).mean()


# The page


def test_the_page_shows_annotators_questions_and_confusion(found, tmp_path):
    found[0].to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for title in ("Annotators", "Where to ask once more", "Confusion matrices"):
        assert f">{title}</h2>" in page
    assert page.count("labels given to rows of a class") == 5
    worst = found[0].order[0]
    assert f"<tr><td>{worst}</td>" in page.partition("Where to ask once more</h2>")[2]


def test_the_page_runs_nothing_of_the_table(tmp_path):
    labels = pd.DataFrame({"<script>x</script>": ["<b>", "a", "a"], "bob": ["a", "<b>", "a"]})
    audit_annotators(None, labels).to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;x" in page and "<script>x" not in page and "<b>" not in page


# Bad input


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"X": np.zeros((9, 1))}, ValueError, "X has 9 rows but labels has 10: .* X is None"),
        ({"X": np.zeros(10)}, ValueError, "Expected 2D array"),
        ({"cv": 1}, ValueError, "cv=1 is not allowed"),
        ({"cv": 11}, ValueError, "cv=11 is not allowed: there are only 10 rows with a label"),
        ({"estimator": "svm"}, TypeError, "estimator='svm' is not allowed"),
        ({"X": None, "estimator": LogisticRegression}, TypeError, "must be a classifier"),
        ({"n_jobs": 0}, ValueError, "n_jobs=0 is not allowed"),
        ({"random_state": -1}, ValueError, "random_state=-1"),
        ({"labels": [0, 1] * 5}, ValueError, "one column per annotator"),
        ({"columns": {"z": "text"}}, ValueError, "unknown column z"),
    ],
)
def test_bad_input_is_refused_by_name(change, error, message):
    arguments = {"X": np.arange(10.0)[:, None], "labels": [[0, 1], [1, 0]] * 5, **change}
    with pytest.raises(error, match=message):
        audit_annotators(**arguments)


def test_the_audit_of_one_label_per_row_sends_several_columns_here():
    with pytest.raises(
        ValueError, match=r"y should be a 1d array, but has 2 columns: .* audit_annotators\(X, labels\)"
    ):
        audit_labels(np.zeros((4, 1)), [["a", "b"]] * 4)
