"""Calls of estimators: fit on odd data, and all that a fitted one is asked for; or, if it refused, that it says so."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

from tests.fuzz.classes import CLASSES
from tests.fuzz.recipes import build
from tests.fuzz.strategies import Place, parameter, table_places
from tests.fuzz.verdict import Fault, attempt, demand, demand_finite, demand_probabilities

GOOD_ROWS = {"$table": {"rows": 24, "columns": 2, "seed": 1}}
GOOD_LABELS = {"$labels": {"rows": 24, "classes": 2}}


@dataclass
class EstimatorTarget:
    """An estimator, its parameters with values that are allowed, and what else is known of it."""

    name: str
    values: dict[str, list[Any]]
    """Per parameter, recipes that are allowed."""
    fixed: dict[str, Any] = field(default_factory=dict)
    """Given in every call, where the default would take long."""
    wrap: tuple[str, str] | None = None
    """The classifier that takes an emphasis, a vote or a design, and its parameter: it is the part that is fuzzed."""
    known_warnings: str = ""
    weighted: bool = True

    def places(self) -> dict[str, Place]:
        parts = {f"{name}=": parameter(values) for name, values in self.values.items()}
        return {**parts, **table_places(self.weighted)}

    def run(self, case: dict[str, Any]) -> str:
        estimator = self._make(case)
        if estimator is None:
            return "refused"
        if case.get("refit"):  # a fitted estimator that refuses the next table must not be left half changed
            self._fit(estimator, {"X": GOOD_ROWS, "y": GOOD_LABELS})
        if not self._fit(estimator, case):
            self._check_refusal(estimator)
            return "refused"
        self._check_answers(estimator, build(case["X"]))
        if case.get("rows") is not None:
            self._check_answers(estimator, build(case["rows"]))
        return "answered"

    def _make(self, case: dict[str, Any]) -> Any:
        given = {name[:-1]: recipe for name, recipe in case.items() if name.endswith("=")}
        parameters = {name: build(recipe) for name, recipe in {**self.fixed, **given}.items()}
        made = attempt(CLASSES[self.name], parameters)
        if made.refusal is not None or self.wrap is None:
            return made.answer
        wrapper, role = self.wrap
        rest = {"n_estimators": 3} if wrapper == "RealAdaBoostClassifier" else {}
        if self.name == "PatternType":
            rest["estimator"] = CLASSES["ParallelPerceptronClassifier"](n_epochs=10)
        elif role in ("emphasis", "vote"):
            rest["estimator"] = CLASSES["DecisionTreeClassifier"](max_depth=2, random_state=0)
        return CLASSES[wrapper](**{role: made.answer}, random_state=0, **rest)

    def _fit(self, estimator: Any, case: dict[str, Any]) -> bool:
        arguments = {name: build(case[name]) for name in ("X", "y", "sample_weight") if name in case}
        if not hasattr(estimator, "predict"):
            arguments.pop("sample_weight", None)
        parameters = estimator.get_params(deep=False)
        done = attempt(estimator.fit, arguments, known_warnings=self.known_warnings, names=parameters)
        for name, value in estimator.get_params(deep=False).items():
            demand(value is parameters[name], "parameter replaced", name)
        if done.refusal is None:
            demand(done.answer is estimator, "fit", "does not return the estimator")
        return done.refusal is None

    def _check_refusal(self, estimator: Any) -> None:
        """After a fit that refused, the estimator is unfitted, or still what it was before."""
        for method in ("predict", "predict_proba", "transform"):
            if hasattr(estimator, method):
                try:
                    done = attempt(getattr(estimator, method), {"X": build(GOOD_ROWS)}, allowed=(NotFittedError,))
                except Fault as fault:
                    raise Fault("half fitted", f"{method} after a fit that refused: {fault}", fault.place) from fault
                if done.refusal is None:
                    demand_finite(f"{method} after a fit that refused", done.answer)

    def _check_answers(self, estimator: Any, X: Any) -> None:
        if hasattr(estimator, "predict_proba"):
            self._check_classifier(estimator, X)
        elif hasattr(estimator, "transform"):
            done = attempt(estimator.transform, {"X": X}, known_warnings=self.known_warnings)
            if done.refusal is None:
                demand_finite("transform", done.answer)
        else:
            done = attempt(estimator.predict, {"X": X}, known_warnings=self.known_warnings)
            if done.refusal is None:
                demand_finite("predict", done.answer)

    def _check_classifier(self, estimator: Any, X: Any) -> None:
        known = {"known_warnings": self.known_warnings}
        predicted = attempt(estimator.predict, {"X": X}, **known)
        probable = attempt(estimator.predict_proba, {"X": X}, **known)
        refusals = predicted.refusal is None, probable.refusal is None
        demand(refusals[0] == refusals[1], "predict and predict_proba disagree", f"{predicted}, {probable}"[:300])
        if predicted.refusal is not None:
            return
        n, classes = len(predicted.answer), np.asarray(estimator.classes_)
        demand_probabilities("predict_proba", probable.answer, (n, len(classes)))
        demand(bool(np.isin(predicted.answer, classes).all()), "unknown label", f"{predicted.answer}"[:200])
        decides = hasattr(estimator, "decide")  # by costs, say, and not always for the largest probability
        winners = estimator.decide(probable.answer) if decides else classes[probable.answer.argmax(axis=1)]
        demand(bool((winners == predicted.answer).all()), "labels", "predict does not follow from predict_proba")
        if hasattr(estimator, "predict_sets"):
            sets = attempt(estimator.predict_sets, {"X": X}, **known)
            demand(sets.refusal is None, "only some methods refuse", f"predict_sets: {sets.refusal}"[:300])
            demand(bool(sets.answer.any(axis=1).all()), "empty set", f"{sets.answer}"[:200])
        for method in ("decision_function", "output"):
            if hasattr(estimator, method):
                scored = attempt(getattr(estimator, method), {"X": X}, **known)
                demand(scored.refusal is None, "only some methods refuse", f"{method}: {scored.refusal}"[:300])
                demand_finite(method, scored.answer)
                demand(scored.answer.shape[0] == n, "wrong shape", f"{method}: {scored.answer.shape}")
