"""Work of predictions: that of all members, whatever prepares the table before them, and none where trees compare."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks.prediction_work import count_prediction
from benchmarks.work import Work, count_activations, count_linear, count_mlp_output, count_perceptrons
from emphatic import MLPNetworkClassifier, ParallelPerceptronClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.learners import SampledCentres

NETWORK = RBFNetworkClassifier(SampledCentres(n_centres=7), random_state=0)


def table(n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.arange(90) % n_classes
    return rng.normal(size=(90, 4)) + 3 * y[:, None], y


@pytest.mark.parametrize(("n_classes", "n_outputs"), [(2, 1), (3, 3)])
def test_learners_count_their_units_and_outputs(n_classes, n_outputs):
    X, y = table(n_classes)
    assert count_prediction(NETWORK.fit(X, y), 10) == count_activations(10, 4, 7) + count_linear(10, 7, n_outputs)
    mlp = MLPNetworkClassifier(5, max_epochs=2, random_state=0).fit(X, y)
    assert count_prediction(mlp, 10) == count_mlp_output(10, 4, 5, n_outputs)
    perceptrons = ParallelPerceptronClassifier(3, n_epochs=2, random_state=0).fit(X, y)
    assert count_prediction(perceptrons, 10) == count_perceptrons(10, 4, 3 * n_outputs)


def test_an_ensemble_counts_all_members_and_a_pipeline_its_last_step():
    X, y = table(2)
    model = make_pipeline(StandardScaler(), RealAdaBoostClassifier(NETWORK, n_estimators=3, random_state=0)).fit(X, y)
    members = model[-1].estimators_
    assert count_prediction(model, 10) == count_prediction(NETWORK.fit(X, y), 10) * len(members)
    assert len(members) > 1


def test_trees_are_not_counted():
    X, y = table(2)
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    assert count_prediction(tree.fit(X, y), 10) is None
    assert count_prediction(RealAdaBoostClassifier(tree, n_estimators=2, random_state=0).fit(X, y), 10) is None
    assert count_prediction(NETWORK.fit(X, y), 10) != Work()
