"""Calls of functions: odd arguments in, finite numbers or a clear refusal out."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier, plot
from emphatic.audit import audit_annotators, audit_labels, find_troubles
from emphatic.boosting.together import Fit, fit_together
from emphatic.card import describe_model, evaluate, predict_out_of_fold, summarise, write_card
from emphatic.clustering import (
    align,
    class_memberships,
    deflect,
    distance,
    fuzzy_adjusted_rand_score,
    fuzzy_silhouette_score,
    modified_partition_coefficient,
    partition_coefficient,
    partition_entropy,
    select_n_clusters,
    xie_beni_index,
)
from emphatic.datasets import five_gaussians_not_kwok, load, names, ripley_mixture, waveform
from emphatic.diversity import (
    kappa,
    kappa_error_diagram,
    kappa_error_points,
    kappa_matrix,
    kappa_order,
    kappa_prune,
    kappa_select,
    member_predictions,
)
from emphatic.fusion import dempster_shafer, majority, maximum, mean, minimum, product
from emphatic.metrics import class_accuracies, geometric_mean_score
from emphatic.multiview.views import digit_views
from emphatic.persistence import read, save
from emphatic.study import statistics
from emphatic.tables import TableTransformer, decide_columns
from tests.fuzz.recipes import build
from tests.fuzz.strategies import UNSET, Place, argument, parameter, table_places, tables
from tests.fuzz.tables import CONTAINERS, LABELS, TWISTS, WEIGHTS
from tests.fuzz.verdict import attempt, demand, demand_finite, demand_probabilities

Check = Callable[[Any, dict[str, Any]], None]


def check_finite(answer: Any, given: dict[str, Any]) -> None:
    demand_finite("the function", answer)


@dataclass
class FunctionTarget:
    """A function, and per argument what is allowed and what is odd."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Place]
    check: Check = check_finite
    known_warnings: str = ""

    def places(self) -> dict[str, Place]:
        return self.arguments

    def run(self, case: dict[str, Any]) -> str:
        arguments = {
            name: build(case[name]) for name in self.arguments if name in case and name not in ("rows", "refit")
        }
        done = attempt(self.function, arguments, known_warnings=self.known_warnings)
        if done.refusal is not None:
            return "refused"
        self.check(done.answer, arguments)
        return "answered"


# what the functions take


def matrices(shapes: list[list[int]], fills: list[str]) -> Place:
    def make(twists: list[str], shapes: list[list[int]], containers: list[str]) -> st.SearchStrategy[Any]:
        return st.builds(
            lambda shape, fill, twist, container, seed: {
                "$matrix": {"shape": shape, "fill": fill, "twist": twist, "as": container, "seed": seed}
            },
            st.sampled_from(shapes),
            st.sampled_from(fills),
            st.sampled_from(twists),
            st.sampled_from(containers),
            st.integers(0, 9),
        )

    odd_shapes = [*shapes, [0], [1], [0, 0], [0, 3], [3, 0], [1, 1], [4], [2, 3, 0], [2, 3, 2], [2, 2, 2, 2], []]
    good = make(["none", "none", "equal rows", "zeros"], shapes, ["array", "Fortran order", "strided", "read-only"])
    return argument(
        good, make(list(TWISTS), shapes, ["array", "float32"]) | make(["none"], odd_shapes, list(CONTAINERS))
    )


def labels(rows: int = 12) -> Place:
    def make(kinds: list[str]) -> st.SearchStrategy[Any]:
        return st.builds(
            lambda kind, classes: {"$labels": {"rows": rows, "classes": classes, "kind": kind}},
            st.sampled_from(kinds),
            st.sampled_from([2, 3]),
        )

    return argument(make(["integers", "texts", "list", "objects", "negative"]), make(list(LABELS)))


