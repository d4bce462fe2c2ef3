"""Kappa pruning of any fitted ensemble: which ensembles have members, what these predict, and a copy with fewer."""

import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier, VotingClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted, column_or_1d

from emphatic import check
from emphatic.answers import name_errors, predict_labels
from emphatic.check import IntArray
from emphatic.diversity.agreement import kappa_matrix, kappa_select
from emphatic.inputs import refuse_lazy

CODED = (BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier, VotingClassifier)
"""Ensembles that train their members on codes 0 .. K-1, some of which a bootstrap may miss."""
DIVIDED = (OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier)
"""Ensembles whose members do not each predict one of all classes."""
PADDED = {"estimator_weights_", "estimator_errors_"}
"""Attributes of AdaBoost, with unused entries at the end if it stopped early."""
OF_MEMBERS = PADDED | {
    *("estimators_", "estimators_features_", "samplers_", "pipelines_"),
    *("alphas_", "edges_", "effective_sample_sizes_", "candidates_", "sample_weights_", "pattern_types_"),
    "_seeds",  # of bagging, which derives estimators_samples_ from them
}
"""Fitted attributes with one entry per member."""
OF_OTHERS = {"classes_", "n_classes_", "feature_names_in_", "initial_score_"}
"""Fitted attributes with one entry per class or feature."""
OF_THE_WHOLE = ("margin_", "oob_score_", "oob_decision_function_")
"""Measured on the training samples with all members: absent from the copy."""


def kappa_prune(ensemble: Any, X: Any, y: ArrayLike, keep: int, pruning: str = "pairs") -> Any:
    """A fitted copy of a fitted ensemble with the `keep` members whose pairs agree least (paper 003, section 3.1).

    Parameters
    ----------
    ensemble : fitted classifier with members in `estimators_`
        Bagging, random forests, extra trees, AdaBoost, voting classifiers, `RealAdaBoostClassifier`, or one of your own
        (see Notes). It is not modified. Gradient boosting, stacking and one-vs-rest and similar schemes, whose members
        do not each vote on the class, raise an error.
    X : table
        Rows on which the agreement is measured: the training rows, or rows held out for this. Do not use test rows: the
        choice would be fitted to them.
    y : labels of the rows
        Only compared with the classes of the ensemble, to detect a table of another problem: kappa needs no labels.
    keep : int from 1 to the number of members
        With all members kept the copy predicts as the ensemble does.
    pruning : {"pairs", "removal"}, default="pairs"
        How they are found: from the pairs that agree least, or by dropping the later member of the pair that agrees
        most, again and again (see `kappa_select`).

    Returns
    -------
    ensemble of the same class, with its members in the same order
        `n_estimators`, if it is a parameter, becomes `keep`.

    Notes
    -----
    The kept members keep their votes. What was measured with all members on the training samples (`oob_score_`,
    `oob_decision_function_`, `margin_`) is absent from the copy.

    An ensemble of your own needs its members in `estimators_`, each a classifier of the ensemble's classes (see
    `member_predictions` for members that see other tables). Every fitted attribute (its name ends in "_") that is a
    list, tuple or array as long as `estimators_` is cut to the kept members; so are the parameters `estimators`, pairs
    of a name and a classifier or "drop", and `weights`. If there are as many members as classes, features or rows of X,
    lengths are ambiguous: then the class must name the attributes parallel to `estimators_` in a tuple
    `member_attributes`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from emphatic.diversity import kappa_prune
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(50, random_state=0).fit(X, y)
    >>> small = kappa_prune(forest, X, y, keep=10)
    >>> len(small.estimators_), len(forest.estimators_)
    (10, 50)
    """
    predictions, labels = check_predictions(ensemble, X, y)
    kept = kappa_select(kappa_matrix(predictions), keep, pruning)
    return _copy_members(ensemble, kept, len(labels))


