"""`EmphaticClassifier` on collections: small ones as in memory; large ones alike, however they are partitioned."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from emphatic import EmphaticClassifier
from emphatic.auto.partitioned import fitting
from emphatic.auto.partitioned.sampling import draw_sample
from emphatic.auto.partitioned.trees import AllRowsTrees
from emphatic.auto.searching import attempt
from emphatic.partitions import open_parts
from emphatic.persistence import load, save
from tests.auto.few import FEW
from tests.export.agreement import assert_agrees

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

N = 900
SAMPLED = EmphaticClassifier(sample_size=300, random_state=0)


@pytest.fixture(autouse=True)
def small_search(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Few candidates, few rounds, and no threads to wait for."""
    monkeypatch.setattr(attempt, "list_candidates", lambda *size, **how: FEW)
    monkeypatch.setattr(fitting, "AllRowsTrees", partial(AllRowsTrees, checkpoints=(2, 4), leaves=4))
    with dask.config.set(scheduler="synchronous"):
        yield


def make_frame() -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers with gaps, categories and dates; three classes of different frequency."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(size=N), "colour": rng.choice(["red", "green", "blue"], N)})
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, N), "D")
    frame.loc[rng.random(N) < 0.1, "size"] = np.nan
    score = frame["size"].fillna(0.0) + (frame["colour"] == "red") + 0.3 * rng.normal(size=N)
    return frame, np.array(["low", "mid", "high"], dtype=object)[np.digitize(score, [0.5, 1.8])]


def partition(frame: pd.DataFrame, sizes: tuple[int, ...]) -> Any:
    """A Dask data frame with partitions of these sizes, which it does not know."""
    ends = np.cumsum(sizes)
    return join([frame.iloc[end - size : end] for end, size in zip(ends, sizes, strict=True)])


def join(parts: list[pd.DataFrame]) -> Any:
    """A Dask data frame of these partitions, as they are."""
    return dd.from_map(lambda k: parts[k], range(len(parts)), meta=parts[0].iloc[:0], enforce_metadata=False)


@pytest.mark.parametrize("by_class", [False, True])
def test_how_the_rows_are_partitioned_does_not_matter(by_class: bool) -> None:
    frame, y = make_frame()
    if by_class:  # every partition lacks a class
        order = np.argsort(y, kind="stable")
        frame, y = frame.iloc[order], y[order]
    one = EmphaticClassifier(sample_size=300, random_state=0).fit(partition(frame, (N,)), y)
    other = EmphaticClassifier(sample_size=300, random_state=0)
    other.fit(partition(frame, (0, 400, 1, 0, 499)), da.from_array(y, chunks=331))
    np.testing.assert_allclose(other.predict_proba(frame), one.predict_proba(frame), rtol=0, atol=1e-10)
    assert other.explain() == one.explain()


def test_every_member_says_what_it_was_trained_on() -> None:
    frame, y = make_frame()
    model = EmphaticClassifier(sample_size=300, random_state=0).fit(partition(frame, (400, 500)), y)
    assert "The collection has 900 rows. Losses, weights, calibration and decision are those of 50 rows" in (
        model.explain()
    )
    assert "trained on all others (850), and the rest on a stratified sample of at most 250" in model.explain()
    assert f"of {850} rows" in model.search_results_["candidate"].str.cat()
    assert model.out_of_fold_.shape == (50, 3)
    assert len(model.held_out_rows_) == 50
    assert model.importances_["column"].tolist()[0] in ("size", "colour")


def test_a_collection_of_a_sample_s_size_is_fitted_as_in_memory() -> None:
    frame, y = make_frame()
    weights = np.linspace(0.0, 2.0, N)
    expected = EmphaticClassifier(random_state=0).fit(frame, y, weights)
    found = EmphaticClassifier(random_state=0).fit(partition(frame, (400, 500)), da.from_array(y, chunks=90), weights)
    np.testing.assert_array_equal(found.predict_proba(frame), expected.predict_proba(frame))
    assert "small enough to be gathered" in found.explain()
    assert not hasattr(found, "held_out_rows_")


