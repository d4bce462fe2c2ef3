"""What `emphatic predict` writes for each row: columns that are kept, the label, and probabilities."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from emphatic.engines import DaskEngine, Engine, Item, Shared, iterate_tasks
from emphatic.names import unknown

if TYPE_CHECKING:
    import pandas as pd


class Threshold:
    """Predicts a class from a probability on, and below it the most probable of the other classes.

    >>> threshold = Threshold(0.3, "yes", ["no", "yes"])
    >>> threshold.choose(np.array([[0.7, 0.3], [0.8, 0.2]]))
    array([1, 0])
    """

    def __init__(self, probability: float, positive: str, classes: Sequence[Any]) -> None:
        names = list(map(str, classes))
        if not 0 < probability < 1:
            raise ValueError(f"--threshold must be between 0 and 1, such as 0.3; got {probability:g}")
        if positive not in names:
            raise unknown("class", positive, names)
        self.probability, self.place = probability, names.index(positive)

    def choose(self, probabilities: np.ndarray) -> np.ndarray:
        """Return the place of the class of each row."""
        others = probabilities.copy()
        others[:, self.place] = -1
        return np.where(probabilities[:, self.place] >= self.probability, self.place, others.argmax(axis=1))


class Block(NamedTuple):
    """Rows of the table, their columns as the model needs them, and the names of the others."""

    rows: pd.DataFrame
    X: pd.DataFrame
    extra: list[str]


class Predictions:
    """Makes the rows of the output from rows of the table."""

    def __init__(self, model: Any, keep: str, probabilities: bool, threshold: Threshold | None) -> None:
        if (probabilities or threshold is not None) and not hasattr(model, "predict_proba"):
            raise ValueError(f"a {type(model).__name__} does not predict probabilities")
        self.model, self.keep, self.threshold = model, keep, threshold
        self.names = [f"P({label})" for label in model.classes_.tolist()] if probabilities else []

    def make_tables(self, blocks: Iterable[Block], engine: Engine) -> Generator[tuple[Block, pd.DataFrame], None, None]:
        """Yield each block, and one row of the output for each of its rows, in the order of the table.

        The engine predicts, and takes a block when it can use one: only a few are in memory. What is kept stays here.
        """
        import pandas as pd

        shared, waiting = Shared(self), deque[tuple[Block, pd.DataFrame]]()
        told: set[str] = set()

        def send() -> Iterator[Item]:
            for block in blocks:
                kept = block.rows[self.choose_kept(list(map(str, block.rows.columns)))]
                waiting.append((block, kept.reset_index(drop=True)))
                yield Item((block.X,), shared=(shared,))

        if isinstance(engine, DaskEngine):
            engine = engine.in_order()
        for found, remarks in iterate_tasks(Predictions.predict, send(), engine=engine):
            block, kept = waiting.popleft()
            for remark in remarks:
                if str(remark) not in told:
                    warnings.warn(remark, stacklevel=2)
                    told.add(str(remark))
            yield block, pd.concat([kept, found], axis=1)

    def predict(self, X: pd.DataFrame) -> tuple[pd.DataFrame, list[Warning | str]]:
        """Return the predicted columns, and what the model warns of: a worker has nobody to tell it to."""
        import pandas as pd

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = self.model.predict_proba(X) if self.names or self.threshold else np.empty((len(X), 0))
            if self.threshold is None:
                labels = self.model.predict(X)
            else:
                labels = self.model.classes_[self.threshold.choose(found)]
        table = pd.DataFrame({"predicted": labels})
        if self.names:
            table = pd.concat([table, pd.DataFrame(found, columns=self.names)], axis=1)
        return table, [one.message for one in caught]

    def choose_kept(self, columns: Sequence[str]) -> list[str]:
        """The columns to keep, of those that the table has."""
        # a name may have a comma in it
        names = [self.keep] if self.keep in columns else [name.strip() for name in self.keep.split(",") if name.strip()]
        for name in names:
            if name not in columns:
                raise unknown("column", name, columns)
            if name in ("predicted", *self.names):
                raise ValueError(f"--keep {name}: the output has a column of this name already; rename it in the table")
        return list(dict.fromkeys(names))
