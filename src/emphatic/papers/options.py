"""What a user can choose when tables are reproduced."""

from dataclasses import dataclass, replace

SOLVERS = ("ridge", "sgd")
FULL, QUICK = 50, 5
"""Runs per row: as in the papers, and in the quick form."""
FEWER = (1, 2, 5, 10, 20)
"""Runs per row that a table is brought to in turn when time is limited, before all runs that were asked for."""


@dataclass(frozen=True)
class Options:
    """Options of a reproduction, the same for every table; each table uses those that concern it.

    `runs`, `problems` and `quick` say how much is run. `solver` and `regularisation` (None: chosen on training data)
    concern the RBF networks of paper 000. `cross_validate` adds to the papers' oracle a parameter chosen on training
    data.
    """

    runs: int = FULL
    problems: tuple[str, ...] = ()
    quick: bool = False
    solver: str = "ridge"
    regularisation: float | None = None
    cross_validate: bool = True

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise ValueError(f"runs must be at least 1, got {self.runs}")
        if self.solver not in SOLVERS:
            raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {self.solver!r}")
        if self.regularisation is not None and not self.regularisation > 0:
            raise ValueError(f"regularisation must be positive, got {self.regularisation}")

    def list_fewer(self) -> "list[Options]":
        """The same options with few runs, then with more, up to these."""
        return [*(replace(self, runs=runs) for runs in FEWER if runs < self.runs), self]
