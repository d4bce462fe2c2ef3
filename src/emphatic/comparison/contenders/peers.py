"""The peers: scikit-learn's classifiers, gradient boosting, and ensembles for imbalanced classes.

Nominal columns are left to the library where that is its own default for a frame (HistGradientBoosting, LightGBM), or
what it is known for (CatBoost); elsewhere they become indicators. Beside seed, thread and silence only one parameter
is not at its default: LogisticRegression has `max_iter=1000`, as it asks for itself when 100 were not enough.
"""

from __future__ import annotations

from typing import Any

from emphatic.comparison.contenders.contender import Contender
from emphatic.comparison.contenders.preparation import CategoryColumns, prepared
from emphatic.study.tasks import Setting


def ada_boost(setting: Setting, random_state: int) -> Any:
    """scikit-learn's AdaBoost of stumps."""
    from sklearn.ensemble import AdaBoostClassifier

    return prepared(AdaBoostClassifier(random_state=random_state), setting)


def hist_gradient_boosting(setting: Setting, random_state: int) -> Any:
    """scikit-learn's histogram gradient boosting, nominal columns as they are."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return prepared(HistGradientBoostingClassifier(random_state=random_state), setting, CategoryColumns())


def random_forest(setting: Setting, random_state: int) -> Any:
    """scikit-learn's random forest."""
    from sklearn.ensemble import RandomForestClassifier

    return prepared(RandomForestClassifier(n_jobs=1, random_state=random_state), setting)


def extra_trees(setting: Setting, random_state: int) -> Any:
    """scikit-learn's extremely randomised trees."""
    from sklearn.ensemble import ExtraTreesClassifier

    return prepared(ExtraTreesClassifier(n_jobs=1, random_state=random_state), setting)


def svc(setting: Setting, random_state: int) -> Any:
    """scikit-learn's support vector machine with a Gaussian kernel."""
    from emphatic.comparison.contenders.adapters import ProbableSVC

    return prepared(ProbableSVC(random_state=random_state), setting)


def mlp(setting: Setting, random_state: int) -> Any:
    """scikit-learn's perceptron with one hidden layer."""
    from sklearn.neural_network import MLPClassifier

    return prepared(MLPClassifier(random_state=random_state), setting)


def logistic_regression(setting: Setting, random_state: int) -> Any:
    """scikit-learn's logistic regression."""
    from sklearn.linear_model import LogisticRegression

    return prepared(LogisticRegression(max_iter=1000, random_state=random_state), setting)


def light_gbm(setting: Setting, random_state: int) -> Any:
    """LightGBM, nominal columns as they are."""
    from lightgbm import LGBMClassifier

    return prepared(LGBMClassifier(n_jobs=1, verbose=-1, random_state=random_state), setting, CategoryColumns())


def xg_boost(setting: Setting, random_state: int) -> Any:
    """XGBoost, nominal columns as indicators."""
    from xgboost import XGBClassifier

    from emphatic.comparison.contenders.adapters import CodedLabels

    model = XGBClassifier(n_jobs=1, verbosity=0, random_state=random_state).set_params(**setting)
    return prepared(CodedLabels(model), {})


def cat_boost(setting: Setting, random_state: int) -> Any:
    """CatBoost, told which columns are nominal."""
    from catboost import CatBoostClassifier

    from emphatic.comparison.contenders.adapters import CodedLabels

    quiet = {"logging_level": "Silent", "allow_writing_files": False}
    model = CatBoostClassifier(thread_count=1, random_seed=random_state, **quiet).set_params(**setting)
    return prepared(CodedLabels(model, names_nominal=True), {}, CategoryColumns())


def rus_boost(setting: Setting, random_state: int) -> Any:
    """imbalanced-learn's AdaBoost on parts with as many rows of each class."""
    from imblearn.ensemble import RUSBoostClassifier

    return prepared(RUSBoostClassifier(random_state=random_state), setting)


def balanced_random_forest(setting: Setting, random_state: int) -> Any:
    """imbalanced-learn's random forest on balanced bootstraps."""
    from imblearn.ensemble import BalancedRandomForestClassifier

    return prepared(BalancedRandomForestClassifier(n_jobs=1, random_state=random_state), setting)


def easy_ensemble(setting: Setting, random_state: int) -> Any:
    """imbalanced-learn's bag of AdaBoost ensembles on balanced parts."""
    from imblearn.ensemble import EasyEnsembleClassifier

    return prepared(EasyEnsembleClassifier(n_jobs=1, random_state=random_state), setting)


PEERS = (
    Contender("AdaBoost", "peer", "sklearn", ada_boost),
    Contender("HistGradientBoosting", "peer", "sklearn", hist_gradient_boosting),
    Contender("RandomForest", "peer", "sklearn", random_forest),
    Contender("ExtraTrees", "peer", "sklearn", extra_trees),
    Contender("SVC", "peer", "sklearn", svc),
    Contender("MLP", "peer", "sklearn", mlp),
    Contender("LogisticRegression", "peer", "sklearn", logistic_regression),
    Contender("LightGBM", "peer", "lightgbm", light_gbm),
    Contender("XGBoost", "peer", "xgboost", xg_boost),
    Contender("CatBoost", "peer", "catboost", cat_boost),
    Contender("RUSBoost", "peer", "imblearn", rus_boost),
    Contender("BalancedRandomForest", "peer", "imblearn", balanced_random_forest),
    Contender("EasyEnsemble", "peer", "imblearn", easy_ensemble),
)
