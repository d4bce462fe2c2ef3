"""A fit that is interrupted and run again is the fit that was not interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.boosting import checkpoint
from emphatic.emphasis import DynamicMixed, Mixed
from emphatic.learners import SampledCentres
from tests.partitions.conftest import make_table, split

X, Y = make_table()
NETWORK = RBFNetworkClassifier(SampledCentres(n_centres=10))
MODEL = RealAdaBoostClassifier(NETWORK, Mixed(0.3), 6, random_state=0)


class Killed(Exception):
    """Ends a fit as a lost scheduler would."""


def interrupt(monkeypatch: pytest.MonkeyPatch, model: Any, rounds: int, *table: Any) -> None:
    """Fit until that many rounds are trained."""
    trained = 0
    train_all = checkpoint.train_all

    def train_some(trainings: Any) -> Any:
        nonlocal trained
        if trained == rounds:
            raise Killed
        trained += 1
        return train_all(trainings)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "train_all", train_some)
        with pytest.raises(Killed):
            model.fit(*table)


@pytest.mark.parametrize("table", [(X, Y), split(X, Y, (300, 150, 430, 20))], ids=["in memory", "in partitions"])
@pytest.mark.parametrize(
    "model",
    [MODEL, clone(MODEL).set_params(emphasis=DynamicMixed((0.2, 0.7))), clone(MODEL).set_params(negative="flip")],
    ids=["mixed", "several candidates", "flip"],
)
def test_a_second_run_goes_on(model: Any, table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = clone(model).set_params(checkpoint=str(tmp_path / "fit"))
    interrupt(monkeypatch, kept, 4, *table)
    calls = []
    train_all = checkpoint.train_all
    monkeypatch.setattr(checkpoint, "train_all", lambda trainings: calls.append(trainings) or train_all(trainings))
    found, expected = kept.fit(*table), clone(model).fit(*table)
    assert len(calls) == 2  # rounds 5 and 6; the first four were read
    np.testing.assert_allclose(found.alphas_, expected.alphas_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), rtol=0, atol=1e-10)


def test_more_rounds_grow_further_and_a_finished_fit_is_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = clone(MODEL).set_params(checkpoint=str(tmp_path), estimator=DecisionTreeClassifier(max_depth=2))
    kept.fit(X, Y)
    longer = clone(kept).set_params(n_estimators=8).fit(X, Y)
    plain = clone(longer).set_params(checkpoint=None).fit(X, Y)
    np.testing.assert_allclose(longer.decision_function(X), plain.decision_function(X), rtol=0, atol=1e-10)
    monkeypatch.setattr(checkpoint, "train_all", None)  # would raise if it were called
    np.testing.assert_array_equal(clone(longer).fit(X, Y).predict(X), plain.predict(X))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"emphasis__lam": 0.4}, r"holds another fit: emphasis was Mixed\(lam=0.3\) and is Mixed\(lam=0.4\)"),
        ({"random_state": 1}, "holds another fit: random_state was 0 and is 1"),
        ({"random_state": None}, "random_state=None is not allowed with a checkpoint"),
        ({"checkpoint": 5}, "checkpoint=5 is not allowed"),
    ],
)
def test_another_fit_is_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    kept = clone(MODEL).set_params(checkpoint=str(tmp_path), n_estimators=2).fit(X, Y)
    with pytest.raises((ValueError, TypeError), match=message):
        clone(kept).set_params(**change).fit(X, Y)


def test_other_rows_and_unreadable_folders_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "fit"
    kept = clone(MODEL).set_params(checkpoint=str(folder), n_estimators=2).fit(X, Y)
    with pytest.raises(ValueError, match="number of rows was 900 and is 600"):
        clone(kept).fit(X[:600], Y[:600])
    with pytest.raises(ValueError, match=r"round-00000-0-0.emphatic answers otherwise to these rows"):
        clone(kept).fit(X[::-1] + 0.5, Y)
    (folder / "round-00001-0-0.emphatic").write_bytes(b"half a file")
    with pytest.raises(ValueError, match="is not a model that emphatic saved"):
        clone(kept).fit(X, Y)
    (folder / checkpoint.DESCRIPTION).write_text("{")
    with pytest.raises(ValueError, match="cannot be used"):
        clone(kept).fit(X, Y)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot be used"):
        clone(kept).set_params(checkpoint=str(tmp_path / "file")).fit(X, Y)


def test_learners_that_cannot_be_saved_are_refused_before_training(tmp_path: Path) -> None:
    from sklearn.svm import SVC

    with pytest.raises(ValueError, match="SVC cannot be saved"):
        clone(MODEL).set_params(checkpoint=str(tmp_path), estimator=SVC()).fit(X, Y)