def weights(rows: int = 12) -> Place:
    def make(kinds: list[str]) -> st.SearchStrategy[Any]:
        return st.sampled_from([{"$weights": {"rows": rows, "kind": kind}} for kind in kinds])

    good = make(["ones", "random", "integers"])
    return Place(st.just(UNSET) | good, argument(good, make(list(WEIGHTS))).odd)


def any_tables(rows: int = 12) -> Place:
    containers = [name for name in CONTAINERS if name.startswith(("pandas", "polars"))]
    odd = tables(rows, 2, list(TWISTS), ["array", "pandas"]) | tables(rows, 2, ["none"], list(CONTAINERS))
    return argument(tables(rows, 2, ["none", "constant column"], containers), odd | tables(1, 0, ["none"], ["pandas"]))


SUPPORTS = matrices([[1, 4, 2], [2, 5, 3], [3, 1, 2], [4, 3, 5]], ["shares", "random"])
VECTOR = matrices([[12], [12], [30]], ["random", "normal"])
ERRORS = matrices([[6, 3], [10, 2], [4, 5], [2, 2]], ["random", "codes"])
CODES = matrices([[12], [30]], ["codes"])
_SHARES = matrices([[12, 3]], ["shares"])
SEED = parameter([0, 7, {"$generator": 3}, {"$random_state": 3}])


# what must be true of the answers


def rows_sum_to_one(answer: Any, given: dict[str, Any]) -> None:
    demand_probabilities("the rule", answer, np.shape(given["supports"])[1:])


def inside(low: float, high: float) -> Check:
    def check(answer: Any, given: dict[str, Any]) -> None:
        demand_finite("the function", answer)
        found = np.asarray(answer, dtype=float)
        demand(bool(((found >= low - 1e-9) & (found <= high + 1e-9)).all()), "out of range", f"{found}"[:200])

    return check


def check_audit(found: Any, given: dict[str, Any]) -> None:
    n = len(found.y)
    demand_probabilities("probabilities", found.probabilities, (n, len(found.classes)))
    demand_probabilities("posterior", found.posterior, (n, len(found.classes)))
    inside(0, 1)(found.suspicion, given)
    demand(bool(((found.suggested != found.y) == (found.suspicion > 0.5)).all()), "audit", "suspicion or suggestion")
    demand(bool(np.isin(found.suggested, found.classes).all()), "unknown label", "suggested")
    demand(len(found.table) == n and bool(found.summary()), "audit", "table or summary")


def check_troubles(found: Any, given: dict[str, Any]) -> None:
    for finding in found.findings:
        inside(0, 1)(finding.score, given)
    demand(len(found.table()) == len(found.findings), "troubles", "table")
    demand(bool(found.summary()) and bool(found.explain()), "troubles", "no words")


def check_annotators(found: Any, given: dict[str, Any]) -> None:
    demand_probabilities("probabilities", found.probabilities, (len(found.consensus), len(found.classes)))
    inside(0, 1)(found.quality[~np.isnan(found.quality)], given)
    demand(len(found.table) == len(found.consensus) and bool(found.summary()), "annotators", "table or summary")


def check_evaluation(found: Any, given: dict[str, Any]) -> None:
    inside(0, 1)([found.error, found.standard_error, *found.interval, found.balanced_accuracy], given)
    demand(int(found.confusion.sum()) == found.n_rows, "confusion", f"{found.confusion}")
    json.dumps(found.as_record(), allow_nan=False)


def check_out_of_fold(found: Any, given: dict[str, Any]) -> None:
    demand(bool(np.isin(found.predicted, found.classes).all()), "unknown label", "predicted")
    if found.probabilities is not None:
        demand_probabilities("probabilities", found.probabilities, (len(found.predicted), len(found.classes)))


