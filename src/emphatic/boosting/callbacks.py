"""scikit-learn's fit callbacks where it has them (1.9); where it has not, the same calls do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks

    SUPPORTED = True
except ImportError:  # scikit-learn < 1.9
    SUPPORTED = False

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's mixin, and does nothing."""

    def with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        """The method as it is: there is nothing to tear down."""
        return method


class Monitor:
    """Tells the callbacks of an estimator about a fit and its rounds."""

    def __init__(self, estimator: Any, max_rounds: int | None, **data: Any) -> None:
        self.estimator, self.data = estimator, data
        # scikit-learn's own estimators look at this attribute too: a context a round is not free
        wanted = SUPPORTED and hasattr(estimator, "_skl_callbacks")
        self.context = estimator._init_callback_context(max_subtasks=max_rounds) if wanted else None
        if self.context is not None:
            self.context.call_on_fit_task_begin(estimator=estimator, **data)

    def round_ended(self, attributes: Callable[[], dict[str, Any]]) -> bool:
        """Report one round; True if a callback asks to stop. `attributes` make a fitted copy as of now."""
        if self.context is None:
            return False
        context = self.context.subcontext(task_name="round")
        context.call_on_fit_task_begin(estimator=self.estimator, **self.data)
        return bool(
            context.call_on_fit_task_end(estimator=self.estimator, reconstruction_attributes=attributes, **self.data)
        )

    def fit_ended(self, attributes: Callable[[], dict[str, Any]]) -> None:
        """Report the end of the fit."""
        if self.context is not None:
            self.context.call_on_fit_task_end(
                estimator=self.estimator, reconstruction_attributes=attributes, **self.data
            )


__all__ = ["SUPPORTED", "CallbackSupportMixin", "Monitor", "with_callbacks"]
