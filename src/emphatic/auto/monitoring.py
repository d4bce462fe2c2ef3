"""What scikit-learn's callbacks see of a search: after every candidate the blend so far, at the end the model.

They get a copy of the classifier with the attributes that it predicts by: `best_model_`, `_encoder` and `_rule`.
"""

from collections.abc import Callable
from typing import Any

from emphatic.auto.decisions.decision import BY_PROBABILITY
from emphatic.auto.searching.attempt import Attempt
from emphatic.base import Lesson
from emphatic.boosting.callbacks import Monitor


def start_monitor(classifier: Any, lesson: Lesson) -> Monitor:
    """Tell the callbacks of a classifier that it begins to learn."""
    return Monitor(classifier, None, X=lesson.table, y=lambda: classifier.classes_[lesson.y])


def report_candidates(monitor: Monitor) -> Callable[[Attempt], bool]:
    """What an attempt calls after every candidate: True if a callback asks to stop."""

    def round_ended(attempt: Attempt) -> bool:
        def read_attributes() -> dict[str, Any]:
            blend = attempt.blend_so_far().blend
            return {"best_model_": blend, "_encoder": attempt.encoder, "_rule": BY_PROBABILITY}

        return monitor.round_ended(read_attributes)

    return round_ended


def report_end(monitor: Monitor, classifier: Any) -> None:
    """Tell the callbacks that the classifier has learnt."""
    learnt = {name: getattr(classifier, name) for name in ("best_model_", "_encoder", "_rule")}
    monitor.fit_ended(lambda: learnt)
