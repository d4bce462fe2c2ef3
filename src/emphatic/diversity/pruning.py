"""Kappa pruning of any fitted ensemble: a copy that consists of the members that agree least."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from emphatic.check import IntArray
from emphatic.diversity.agreement import kappa_matrix, kappa_select
from emphatic.diversity.members import checked_labels, checked_members, member_predictions

PADDED = {"estimator_weights_", "estimator_errors_"}
"""Those of AdaBoost, which has entries beyond the last member where it stopped early."""
OF_MEMBERS = PADDED | {
    *("estimators_", "estimators_features_", "samplers_", "pipelines_"),
    *("alphas_", "edges_", "effective_sample_sizes_", "candidates_", "sample_weights_", "pattern_types_"),
    "_seeds",  # of bagging, which makes estimators_samples_ of them
}
"""Fitted attributes with an entry a member."""
OF_OTHERS = {"classes_", "n_classes_", "feature_names_in_", "initial_score_"}
"""Fitted attributes with an entry a class or a feature."""
OF_THE_WHOLE = ("margin_", "oob_score_", "oob_decision_function_")
"""Measured on the training samples with all members: the copy does not have them."""


def kappa_prune(ensemble: Any, X: Any, y: ArrayLike, keep: int) -> Any:
    """A fitted copy of a fitted ensemble with the `keep` members whose pairs agree least (paper 003, section 3.1).

    Parameters
    ----------
    ensemble : fitted classifier with members in `estimators_`
        Bagging, random forests, extra trees, AdaBoost, voting classifiers, `RealAdaBoostClassifier`, or one of your own
        (see Notes). It is left as it is. Refused, each with the reason: gradient boosting, stacking, and
        one-against-rest and its kin, whose members do not each vote on the class.
    X : table
        Rows on which the agreement is measured: the training rows, or rows held out for this. Never rows of the test:
        the choice would be fitted to them.
    y : labels of the rows
        Kappa itself needs none. They are held against the classes of the ensemble, so that a table of another problem
        is noticed; `kappa_error_points` measures the errors of the members with them.
    keep : int from 1 to the number of members
        With all members kept the copy predicts as the ensemble does.

    Returns
    -------
    ensemble of the same class, its members in the old order
        `n_estimators`, where it is a parameter, becomes `keep`.

    Notes
    -----
    Votes of kept members are kept, not learnt anew. What was measured with all members on the training samples
    (`oob_score_`, `oob_decision_function_`, `margin_`) is absent from the copy.

    The protocol for an ensemble of your own: members in `estimators_`, each a classifier of the ensemble's classes (see
    `member_predictions` for members that see other tables). Every fitted attribute, its name ending in "_", that is a
    list, tuple or array as long as `estimators_` is cut to the kept members; so are the parameters `estimators`, pairs
    of a name and a classifier or "drop", and `weights`. Where there are as many members as classes, features or rows of
    X, lengths do not tell: then the class says in `member_attributes`, a tuple of names, what runs parallel to
    `estimators_`, and is refused if it does not.

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
    checked_members(ensemble)
    checked_labels(ensemble, X, y)
    predictions = member_predictions(ensemble, X)
    kept = kappa_select(kappa_matrix(predictions), keep)
    return _copy_of(ensemble, kept, n_rows=predictions.shape[1])


def _copy_of(ensemble: Any, kept: IntArray, n_rows: int) -> Any:
    """A copy that has the `kept` members only, and shares nothing with the ensemble."""
    pruned = copy.copy(ensemble)
    for name in _parallel_attributes(ensemble, n_rows):
        setattr(pruned, name, _take(getattr(ensemble, name), kept))
    for name in OF_THE_WHOLE:
        pruned.__dict__.pop(name, None)
    parameters = ensemble.get_params(deep=False)
    if isinstance(parameters.get("estimators"), list):
        _cut_named(pruned, parameters, kept)
    if "n_estimators" in parameters:
        pruned.n_estimators = len(kept)
    return copy.deepcopy(pruned)  # only now: members that go need not be copied


def _parallel_attributes(ensemble: Any, n_rows: int) -> list[str]:
    """Names of the fitted attributes that have an entry for every member."""
    if hasattr(ensemble, "member_attributes"):
        return sorted({"estimators_", *ensemble.member_attributes})
    members = len(ensemble.estimators_)
    lengths = {name: _length(value) for name, value in vars(ensemble).items()}
    as_long = {name for name, length in lengths.items() if length == members}
    guessed = {name for name in as_long - OF_MEMBERS - OF_OTHERS if name.endswith("_")}
    if guessed and members in (len(ensemble.classes_), getattr(ensemble, "n_features_in_", None), n_rows):
        name = type(ensemble).__name__
        raise ValueError(
            f"{', '.join(sorted(guessed))} of {name} may belong to its {members} members or to as many classes, "
            f"features or rows: name those of the members in {name}.member_attributes."
        )
    return sorted(guessed | (as_long & OF_MEMBERS) | (lengths.keys() & PADDED))


def _length(value: Any) -> int | None:
    sized = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
    return len(value) if sized else None


def _take(values: Any, kept: IntArray) -> Any:
    if isinstance(values, np.ndarray):
        return values[kept]
    return type(values)([values[member] for member in kept])


def _cut_named(pruned: Any, parameters: dict[str, Any], kept: IntArray) -> None:
    """Cut the parameters of an ensemble of named members (a voting classifier), of which some may have been dropped."""
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
