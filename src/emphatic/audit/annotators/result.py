"""The result of an audit of annotators, and the ways to look at it."""

from pathlib import Path
from typing import Any

import numpy as np

from emphatic.audit.annotators.findings import AnnotatorFindings
from emphatic.audit.annotators.page import write_annotators


class AnnotatorAudit(AnnotatorFindings):
    """Consensus, annotators and questions; arrays are in the order of the rows and of the annotators.

    Attributes
    ----------
    consensus : array (n,)
        Most probable label of each row.
    probability : array (n,)
        Of the consensus being right.
    probabilities : array (n, K)
        Of each class; each row sums to 1.
    majority : array (n,)
        The label with most votes; of equally many, the first in sorted order. None in a row without labels.
    labels : array (n, A)
        The labels as they were given; None is missing.
    n_labels : array (n,) of int
        Labels in each row. Where it is 0, the consensus is that of the models, or without X of the class frequencies.
    suspicion : array (n, A)
        Probability that a label is wrong, by row and annotator; NaN where there is none.
    gain : array (n,)
        Bits that one more label is expected to tell about the class: where to ask once more.
    ask : array (n,)
        Name of the annotator to ask, from whom most is to be expected; None is anyone else, as all have given a label.
    annotators : array (A,) of str
        Names of the columns, or "annotator 0", "annotator 1", ...
    quality : array (A,)
        Expected share of right labels among those that an annotator gave; NaN without labels.
    information : array (A,)
        Part of the classes' entropy that one label removes: 1 for one who is always right, 0 for one whose labels have
        nothing to do with the classes. An annotator who always gives the most frequent label may have a high quality,
        but gives no information.
    confusion : array (A, K, K)
        Probability that an annotator gives a label (last axis) to a row of a class; NaN without labels.
    kappas : array (A, A)
        Cohen's kappa of each pair, on the rows that both labelled; NaN without such rows.
    fleiss_kappa, krippendorff_alpha : float
        Agreement of all, beyond chance: 1 if they always agree, 0 if as by chance. NaN if no row has two labels.
    predictions : array (n, K) or None
        What the models alone say, out of fold; None without X.
    classes : array (K,)
        Sorted labels.
    index : array (n,)
        Row labels of a pandas table X, otherwise 0 .. n-1.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.audit import audit_annotators
    >>> X, y = load_iris(return_X_y=True)
    >>> guesses = np.random.default_rng(0).integers(3, size=150)
    >>> audit = audit_annotators(X, np.column_stack([y, y, guesses]), n_jobs=1)
    >>> bool((audit.consensus == y).mean() > 0.95)
    True
    """

    @property
    def table(self) -> Any:
        """pandas DataFrame of the rows, those where to ask once more first.

        Its columns are index, consensus, probability, majority, labels (how many), gain and ask.
        """
        import pandas as pd

        columns = {
            "index": self.index,
            "consensus": self.consensus,
            "probability": self.probability,
            "majority": self.majority,
            "labels": self.n_labels,
            "gain": self.gain,
            "ask": self.ask,
        }
        return pd.DataFrame({name: values[self.order] for name, values in columns.items()})

    @property
    def annotator_table(self) -> Any:
        """pandas DataFrame of the annotators, best first.

        Its columns are annotator, labels (how many), quality, information, kappa (the mean with the others), and
        mistake: which one is the most frequent, and how often it happens to rows of that class.
        """
        import pandas as pd

        columns = {
            "annotator": self.annotators,
            "labels": self.n_given,
            "quality": self.quality,
            "information": self.information,
            "kappa": self.kappa_with_others,
            "mistake": np.array([self.describe_mistake(a) for a in range(len(self.annotators))], dtype=object),
        }
        return pd.DataFrame({name: values[self.annotator_order] for name, values in columns.items()})

    def to_html(self, path: str | Path) -> None:
        """Write a page in a single file: the annotators, their confusion matrices, and the rows where to ask again."""
        write_annotators(self, path)
