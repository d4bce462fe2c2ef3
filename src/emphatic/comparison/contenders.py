"""Who takes part in a comparison, by name: the recipes, and peers from other libraries.

Every contender is at its library's defaults, on one thread, silent, and takes a table as it is. Peers are imported when
they are built, so that none has to be installed. Nominal columns are left to the library where that is its own default
for a frame (LightGBM) or what it is known for (CatBoost); elsewhere they become indicators.
"""

from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from emphatic.check import FloatArray
from emphatic.inputs import encode_labels
from emphatic.recipes import RECIPES, Recipe
from emphatic.recipes.preparation import CategoryColumns


class CodedLabels(ClassifierMixin, BaseEstimator):
    """Pass the labels as 0 .. K-1 to an estimator that takes no others (XGBoost), or returns a column of them.

    With `names_nominal`, `fit` is told as `cat_features` which columns of a frame are categorical, and their missing
    values become a category of their own (CatBoost).
    """

    def __init__(self, estimator: Any, names_nominal: bool = False) -> None:
        self.estimator = estimator
        self.names_nominal = names_nominal

    def fit(self, X: Any, y: Any) -> Self:
        """Fit a clone of the estimator."""
        self.classes_, codes = encode_labels(y)
        nominal = {"cat_features": _nominal(X)} if self.names_nominal else {}
        self.estimator_ = clone(self.estimator).fit(self._table(X), codes, **nominal)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the labels."""
        return self.classes_[np.asarray(self.estimator_.predict(self._table(X))).ravel().astype(np.intp)]

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probabilities of `classes_`."""
        return np.asarray(self.estimator_.predict_proba(self._table(X)), dtype=np.float64)

    def _table(self, X: Any) -> Any:
        if not self.names_nominal:
            return X
        filled = {name: X[name].astype(object).where(X[name].notna(), "missing") for name in _nominal(X)}
        return X.assign(**filled)


def _nominal(X: Any) -> list[str]:
    return [str(name) for name in X.columns[X.dtypes == "category"]]


# fmt: off
PEERS = (
    Recipe("LightGBM", "peer", "lightgbm:LGBMClassifier", {"n_jobs": 1, "verbose": -1}, prepare=CategoryColumns),
    Recipe("XGBoost", "peer", "xgboost:XGBClassifier", {"n_jobs": 1, "verbosity": 0}, adapt=CodedLabels),
    Recipe("CatBoost", "peer", "catboost:CatBoostClassifier",
           {"thread_count": 1, "logging_level": "Silent", "allow_writing_files": False},
           prepare=CategoryColumns, adapt=partial(CodedLabels, names_nominal=True), seed="random_seed"),
    Recipe("RUSBoost", "peer", "imblearn.ensemble:RUSBoostClassifier"),
    Recipe("BalancedRandomForest", "peer", "imblearn.ensemble:BalancedRandomForestClassifier", {"n_jobs": 1}),
    Recipe("EasyEnsemble", "peer", "imblearn.ensemble:EasyEnsembleClassifier", {"n_jobs": 1}),
)
# fmt: on


def list_contenders() -> dict[str, Recipe]:
    """Return all contenders by name, ours first.

    >>> [name for name, contender in list_contenders().items() if contender.package == "imblearn"]
    ['RUSBoost', 'BalancedRandomForest', 'EasyEnsemble']
    """
    return RECIPES | {recipe.name: recipe for recipe in PEERS}


def list_installed() -> dict[str, Recipe]:
    """Return those whose package can be imported here.

    >>> {"RealAdaBoost of RBF networks", "SVC"} <= set(list_installed())
    True
    """
    return {name: recipe for name, recipe in list_contenders().items() if recipe.is_installed}
