"""What the inputs say: class probabilities by models that are trained on the consensus of the other rows."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import softmax

from emphatic.audit.panel import Panel
from emphatic.audit.scoring import LEAST_PROBABILITY, score_held_out
from emphatic.blending.by_loss import BRIER_STRICTNESS, brier_score, weigh_by_loss
from emphatic.blending.folds import draw_folds
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray, IntArray
from emphatic.engines import Item, Shared, iterate_tasks
from emphatic.hush import ignore_warnings
from emphatic.inputs import take_rows
from emphatic.margins import normalise_rows
from emphatic.randomness import child_generator
from emphatic.tables import TableTransformer
from emphatic.tables.decision import Decision
from emphatic.threads import one_thread


@dataclass(frozen=True)
class CrossPredictor:
    """A table, the models that learn from it, and the folds.

    Attributes
    ----------
    X : the table as it was given, for all rounds
    columns : what was decided about its columns
    classes : (K,), sorted
    panel : its models that are trained on folds are used
    n_folds : each row is predicted by models of the other folds
    entropy : of all that is random
    """

    X: Shared
    columns: Sequence[Decision]
    classes: np.ndarray
    panel: Panel
    n_folds: int
    entropy: int

    def predict(
        self,
        codes: IntArray,
        weights: FloatArray,
        rows: IntArray,
        number: int,
        n_jobs: int | None,
        advance: Callable[[], None],
        engine: Any = None,
    ) -> FloatArray:
        """Probabilities (n, K) by models of `codes`, of which only those of `rows` are learnt from.

        These rows are predicted out of fold, all others by the mean of the models. Models are brought to one scale and
        weighted by their Brier scores, as in the audit of one label per row. One wrong row per class is added to what
        is counted, so that few rows that are all predicted right make no certainty.
        """
        folds = [rows[fold] for fold in draw_folds(codes[rows], self.n_folds, child_generator(self.entropy, number))]
        others = np.setdiff1d(np.arange(len(codes)), rows)
        shared = self.X, replace(self, X=Shared(None)), codes, weights
        items = (
            Item((np.setdiff1d(rows, fold), np.concatenate([fold, others]), (number, i)), shared)
            for i, fold in enumerate(folds)
        )
        scores = np.zeros((len(self.panel.fold_models), len(codes), len(self.classes)))
        results = iterate_tasks(_score_fold, items, n_jobs=n_jobs, engine=engine, prefer=self.panel.prefer)
        for fold, found in zip(folds, results, strict=True):
            scores[:, fold] = found[:, : len(fold)]
            scores[:, others] += found[:, len(fold) :] / len(folds)
            advance()
        return _blend(scores, codes, weights, rows)


def _blend(scores: FloatArray, codes: IntArray, weights: FloatArray, rows: IntArray) -> FloatArray:
    n_classes = scores.shape[2]
    smoothing = n_classes / (n_classes + len(rows))
    factors = [fit_factor(one[rows], codes[rows], weights[rows], smoothing)[0] for one in scores]
    predictions = [softmax(factor * one, axis=1) for factor, one in zip(factors, scores)]
    losses = np.array([brier_score(one[rows], codes[rows]) for one in predictions])
    blend = np.tensordot(weigh_by_loss(losses, BRIER_STRICTNESS), np.stack(predictions), axes=1)
    return normalise_rows(np.maximum(blend, LEAST_PROBABILITY))


def _score_fold(
    table: Any,
    predictor: CrossPredictor,
    codes: IntArray,
    weights: FloatArray,
    training: IntArray,
    rows: IntArray,
    key: tuple[int, ...],
) -> FloatArray:
    """Scores (models, rows, K) of `rows` by models of the rows in `training`."""
    rng = child_generator(predictor.entropy, *key)
    X_training, X = take_rows(table, training), take_rows(table, rows)
    # Warnings of our own models say nothing new: a weak one loses its weight in the blend.
    with one_thread(), ignore_warnings() if predictor.panel.prepares else nullcontext():
        if predictor.panel.prepares:
            transformer = TableTransformer(columns={one.name: one for one in predictor.columns}).fit(X_training)
            X_training, X = transformer.transform(X_training), transformer.transform(X)
        lesson = X_training, predictor.classes[codes[training]], weights[training]
        return np.stack(
            [score_held_out(model, lesson, X, predictor.classes, rng) for model in predictor.panel.fold_models]
        )
