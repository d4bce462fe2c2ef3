"""The result of an audit, and the ways to look at it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from emphatic.audit.marks.correction import Correction, correct_labels
from emphatic.audit.page import write_page
from emphatic.audit.plot import draw_figure
from emphatic.audit.reviewed import Reviewed

if TYPE_CHECKING:
    from emphatic.audit.troubles import Troubles


class AuditResult(Reviewed):
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
        Positions of the nearest other rows, nearest first, by the Euclidean distance of the prepared inputs. In a table
        of more than 20,000 rows, the nearest among at most 10,000 rows drawn at random.
    columns : list of Decision
        What became of each column of the table and why; printed, each is a line for people.
    marks : Marks
        What a person found out (`update`), with `rows`, `wrong` and `correct` (positions in `classes`, -1 if unknown).
    review : Review
        How the review stands: precision so far, how many wrong labels remain, and whether to go on.
    unmarked : array of int
        Positions of the samples without a mark, most suspicious first: the first one is the one to look at next.
    notes : tuple of str
        Sentences about what the audit did not do: models trained on samples, or left out to keep to a time budget.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from emphatic.audit import audit_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y[3] = 2  # a setosa, labelled virginica
    >>> audit = audit_labels(X, y, estimator=LogisticRegression(max_iter=500))
    >>> int(audit.suspicion.argmax()), int(audit.suggested[3]), str(audit.kinds[3])
    (3, 0, 'noisy')
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

    def correct(self, marks: Any, *, drop_unknown: bool = False, force: bool = False) -> Correction:
        """Replace the labels that are marked wrong by the right ones.

        Parameters
        ----------
        marks : path, DataFrame or dict
            The file that the page downloads (or its table), or ``{index: mark}`` with the marks "right", "wrong" (the
            suggested label is right), ``("wrong", label)``, or ``("wrong", None)`` if the right label is not known.
            Marks that the audit knows already count too.
        drop_unknown : bool, default=False
            Whether to drop rows whose right label is not known; otherwise they keep their label.
        force : bool, default=False
            Take rows that have changed since by their index, where it has the same label, and leave out the others;
            otherwise they are refused.

        Returns
        -------
        Correction
            labels, positions of the rows that were kept, and a log.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.linear_model import LogisticRegression
        >>> from emphatic.audit import audit_labels
        >>> X, y = load_iris(return_X_y=True)
        >>> y[[3, 60]] = 2, 0
        >>> audit = audit_labels(X, y, LogisticRegression(max_iter=1000))
        >>> labels, rows, log = audit.correct({3: "wrong", 60: ("wrong", 1), 61: "right"})
        >>> log.to_dict("records")[0]
        {'index': 3, 'before': 2, 'after': 0, 'why': 'marked wrong'}
        """
        return correct_labels(self.y, self.index, self.classes, self.read_marks(marks, force), drop_unknown)

    def update(
        self, marks: Any, *, force: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> "AuditResult":
        """Audit the table again with what is known: models learn from the marks, and so do the suspicions of the rest.

        A label that is marked right is trained on with full weight in all passes, and has the suspicion 0. In place of
        one that is marked wrong models learn the right one (if it is not known, the sample is left out), and its
        suspicion is 1. `marks` and `force` are those of `correct`, `progress` that of `audit_labels`.
        """
        return self.audit_again(self.read_marks(marks, force), progress)

    def to_html(self, path: Any, *, troubles: "Troubles | None" = None, source: str = "", target: str = "") -> None:
        """Write a page in a single file for sorting, filtering and marking the samples.

        With `troubles` (of this table) it has a section for each kind of them. `source` and `target` are the names of
        the file and of the column of labels, to show them.
        """
        write_page(self, path, () if troubles is None else troubles.to_sections(), source=source, target=target)
