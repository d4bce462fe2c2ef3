"""The bands of memberships are the memberships, sorted."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from emphatic import FuzzyCMeans, plot

MODEL = FuzzyCMeans(3, random_state=0).fit(load_iris().data)


def test_the_bands_are_the_memberships_of_the_rows():
    figure = plot.memberships(MODEL)
    assert [band.name for band in figure.data] == ["cluster 0", "cluster 1", "cluster 2"]
    order = np.array(figure.data[0].customdata)
    assert sorted(order) == list(range(150))
    np.testing.assert_array_equal(np.array([band.y for band in figure.data]).T, MODEL.membership_[order])
    assert plot.memberships(MODEL.membership_) == figure


def test_rows_are_sorted_by_cluster_and_membership():
    order = np.array(plot.memberships(MODEL).data[0].customdata)
    labels, largest = MODEL.labels_[order], MODEL.membership_.max(axis=1)[order]
    assert (np.diff(labels) >= 0).all()
    assert (np.diff(largest)[np.diff(labels) == 0] <= 0).all()


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="membership holds values from -1"):
        plot.memberships([[-1.0, 2.0]])
    with pytest.raises(NotFittedError):
        plot.memberships(FuzzyCMeans())
