"""Ensembles that add up the outputs, or count the votes, of their learners."""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.boosting.fuzzy_boost import FuzzyBoostClassifier
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.check import FloatArray
from emphatic.export.answer import (
    Answer,
    answer_by_output,
    answer_by_score,
    mark_class,
    output_of_probabilities,
)
from emphatic.export.conversion import convert_member, converts
from emphatic.export.forest import sum_leaves
from emphatic.export.graph import Value, add_up
from emphatic.export.table import Table
from emphatic.export.trees import read_leaf_outputs, read_tree


@converts(RealAdaBoostClassifier)
def _convert_real_adaboost(model: RealAdaBoostClassifier, table: Table) -> Answer:
    """f(x) = f_0 + sum_t alpha_t o_t(x)"""
    n_classes = len(model.classes_)
    score = table.constant_column(0.0) + np.reshape(model.initial_score_, (1, -1))
    if model.estimators_:
        score = score + _add_members(model, table, lambda output: output, lambda answer: answer.output)
    return answer_by_score(score, float(np.abs(model.alphas_).sum()) or 1.0, n_classes)


@converts(FuzzyBoostClassifier)
def _convert_fuzzy_boost(model: FuzzyBoostClassifier, table: Table) -> Answer:
    """Shares of the votes; every learner votes for one class."""
    n_classes, total = len(model.classes_), float(np.cumsum(model.alphas_)[-1])

    def vote(output: FloatArray) -> FloatArray:
        """Of a tree, leaf by leaf: of two equally likely classes it chooses the first."""
        codes = (output[:, 0] > 0).astype(np.intp) if n_classes == 2 else output.argmax(axis=1)
        return np.asarray(np.eye(n_classes)[codes])

    def ballot(answer: Answer) -> Value:
        return mark_class(answer.winner, n_classes).cast(np.float64)

    if total > 0:
        shares = _add_members(model, table, vote, ballot) / total
    else:
        shares = table.constant_column(0.0) + np.full((1, n_classes), 1.0 / n_classes)
    return answer_by_output(output_of_probabilities(shares, n_classes), n_classes)


def _add_members(model: AdditiveEnsemble, table: Table, of_leaves: Any, of_answer: Any) -> Value:
    """sum_t alpha_t v_t(x), with v of the outputs of a tree's leaves, or of the answer of any other learner.

    Trees are evaluated by one operator for all of them.
    """
    alphas, classes = model.alphas_.tolist(), model.classes_
    trees = [read_tree(one) for one in model.estimators_]
    found = [one for one in trees if one is not None]
    if len(found) == len(trees):
        outputs = [read_leaf_outputs(one, tree, classes) for one, tree in zip(model.estimators_, found, strict=True)]
        values = [alpha * of_leaves(output) for alpha, output in zip(alphas, outputs, strict=True)]
        return sum_leaves(table.numbers(), found, values)
    members = (of_answer(convert_member(one, table, classes)) for one in model.estimators_)
    return add_up(member * alpha for member, alpha in zip(members, alphas, strict=True))
