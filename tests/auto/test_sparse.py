"""Sparse matrices: all columns for linear members, a dense reduction for the others, nothing that needs them dense."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from emphatic.auto import EmphaticClassifier
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.linear import NaiveBayes, SparseLogistic, list_sparse_candidates
from emphatic.auto.candidates.networks import Network
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.searching import attempt as module
from emphatic.auto.sparse import FEW_COLUMNS, SparseEncoder, as_csr
from emphatic.export import to_onnx
from emphatic.persistence import load, save

FEW = (
    NaiveBayes(),
    SparseLogistic((1.0, 10.0)),
    KernelRidge("euclidean", 0.5),
    Network(n_units=8, dropout=0.2, checkpoints=(20, 40)),
)


@pytest.fixture
def few_candidates(monkeypatch):
    monkeypatch.setattr(module, "list_sparse_candidates", lambda columns: FEW)


def words(n=90, n_columns=800, n_classes=3, seed=0):
    """Counts of words, half of which are drawn from those that a class prefers."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    drawn = (n_columns * rng.random((n, 30)) ** 3).astype(int)
    preferred = (drawn // n_classes * n_classes + y[:, None]).clip(max=n_columns - 1)
    chosen = np.where(rng.random((n, 30)) < 0.3, preferred, drawn)
    X = np.zeros((n, n_columns))
    np.add.at(X, (np.arange(n)[:, None], chosen), 1.0)
    return sparse.csr_array(X), np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module")
def fitted():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "list_sparse_candidates", lambda columns: FEW)
        yield EmphaticClassifier(random_state=0).fit(*words())


def test_a_sparse_matrix_is_learnt_far_better_than_by_chance(fitted):
    X, y = words(seed=1)
    assert fitted.score(X, y) > 0.6  # by chance, 0.33
    assert "The matrix is sparse: linear members see its 800 columns" in fitted.explain()
    assert fitted.columns_ == []
    assert fitted.out_of_fold_.shape == (90, 3)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("container", ["array", "matrix"])
def test_every_format_gives_the_same_bits_as_the_dense_rows(fitted, kind, container):
    X = getattr(sparse, f"{kind}_{container}")(words(seed=1)[0])
    expected = fitted.predict_proba(words(seed=1)[0].toarray())
    np.testing.assert_array_equal(fitted.predict_proba(X), expected)


def test_a_row_is_predicted_alike_whatever_rows_come_with_it(fitted):
    X, _ = words(seed=1)
    together = fitted.predict_proba(X)
    np.testing.assert_array_equal(np.vstack([fitted.predict_proba(X[[i]]) for i in range(90)]), together)
    np.testing.assert_array_equal(fitted.predict_proba(X[::-1])[::-1], together)


def test_stored_zeros_and_unsorted_or_repeated_cells_change_nothing(fitted):
    X, _ = words(seed=1)
    cells = X.tocoo()
    order = np.random.default_rng(0).permutation(cells.nnz)
    rows, columns, values = cells.row[order], cells.col[order], cells.data[order]
    odd = sparse.coo_array(
        (
            np.concatenate([values / 2, values / 2, [0.0]]),
            (np.concatenate([rows, rows, [0]]), np.concatenate([columns, columns, [799]])),
        ),
        shape=X.shape,
    )
    np.testing.assert_array_equal(fitted.predict_proba(odd), fitted.predict_proba(X))


def test_the_users_matrix_is_not_changed(few_candidates):
    X, y = words()
    before = X.copy()
    EmphaticClassifier(random_state=0).fit(X, y).predict(X)
    np.testing.assert_array_equal(X.data, before.data)
    np.testing.assert_array_equal(X.indices, before.indices)


def test_a_matrix_with_few_columns_is_a_dense_table():
    X, y = words(n_columns=30)
    model, dense = (EmphaticClassifier(random_state=0, time_budget=None).fit(one, y) for one in (X, X.toarray()))
    np.testing.assert_array_equal(model.predict_proba(X), dense.predict_proba(X.toarray()))
    assert len(model.columns_) == 30


def test_sparse_columns_of_pandas_are_a_sparse_matrix(few_candidates):
    X, y = words()
    names = [f"w{j}" for j in range(800)]
    frame = pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(X), columns=names)
    model = EmphaticClassifier(random_state=0).fit(frame, y)
    assert model.feature_names_in_.tolist() == names
    same = EmphaticClassifier(random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(frame), same.predict_proba(X))


def test_a_model_of_a_sparse_matrix_is_saved_whole(fitted, tmp_path):
    X, _ = words(seed=1)
    save(fitted, tmp_path / "m.emphatic")
    again = load(tmp_path / "m.emphatic")
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))


def test_nothing_is_said_about_single_columns_of_a_sparse_matrix(fitted):
    for ask in (fitted.measure_importances, fitted.plot, lambda: fitted.explain([0] * 800)):
        with pytest.raises(
            ValueError, match="has no importances, and explains no single row: fit one to a dense table"
        ):
            ask()
    assert not hasattr(fitted, "importances_")
    assert "What matters most" not in fitted.explain()
    assert "emphatic-summary" in fitted._repr_html_()


