"""The printed rows of paper 000: their data, centres and rounds, and how often each is run."""

from dataclasses import dataclass

from emphatic.papers.published import find
from emphatic.study import PredefinedOrPartitions

PAPER = "000"
METRIC = "test_error_%"
REAL_ADABOOST = "RA (lambda=0.5)"
# Kwok's generator is not known: five Gaussians with the printed counts stand in, and are never compared.
PROBLEMS = {
    "Abalone": "abalone",
    "Breast": "breast",
    "Image": "image",
    "Ionosphere": "ionosphere",
    "Kwok": "five_gaussians_not_kwok",
    "Ripley": "ripley",
}
STAND_IN = PROBLEMS["Kwok"]
QUICK_ROWS = {("ripley", 10), ("ripley", 2), ("ionosphere", 10)}
PARTITIONS = 10
MORE_PARTITIONS = {"abalone": 50}
"""Abalone's error depends more on the partition than on anything else, so each of its runs has one of its own."""


@dataclass(frozen=True)
class Row:
    """One row of a printed table."""

    dataset: str
    percent: int
    n_estimators: int

    @property
    def problem(self) -> str:
        return PROBLEMS[self.dataset]

    @property
    def setting(self) -> str:
        return f"K {self.percent}%, T {self.n_estimators}"

    @property
    def name(self) -> str:
        """Short, for charts and for the evidence of claims."""
        return f"{self.problem} {self.percent}%"


def printed_rows(table: str) -> list[Row]:
    """The rows of a table as printed: fractions and rounds are read from the published numbers themselves.

    >>> printed_rows("IV")
    [Row(dataset='Abalone', percent=10, n_estimators=100), Row(dataset='Kwok', percent=10, n_estimators=100)]
    """
    values = find(PAPER, table, method=REAL_ADABOOST)
    return [Row(value.dataset, int(value.setting["K%"]), int(value.setting["T"])) for value in values]


def make_protocol(problem: str, runs: int) -> PredefinedOrPartitions:
    """The runs of a problem: seeds on its predefined test set, or random partitions."""
    return PredefinedOrPartitions(runs, MORE_PARTITIONS.get(problem, PARTITIONS))
