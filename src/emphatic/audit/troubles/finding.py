"""One trouble of a table: of which kind, in which rows or columns, how surely, and in plain words."""

from dataclasses import dataclass

KINDS = {
    "exact duplicates": "Rows that are equal in every column that is used. On both sides of a split they make a model "
    "look better than it is: keep one of each, or keep them together by groups.",
    "near duplicates": "Rows that are nearer to each other than any two rows of the table would be by chance: "
    "measurements that were repeated, or records that were entered twice.",
    "conflicting duplicates": "Rows that are equal, or nearly, and have different labels: at least one label is wrong, "
    "or the columns do not suffice to tell the classes apart.",
    "outliers": "Rows unlike any other row of the table: errors of measurement or entry, other units, or samples that "
    "do not belong here.",
    "class outliers": "Rows unlike the others with their label, among rows with another one: their labels may be "
    "wrong.",
    "confused classes": "Pairs of classes that models which were not trained on a row cannot tell apart in it.",
    "leaking columns": "Columns that alone tell nearly every label: they may not be known yet when a model is used.",
    "columns left out": "Columns that say nothing about their rows: constants, row numbers, identifiers.",
    "missing values": "Columns with cells that hold no value.",
    "rare classes": "Classes with so few rows that a model may never predict them.",
    "drift": "What changes along the order of the rows, or with time: a model of early rows may not fit later ones, "
    "and a split at random hides it.",
    "disagreeing groups": "Groups whose labels the models that were trained on other groups contradict more often than "
    "those of the rest.",
    "disagreeing annotators": "Annotators whose labels the models that were trained on the labels of others contradict "
    "more often than those of the rest.",
    "influential rows": "Rows that change a model most if they are left out: look at their labels and cells first.",
}
"""Every kind of trouble in the order in which it is told, and what it means."""


@dataclass(frozen=True)
class Finding:
    """One trouble.

    Attributes
    ----------
    kind : one of `KINDS`
    score : from 0 to 1, the larger the surer or the worse; each kind says how it is measured
    explanation : one sentence for people
    rows : positions of the rows concerned, from 0
    columns : names of the columns concerned, those that matter most first

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.audit import find_troubles
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> X.loc[7, "petal width (cm)"] = 20.0
    >>> finding = find_troubles(X, y).of("outliers")[0]
    >>> finding.rows, finding.columns
    ((7,), ('petal width (cm)',))
    """

    kind: str
    score: float
    explanation: str
    rows: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()
