"""What a model says of the table: influence against plain retraining, confused classes, groups that disagree."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from emphatic.audit.troubles import find_troubles
from emphatic.audit.troubles.confusions import find_confusions
from emphatic.audit.troubles.disagreement import find_disagreement
from emphatic.audit.troubles.influence import count_changed, find_influential, measure_influence
from emphatic.audit.troubles.model import KernelModel
from tests.audit.troubles.planted import blobs, evidence_of


def retrain(model, targets, rows):
    """Outputs on all rows of a ridge regression on the same features that is trained on these rows."""
    ridge = Ridge(alpha=model.ridge, fit_intercept=False, solver="cholesky", tol=1e-12)
    return ridge.fit(model.path.Z[rows], targets[rows]).predict(model.path.Z)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_influence_is_the_change_after_plain_retraining(n_classes):
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(40, 3)), np.arange(40) % n_classes
    model = KernelModel.fit(X, codes, n_classes, rng)
    influence = measure_influence(model)
    every, targets = np.arange(40), model.path.targets
    outputs = retrain(model, targets, every)
    for row in range(0, 40, 7):
        without = retrain(model, targets, np.delete(every, row))
        change = np.sqrt(np.delete((without - outputs) ** 2, row, axis=0).sum() / 39)
        assert influence[row] == pytest.approx(change, rel=1e-5)
        other = (codes[row] + 1) % n_classes
        corrected = targets.copy()
        corrected[row, codes[row]], corrected[row, other] = -1.0, 1.0
        expected = [
            retrained.argmax(axis=1) != outputs.argmax(axis=1)
            for retrained in (without, retrain(model, corrected, every))
        ]
        assert count_changed(model, row, other) == tuple(int(np.delete(one, row).sum()) for one in expected)


def test_probabilities_without_a_group_are_those_of_a_model_of_the_others():
    X, y = blobs(60, 3)
    model = KernelModel.fit(X, y, 2, np.random.default_rng(0))
    groups = np.arange(60) % 3
    probabilities = model.predict_other_groups(groups)
    outputs = np.empty((60, 2))
    for group in range(3):
        outputs[groups == group] = retrain(model, model.path.targets, np.flatnonzero(groups != group))[groups == group]
    assert (probabilities.argmax(axis=1) == outputs.argmax(axis=1)).all()
    odds = np.log(probabilities[:, 1] / probabilities[:, 0])
    factor = odds[0] / (outputs[0, 1] - outputs[0, 0])
    np.testing.assert_allclose(odds, factor * (outputs[:, 1] - outputs[:, 0]), rtol=1e-4)


def test_the_rows_with_the_largest_influence_are_told_with_what_they_change():
    X, y = blobs(60, 2)
    evidence = evidence_of(X, y)
    found = find_influential(evidence)
    influence = measure_influence(evidence.model)
    assert 0 < len(found) <= 10
    assert {one.rows[0] for one in found} <= set(np.argsort(-influence)[:10].tolist())
    row = found[0].rows[0]
    removed, corrected = count_changed(evidence.model, row, 1 - y[row])
    assert removed + corrected > 0
    start = f"Row {row}, labelled {y[row]}: without it the predictions of {removed} other row"
    assert found[0].explanation.startswith(start)
    assert find_influential(evidence_of(X[:25], y[:25])) == []
    assert find_influential(evidence_of(pd.DataFrame({"a": ["x"] * 60}), y)) == []


def test_confusion_of_two_classes_is_counted_in_both_directions():
    y = np.array(["a"] * 10 + ["b"] * 20 + ["c"] * 10)
    own = np.searchsorted(["a", "b", "c"], y)
    probabilities = np.full((40, 3), 0.1)
    probabilities[np.arange(40), own] = 0.8
    probabilities[[0, 1, 2], 1] = 0.9  # three of a look like b
    probabilities[12, 0] = 0.9  # one of b looks like a
    evidence = evidence_of(np.random.default_rng(0).normal(size=(40, 2)), y, probabilities=probabilities)
    [one] = find_confusions(evidence)
    assert one.rows == (0, 1, 2, 12)
    assert one.score == pytest.approx(3 / 10 + 1 / 20)
    assert "3 of 10 rows labelled a look more like b, 1 of 20 labelled b more like a" in one.explanation


def test_classes_that_nothing_tells_apart_score_one():
    X, y = np.random.default_rng(0).normal(size=(300, 3)), np.array([0, 1] * 150)
    assert find_confusions(evidence_of(X, y))[0].score == pytest.approx(1.0, abs=0.15)
    assert find_confusions(evidence_of(X + 20.0 * y[:, None], y)) == []


def disagreeing(share=0.4, seed=0):
    """Four groups, in the last of which a share of the labels is flipped."""
    X, y = blobs(400, 3, seed)
    X += 2.0 * y[:, None]
    rng = np.random.default_rng([7, seed])
    groups = rng.choice(["north", "east", "south", "west"], 400)
    flipped = (groups == "west") & (rng.random(400) < share)
    return X, np.where(flipped, 1 - y, y), groups, np.flatnonzero(flipped)


@pytest.mark.parametrize("side", ["groups", "annotators"])
def test_the_group_whose_labels_were_flipped_is_found_alone(side):
    X, y, groups, flipped = disagreeing()
    [one] = find_troubles(X, y, **{side: groups}).of(f"disagreeing {side}")
    assert one.explanation.startswith(f"{side.rstrip('s')} west: models of the others contradict ")
    assert one.score > 0.99
    assert np.isin(flipped, one.rows).mean() > 0.8
    table = pd.DataFrame(X, columns=list("abc")).assign(who=groups)
    [named] = find_troubles(table, y, **{side: "who"}).of(f"disagreeing {side}")
    assert named.rows == one.rows


def test_like_groups_and_groups_of_one_row_are_not_reported():
    n_found = 0
    for seed in range(8):
        X, y, groups, _ = disagreeing(0.0, seed)
        n_found += len(find_troubles(X, y, groups=groups).of("disagreeing groups"))
    assert n_found <= 2
    X, y, _, _ = disagreeing(0.0)
    y[0] = 1 - y[0]
    lonely = np.where(np.arange(400) == 0, "lonely", np.where(np.arange(400) % 2, "odd", "even"))
    assert all("lonely" not in one.explanation for one in find_troubles(X, y, groups=lonely).findings)


def test_a_hard_group_is_not_a_wrong_one():
    """Its rows lie between the classes, so that contradictions are to be expected there."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=300) * 3.0, rng.normal(size=100) * 0.3])[:, None]
    y = (rng.random(400) < 1.0 / (1.0 + np.exp(-2.0 * X[:, 0]))).astype(int)
    hard = np.concatenate([np.arange(300) % 3, np.full(100, 3)])
    evidence = evidence_of(X, y)
    contradicted = evidence.model.predict_other_groups(hard).argmax(axis=1) != y
    assert contradicted[hard == 3].mean() > 2.0 * contradicted[hard < 3].mean()
    assert find_disagreement(evidence, hard, ["a", "b", "c", "hard"], "disagreeing groups") == []
