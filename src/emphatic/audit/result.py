"""The result of an audit, and the ways to look at it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from emphatic.audit.judgement import Findings
from emphatic.audit.page import write_page
from emphatic.audit.plot import draw_figure

if TYPE_CHECKING:
    from emphatic.audit.troubles import Troubles


class AuditResult(Findings):
    """Suspicion, kind and suggested label of every sample, in the order in which the samples were given.

    `order` and `summary` give the most suspicious samples first, as `table`, `plot` and `to_html` do.

    Attributes
    ----------
    suspicion : array (n,)
        Estimated probability that the given label is wrong: 0 for a label beyond doubt, 1 for a certain mistake. They
        add up to the number of labels that are expected to be wrong.
    suggested : array (n,)
        The most probable other label where the suspicion is above one half; everywhere else the given one.
    kinds : array (n,) of str
        "redundant" (safely right), "borderline" or "noisy" (safely wrong: the suspicion is above one half).
    probabilities : array (n, K)
        What models, trained without the sample, expect its label to be, mistakes included; each row sums to 1.
    posterior : array (n, K)
        Probabilities of the true class, with the given label taken into account: that of the given label is 1 minus the
        suspicion.
    classes : array (K,)
        Sorted labels, the columns of `probabilities` and `posterior`.
    X : DataFrame or array
        The table as it was given.
    y : array (n,)
        The labels as they were given.
    index : array (n,)
        Row labels of a pandas table, otherwise 0 .. n-1.
    neighbours : array (n, k) of int
        Positions of the nearest other rows, nearest first, by the Euclidean distance of the prepared inputs.
    columns : list of Decision
        What became of each column of the table and why; printed, each is a line for people.
    """

    @property
    def table(self) -> Any:
        """pandas DataFrame with the columns index, label, suggested, kind and suspicion, most suspicious first."""
        import pandas as pd

        columns = {
            "index": self.index,
            "label": self.y,
            "suggested": self.suggested,
            "kind": self.kinds,
            "suspicion": self.suspicion,
        }
        return pd.DataFrame({name: values[self.order] for name, values in columns.items()})

    def plot(self) -> Any:
        """A plotly figure: the samples by suspicion and kind, and which labels are confused with which."""
        return draw_figure(self)

    def troubles(
        self,
        *,
        groups: ArrayLike | str | None = None,
        annotators: ArrayLike | str | None = None,
        time: ArrayLike | str | None = None,
        random_state: Any = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> "Troubles":
        """Look for what else may be wrong with the table: `find_troubles`, with the probabilities of this audit."""
        from emphatic.audit.troubles import find_troubles

        # an array has no names of columns, and the audit uses all of them: constants are told here all the same
        named = hasattr(self.X, "columns")
        return find_troubles(
            self.X,
            self.y,
            groups=groups,
            annotators=annotators,
            time=time,
            probabilities=self.probabilities,
            columns={one.name: one for one in self.columns} if named else None,
            random_state=random_state,
            progress=progress,
        )

    def to_html(self, path: Any, *, troubles: "Troubles | None" = None) -> None:
        """Write a page in a single file for sorting, filtering and marking the samples.

        With `troubles` (of this table) it has a section for each kind of them.
        """
        write_page(self, path, () if troubles is None else troubles.to_sections())
