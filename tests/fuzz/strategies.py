"""Hypothesis strategies of recipes: mostly what is allowed, with one or two odd things in a call.

With more oddities in one call the first check would refuse nearly all of them, and nothing behind it would be reached.
"""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.tables import CONTAINERS, LABELS, TWISTS, WEIGHTS

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 7, 0.0, -0.0, 0.5, 1.0, 1.5, -0.5, 1e-300, 5e-324, 1e300, -(10**30), "", "text",
    "1", [], [1], [0.5, 0.5], [None], ["a", "b"], {"$float": "nan"}, {"$float": "inf"}, {"$float": "-inf"},
    {"$complex": [1, 1]}, {"$numpy": ["float32", 0.5]}, {"$numpy": ["int64", 2]}, {"$numpy": ["bool", 1]},
    {"$array": {"values": 0.5}}, {"$array": {"values": [1, 2]}}, {"$array": {"values": []}}, {"$object": None},
    {"$bytes": "ab"}, {"$tuple": []}, {"$tuple": [1, 2]}, {"$tuple": ["a", 1]}, {"$dict": {}}, {"$dict": {"a": 1}},
    {"$set": [1]}, {"$decimal": "0.5"}, {"$fraction": "1/2"}, {"$range": 3}, {"$function": None},
    {"$class": "Mixed"}, {"$class": "GaussianNB"}, {"$make": ["Mixed", {}]}, {"$make": ["GaussianNB", {}]},
    {"$make": ["LinearRegression", {}]}, {"$generator": 0}, {"$random_state": 0}, {"$slice": [0, 1]},
    {"$iterator": [1, 2]}, {"$table": {"rows": 12}}, {"$labels": {"rows": 12}},
]  # fmt: skip
"""For any parameter whatever."""

GOOD_CONTAINERS = ["array", "float32", "int64", "Fortran order", "strided", "read-only", "list", "pandas", "polars"]
GOOD_LABELS = ["integers", "negative", "texts", "booleans", "floats", "objects", "uint8", "list", "pandas", "strided"]
GOOD_TWISTS = ["none", "none", "none", "integers", "equal pairs", "constant column", "sorted", "large", "outlier"]

UNSET = object()
"""The parameter keeps its default."""


@dataclass(frozen=True)
class Place:
    """One argument of a call: what is allowed, and what is odd."""

    good: st.SearchStrategy[Any]
    odd: st.SearchStrategy[Any]


DATA = Place(st.nothing(), st.nothing())
"""The table, labels and weights of one call, which `cases` draws together: their rows must agree."""


def parameter(values: list[Any]) -> Place:
    """A parameter: left at its default, or one of the values that are allowed; anything at all if it is to be odd."""
    return Place(st.sampled_from([UNSET, *values]), st.sampled_from(ODD_VALUES))


def argument(good: st.SearchStrategy[Any], odd: st.SearchStrategy[Any] | None = None) -> Place:
    """An argument that is always given."""
    values = st.sampled_from(ODD_VALUES)
    return Place(good, values if odd is None else values | odd)


sizes = st.sampled_from([5, 6, 9, 12, 20, 20, 33, 60])
few_rows = st.sampled_from([0, 1, 2, 3, 4])


def tables(rows: int, columns: int, twists: list[str], containers: list[str]) -> st.SearchStrategy[Any]:
    return st.builds(
        lambda twist, container, seed: {
            "$table": {"rows": rows, "columns": columns, "twist": twist, "as": container, "seed": seed}
        },
        st.sampled_from(twists),
        st.sampled_from(containers),
        st.integers(0, 9),
    )


def table_places(weighted: bool) -> dict[str, Place]:
    """The table and labels of a fit, rows to predict, and whether there was a fit before."""
    names = ["X", "y", "rows", "refit"] + (["sample_weight"] if weighted else [])
    return dict.fromkeys(names, DATA)


@st.composite
def cases(draw: st.DrawFn, target: Any) -> dict[str, Any]:
    """A call of the target: up to two arguments of it are odd."""
    places = target.places()
    count = draw(st.sampled_from([0, 0, 0, 1, 1, 1, 1, 2]))
    names = [name for name in places if name != "refit"]
    odd = draw(st.lists(st.sampled_from(names), min_size=min(count, len(names)), max_size=count, unique=True))
    case: dict[str, Any] = {"target": target.name}
    if "X" in places and "y" in places and "rows" in places:
        case.update(draw(_data(odd, "sample_weight" in places)))
        places = {name: place for name, place in places.items() if place is not DATA}
    for name, place in places.items():
        recipe = draw(place.odd if name in odd else place.good)
        if recipe is not UNSET:
            case[name] = recipe
    return case


@st.composite
def _data(draw: st.DrawFn, odd: list[str], weighted: bool) -> dict[str, Any]:
    n = draw(few_rows if "X" in odd and draw(st.integers(0, 4)) == 0 else sizes)
    columns = draw(st.sampled_from([1, 2, 2, 3, 5] + ([0] if "X" in odd else [])))
    classes = draw(st.sampled_from([2, 2, 2, 3, 3] + ([1, 5, 12] if "y" in odd else [])))
    strange = tables(n, columns, list(TWISTS), GOOD_CONTAINERS) | tables(n, columns, ["none"], list(CONTAINERS))
    case: dict[str, Any] = {"X": draw(strange if "X" in odd else tables(n, columns, GOOD_TWISTS, GOOD_CONTAINERS))}
    kinds = list(LABELS) if "y" in odd else GOOD_LABELS
    case["y"] = {"$labels": {"rows": n, "classes": classes, "kind": draw(st.sampled_from(kinds))}}
    if weighted and ("sample_weight" in odd or draw(st.integers(0, 3)) == 0):
        kinds = list(WEIGHTS) if "sample_weight" in odd else ["ones", "random", "integers", "one zero"]
        case["sample_weight"] = {"$weights": {"rows": n, "kind": draw(st.sampled_from(kinds))}}
    if "rows" in odd:
        n, columns = draw(few_rows | sizes), draw(st.sampled_from([columns, columns, columns + 1]))
        case["rows"] = draw(tables(n, columns, list(TWISTS), list(CONTAINERS)))
    if draw(st.integers(0, 5)) == 0:
        case["refit"] = True
    return case
