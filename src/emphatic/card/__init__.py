"""Evaluation of a fitted model, and its model card.

`describe_model` measures a fitted classifier on rows that it was not trained on, `summarise` tells it in a few lines,
`write_card` as one HTML page. Its steps can be used alone: `predict_out_of_fold`, `evaluate`, `measure_importances`,
`measure_dependence`.
"""

from emphatic.card.card import Card, describe_model
from emphatic.card.dependence import measure_dependence
from emphatic.card.evaluation import Evaluation, evaluate
from emphatic.card.importance import measure_importances
from emphatic.card.out_of_fold import predict_out_of_fold
from emphatic.card.page import write_card
from emphatic.card.summary import summarise

__all__ = [
    "Card",
    "Evaluation",
    "describe_model",
    "evaluate",
    "measure_dependence",
    "measure_importances",
    "predict_out_of_fold",
    "summarise",
    "write_card",
]
