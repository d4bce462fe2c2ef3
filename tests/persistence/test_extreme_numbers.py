"""Numbers near the ends of float64: models of such tables come back; in files they are refused or harmless."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from emphatic import EmphaticClassifier, RBFNetworkClassifier
from emphatic.persistence import ModelFileError, load, save
from emphatic.tables import TableTransformer
from tests.persistence.models import MODELS, assert_predicts, close_file, good_file, open_file

EXTREMES = (1.7e308, 1e300, 1e101, 1e99, 1e16, 1e-16, 1e-99, 1e-151, 1e-300, 5e-324)
N_PAIRS = 400


def make_table(size):
    """Two columns of this size, with a gap, and a constant one; and the classes."""
    y = np.arange(60) % 2
    X = np.random.default_rng(0).normal(size=(60, 3)) + y[:, None]
    X[:, 2] = 1.0
    X[3, 0] = np.nan
    return X * size, y


@pytest.mark.parametrize("scale", ["standard", "minmax", "robust", "none"])
@pytest.mark.parametrize("size", [1e300, 1e-300, 1e-320])
def test_a_network_of_huge_or_tiny_numbers_comes_back(size, scale, tmp_path):
    X, y = make_table(size)
    model = make_pipeline(TableTransformer(scale=scale), RBFNetworkClassifier(random_state=0))
    assert_comes_back(model, X, y, tmp_path / "model")


@pytest.mark.parametrize("scale", ["standard", "minmax", "robust"])  # unscaled, scikit-learn cannot fit them
@pytest.mark.parametrize("size", [1e300, 1e-300, 1e-320])
def test_a_logistic_regression_of_huge_or_tiny_numbers_comes_back(size, scale, tmp_path):
    X, y = make_table(size)
    assert_comes_back(make_pipeline(TableTransformer(scale=scale), LogisticRegression()), X, y, tmp_path / "model")


@pytest.mark.parametrize("size", [1e300, 1e-300, 1e-320])
def test_a_blend_of_huge_or_tiny_numbers_comes_back(size, tmp_path):
    X, y = make_table(size)
    assert_comes_back(EmphaticClassifier(random_state=0), X, y, tmp_path / "model")


def assert_comes_back(model, X, y, path):
    save(model.fit(X, y), path)
    loaded = load(path)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    for rows in (make_table(1.0)[0], make_table(1e300)[0], make_table(1e-300)[0]):
        assert np.isfinite(loaded.predict_proba(rows)).all()


def put(array, value, rng):
    """The array with this number in one place, in all, or with alternating signs."""
    changed = array.copy()
    with np.errstate(over="ignore"):
        value = np.array(value).astype(array.dtype)
    match rng.integers(3):
        case 0:
            changed.flat[rng.integers(array.size)] = value
        case 1:
            changed[...] = value
        case _:
            changed.flat[::2], changed.flat[1::2] = value, -value
    return changed


def is_refused(name, arrays, tree, path):
    """Whether the file is refused; if not, all that the model says must be finite."""
    path.write_bytes(close_file(tree, arrays))
    try:
        model = load(path)
    except ModelFileError:
        return True
    with np.errstate(over="ignore", invalid="ignore"):
        assert_predicts(model, name)
    return False


@pytest.mark.parametrize("name", ["table", pytest.param("all", marks=pytest.mark.slow)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # products of numbers that were made large overflow
def test_extreme_numbers_in_a_file_are_refused_or_harmless(name, tmp_path):
    for one in MODELS if name == "all" else [name]:
        rng = np.random.default_rng(0)
        tree, good = open_file(good_file(one))
        places = [at for at, array in enumerate(good) if array.dtype.kind == "f" and array.size]
        for _ in range(N_PAIRS if places else 0):
            arrays = list(good)
            for at in rng.choice(places, min(len(places), int(rng.integers(1, 4))), replace=False):
                arrays[at] = put(arrays[at], rng.choice(EXTREMES), rng)
            is_refused(one, arrays, tree, tmp_path / "model")


@pytest.mark.parametrize(
    ("field", "value", "refused"),
    [
        ("unit", 5e-324, False),  # of a table of such numbers
        ("unit", 1.7e308, False),
        ("mean", 1.7e308, False),  # of a column that is not scaled
        *(("offset", value, True) for value in (1.7e308, -1e300, 1e101)),
        ("offset", 1e99, False),
        *(("spread", value, True) for value in (5e-324, 1e-300, 1e-31)),
        ("spread", 1e-25, False),
    ],
)
def test_scales_that_no_fit_makes_are_refused(field, value, refused, tmp_path):
    tree, arrays = open_file(good_file("table"))
    steps = tree["model"]["parameters"]["steps"]
    arrays[steps[0]["tuple"][1]["fields"]["_scales"]["fields"][field]][:] = value
    coefficients = steps[1]["tuple"][1]["fields"]["coef_"]
    arrays[coefficients] *= 1e50
    assert is_refused("table", arrays, tree, tmp_path / "model") == refused