def test_a_model_of_a_sparse_matrix_is_not_exported(fitted):
    with pytest.raises(TypeError, match="A model of a sparse matrix with many columns cannot be exported to ONNX"):
        to_onnx(fitted)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "X is sparse and contains NaN or infinity: fill in missing values first"),
        (np.inf, "X is sparse and contains NaN or infinity"),
        (1e200, "X holds values beyond"),
    ],
)
@pytest.mark.parametrize("n_columns", [20, 800])
def test_what_a_sparse_matrix_may_not_hold_is_said(fitted, value, message, n_columns):
    X, y = words(n_columns=n_columns)
    X.data[3] = value
    with pytest.raises(ValueError, match=message):
        EmphaticClassifier().fit(X, y)
    if n_columns == 800:
        with pytest.raises(ValueError, match=message):
            fitted.predict(X)


def test_another_number_of_columns_is_refused(fitted):
    with pytest.raises(ValueError, match="X has 799 features, but EmphaticClassifier is expecting 800"):
        fitted.predict(words()[0][:, :799])


def test_empty_rows_and_columns_unseen_in_training_are_predicted(few_candidates):
    X, y = words()
    X = X.tolil()
    X[:, 400:] = 0.0
    X[5] = 0.0
    model = EmphaticClassifier(random_state=0).fit(X, y)
    nothing = sparse.csr_array((1, 800))
    unseen = sparse.csr_array(([1.0], ([0], [700])), shape=(1, 800))
    np.testing.assert_array_equal(model.predict_proba(nothing), model.predict_proba(unseen))


def test_matrices_without_a_value_and_with_negative_ones_are_learnt(few_candidates, monkeypatch):
    y = np.arange(40) % 2
    nothing = EmphaticClassifier(random_state=0).fit(sparse.csr_array((40, 500)), y)
    assert nothing.predict_proba(sparse.csr_array((1, 500))) == pytest.approx(np.full((1, 2), 0.5), abs=0.05)
    X = sparse.random_array((40, 500), density=0.1, rng=np.random.default_rng(0)).tocsr()
    X.data -= 0.5
    assert not any(isinstance(one, NaiveBayes) for one in list_sparse_candidates(X))
    monkeypatch.setattr(module, "list_sparse_candidates", lambda columns: FEW[1:])
    assert np.isfinite(EmphaticClassifier(random_state=0).fit(X, y).predict_proba(X)).all()


def test_the_encoder_is_that_of_its_formulas():
    """Four texts of three words, slowly."""
    X = np.array([[1.0, 0, 3], [1, 0, 0], [1, 2, 0], [1, 0, 0]])
    encoder = SparseEncoder().fit(as_csr(X), np.random.default_rng(0))
    logs = np.log2(1.0 + X)
    sizes = [np.sqrt((column[column > 0] ** 2).mean()) for column in logs.T]
    weighted = logs / max(sizes) * (1.0 + np.log(4 / np.array([4, 1, 1])))
    expected = weighted / np.linalg.norm(weighted, axis=1, keepdims=True)
    inputs, columns = encoder.encode(X)
    np.testing.assert_allclose(columns.toarray(), expected, atol=1e-12)
    assert np.sqrt((inputs**2).mean()) == pytest.approx(1.0, abs=1e-5)
    kept = np.linalg.svd(expected)[2][:2]
    scale = np.sqrt(((expected @ kept.T) ** 2).mean())
    np.testing.assert_allclose(np.abs(inputs), np.abs(expected @ kept.T) / scale, atol=1e-5)


def test_columns_of_very_different_sizes_are_divided_by_them():
    X = np.array([[1.0, 1e6], [-2.0, 2e6], [1.0, -1e6]])
    columns = SparseEncoder().fit(as_csr(X), np.random.default_rng(0)).encode(X).columns.toarray()
    np.testing.assert_allclose((columns**2).sum(axis=0), [1.5, 1.5])


def draw(X, codes):
    encoder = SparseEncoder().fit(X, np.random.default_rng(0))
    inputs, columns = encoder.encode(X)
    return TrainingData.draw(inputs, codes, 3, np.ones(len(codes)), np.random.default_rng(0), columns=columns)


def test_naive_bayes_is_that_of_counting():
    X, y = words(n=30, n_columns=FEW_COLUMNS + 1)
    codes = np.unique(y, return_inverse=True)[1]
    data = draw(as_csr(X), codes)
    scores, _ = NaiveBayes((0.5,)).fit(data, 0, np.random.default_rng(0))
    rows, held_out = data.split(0)
    table = data.columns.toarray()
    for i, row in enumerate(held_out):
        for k in range(3):
            shares = table[rows][codes[rows] == k].sum(axis=0) + 0.5
            logs = np.log(shares / shares.sum())
            others = np.mean(
                [
                    np.log(total / total.sum())
                    for total in (table[rows][codes[rows] == j].sum(axis=0) + 0.5 for j in range(3))
                ],
                axis=0,
            )
            expected = table[row] @ (logs - others) + np.log((codes[rows] == k).mean())
            assert scores[0, i, k] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("candidate", [NaiveBayes(), SparseLogistic()])
def test_merged_models_score_the_mean_of_the_folds_and_lack_no_class(candidate):
    X, y = words(n=40, n_columns=FEW_COLUMNS + 1)
    codes = np.unique(y, return_inverse=True)[1]
    codes[codes == 2] = 1
    codes[7] = 2  # a class that the models of one fold never see
    data = draw(as_csr(X), codes)
    learnt = [candidate.fit(data, fold, np.random.default_rng(0))[1] for fold in range(5)]
    points = Points(data.inputs, columns=data.columns)
    mean = np.mean([one[1].scores(points) for one in learnt], axis=0)
    np.testing.assert_allclose(candidate.merge(learnt, 1).scores(points), mean, atol=1e-4)
    assert np.isfinite(mean).all()
