"""The ensembles of paper 001: which designs cross-validation chooses from, and how a setting becomes an ensemble.

All families are subsets of one set of candidates, so they share their fits: Real AdaBoost is `Mixed(0.5)`, ARA and
betaRA are among the candidates of CRA.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from emphatic.study import InnerFolds, PredefinedOrPartitions
from emphatic.study.tasks import Setting

N_ESTIMATORS = 30
HIDDEN = (2, 4, 8)
FOLDS = 5
FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
TENTHS = tuple(round(0.1 * k, 1) for k in range(11))
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
FEW_ROWS = 250

MIXED = [{"emphasis": "mixed", "lam": lam} for lam in TENTHS]
DYNAMIC = [{"emphasis": "dynamic neighbour", "n_neighbors": 5, "share": 0.5}]

FAMILIES: dict[str, Callable[[Setting], bool]] = {
    "RA": lambda one: one.get("lam") == 0.5,
    "no emphasis": lambda one: one.get("alpha") == 1.0,
    "ARA": lambda one: one.get("alpha") == 0.0 and one["beta"] == 1.0,
    "betaRA": lambda one: one.get("alpha") == 0.0,
    "CRA": lambda one: one["emphasis"] == "controlled",
    "Mixed": lambda one: one["emphasis"] == "mixed",
    "DWK-RA": lambda one: one["emphasis"] == "dynamic neighbour",
}
"""Which candidates each family of the table chooses from."""


def list_controlled(values: Sequence[float]) -> list[dict[str, Any]]:
    """The controlled emphasis with these alpha and beta; alpha = 1, which is uniform whatever beta is, only once.

    >>> [(one["alpha"], one["beta"]) for one in list_controlled((0.0, 0.5, 1.0))][2:]
    [(0.0, 1.0), (0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]
    """
    pairs = [*((alpha, beta) for alpha in values if alpha < 1.0 for beta in values), (1.0, 1.0)]
    return [{"emphasis": "controlled", "alpha": alpha, "beta": beta} for alpha, beta in pairs]


@dataclass(frozen=True, eq=False)
class Search:
    """What cross-validation chooses from: `values` are those of alpha and beta, folds are drawn `repeats` times.

    None of `repeats`: once, or twice for small training parts.
    """

    name: str
    values: Sequence[float]
    repeats: int | None = None

    def list_candidates(self, hidden: Sequence[int], n_estimators: int) -> list[dict[str, Any]]:
        """Every emphasis with every number of hidden units."""
        grid: list[dict[str, Any]] = [*list_controlled(self.values), *MIXED, *DYNAMIC]
        return [{**one, "n_hidden": units, "n_estimators": n_estimators} for units in hidden for one in grid]

    def draw_folds(self, n_rows: int) -> InnerFolds:
        """The folds of a training part with this many rows."""
        return InnerFolds(one_part(1), FOLDS, self.repeats or (1 if n_rows > FEW_ROWS else 2))

    @property
    def text(self) -> str:
        """What is tried and on which folds, for captions."""
        drawn = f"drawn {self.repeats} times" if self.repeats else f"drawn once, or twice for up to {FEW_ROWS} rows"
        return (
            f"{self.name}: H of {', '.join(map(str, HIDDEN))}; α and β in steps of {self.values[1]}, λ of 0.1; DWK-RA "
            f"with 5 neighbours, share 0.5, and λ in steps of 0.25; {FOLDS} folds, {drawn} (in the paper 20 times); "
            f"T = {N_ESTIMATORS}"
        )


REDUCED = Search("A reduced search", FIFTHS)
FULL = Search("The paper's search", TENTHS, repeats=20)


def one_part(runs: int) -> PredefinedOrPartitions:
    """One training part for all runs, as in the paper."""
    return PredefinedOrPartitions(runs, n_partitions=1)


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting."""
    from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Controlled, DynamicMixed, Mixed, Neighbour

    if setting["emphasis"] == "controlled":
        emphasis: Any = Controlled(setting["alpha"], setting["beta"])
    elif setting["emphasis"] == "mixed":
        emphasis = Mixed(setting["lam"])
    else:
        emphasis = Neighbour(DynamicMixed(QUARTERS), setting["n_neighbors"], setting["share"])
    return RealAdaBoostClassifier(
        MLPNetworkClassifier(setting["n_hidden"]), emphasis, setting["n_estimators"], random_state=random_state
    )
