"""What `EmphaticClassifier` says about itself: which columns matter, why it is as it is, why it predicts a row so."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from emphatic.auto.searching.blend import LARGEST_CENTRE
from emphatic.auto.sparse import SparseEncoder
from emphatic.auto.why.explanation import explain_columns
from emphatic.auto.why.html_summary import summarise_as_html
from emphatic.auto.why.importance import measure_importances
from emphatic.auto.why.left_out import LeftOutBlend
from emphatic.auto.why.plot import Picture, describe_figure, make_figure
from emphatic.auto.why.row import read_row
from emphatic.auto.why.row_explanation import RowExplanation
from emphatic.auto.why.shapley import draw_background, explain_inputs, list_players
from emphatic.auto.why.tabulation import as_table, tabulate_importances
from emphatic.base import ProbabilityLearner
from emphatic.check import IntArray
from emphatic.fields import Array, IfSet, Maybe, Part, saved
from emphatic.importance import Importances
from emphatic.threads import one_thread

NO_IMPORTANCES = "the model file is of a version that kept nothing to explain it by: fit the model again."
SPARSE = (
    "a model of a sparse matrix with many columns has no importances, and explains no single row: fit one to a dense "
    "table of the columns of interest."
)


@saved(
    # None in files of versions that could not explain
    _importances=IfSet(Maybe(Part("Importances")), None),
    _background=IfSet(Maybe(Array(np.float32, None, None, low=-LARGEST_CENTRE, high=LARGEST_CENTRE)), None),
)
class Explained(ProbabilityLearner):
    """The part of `EmphaticClassifier` that answers questions about the model; the rest makes the model."""

    saved_fields: dict[str, Any]
    _importances: Importances | None

    def _keep_evidence(self, left_out: LeftOutBlend | None) -> None:
        """Keep what questions need, in memory only but for the background rows; None if there are no answers."""
        self._importances, self._background = None, None
        self.__dict__.pop("_left_out", None)  # of an earlier fit
        if left_out is not None:
            self._left_out = left_out
            self._background = draw_background(left_out.inputs, self._starts)

    @property
    def _excuse(self) -> str:
        """Why there are no answers."""
        return SPARSE if isinstance(self._encoder, SparseEncoder) else NO_IMPORTANCES

    @property
    def importances_(self) -> Any:
        """How much the log loss grows when the cells of a column are shuffled, the most important column first."""
        check_is_fitted(self)
        if not self._knows_importances:  # as of an attribute that is not there: scikit-learn looks at all of them
            raise AttributeError(self._excuse)
        return as_table(tabulate_importances(self.measure_importances(), self._column_names, self._starts))

    def measure_importances(self) -> Importances:
        """`importances_` as a record that also says on how many rows they were measured; measured once.

        Rows of the training are predicted by models that were not trained on them, as they are and with the cells of
        one column shuffled. docs/why.md says what that means, and what it does not.
        """
        check_is_fitted(self)
        if not self._knows_importances:
            raise ValueError(self._excuse)
        if self._importances is None:
            with one_thread():
                self._importances = measure_importances(self._left_out, self._starts, self._column_names)
        return self._importances

    @property
    def _knows_importances(self) -> bool:
        """Whether they have been measured, or can be: in the process that fitted the model."""
        return self._importances is not None or hasattr(self, "_left_out")

    def explain(self, row: Any = None) -> Any:
        """Why the model is what it is, or why it predicts what it predicts for one row.

        Parameters
        ----------
        row : table of one row, dict, Series or list of cells, default=None
            The row to be explained; None explains the model.

        Returns
        -------
        str, or RowExplanation
            Of a row: how much each of its cells raises or lowers the probability of the predicted class, compared with
            what the model predicts on average (Shapley values). It prints as a sentence, has a `table` and a `plot()`,
            and `of(label)` is the same for another class.
        """
        check_is_fitted(self)
        if row is None:
            columns = [explain_columns(self.measure_importances())] if self._knows_importances else []
            return "\n".join([self._explanation, *columns])
        if self._background is None:
            raise ValueError(self._excuse)
        return self._explain_row(row, self._background)

    def _explain_row(self, row: Any, background: NDArray[np.float32]) -> RowExplanation:
        names, starts, predict = self._column_names, self._starts, self.best_model_.probabilities
        table, cells = read_row(row, names)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "X does not have valid feature names")  # cells were arranged by name
            inputs = self._encoder.encode(self._check_table(table, reset=False)).inputs[0].astype(np.float32)
            predicted = self.predict(table).tolist()[0]
        players = list_players(predict, inputs, background, starts)
        found = explain_inputs(predict, inputs, background, players, starts)
        return RowExplanation(names, cells, self.classes_, predicted, predicted, found)

    @property
    def _column_names(self) -> list[str]:
        return [one.name for one in self.columns_]

    def plot(self) -> Any:
        """A plotly Figure: members with weights, the most important columns, calibration and confusion out of fold.

        A model from a file does not know its training rows: the figure then has members and columns only.
        """
        importances = self.measure_importances()
        picture = Picture(self.best_model_, importances, self.classes_.tolist())
        if hasattr(self, "_left_out"):
            codes = self._left_out.judged_codes
            probabilities = self.out_of_fold_[~np.isnan(self.out_of_fold_[:, 0])]  # of the same rows
            predicted = np.searchsorted(self.classes_, self.decide(probabilities))
            picture = replace(picture, codes=codes, predicted=predicted, probabilities=probabilities)
        return make_figure(describe_figure(picture))

    @property
    def _repr_html_(self) -> Any:
        diagram = super()._repr_html_  # an AttributeError where scikit-learn is set to show text
        return lambda: diagram() + self._summarise()

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += self._summarise()
        return bundle

    def _summarise(self) -> str:
        """What a notebook shows below the diagram: nothing before the fit."""
        if not hasattr(self, "best_model_"):
            return ""
        importances = self.measure_importances() if self._knows_importances else None
        return summarise_as_html(self.best_model_, len(self.classes_), len(self.columns_), importances)

    @property
    def _starts(self) -> IntArray:
        """Where the inputs of each column of the table begin."""
        return np.asarray(self._encoder.transformer.starts)

    def list_saved(self) -> dict[str, Any]:
        """The fields for a file; importances are measured first, because a file does not keep what they need."""
        if hasattr(self, "_left_out"):
            self.measure_importances()
        return {name: getattr(self, name) for name in self.saved_fields if hasattr(self, name)}

    def _check_saved_why(self, n_inputs: int, n_columns: int) -> None:
        """Raise ValueError unless what was read from a file is about so many inputs and columns."""
        if self._background is not None and (not len(self._background) or self._background.shape[1] != n_inputs):
            raise ValueError(f"background rows of {n_inputs} inputs are needed")
        if self._importances is not None and not (self._importances.positions < n_columns).all():
            raise ValueError("there are importances of columns that the table does not have")
