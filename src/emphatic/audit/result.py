"""The result of an audit, and the ways to look at it."""

from typing import Any

from emphatic.audit.judgement import Findings
from emphatic.audit.page import write_page
from emphatic.audit.plot import draw_figure


class AuditResult(Findings):
    """Suspicion, kind and suggested label of every sample, in the order in which the samples were given.

    `order` and `summary` give the most suspicious samples first, as `table`, `plot` and `to_html` do.

    Attributes
    ----------
    suspicion : array (n,)
        Estimated probability that the given label is wrong: 0 for a label beyond doubt, 1 for a certain mistake. They
        add up to the number of labels that are expected to be wrong.
    suggested : array (n,)
        Most probable label, out of fold; often the given one.
    kinds : array (n,) of str
        "redundant", "borderline" or "noisy".
    probabilities : array (n, K)
        Of each class, out of fold; each row sums to 1.
    classes : array (K,)
        Sorted labels, the columns of `probabilities`.
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

    def to_html(self, path: Any) -> None:
        """Write a page in a single file for sorting, filtering and marking the samples."""
        write_page(self, path)