def test_an_array_is_a_table_too() -> None:
    frame, y = make_frame()
    numbers = np.column_stack([frame["size"], frame["colour"] == "red"])
    array = da.from_array(numbers, chunks=(250, 1))
    expected = SAMPLED.fit(array, y).predict_proba(numbers)
    np.testing.assert_allclose(SAMPLED.fit(array[np.ones(N, bool)], y).predict_proba(numbers), expected, atol=1e-10)
    unknown = array[da.from_array(np.ones(N, bool), chunks=250)]
    assert np.isnan(unknown.shape[0])
    np.testing.assert_allclose(SAMPLED.fit(unknown, y).predict_proba(numbers), expected, rtol=0, atol=1e-10)


def test_predictions_of_collections_are_lazy_and_those_of_the_rows() -> None:
    frame, y = make_frame()
    model = EmphaticClassifier(random_state=0, decision="f1").fit(frame, y)
    rows = partition(frame, (400, 0, 500))
    for method in (model.predict, model.predict_proba, model.predict_sets, model.rejects, model.decision_function):
        answer = method(rows)
        assert hasattr(answer, "__dask_graph__")
        np.testing.assert_array_equal(answer.compute(), method(frame))
    assert model.score(rows, y) == model.score(frame, y)
    with pytest.raises(ValueError, match="coverage"):
        model.predict_sets(rows, coverage=2.0)


def test_model_file_and_onnx_are_those_of_any_model(tmp_path: Path) -> None:
    frame, y = make_frame()
    frame = frame.drop(columns="day")
    model = EmphaticClassifier(sample_size=300, random_state=0).fit(partition(frame, (400, 500)), y)
    save(model, tmp_path / "model.emphatic")
    found = load(tmp_path / "model.emphatic")
    np.testing.assert_array_equal(found.predict_proba(frame), model.predict_proba(frame))
    assert found.explain() == model.explain()
    assert_agrees(model, frame, atol=1e-5)


def test_a_sample_has_the_shares_of_the_classes_and_holds_rows_out() -> None:
    frame, y = make_frame()
    weights = np.where(np.arange(N) % 10 == 0, 0.0, 1.0)
    samples = [
        draw_sample(open_parts(partition(frame, sizes), y, weights), 300, np.random.default_rng(5))
        for sizes in ((N,), (100, 799, 1))
    ]
    for one, other in zip(*samples, strict=True):
        assert one.equals(other) if isinstance(one, pd.DataFrame) else (one == other).all()
    sample = samples[0]
    assert (sample.numbers % 10 > 0).all()
    shares = np.unique(y[weights > 0], return_counts=True)[1] * (300 / (weights > 0).sum())
    np.testing.assert_allclose(np.bincount(sample.codes), shares, atol=1.0)
    np.testing.assert_allclose(np.bincount(sample.codes[sample.held_out]), shares / 6, atol=0.5)
    pd.testing.assert_frame_equal(sample.table, frame.iloc[sample.numbers].reset_index(drop=True), check_dtype=False)


def test_a_label_that_only_rows_of_weight_0_have_is_no_class() -> None:
    frame, y = make_frame()
    absent = np.arange(N) % 10 == 0
    weights = np.where(absent, 0.0, 1.0)
    for size in (300, 2 * N):  # sampled, and gathered
        models = [
            EmphaticClassifier(sample_size=size, random_state=0).fit(partition(frame, (400, 500)), labels, weights)
            for labels in (y, np.where(absent, "zero", y))
        ]
        assert models[1].classes_.tolist() == models[0].classes_.tolist()
        answers = [model.predict_proba(frame) for model in models]
        np.testing.assert_array_equal(*answers)


def test_class_weights_are_those_of_all_rows() -> None:
    frame, y = make_frame()
    weighted = EmphaticClassifier(sample_size=300, random_state=0, class_weight="balanced")
    opened = open_parts(partition(frame, (400, 500)), y, np.ones(N))
    counts = np.unique(y, return_counts=True)[1]
    np.testing.assert_allclose(fitting.weigh_rows("balanced", opened), N / (3 * counts))
    np.testing.assert_allclose(fitting.weigh_rows({"low": 5.0}, opened), [1.0, 5.0, 1.0])
    rare = counts.argmin()
    plain = SAMPLED.fit(partition(frame, (400, 500)), y).predict_proba(frame)
    balanced = weighted.fit(partition(frame, (400, 500)), y).predict_proba(frame)
    assert balanced[:, rare].mean() > plain[:, rare].mean()


