"""How far the fit of a model is: by its own bar, if it has one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from emphatic.progress import progress_bar


@contextmanager
def show_progress(model: Any, label: str, show: bool) -> Iterator[None]:
    """Show how far `model.fit` is while the block runs; `model` is as before when it ends.

    A model with a parameter `progress`, on its own or in a pipeline, shows its own bar, which counts its steps. Any
    other only shows that it is at work.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier()
    >>> with show_progress(model, "fit DummyClassifier", show=True):
    ...     model.fit([[0], [1]], [0, 0]).predict([[1]])
    array([0])
    """
    given = {name: value for name, value in model.get_params().items() if name.split("__")[-1] == "progress"}
    with progress_bar(label, None, show and not given):
        model.set_params(**dict.fromkeys(given, show))
        try:
            yield
        finally:
            model.set_params(**given)
