"""Ensembles that add up the outputs of their learners: prediction, at every stage, for all of them."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from emphatic.base import Learner, check_saved_member, check_saved_names, outputs_of
from emphatic.check import FloatArray
from emphatic.fields import Array, Classifier, IfSet, ListOf, Text, saved
from emphatic.inputs import any_table
from emphatic.margins import labels, probabilities_of_score
from emphatic.partitions import lazily, lazily_staged


@saved(
    estimators_=ListOf(Classifier(), "rounds"),
    alphas_=Array(np.float64, "rounds"),
    edges_=Array(np.float64, "rounds"),
    effective_sample_sizes_=Array(np.float64, "rounds"),
    initial_score_=Array(np.float64, ...),
    stop_reason_=Text(),
    entropies_=IfSet(Array(np.float64, "rounds", "samples")),
    sample_weights_=IfSet(Array(np.float64, "rounds", "samples")),
)
class AdditiveEnsemble(Learner):
    r"""Base of ensembles with a score :math:`f(x) = f_0 + \sum_t \alpha_t\, o_t(x)` (paper 000, equation 3).

    A subclass fits `estimators_`, `alphas_` and `initial_score_` (0 unless nothing was learnt), and `_member`
    names the learner it is made of. An ensemble is itself a `Learner`: its output is the score over the sum
    of the absolute votes, so ensembles nest.
    """

    estimators_: list[Any]
    alphas_: FloatArray
    initial_score_: FloatArray

    @abstractmethod
    def _member(self) -> Any:
        """The learner that the ensemble is made of, unfitted."""

    @lazily_staged("scores")
    def staged_decision_function(self, X: Any) -> Iterator[FloatArray]:
        """Score after each round."""
        yield from self._staged_score(self._check_input(X))

    @lazily_staged("labels")
    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """Labels after each round."""
        for score in self._staged_score(self._check_input(X)):
            yield np.asarray(self.classes_[labels(score)])

    @lazily_staged("probabilities")
    def staged_predict_proba(self, X: Any) -> Iterator[FloatArray]:
        """Probabilities after each round."""
        for score in self._staged_score(self._check_input(X)):
            yield self._probabilities(score)

    @lazily_staged("scores")
    def staged_output(self, X: Any) -> Iterator[FloatArray]:
        """Confidence in [-1, 1] after each round: the output of an ensemble that ended there."""
        for rounds, score in enumerate(self._staged_score(self._check_input(X)), start=1):
            yield self._confidence(score, rounds)

    @lazily("scores")
    def decision_function(self, X: Any) -> FloatArray:
        """Score whose sign (two classes), or largest column (K classes), is the prediction."""
        return self._score(self._check_input(X))

    @lazily("probabilities")
    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of each class, one column per class in the order of `classes_`."""
        return self._probabilities(self._score(self._check_input(X)))

    def _probabilities(self, score: FloatArray) -> FloatArray:
        """Real AdaBoost's probabilities, 1 / (1 + exp(-2 f)); for K classes the softmax of the scores."""
        return probabilities_of_score(score)

    def respond(self, X: Any) -> FloatArray:
        return self._confidence(self._score(X))

    def _confidence(self, score: FloatArray, rounds: int | None = None) -> FloatArray:
        """Score after these rounds (None: all), brought to [-1, 1] by the sum of their absolute votes.

        Never by the sum of the votes themselves: some may be negative.
        """
        return np.clip(score / (np.abs(self.alphas_[:rounds]).sum() or 1.0), -1.0, 1.0)

    def _staged_score(self, X: Any) -> Iterator[FloatArray]:
        score = self._first_score(X)
        outputs = outputs_of(self.estimators_, X, self.classes_)
        for alpha, output in zip(self.alphas_, outputs, strict=True):
            score = score + alpha * output
            yield score

    def _score(self, X: Any) -> FloatArray:
        score = self._first_score(X)
        for score in self._staged_score(X):  # noqa: B007 - the last value is the one wanted
            pass
        return score

    def _first_score(self, X: Any) -> FloatArray:
        """Score before the first round, for every row."""
        shape = X.shape[0], *np.shape(self.initial_score_)
        return np.broadcast_to(self.initial_score_, shape).astype(
            np.float64, order="C"
        )  # row after row, for any number

    def _zero_score(self) -> FloatArray:
        """Score before anything was learnt."""
        return np.zeros(() if len(self.classes_) == 2 else len(self.classes_))

    def check_saved(self) -> None:
        super().check_saved()
        if np.shape(self.initial_score_) != self._zero_score().shape:
            raise ValueError(f"initial_score_ has the shape {np.shape(self.initial_score_)}")
        for one in self.estimators_:
            check_saved_member(one, self.classes_, self.n_features_in_)
            check_saved_names(one, getattr(self, "feature_names_in_", None))

    def _check_input(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._check_table(X, reset=False)

    def _accepts_any_table(self) -> bool:
        member = self._member()
        return not isinstance(member, Learner) or member._accepts_any_table()

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """A numeric array for our own learners; others get the table as it is, with its feature names."""
        if not self._accepts_any_table():
            return super()._check_table(X, reset=reset)
        return any_table(self, X, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        member = self._member()
        if not isinstance(member, Learner):
            tags.input_tags.allow_nan = get_tags(member).input_tags.allow_nan
        return tags


def restore_left_out(values: np.ndarray, present: NDArray[np.bool_] | None) -> np.ndarray:
    """Values (m, samples of the lesson, ...) with the rows that `Lesson.present` left out back in their place, as 0."""
    if present is None:
        return values
    restored = np.zeros((len(values), len(present), *values.shape[2:]), dtype=values.dtype)
    restored[:, present] = values
    return restored