def test_categories_may_differ_between_partitions() -> None:
    frame, y = make_frame()
    expected = SAMPLED.fit(partition(frame.astype({"colour": "category"}), (400, 500)), y).predict_proba(frame)
    order = np.argsort(frame["colour"].to_numpy(), kind="stable")
    assert set(frame["colour"].iloc[order[:100]]) == {"blue"}
    halves = [frame.iloc[:400], frame.iloc[400:]]
    halves = [half.astype({"colour": pd.CategoricalDtype(levels)}) for half, levels in zip(halves, LEVELS, strict=True)]
    rows = join(halves)
    np.testing.assert_allclose(SAMPLED.fit(rows, y).predict_proba(frame), expected, rtol=0, atol=1e-10)


LEVELS = ["red", "green", "blue"], ["blue", "grey", "green", "red"]


def test_what_cannot_be_had_with_collections_is_refused_by_name() -> None:
    frame, y = make_frame()
    rows = partition(frame, (400, 500))
    with pytest.raises(ValueError, match="groups is not allowed with a Dask collection"):
        SAMPLED.fit(rows, y, groups=np.arange(N))
    for name in ("time_budget", "work_budget"):
        with pytest.raises(ValueError, match=f"{name} is not allowed with a Dask collection: .* smaller sample_size"):
            EmphaticClassifier(**{name: 5.0}).fit(rows, y)
    sparse = da.from_array(np.eye(N), chunks=(300, -1)).map_blocks(csr_array)
    with pytest.raises(TypeError, match="sparse blocks"):
        SAMPLED.fit(sparse, y)
    with pytest.raises(TypeError, match="y is a Dask collection and X is not"):
        SAMPLED.fit(frame, da.from_array(y, chunks=100))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda frame: frame.astype({"size": object}).fillna("none"),
            "'size' holds numbers in partition 0 of X and text in partition 1 of X",
        ),
        (lambda frame: frame.assign(day=frame["day"].astype(str)), "'day' holds dates in partition 0 of X and text"),
        (
            lambda frame: frame.rename(columns={"size": "weight"}),
            r"partition 1 of X has other columns than partition 0 of X \('size', 'weight'\)",
        ),
        (lambda frame: frame[["colour", "size", "day"]], "another order"),
    ],
)
def test_columns_that_differ_between_partitions_are_named(change: Any, message: str) -> None:
    frame, y = make_frame()
    rows = join([frame.iloc[:400], change(frame.iloc[400:])])
    with pytest.raises(ValueError, match=message):
        SAMPLED.fit(rows, y)


def test_a_column_without_values_in_a_partition_is_of_any_kind() -> None:
    frame, y = make_frame()
    frame.loc[:399, "size"] = np.nan
    rows = join([frame.iloc[:400].astype({"size": object}), frame.iloc[400:]])
    expected = SAMPLED.fit(partition(frame, (N,)), y).predict_proba(frame)
    np.testing.assert_allclose(SAMPLED.fit(rows, y).predict_proba(frame), expected, rtol=0, atol=1e-10)


def test_a_partition_that_cannot_be_read_is_named_with_its_file() -> None:
    frame, y = make_frame()

    def read(path: str) -> pd.DataFrame:
        if "2" in path:
            raise OSError("the disk is gone")
        return frame.iloc[:300]

    rows = dd.from_map(read, ["a.1.parquet", "a.2.parquet", "a.3.parquet"], meta=frame.iloc[:0])
    with pytest.raises(ValueError, match=r"Partition 1 \(a.2.parquet\) cannot be read: OSError: the disk is gone"):
        SAMPLED.fit(rows, y)


@pytest.mark.parametrize(
    ("n", "labels", "weights", "message"),
    [
        (1, None, None, "only one class"),
        (0, None, None, "X has 0 rows"),
        (N, np.ones(N), None, "only one class"),
        (N, np.zeros(5), None, "X has 900 rows but y has 5 labels"),
        (N, None, np.zeros(N), "sample_weight is 0 for all rows"),
        (N, None, -np.ones(N), "sample_weight must hold finite numbers of at least 0, and does not in partition 0"),
    ],
)
def test_bad_input(n: int, labels: Any, weights: Any, message: str) -> None:
    frame, y = make_frame()
    rows = partition(frame.iloc[:n], (min(n, 400), max(n - 400, 0)))
    with pytest.raises(ValueError, match=message):
        SAMPLED.fit(rows, y[:n] if labels is None else labels, weights)
    with pytest.raises(ValueError, match="sample_size"):
        EmphaticClassifier(sample_size=10).fit(rows, y)
