"""What class trees and their forests share: one table with several views, or several tables, one per view."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.base import Lesson, ProbabilityLearner
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, ByName, saved
from emphatic.fitting import all_or_nothing
from emphatic.fusion.columns import column_positions
from emphatic.inputs import check_classifier, refuse_unusable_tables
from emphatic.learners import RBFNetworkClassifier
from emphatic.learners.prototypes import ClassKMeans
from emphatic.multiview.class_tree.planning import View
from emphatic.randomness import draw_entropy


@saved(columns_=ByName(Array(np.int64, None, low=0, below="features")))
class MultiViewLearner(ProbabilityLearner):
    """A learner on one table whose groups of columns are views, or on several tables, each of which is a view.

    A subclass has the parameters `views`, `estimator`, `evaluation`, `masses`, `inner`, `normalise`, `ratio` and
    `random_state`, and writes `train` and `probabilities`.
    """

    views: Any
    estimator: Any
    evaluation: str
    masses: str
    inner: str
    normalise: bool
    ratio: str

    @abstractmethod
    def train(self, views: Mapping[str, View], classes: tuple[int, ...]) -> None:
        """Train on the views of the samples; `classes` are the codes that occur in them."""

    def check_parameters(self) -> None:
        check.one_of("evaluation", self.evaluation, ("walk", "evidence"))
        check.one_of("masses", self.masses, ("discount", "plain", "balloon"))
        check.one_of("inner", self.inner, ("samples", "centroids"))
        check.one_of("normalise", self.normalise, (True, False))
        check.one_of("ratio", self.ratio, ("gap", "squared_gap"))
        self._node_classifier()

    def prepare(self, X: FloatArray, y: IntArray) -> FloatArray:
        self.check_parameters()
        undiscounted = self.evaluation == "evidence" and self.masses == "plain" and len(self.classes_) > 2
        node_classifier = self._node_classifier()
        if undiscounted and not (hasattr(node_classifier, "for_sides") or hasattr(node_classifier, "supports")):
            raise ValueError(
                f'masses="plain" is not allowed with {type(self.estimator).__name__}, which cannot express ignorance: '
                'each node would exclude all classes that it never saw. masses must be "discount" or "balloon".'
            )
        if "columns_" not in self.__dict__:  # inside an ensemble, which passes arrays on
            self.columns_ = locate_views(self.views, X)
        return X

    @property
    def needs_all_rows(self) -> str:
        return "the classifier of a node is fitted to the rows of its classes, in one place"

    def learn(self, lesson: Lesson) -> FloatArray:
        self._train(lesson)
        return self.respond(lesson.table)

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to rows `X` with labels `y`; a row of weight k counts as k rows."""
        self._train(self.make_lesson(X, y, sample_weight))  # not `learn`, whose output is not needed
        return self

    def _train(self, lesson: Lesson) -> None:
        entropy = draw_entropy(lesson.rng)
        tables = self._take_views(lesson.table)
        views = {
            name: View(name, X, lesson.y, lesson.weights, self.inner, entropy, self.ratio) for name, X in tables.items()
        }
        self.train(views, tuple(np.unique(lesson.y).tolist()))

    def _take_views(self, table: FloatArray) -> dict[str, FloatArray]:
        """The views of a checked table, by name."""
        return {name: np.ascontiguousarray(table[:, _as_slice(at)]) for name, at in self.columns_.items()}

    def _node_classifier(self) -> Any:
        if self.estimator is None:
            return RBFNetworkClassifier(ClassKMeans(20), regularisation=1e-8)
        return check_classifier("estimator", self.estimator)

    def _check_table(self, X: Any, *, reset: bool) -> FloatArray:
        """`X`, or the tables that it holds, as one array; an error about NaN names the view."""
        refuse_unusable_tables(self, X)  # first: some sparse tables are mappings too
        tables = _named_tables(X)
        columns: dict[str, IntArray] | None = None if reset else self.columns_
        if tables is not None:
            if self.views is not None:
                raise ValueError("views must be None if X is several tables: each of them is a view.")
            X, columns = self._stack(tables, None if reset else list(self.columns_))
        try:
            table: FloatArray = super()._check_table(X, reset=reset)
        except ValueError as error:
            if not any(word in str(error) for word in ("contains NaN", "contains infinity")):
                raise
            columns = locate_views(self.views, X) if columns is None else columns
            bad = np.flatnonzero(~np.isfinite(np.asarray(X, dtype=np.float64)).all(axis=0))
            names = [repr(name) for name, at in columns.items() if np.isin(at, bad).any()]
            raise ValueError(f"view {', '.join(names)}: {error}" if names else str(error)) from error
        if reset:
            self.columns_ = locate_views(self.views, X) if columns is None else columns
        return table

    def _stack(self, tables: dict[str, Any], names: list[str] | None) -> tuple[np.ndarray, dict[str, IntArray]]:
        """One table made of several, in the order of `names` (None: as given), and the columns of each."""
        if names is not None and set(names) != set(tables):
            raise ValueError(f"X has the views {', '.join(tables)}, but fit had {', '.join(names)}.")
        arrays = {}
        for name in names or tables:
            refuse_unusable_tables(self, tables[name])
            arrays[name] = np.asarray(tables[name])
            if arrays[name].ndim != 2 or 0 in arrays[name].shape:
                raise ValueError(
                    f"view {name!r} has shape {arrays[name].shape}: it must be (samples, columns), none 0."
                )
        rows = {name: len(array) for name, array in arrays.items()}
        if len(set(rows.values())) > 1:
            raise ValueError(f"The views have different numbers of rows: {rows}.")
        ends = np.cumsum([array.shape[1] for array in arrays.values()])
        columns = {name: np.arange(end - array.shape[1], end) for (name, array), end in zip(arrays.items(), ends)}
        return np.hstack(list(arrays.values())), columns


def locate_views(views: Any, X: Any) -> dict[str, IntArray]:
    """The positions of the columns of each view of a table; None is one view, "all", of all columns.

    >>> import numpy as np
    >>> locate_views({"a": [0, 1], "b": slice(1, 3)}, np.zeros((2, 3)))
    {'a': array([0, 1]), 'b': array([1, 2])}
    """
    if views is None:
        views = {"all": None}
    if not isinstance(views, Mapping) or not views or not all(isinstance(name, str) for name in views):
        raise ValueError(f"views={views!r} is not allowed: views must be a dictionary {{name: columns}}, or None.")
    table = X if hasattr(X, "shape") else np.asarray(X)
    return {name: column_positions(f"view {name!r}", columns, table) for name, columns in views.items()}


def _named_tables(X: Any) -> dict[str, Any] | None:
    """The tables by name if `X` is a mapping or a list of tables; None if it is a single table."""
    if isinstance(X, Mapping):
        return {str(name): one for name, one in X.items()}
    if isinstance(X, list | tuple) and X and all(len(getattr(one, "shape", ())) == 2 for one in X):
        return {f"view_{number}": one for number, one in enumerate(X)}
    return None


def _as_slice(at: IntArray) -> IntArray | slice:
    """Consecutive positions as a slice, by which columns are copied faster."""
    start, stop = int(at[0]), int(at[-1]) + 1
    return slice(start, stop) if np.array_equal(at, np.arange(start, stop)) else at