def member_predictions(ensemble: Any, X: Any) -> np.ndarray:
    """Labels that each member of a fitted ensemble predicts for the rows of `X`: an array (members, n).

    The members are `estimators_`; each sees the columns that `estimators_features_` gives it, if there are any, and may
    have been trained on the labels or on their codes 0 .. K-1. An ensemble that passes other tables to its members
    provides a method `member_predictions(X)`, which is called instead. The weights of the votes play no part.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> iris = load_iris()
    >>> forest = RandomForestClassifier(3, random_state=0).fit(iris.data, iris.target_names[iris.target])
    >>> member_predictions(forest, iris.data[[0, 50]]).tolist()
    [['setosa', 'versicolor'], ['setosa', 'versicolor'], ['setosa', 'versicolor']]
    """
    members = check_members(ensemble)
    if hasattr(ensemble, "member_predictions"):
        return np.asarray(ensemble.member_predictions(X))
    coded = _are_coded(ensemble, members)
    columns = getattr(ensemble, "estimators_features_", [None] * len(members))
    _check_width(ensemble, X)
    predictions = []
    for number, (member, own) in enumerate(zip(members, columns, strict=True)):
        with name_errors(number, member):
            predictions.append(predict_labels(member, _member_table(member, X, own)))
    voted = np.stack(predictions)
    return np.asarray(ensemble.classes_[voted.astype(np.intp)] if coded else voted)


def check_members(ensemble: Any) -> list[Any]:
    """The members of a fitted ensemble, if each of them predicts a class; otherwise an error says why not."""
    check.instance("ensemble", ensemble, BaseEstimator, "a fitted RandomForestClassifier()")
    check_is_fitted(ensemble)
    name = type(ensemble).__name__
    if not is_classifier(ensemble):
        raise TypeError(f"{name} is not a classifier, and kappa measures the agreement of classifiers.")
    if isinstance(ensemble, DIVIDED):
        raise TypeError(f"{name} divides the classes among its members: they do not answer the same question.")
    if hasattr(ensemble, "final_estimator_"):
        raise TypeError(f"{name} has a final estimator, trained on the outputs of all members: none can be left out.")
    if not hasattr(ensemble, "estimators_"):
        raise TypeError(
            f"{name} has no fitted members in estimators_: pass an ensemble, such as a RandomForestClassifier (of a "
            "pipeline its last step, with X as that step sees it)."
        )
    members = list(ensemble.estimators_)
    if any(isinstance(member, np.ndarray) or is_regressor(member) for member in members):
        raise TypeError(
            f"The members of {name} are regressors, each of which corrects the sum of those before it: they do not "
            "predict classes, and none can be left out."
        )
    if not isinstance(ensemble.classes_, np.ndarray):
        raise TypeError(f"This {name} predicts several outputs, but kappa compares single labels.")
    if not members:
        raise ValueError(f"This {name} has no members in estimators_: nothing was learned.")
    return members