def make_card(X: Any, y: Any, random_state: Any = 0, n_dependences: Any = 1, warnings: Any = ()) -> Any:
    """A card of a tree, as text and as a page."""
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    X = pd.DataFrame(X) if isinstance(X, np.ndarray) and X.ndim == 2 else X
    if hasattr(X, "iloc") and getattr(y, "ndim", 1) == 1:  # a tree says nothing helpful about labels in a row
        model = make_pipeline(TableTransformer(columns="useful"), model).fit(X, y)
    card = describe_model(model, X, y, random_state=random_state, n_dependences=n_dependences, warnings=warnings)
    with tempfile.TemporaryDirectory() as folder:
        write_card(card, Path(folder, "card.html"))
    return summarise(card)


def no_check(answer: Any, given: dict[str, Any]) -> None:
    """Returned is enough."""


_ROWS = np.random.default_rng(0).normal(size=(24, 2))
_ENSEMBLE = RealAdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=4, random_state=0).fit(
    _ROWS, (_ROWS[:, 0] > 0).astype(int)
)


def check_curves(figure: Any, given: dict[str, Any]) -> None:
    for trace in figure.data:
        demand_finite("the curve", trace.y)


def draw_emphasis(emphasis: Any, **more: Any) -> Any:
    return plot.emphasis(emphasis, **more)


def draw_rounds(model: Any, X: Any = None, y: Any = None, X_test: Any = None, y_test: Any = None) -> Any:
    return plot.rounds(_ENSEMBLE if isinstance(model, str) and model == "ours" else model, X, y, X_test, y_test)


def draw_boundary(X: Any, y: Any, round: Any = None) -> Any:
    return plot.boundary(_ENSEMBLE, X, y, round)


def prune(X: Any, y: Any, keep: Any) -> Any:
    return kappa_prune(_ENSEMBLE, X, y, keep).predict_proba(_ROWS)


def predict_members(X: Any) -> Any:
    return member_predictions(_ENSEMBLE, X)


def save_any(model: Any, columns: Any = None, training: Any = None) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        save(model, Path(folder, "model"), columns=columns, training=training)
        return read(Path(folder, "model")).classes


def make_views(shape: Any = None, square_root: Any = False) -> Any:
    return list(digit_views(shape, square_root=square_root))


def measure_points(X: Any, y: Any) -> Any:
    return kappa_error_points(_ENSEMBLE, X, y)


def fit_two_together(X: Any, y: Any, sample_weight: Any = None) -> Any:
    fits = [Fit(RealAdaBoostClassifier(n_estimators=2, random_state=seed), X, y, sample_weight) for seed in (0, 1)]
    fitted = fit_together(fits)
    for one in fitted:
        if isinstance(one, Exception):
            raise one
    return [one.output(X) for one in fitted]


def decide_and_tell(X: Any, y: Any = None, columns: Any = None, max_categories: Any = 50, **habits: Any) -> Any:
    decisions = decide_columns(X, y, columns=columns, max_categories=max_categories, **habits)
    for decision in decisions:
        demand(str(decision).startswith(decision.name), "decision", "is no line about its column")
    return decisions


def load_rows(name: Any, paper: Any = None, numeric: Any = False, random_state: Any = 0) -> Any:
    return len(load(name, paper, numeric=numeric, random_state=random_state).y)


# what scikit-learn's own learners say of odd tables
_FOREIGN = "least populated class|fewer than|only one member|overflow encountered|invalid value|divide by zero"
_TABLE = {key: place for key, place in table_places(True).items() if key != "refit"}
_UNWEIGHTED = {key: place for key, place in table_places(False).items() if key != "refit"}
_COUNT = parameter([1, 2, 3])
_TREE = {"$make": ["DecisionTreeClassifier", {"max_depth": 2}]}
_MEMBERS = [_TREE, {"$make": ["GaussianNB", {}]}, {"$make": ["KNeighborsClassifier", {"n_neighbors": 1}]}]
_BAD_MEMBERS = [{"$make": ["Misbehaving", {"answer": one}]} for one in ("nan", "zeros", "negative", "none", "flat")]

