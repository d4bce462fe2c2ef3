"""Classes that a recipe may name, ours and others', and members that misbehave."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import emphatic
import emphatic.clustering
import emphatic.emphasis
import emphatic.learners
import emphatic.multiview.views
import emphatic.votes
from emphatic.selection import EnsembleSearchCV
from emphatic.tables import TableTransformer


class Misbehaving(ClassifierMixin, BaseEstimator):
    """A foreign classifier that answers as `answer` says: no library can trust what it is given."""

    def __init__(self, answer="nan"):
        self.answer = answer

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[np.zeros(len(X), dtype=int)]

    def predict_proba(self, X):
        n, k = len(X), len(self.classes_)
        answers = {
            "nan": np.full((n, k), np.nan),
            "zeros": np.zeros((n, k)),
            "negative": np.full((n, k), -1.0),
            "one value": np.full((1, k), 1.0 / k),
            "none": None,
            "too many columns": np.full((n, k + 1), 1.0 / (k + 1)),
            "flat": np.full(n, 0.5),
            "infinite": np.full((n, k), np.inf),
        }
        return answers[self.answer]


def scaled(estimator):
    return make_pipeline(StandardScaler(), estimator)


_PLACES = (
    *(emphatic, emphatic.clustering, emphatic.emphasis, emphatic.learners, emphatic.multiview.views),
    emphatic.votes,
)
_PUBLIC = [getattr(place, name) for place in _PLACES for name in place.__all__]
_OTHERS = [
    DecisionTreeClassifier,
    DummyClassifier,
    EnsembleSearchCV,
    GaussianNB,
    KNeighborsClassifier,
    LinearRegression,
    Misbehaving,
    StandardScaler,
    TableTransformer,
    scaled,
]

CLASSES = {one.__name__: one for one in [*_PUBLIC, *_OTHERS] if callable(one)}