def check_predictions(ensemble: Any, X: Any, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """`member_predictions`, and `y` as an array, which must hold one label per row, each known to the ensemble."""
    check_members(ensemble)
    refuse_lazy(ensemble, X)
    if not hasattr(X, "shape") and not hasattr(X, "__len__"):
        raise TypeError(f"X={X!r} is not allowed: X must be a table.")
    labels = column_or_1d(y)
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if len(labels) != n_rows:
        raise ValueError(f"X has {n_rows} rows but y has {len(labels)} labels: their numbers must agree.")
    known = ensemble.classes_.tolist()
    distinct = {repr(label): label for label in labels.tolist()}.values()  # not a set: a label may be anything
    unknown = sorted((label for label in distinct if label not in known), key=str)
    if unknown:
        raise ValueError(f"y holds labels that the ensemble was not trained on: {unknown[:5]}.")
    return member_predictions(ensemble, X), labels


def _check_width(ensemble: Any, X: Any) -> None:
    """Members take their columns by position, and the ensemble is not asked: so the width is checked here."""
    shape = X.shape if hasattr(X, "shape") else np.shape(X)
    n_features = getattr(ensemble, "n_features_in_", None)
    if n_features is not None and len(shape) == 2 and shape[1] != n_features:
        name = type(ensemble).__name__
        raise ValueError(f"X has {shape[1]} features, but {name} was trained on {n_features}: they must agree.")


def _are_coded(ensemble: Any, members: list[Any]) -> bool:
    """Whether the members predict codes 0 .. K-1 instead of labels."""
    if isinstance(ensemble, CODED):
        return True
    labels = set(ensemble.classes_.tolist())
    known = {label for member in members for label in np.asarray(member.classes_).tolist()}
    if known == labels:
        return False
    if known == set(range(len(labels))):
        return True
    raise TypeError(
        f"The members of {type(ensemble).__name__} know the classes {sorted(known, key=str)[:10]}, the ensemble "
        f"{sorted(labels, key=str)[:10]}: members must vote on the classes of the ensemble (or on their codes)."
    )


def _member_table(member: Any, X: Any, columns: Any) -> Any:
    """The table as the ensemble passes it on: with feature names only to a member that was trained with them."""
    if columns is None and hasattr(member, "feature_names_in_"):
        return X
    X = X.tocsr() if issparse(X) else np.asarray(X)
    return X if columns is None else X[:, columns]


def _copy_members(ensemble: Any, kept: IntArray, n_rows: int) -> Any:
    """A copy with the `kept` members only, which shares nothing with the ensemble."""
    pruned = copy.copy(ensemble)
    for name in _parallel_attributes(ensemble, n_rows):
        values = getattr(ensemble, name)
        array = isinstance(values, np.ndarray)
        setattr(pruned, name, values[kept] if array else type(values)([values[member] for member in kept]))
    for name in OF_THE_WHOLE:
        pruned.__dict__.pop(name, None)
    parameters = ensemble.get_params(deep=False)
    if isinstance(parameters.get("estimators"), list):
        _cut_named(pruned, parameters, kept)
    if "n_estimators" in parameters:
        pruned.n_estimators = len(kept)
    return copy.deepcopy(pruned)  # only now: dropped members need not be copied


def _parallel_attributes(ensemble: Any, n_rows: int) -> list[str]:
    """Names of the fitted attributes with one entry per member."""
    if hasattr(ensemble, "member_attributes"):
        return sorted({"estimators_", *ensemble.member_attributes})
    members = len(ensemble.estimators_)
    sized = {name: value for name, value in vars(ensemble).items() if isinstance(value, list | tuple | np.ndarray)}
    lengths = {name: len(value) for name, value in sized.items() if getattr(value, "ndim", 1) > 0}
    as_long = {name for name, length in lengths.items() if length == members}
    guessed = {name for name in as_long - OF_MEMBERS - OF_OTHERS if name.endswith("_")}
    if guessed and members in (len(ensemble.classes_), getattr(ensemble, "n_features_in_", None), n_rows):
        name = type(ensemble).__name__
        raise ValueError(
            f"{', '.join(sorted(guessed))} of {name} may belong to its {members} members or to as many classes, "
            f"features or rows: list the attributes of the members in {name}.member_attributes."
        )
    return sorted(guessed | (as_long & OF_MEMBERS) | (lengths.keys() & PADDED))


def _cut_named(pruned: Any, parameters: dict[str, Any], kept: IntArray) -> None:
    """Cut the parameters of an ensemble of named members (a voting classifier), some of which may be "drop"."""
    named = parameters["estimators"]
    present = [place for place, entry in enumerate(named) if entry[1] != "drop"]
    places = [present[member] for member in kept]
    pruned.estimators = [named[place] for place in places]
    if parameters.get("weights") is not None:
        pruned.weights = [parameters["weights"][place] for place in places]
    if hasattr(pruned, "named_estimators_"):
        pruned.named_estimators_ = Bunch(
            **{named[place][0]: pruned.named_estimators_[named[place][0]] for place in places}
        )
