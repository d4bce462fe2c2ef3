"""The digit views of paper 003: sizes, each image by itself, exact rotations, known histograms (identity 24)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic.multiview.views import (
    ColumnSums,
    DigitViews,
    ImageVector,
    OrientationHistogram,
    PrincipalComponents,
    RowSums,
    digit_views,
)
from emphatic.multiview.views.rotated_sums import rotation_matrix

SHAPES = [(16, 16), (8, 8), (15, 16), (28, 20), (5, 3)]
VIEWS = {**digit_views(), "orienthisto_root": OrientationHistogram(square_root=True), "all": DigitViews()}

every_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def images(shape=(16, 16), n=60):
    return np.random.default_rng(0).integers(0, 256, (n, *shape))


@pytest.mark.contract
@parametrize_with_checks([*VIEWS.values(), RowSums(2, 45.0), OrientationHistogram(4)])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


# sizes


def test_sizes_of_the_paper():
    sizes = {name: view.fit_transform(images()).shape[1] for name, view in digit_views((16, 16)).items()}
    assert list(sizes.items()) == [
        ("image_vector", 256),
        ("orienthisto", 144),
        ("pca_40", 40),
        ("rows_sum", 160),
        ("cols_sum", 160),
    ]


@every_shape
def test_sizes_of_other_images(shape):
    height, width = shape
    sizes = [view.fit_transform(images(shape)).shape for view in digit_views(shape).values()]
    pixels = height * width
    assert sizes == [(60, size) for size in (pixels, 144, min(40, pixels), height * 10, width * 10)]


@every_shape
def test_all_views_side_by_side_are_the_views(shape):
    X = images(shape)
    together = DigitViews(shape=shape).fit(X)
    table = together.transform(X)
    assert list(together.views_) == list(digit_views())
    assert table.shape[1] == len(together.get_feature_names_out()) == together.views_["cols_sum"].stop
    for name, view in digit_views(shape).items():
        np.testing.assert_array_equal(table[:, together.views_[name]], view.fit_transform(X))
    assert together.get_feature_names_out()[together.views_["rows_sum"]][3] == "rows_sum3"


# one image at a time


@every_view
@every_shape
def test_an_image_is_described_by_itself(view, shape):
    X = images(shape).reshape(60, -1)
    fitted = clone(view).set_params(shape=shape).fit(X)
    together = fitted.transform(X)
    alone = np.vstack([fitted.transform(X[i : i + 1]) for i in range(len(X))])
    if isinstance(view, PrincipalComponents | DigitViews):  # a product of matrices: BLAS adds in an order of its own
        np.testing.assert_allclose(together, alone, atol=1e-10)
    else:
        np.testing.assert_array_equal(together, alone)


def test_a_batch_larger_than_the_cache_is_no_different():
    X = images((4, 4), n=1201).reshape(1201, 16)
    view = OrientationHistogram().fit(X)
    np.testing.assert_array_equal(view.transform(X)[[0, 499, 500, 1200]], view.transform(X[[0, 499, 500, 1200]]))


@every_view
def test_rows_of_pixels_and_arrays_of_images_are_the_same(view):
    X = images((6, 9))
    flat = clone(view).set_params(shape=(6, 9)).fit(X.reshape(60, 54))
    stacked = clone(view).fit(X)
    assert flat.image_shape_ == stacked.image_shape_ == (6, 9)
    assert flat.n_features_in_ == stacked.n_features_in_ == 54
    np.testing.assert_array_equal(flat.transform(X), stacked.transform(X.reshape(60, 54)))


@pytest.mark.parametrize(("n_pixels", "shape"), [(256, (16, 16)), (1, (1, 1)), (240, (1, 240)), (2, (1, 2))])
def test_without_a_shape_an_image_is_a_square_or_a_row(n_pixels, shape):
    assert ImageVector().fit(np.ones((2, n_pixels))).image_shape_ == shape


# sums


@given(
    height=st.integers(2, 12),
    width=st.integers(2, 12),
    degrees=st.floats(-360, 360) | st.integers(-8, 8).map(lambda k: 45.0 * k),
    seed=st.integers(0, 1000),
)
def test_a_rotation_is_scipys(height, width, degrees, seed):
    image = np.random.default_rng(seed).normal(size=(height, width))
    rotated = (image.ravel() @ rotation_matrix((height, width), degrees)).reshape(height, width)
    expected = ndimage.rotate(image, degrees, reshape=False, order=1)
    # A source that lies on the border of the image is inside or outside by rounding: such pixels are left out.
    down, across = np.indices((height, width)) - (np.array([height, width]) - 1).reshape(2, 1, 1) / 2
    angle = np.radians(degrees)
    source_down = np.cos(angle) * down + np.sin(angle) * across
    source_across = np.cos(angle) * across - np.sin(angle) * down
    clear = ~np.isclose(np.abs(source_down), (height - 1) / 2) & ~np.isclose(np.abs(source_across), (width - 1) / 2)
    np.testing.assert_allclose(rotated[clear], expected[clear], atol=1e-9)


@pytest.mark.parametrize("quarters", [-1, 0, 1, 2, 3, 4])
@pytest.mark.parametrize("size", [1, 2, 7, 16])
def test_a_quarter_turn_loses_nothing(quarters, size):
    image = np.random.default_rng(0).normal(size=(size, size))
    rotated = image.ravel() @ rotation_matrix((size, size), 90 * quarters)
    np.testing.assert_array_equal(rotated.reshape(size, size), np.rot90(image, quarters))


@every_shape
def test_sums_are_those_of_the_rotated_images(shape):
    X = images(shape, n=5).astype(float)
    turned = [np.array([ndimage.rotate(x, 9 * k, reshape=False, order=1) for x in X]) for k in range(10)]
    rows, columns = RowSums().fit_transform(X), ColumnSums().fit_transform(X)
    np.testing.assert_allclose(rows, np.hstack([image.sum(axis=2) for image in turned]), atol=1e-9)
    np.testing.assert_allclose(columns, np.hstack([image.sum(axis=1) for image in turned]), atol=1e-9)


@every_shape
def test_the_image_itself_comes_first(shape):
    X = images(shape)
    np.testing.assert_array_equal(RowSums().fit_transform(X)[:, : shape[0]], X.sum(axis=2))
    np.testing.assert_array_equal(ColumnSums().fit_transform(X)[:, : shape[1]], X.sum(axis=1))


@pytest.mark.parametrize(("degrees", "shared"), [(9.0, 0), (18.0, 160)])
def test_rows_and_columns_do_not_hold_the_same_numbers(degrees, shared):
    X = images()
    rows, columns = (view(degrees=degrees).fit_transform(X).round(6).T for view in (RowSums, ColumnSums))
    assert len({tuple(row) for row in rows} & {tuple(column) for column in columns}) == shared


# orientations


def ramp(degrees, size=16):
    """Lighter in the direction `degrees`, from left to right at 0 and downwards at 90."""
    down, across = np.indices((size, size))
    return np.cos(np.radians(degrees)) * across + np.sin(np.radians(degrees)) * down


@pytest.mark.parametrize("k", range(16))
def test_a_ramp_has_one_direction(k):
    inner = OrientationHistogram().fit_transform(ramp(22.5 * k)[None]).reshape(3, 3, 16)[1, 1]
    np.testing.assert_allclose(inner, np.eye(16)[k], atol=1e-12)


def test_the_negative_points_the_other_way():
    X = images().astype(float)
    view = OrientationHistogram()
    histograms = view.fit_transform(X).reshape(60, 9, 16)
    np.testing.assert_allclose(view.transform(255 - X).reshape(60, 9, 16), np.roll(histograms, 8, axis=2), atol=1e-12)


def test_a_quarter_turn_moves_windows_and_directions():
    X = images().astype(float)
    view = OrientationHistogram()
    histograms = view.fit_transform(X).reshape(60, 3, 3, 16)
    turned = view.transform(np.rot90(X, axes=(2, 1))).reshape(60, 3, 3, 16)  # clockwise: what pointed right points down
    np.testing.assert_allclose(turned, np.roll(np.rot90(histograms, axes=(2, 1)), 4, axis=3), atol=1e-12)


def test_windows_are_8_by_8_and_4_apart():
    for row, column in [(0, 0), (5, 9), (15, 15), (7, 8)]:
        image = np.zeros((16, 16))
        image[row, column] = 1.0
        down, across = (ndimage.sobel(image, axis, mode="nearest") for axis in (0, 1))
        touched = np.hypot(down, across) > 0
        expected = [[touched[4 * i : 4 * i + 8, 4 * j : 4 * j + 8].any() for j in range(3)] for i in range(3)]
        found = OrientationHistogram().fit_transform(image[None]).reshape(3, 3, 16).sum(axis=2)
        np.testing.assert_allclose(found, np.array(expected, dtype=float), atol=1e-12)


def test_histograms_are_distributions_and_flat_windows_are_empty():
    X = images().astype(float)
    X[:, :, 7:] = 0.1  # flat to the right
    sums = OrientationHistogram().fit_transform(X).reshape(60, 3, 3, 16).sum(axis=3)
    np.testing.assert_allclose(sums[:, :, :2], 1)
    assert (sums[:, :, 2] == 0).all()
    assert not OrientationHistogram().fit_transform(np.full((2, 16, 16), 0.3)).any()


def test_the_square_root_is_of_each_entry():
    X = images()
    np.testing.assert_array_equal(
        OrientationHistogram(square_root=True).fit_transform(X), np.sqrt(OrientationHistogram().fit_transform(X))
    )


# principal components


@pytest.mark.parametrize("n", [30, 1797])
def test_principal_components_are_scikit_learns(n):
    X = load_digits().data[:n]
    found = PrincipalComponents(5).fit_transform(X)
    expected = PCA(5, svd_solver="full").fit_transform(X)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-8)


def test_equal_images_have_no_components_that_differ():
    assert not PrincipalComponents().fit_transform(np.full((50, 16), 3.0)).any()


# bad input


@every_view
@pytest.mark.parametrize("shape", [16, (16,), (16, 0), (16.0, 16), (2, 8, 16), "square"], ids=str)
def test_a_bad_shape_is_named(view, shape):
    with pytest.raises(ValueError, match=r"shape.*=.*is not allowed: shape"):
        clone(view).set_params(shape=shape).fit(images())


@every_view
def test_a_shape_of_another_size_is_named(view):
    with pytest.raises(ValueError, match=r"shape=\(4, 4\) is not allowed for X with 256 columns"):
        clone(view).set_params(shape=(4, 4)).fit(images().reshape(60, 256))
    with pytest.raises(ValueError, match=r"shape=\(8, 32\) is not allowed for X with images of shape \(16, 16\)"):
        clone(view).set_params(shape=(8, 32)).fit(images())
    fitted = clone(view).fit(images())
    with pytest.raises(ValueError, match=r"images of shape \(8, 32\), but those seen in fit have shape \(16, 16\)"):
        fitted.transform(images((8, 32)))
    with pytest.raises(ValueError, match="100 features"):
        fitted.transform(np.ones((3, 100)))


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (OrientationHistogram(0), "n_bins=0"),
        (OrientationHistogram(square_root="yes"), "square_root='yes'"),
        (PrincipalComponents(0), "n_components=0"),
        (RowSums(-1), "n_rotations=-1"),
        (RowSums(degrees=np.nan), "degrees=nan"),
        (ColumnSums(2.5), "n_rotations=2.5"),
        (DigitViews(square_root=1), "square_root=1"),
    ],
    ids=str,
)
def test_a_bad_parameter_is_named(view, message):
    with pytest.raises(ValueError, match=message):
        view.fit(images())


@every_view
def test_values_that_could_overflow_are_refused(view):
    with pytest.raises(ValueError, match="beyond"):
        clone(view).fit(1e200 * images())
    assert np.isfinite(clone(view).fit_transform(1e97 * images())).all()


def test_the_table_given_is_not_the_table_returned():
    X = images().reshape(60, 256).astype(float)
    ImageVector().fit_transform(X)[:] = 0
    assert X.any()