_PLANE = {
    "X": Place(matrices([[12, 2]], ["normal", "random"]).good, matrices([[12, 2]], ["normal"]).odd | any_tables().odd),
    "y": argument(st.just({"$labels": {"rows": 12, "classes": 2, "kind": "integers"}}), labels().odd),
}
_CROWD = [[row % 2, row % 2, (row // 3) % 2] for row in range(12)]
"""Labels of three annotators, of whom two agree."""
_ODD_CROWDS = [
    [[None, one, None] for one, *_ in _CROWD],
    [[None, None, None], *_CROWD[1:]],
    [[None, None, None]] * 12,
    [[1, 1, 1]] * 12,
    [[0, "a", 1.5], *_CROWD[1:]],
    [[], *_CROWD[1:]],
    _CROWD[:5],
    [one for one, *_ in _CROWD],
]
_DRAWN = [
    *({"$make": [name, {}]} for name in ("Uniform", "Exponential", "Mixed", "Controlled", "DynamicMixed")),
    # not of the margin alone
    *({"$make": [name, {}]} for name in ("PatternType", "FuzzyEntropy", "Neighbour", "Guided")),
    {"$make": ["Mixed", {"lam": 1.0}]},
    {"$make": ["Controlled", {"alpha": 0.0, "f_scale": "clip"}]},
    {"$make": ["Neighbour", {"base": {"$make": ["Mixed", {}]}}]},
]


def _always(place: Place) -> Place:
    return Place(place.good.filter(lambda one: one is not UNSET), place.odd)


_WISHES = [{"c0": "category"}, {"x0": "text"}, {"c1": "date"}, {"a": 1}]

FUNCTIONS = [
    FunctionTarget("mean", mean, {"supports": SUPPORTS}, rows_sum_to_one),
    FunctionTarget("maximum", maximum, {"supports": SUPPORTS}, rows_sum_to_one),
    FunctionTarget("minimum", minimum, {"supports": SUPPORTS}, rows_sum_to_one),
    FunctionTarget("product", product, {"supports": SUPPORTS}, rows_sum_to_one),
    FunctionTarget("majority", majority, {"supports": SUPPORTS}, rows_sum_to_one),
    FunctionTarget(
        "dempster_shafer",
        dempster_shafer,
        {"supports": SUPPORTS, "reliability": parameter([0.0, 0.5, 1.0, 1, {"$array": {"values": 0.3}}])},
        rows_sum_to_one,
    ),
    FunctionTarget("kappa", kappa, {"a": labels(), "b": labels()}, inside(-1, 1)),
    FunctionTarget(
        "kappa_matrix", kappa_matrix, {"predictions": matrices([[3, 12], [1, 5]], ["codes"])}, inside(-1, 1)
    ),
    FunctionTarget("kappa_order", kappa_order, {"agreement": matrices([[3, 3], [5, 5], [1, 1]], ["random"])}),
    FunctionTarget(
        "kappa_select", kappa_select, {"agreement": matrices([[3, 3], [5, 5]], ["random"]), "keep": _always(_COUNT)}
    ),
    FunctionTarget("kappa_prune", prune, {**_UNWEIGHTED, "keep": _always(_COUNT)}, known_warnings=_FOREIGN),
    FunctionTarget("kappa_error_points", measure_points, _UNWEIGHTED, known_warnings=_FOREIGN),
    FunctionTarget(
        "kappa_error_diagram",
        lambda X, y, keep=None: kappa_error_diagram(_ENSEMBLE, X, y, keep),
        {**_UNWEIGHTED, "keep": _COUNT},
        no_check,
        _FOREIGN,
    ),
    FunctionTarget(
        "emphasis",
        draw_emphasis,
        {
            "emphasis": argument(st.sampled_from(_DRAWN)),
            "margins": parameter([None, [-1, 0.5], {"$range": 3}, {"$array": {"values": [-100, 0, 100.0]}}]),
            "total_alpha": parameter([None, 100, 1e6]),
            "scale": parameter(["auto", "linear", "log"]),
        },
        check_curves,
    ),
    FunctionTarget(
        "rounds",
        draw_rounds,
        {
            "model": argument(st.just("ours"), st.sampled_from(_MEMBERS)),
            **_PLANE,
            "X_test": parameter([UNSET]),
            "y_test": parameter([UNSET]),
        },
        check_curves,
        _FOREIGN,
    ),
    FunctionTarget(
        "boundary",
        draw_boundary,
        {**_PLANE, "round": parameter([None, 1, 4, {"$numpy": ["int64", 2]}])},
        check_curves,
        _FOREIGN,
    ),
    FunctionTarget("member_predictions", predict_members, {"X": any_tables()}, no_check, _FOREIGN),
    FunctionTarget("digit_views", make_views, {"shape": parameter([None]), "square_root": parameter([True])}, no_check),
    FunctionTarget(
        "persistence.save",
        save_any,
        {
            "model": argument(st.sampled_from([{"$fitted": None}]), st.sampled_from(_MEMBERS)),
            "columns": parameter([None, {"$dict": {"c0": "number", "c1": "text"}}]),
            "training": parameter([None, {"$dict": {"rows": 3}}]),
        },
        no_check,
    ),
    FunctionTarget(
        "class_accuracies",
        class_accuracies,
        {"y_true": labels(), "y_pred": labels(), "sample_weight": weights(), "labels": parameter([[0, 1], [1]])},
        inside(0, 1),
    ),
    FunctionTarget(
        "geometric_mean_score",
        geometric_mean_score,
        {"y_true": labels(), "y_pred": labels(), "sample_weight": weights(), "labels": parameter([[0, 1], [1]])},
        inside(0, 1),
    ),
    FunctionTarget(
        "audit_labels",
        audit_labels,
        {
            **_UNWEIGHTED,
            "estimator": Place(st.sampled_from(_MEMBERS), parameter(_BAD_MEMBERS).odd | st.sampled_from(_BAD_MEMBERS)),
            "cv": parameter([2, 3]),
            "random_state": SEED,
            "marks": parameter([None, {"$dict": {}}, {"$dict": {"a": "right"}}, "missing.csv"]),
            "n_jobs": parameter([1]),
            "engine": parameter([None]),
            "time_budget": parameter([0.5, 1e6]),
        },
        check_audit,
        _FOREIGN,
    ),
    FunctionTarget("find_troubles", find_troubles, {**_UNWEIGHTED, "random_state": SEED}, check_troubles, _FOREIGN),
    FunctionTarget(
        "audit_annotators",
        audit_annotators,
        {
            "X": Place(st.just(None) | _PLANE["X"].good, _PLANE["X"].odd),
            "labels": argument(
                st.sampled_from([_CROWD, [[str(one) for one in row] for row in _CROWD]]), st.sampled_from(_ODD_CROWDS)
            ),
            "estimator": Place(st.sampled_from(_MEMBERS), parameter(_BAD_MEMBERS).odd | st.sampled_from(_BAD_MEMBERS)),
            "cv": parameter([2, 3]),
            "random_state": SEED,
        },
        check_annotators,
        f"{_FOREIGN}|annotator|without any label",
    ),
    FunctionTarget(
        "waveform", waveform, {"n": parameter([0, 1, 30]), "random_state": SEED, "labels": parameter([[0, 1, 2]])}
    ),
    FunctionTarget("ripley_mixture", ripley_mixture, {"n_per_class": parameter([1, 5]), "random_state": SEED}),
    FunctionTarget(
        "five_gaussians_not_kwok", five_gaussians_not_kwok, {"n_per_gaussian": parameter([1, 5]), "random_state": SEED}
    ),
    FunctionTarget("names", names, {"paper": parameter(["000", "001", "002", "003", "004"])}, no_check),
    FunctionTarget(
        "load",
        load_rows,
        {
            "name": argument(st.sampled_from(["ripley", "iris", "wine", "ionosphere", "unheard of"])),
            "paper": parameter(["000", "001", "002"]),
            "numeric": parameter([True, False]),
            "random_state": SEED,
        },
        no_check,
    ),
    FunctionTarget(
        "decide_columns",
        decide_and_tell,
        {
            "X": any_tables(),
            "columns": parameter([UNSET, None, *({"$dict": one} for one in _WISHES)]),
            "max_categories": parameter([1, 2, 50]),
            "decimal": parameter([UNSET, UNSET, ",", ".", ";"]),
            "dates": parameter([UNSET, UNSET, "dmy", "mdy", "xyz"]),
        },
        no_check,
    ),
    FunctionTarget(
        "evaluate",
        evaluate,
        {
            "probabilities": matrices([[12, 3]], ["shares"]),
            "classes": argument(st.just([0, 1, 2])),
            "y": argument(st.just({"$labels": {"rows": 12, "classes": 3, "kind": "integers"}}), labels().odd),
            "predicted": Place(st.just(UNSET), labels().good | labels().odd),
        },
        check_evaluation,
    ),
    FunctionTarget(
        "predict_out_of_fold",
        predict_out_of_fold,
        {
            "model": Place(st.sampled_from(_MEMBERS), st.sampled_from(_BAD_MEMBERS)),
            **_UNWEIGHTED,
            "n_folds": parameter([2, 3]),
            "random_state": SEED,
        },
        check_out_of_fold,
        _FOREIGN,
    ),
    FunctionTarget(
        "describe_model",
        make_card,
        {**_UNWEIGHTED, "random_state": SEED, "n_dependences": parameter([0, 1])},
        no_check,
        _FOREIGN,
    ),
    FunctionTarget("fit_together", fit_two_together, _TABLE),
    FunctionTarget(
        "class_memberships",
        class_memberships,
        {
            "X": matrices([[12, 2]], ["normal"]),
            "y": CODES,
            "n_classes": argument(st.sampled_from([3, 4])),
            "m": parameter([1.1, 2.0, 3.0]),
            "init": parameter(["classes", "k-means++"]),
            "random_state": SEED,
        },
        inside(0, 1),
    ),
    FunctionTarget(
        "align",
        align,
        {
            "membership": matrices([[12, 3]], ["shares"]),
            "y": CODES,
            "n_classes": argument(st.just(3)),
            "sample_weight": weights(),
        },
    ),
    FunctionTarget(
        "distance",
        distance,
        {
            "U": matrices([[12, 3], [12, 2]], ["shares"]),
            "V": matrices([[12, 3], [12, 2]], ["shares"]),
            "aligned": parameter([True, False]),
        },
    ),
    FunctionTarget("partition_coefficient", partition_coefficient, {"membership": _SHARES}),
    FunctionTarget("modified_partition_coefficient", modified_partition_coefficient, {"membership": _SHARES}),
    FunctionTarget("partition_entropy", partition_entropy, {"membership": _SHARES}),
    FunctionTarget(
        "xie_beni_index",
        xie_beni_index,
        {
            "X": matrices([[12, 2]], ["normal"]),
            "membership": _SHARES,
            "centers": matrices([[3, 2]], ["normal"]),
            "m": parameter([1.1, 3.0]),
        },
        no_check,  # infinite where centres coincide
    ),
    FunctionTarget(
        "fuzzy_silhouette_score",
        fuzzy_silhouette_score,
        {"X": matrices([[12, 2]], ["normal"]), "membership": _SHARES, "alpha": parameter([0, 2.0])},
        inside(-1, 1),
    ),
    FunctionTarget(
        "fuzzy_adjusted_rand_score",
        fuzzy_adjusted_rand_score,
        {"first": matrices([[12, 3], [12, 2]], ["shares"]), "second": matrices([[12, 3], [12]], ["shares"])},
    ),
    FunctionTarget(
        "select_n_clusters",
        lambda **given: select_n_clusters(**given).n_clusters,
        {
            "X": matrices([[12, 2]], ["normal"]),
            "n_clusters": argument(st.sampled_from([[2, 3], {"$range": 3}, [2], [1, 2], 3, []])),
            "index": parameter(["xie_beni_index", "silhouette_score", "partition_entropy"]),
            "random_state": SEED,
        },
        no_check,
    ),
    FunctionTarget("memberships", plot.memberships, {"membership": _SHARES}, check_curves),
    FunctionTarget("mean_and_std", statistics.mean_and_std, {"values": VECTOR}),
    FunctionTarget("rank_sum_p", statistics.rank_sum_p, {"first": VECTOR, "second": VECTOR}, inside(0, 1)),
    FunctionTarget("signed_rank_p", statistics.signed_rank_p, {"first": VECTOR, "second": VECTOR}, inside(0, 1)),
    FunctionTarget(
        "signed_rank_posterior",
        lambda **given: list(vars(statistics.signed_rank_posterior(**given)).values()),
        {
            "first": VECTOR,
            "second": VECTOR,
            "rope": parameter([0.0, 0.1]),
            "prior_strength": parameter([0.5, 3.0]),
            "n_samples": parameter([1, 200]),
            "random_state": SEED,
        },
        inside(0, 1),
    ),
    FunctionTarget(
        "win_lose_draw",
        statistics.win_lose_draw,
        {"first": VECTOR, "second": VECTOR, "tolerance": parameter([0.0, 0.1])},
    ),
    FunctionTarget(
        "bootstrap_interval",
        statistics.bootstrap_interval,
        {
            "differences": VECTOR,
            "level": parameter([0.5, 0.95]),
            "n_draws": parameter([1, 50]),
            "seed": parameter([0, 3]),
        },
    ),
    FunctionTarget(
        "in_published_stds",
        statistics.in_published_stds,
        {
            "measured": argument(st.sampled_from([0.1, 3.0])),
            "published": argument(st.sampled_from([0.2, 3.0])),
            "published_std": argument(st.sampled_from([0.1, None])),
        },
    ),
    FunctionTarget("mean_ranks", statistics.mean_ranks, {"errors": ERRORS}),
    FunctionTarget(
        "win_rates",
        lambda errors: np.nan_to_num(statistics.win_rates(errors), nan=0.5),  # the diagonal is NaN
        {"errors": ERRORS},
        inside(0, 1),
    ),
    FunctionTarget("improvability", statistics.improvability, {"errors": ERRORS}, inside(0, 100)),
    FunctionTarget("friedman", lambda errors: vars(statistics.friedman(errors)), {"errors": ERRORS}),
    FunctionTarget(
        "nemenyi_distance",
        statistics.nemenyi_distance,
        {
            "n_methods": argument(st.sampled_from([2, 5, 10])),
            "n_problems": argument(st.sampled_from([2, 5, 10])),
            "level": parameter([0.05, 0.1]),
        },
    ),
    FunctionTarget(
        "cliques",
        statistics.cliques,
        {"mean_ranks": matrices([[4]], ["random"]), "distance": argument(st.sampled_from([0.0, 0.5, 3]))},
    ),
    FunctionTarget("holm", statistics.holm, {"ps": matrices([[4], [1]], ["random"])}, inside(0, 1)),
    FunctionTarget(
        "against_all", statistics.against_all, {"errors": ERRORS, "reference": argument(st.sampled_from([0, 1]))}
    ),
    FunctionTarget(
        "deflect",
        deflect,
        {
            "X": matrices([[12, 2]], ["normal"]),
            "k": argument(st.sampled_from([2, 3])),
            "first": parameter([{"$matrix": {"shape": [12, 2], "fill": "shares"}}]),
            "n_deflections": parameter([0, 1]),
            "n_starts": parameter([1]),
            "max_iter": parameter([5]),
            "random_state": SEED,
        },
    ),
]
