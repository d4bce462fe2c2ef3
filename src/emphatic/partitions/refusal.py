"""What users are told about learners that cannot be fitted to a table in partitions."""


def refuse_to_add_up(name: str, reason: str = "it needs all rows at once") -> TypeError:
    """The error for a learner of this name, which says why, and what to use instead.

    >>> print(refuse_to_add_up("LDA"))
    LDA cannot be fitted to a Dask collection: it needs all rows at once. Use X.compute() where the table fits in
    memory, or a learner that adds up what partitions tell it: RBFNetworkClassifier, ParallelPerceptronClassifier,
    MLPNetworkClassifier(updates='batch'), or emphatic.learners.random_tree.RandomTree for a tree.
    """
    return TypeError(
        f"{name} cannot be fitted to a Dask collection: {reason}. Use X.compute() where the table fits in memory, or a "
        "learner that adds up what partitions tell it: RBFNetworkClassifier, ParallelPerceptronClassifier, "
        "MLPNetworkClassifier(updates='batch'), or emphatic.learners.random_tree.RandomTree for a tree."
    )


def refuse_visits(updates: str, alternative: str) -> None:
    """Raise ValueError for a learner with `updates="online"`; `alternative` describes `updates="batch"`."""
    if updates != "batch":
        raise ValueError(
            f"updates={updates!r} is not allowed with a Dask collection: it visits one row after another, each with "
            f"the weights that the one before it left. Use updates='batch', {alternative}, or X.compute() where the "
            "table fits in memory."
        )
