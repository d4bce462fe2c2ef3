"""From probabilities to classes, and to sets of classes: what `EmphaticClassifier` offers once it has learnt."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.auto.decisions.class_weight import check_class_weight
from emphatic.auto.decisions.conformal import Calibration
from emphatic.auto.decisions.costs import read_costs
from emphatic.auto.decisions.decision import BY_PROBABILITY, DecisionRule, check_decision, choose_rule
from emphatic.auto.decisions.decision_words import describe_decision, warn_of_unpredicted
from emphatic.auto.decisions.labels import refuse_unknown_labels
from emphatic.auto.decisions.outcome import Outcome
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import by_rows, is_deferred


class DecidingMixin:
    """For a classifier with `predict_proba` and the parameters `decision`, `costs` and `class_weight`."""

    decision: str
    costs: Any
    class_weight: Any
    classes_: np.ndarray
    _rule: DecisionRule
    _calibration: Calibration | None
    predict_proba: Any

    def check_decision_parameters(self) -> None:
        """Raise ValueError or TypeError for what is wrong whatever the classes are."""
        check_decision(self.decision, self.costs)
        check_class_weight(self.class_weight)

    def check_labels_of_parameters(self) -> None:
        """Raise ValueError for parameters that do not fit `classes_`: before any work is done."""
        if self.costs is not None:
            read_costs(self.costs, self.classes_)
        if isinstance(self.class_weight, Mapping):
            refuse_unknown_labels("class_weight", self.class_weight, self.classes_)

    def learn_decision(self, probabilities: FloatArray, y: IntArray, weights: FloatArray) -> list[str]:
        """Learn rule and sets from out-of-fold probabilities of weighted rows; return sentences about the rule."""
        rows = probabilities, y, weights
        self._rule = choose_rule(self.decision, self.costs, self.classes_, *rows)
        self._calibration = Calibration.of(*rows)
        outcome = Outcome(self._rule, self.classes_, *rows)
        if self._rule is BY_PROBABILITY and self.class_weight is None:
            warn_of_unpredicted(outcome)
        return describe_decision(outcome)

    def check_saved_decision(self) -> None:
        """Raise ValueError unless what was read from a file is for these classes."""
        self._rule.check_shape(len(self.classes_))
        if self._calibration is not None:
            self._calibration.check_shape(len(self.classes_))

    @property
    def decision_(self) -> str:
        """The decision that `predict` goes by: `decision`, or "cost" where costs are given."""
        check_is_fitted(self)
        return self._rule.name

    @property
    def decision_weights_(self) -> FloatArray | None:
        """What probabilities are multiplied by before the largest is predicted; None if costs decide."""
        check_is_fitted(self)
        return self._rule.weigh(len(self.classes_))

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`, as `decision` says; by default the most probable ones, the first of several."""
        return self.decide(self.predict_proba(X))

    def decide(self, probabilities: ArrayLike) -> np.ndarray:
        """Labels for rows with these probabilities (n, K), as `predict` chooses them.

        ``model.decide(model.out_of_fold_)`` are predictions of the training rows by models that were not trained on
        them.
        """
        check_is_fitted(self)
        given: Any = probabilities if is_deferred(probabilities) else check.numbers("probabilities", probabilities)
        if given.ndim != 2 or given.shape[1] != len(self.classes_):
            raise ValueError(f"probabilities has the shape {given.shape}: it must be (rows, {len(self.classes_)}).")
        return by_rows(self._decide, given, dtype=self.classes_.dtype)

    def _decide(self, given: FloatArray) -> np.ndarray:
        if np.isnan(given).any():  # as out_of_fold_ has for rows that are not judged
            raise ValueError("probabilities holds NaN: leave out rows without a prediction.")
        return np.asarray(self.classes_[self._rule.choose(given)])

    def predict_sets(self, X: Any, coverage: float = 0.9, *, per_class: bool = False) -> NDArray[np.bool_]:
        """Sets of classes that hold the true class of at least the share `coverage` of the rows.

        A class is in the set of a row if its probability is at least a certain part of the largest one. That part is
        chosen out of fold (cross-conformal prediction), and docs/decisions.md says what is promised.

        Parameters
        ----------
        X : table
        coverage : float in (0, 1), default=0.9
        per_class : bool, default=False
            Whether the rows of every class are covered alike, instead of all rows on average: sets are larger then.
            A class with too few rows for the coverage (fewer than 9 for 0.9) is in every set.

        Returns
        -------
        ndarray (n, K) of bool
            Whether a class, in the order of `classes_`, is in the set of a row. The most probable class always is.
        """
        check_is_fitted(self)
        check.real("coverage", coverage, 0, 1, open_low=True, open_high=True)
        check.one_of("per_class", per_class, (True, False))
        if self._calibration is None:
            raise ValueError("the model file is of a version that had no prediction sets: fit the model again.")
        choose = partial(self._calibration.choose_sets, coverage=coverage, per_class=per_class)
        return by_rows(choose, self.predict_proba(X), columns=len(self.classes_), dtype=bool)

    def rejects(self, X: Any, coverage: float = 0.9, *, per_class: bool = False) -> NDArray[np.bool_]:
        """Whether a row cannot be decided with this coverage: its set (`predict_sets`) has more than one class."""
        return self.predict_sets(X, coverage, per_class=per_class).sum(axis=1) != 1
