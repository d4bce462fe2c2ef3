"""Evaluation of a fitted model, and its model card.

`describe_model` measures a fitted classifier on rows that it was not trained on, `summarise` tells it in a few lines,
`write_card` as one HTML page. `predict_out_of_fold` and `evaluate` can be used alone.
"""

from emphatic.card.card import Card, describe_model
from emphatic.card.evaluation import Evaluation, evaluate
from emphatic.card.out_of_fold import predict_out_of_fold
from emphatic.card.page import write_card
from emphatic.card.summary import summarise

__all__ = [
    "Card",
    "Evaluation",
    "describe_model",
    "evaluate",
    "predict_out_of_fold",
    "summarise",
    "write_card",
]
