"""Which classifiers let other threads run."""

from typing import Any

from sklearn.tree import BaseDecisionTree

from emphatic.learners.mlp_network import MLPNetworkClassifier
from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier
from emphatic.learners.rbf_network import RBFNetworkClassifier


def runs_compiled(estimator: Any) -> bool:
    """Whether a classifier spends its time in compiled code, during which other threads run.

    Several of these are best trained in threads, which share the table. Any other may be written in Python, of which
    one thread runs at a time: it is trained in processes, which take seconds to start.

    >>> from sklearn.svm import SVC
    >>> from emphatic import RBFNetworkClassifier
    >>> runs_compiled(RBFNetworkClassifier()), runs_compiled(SVC())
    (True, False)
    """
    return isinstance(
        estimator, RBFNetworkClassifier | MLPNetworkClassifier | ParallelPerceptronClassifier | BaseDecisionTree
    )
