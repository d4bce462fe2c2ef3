"""Compile the kernels in one process, before the tests run in several; the second time there is nothing to do.

Processes that compile the same kernels at the same moment do so in different orders, and what numba makes of a kernel
depends on whether those that it calls were compiled just now or come from the cache: results then differ in the last
bit from process to process, and tests of "the same bits for every n_jobs" fail by luck.
"""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.tree import DecisionTreeClassifier

from emphatic import (
    ClassTreeClassifier,
    EmphaticClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    FuzzyCMeans,
    MLPNetworkClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.audit import audit_labels
from emphatic.clustering import GustafsonKessel, PossibilisticCMeans
from emphatic.kernels import rows
from emphatic.kernels.leaves import MANY, add_leaves
from emphatic.learners.random_tree import empty_tree
from emphatic.learners.stored_trees import StoredTrees

ESTIMATORS = (
    RealAdaBoostClassifier(n_estimators=3),
    RBFNetworkClassifier(solver="sgd", n_epochs=5),
    MLPNetworkClassifier(3, max_epochs=5),
    RealAdaBoostClassifier(MLPNetworkClassifier(3, max_epochs=5), n_estimators=3),
    ParallelPerceptronClassifier(n_epochs=5),
    ParallelPerceptronClassifier(n_epochs=5, updates="online"),
    FuzzyBoostClassifier(n_estimators=4, n_deflections=1),
    ClassTreeClassifier(),
    FusionClassifier([("a", RBFNetworkClassifier(), None), ("b", RBFNetworkClassifier(), None)], "dempster_shafer"),
    EmphaticClassifier(),
)


def main() -> None:
    warnings.simplefilter("ignore")  # of fits to a few samples: none of them matters
    for n_classes in (2, 3):
        X, y = make_blobs(60, centers=n_classes, cluster_std=3.0, random_state=0)
        for estimator in ESTIMATORS:
            clone(estimator).set_params(random_state=0).fit(X, y).predict_proba(X)
        StoredTrees.of(DecisionTreeClassifier().fit(X, y)).predict(X)
        audit_labels(X, y)
        add_leaves(np.zeros((MANY, 2), np.float32), empty_tree(1, n_classes), np.zeros((MANY, n_classes)))
        for dtype in ("float32", "float64"):
            rows.decay(X.astype(dtype), 1.0, np.empty(X.shape))
            for width in (n_classes, 99):  # which members the blend has, and so which of these it needs, is not known
                rows.product(X.astype(dtype), np.ones((X.shape[1], width), dtype))
            for m in (1.5, 2.0):
                FuzzyCMeans(n_classes, m=m, random_state=0).fit(X.astype(dtype)).predict(X.astype(dtype))
        for clusterer in (GustafsonKessel, PossibilisticCMeans):
            clusterer(n_classes, random_state=0).fit(X)


if __name__ == "__main__":
    main()
