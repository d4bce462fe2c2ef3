"""What every `fit` has in common: it succeeds, or it leaves the estimator as it was."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Fit = TypeVar("Fit", bound=Callable[..., Any])


def all_or_nothing(fit: Fit) -> Fit:
    """Make a method `fit` that, if it fails, leaves the estimator unfitted or fitted to what it was fitted to before.

    Without it, an estimator whose `fit` refused the labels would already know the columns, and `predict` would look for
    what the rest of `fit` did not make. An interrupt counts as a failure too.
    """

    @wraps(fit)
    def fit_or_restore(self: Any, *arguments: Any, **named: Any) -> Any:
        before = dict(vars(self))
        try:
            return fit(self, *arguments, **named)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return fit_or_restore  # type: ignore[return-value]
