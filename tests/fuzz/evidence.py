"""Masses on sets of classes, their combination, and answers that are sets: what they take, and what must be true."""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from emphatic.fusion.evidence import Masses, choose_sets, choose_sets_by, combine, orthogonal_sum, score_sets
from emphatic.fusion.evidence.rules import COMBINATIONS
from tests.fuzz.functions import FunctionTarget, inside, labels, matrices
from tests.fuzz.strategies import argument, parameter
from tests.fuzz.verdict import demand, demand_probabilities


def check_masses(answer: Any, given: dict[str, Any]) -> None:
    for name in ("values", "conflict"):
        inside(0, 1)(getattr(answer, name), given)
    for name in ("belief", "plausibility"):
        inside(0, 1)(getattr(answer, name)(), given)
    demand_probabilities("pignistic", answer.pignistic(), (len(answer.values), answer.n_classes))
    inside(0, 1)(answer.normalise().values, given)


def check_sets(answer: Any, given: dict[str, Any]) -> None:
    shape = np.shape(given.get("probabilities", given.get("supports")))
    demand(answer.dtype == bool and answer.shape == shape, "sets", f"{answer!r}"[:200])
    demand(bool(answer.any(axis=1).all()), "empty set", f"{answer!r}"[:200])


def add_masses(supports: Any, reliability: Any = 1.0, normalise: Any = False) -> Masses:
    one = Masses.of_supports(supports, reliability)
    return orthogonal_sum(one, one.discount(0.5), normalise=normalise)


def combine_masses(supports: Any, reliability: Any = 1.0, rule: Any = "dempster") -> Masses:
    one, twin = Masses.of_supports(supports, reliability), Masses.of_supports(np.fliplr(supports), reliability)
    return combine(one, twin, rule=rule)


def always_by(rule: str) -> Callable[..., Masses]:
    return lambda supports, reliability=1.0: combine_masses(supports, reliability, rule)


def choose_and_score(y: Any, probabilities: Any, utility: Any = "u65") -> float:
    return score_sets(y, choose_sets(probabilities, utility), [0, 1, 2], utility)


def choose_by_masses(
    supports: Any, reliability: Any = 1.0, measure: Any = "belief", utility: Any = "u65"
) -> NDArray[np.bool_]:
    return choose_sets_by(add_masses(supports, reliability), measure, utility)


_MASSES = {
    "supports": matrices([[4, 3], [1, 2], [5, 5]], ["shares", "random"]),
    "reliability": parameter([0.0, 0.5, 1.0]),
}
_UTILITY = parameter(["u65", "u80"])

EVIDENCE = [
    FunctionTarget(
        "Masses.of",
        Masses.of,
        {
            "sets": argument(st.sampled_from([[1, 2, 3], [1, 3, 7], [0, 1, 7]])),
            "values": matrices([[4, 3], [1, 3]], ["shares"]),
            "n_classes": argument(st.sampled_from([3, 4, 62])),
        },
        check_masses,
    ),
    FunctionTarget("Masses.of_supports", Masses.of_supports, _MASSES, check_masses),
    FunctionTarget("orthogonal_sum", add_masses, {**_MASSES, "normalise": parameter([True, False])}, check_masses),
    FunctionTarget("combine", combine_masses, {**_MASSES, "rule": parameter(list(COMBINATIONS))}, check_masses),
    *(FunctionTarget(name, always_by(name), _MASSES, check_masses) for name in COMBINATIONS),
    FunctionTarget(
        "choose_sets",
        choose_sets,
        {"probabilities": matrices([[4, 3], [1, 2], [5, 1]], ["shares"]), "utility": _UTILITY},
        check_sets,
    ),
    FunctionTarget(
        "choose_sets_by",
        choose_by_masses,
        {**_MASSES, "measure": parameter(["belief", "plausibility", "pignistic"]), "utility": _UTILITY},
        check_sets,
    ),
    FunctionTarget(
        "score_sets",
        choose_and_score,
        {"y": labels(), "probabilities": matrices([[12, 3]], ["shares"]), "utility": _UTILITY},
        inside(0, 1),
    ),
]
