"""Support vector machines on the views of the forests: their accuracy, and what training either of them costs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p003.digits import columns_of
from emphatic.papers.p003.judging import NOT_FINISHED
from emphatic.papers.p003.settings import PER_CLASS, forest_setting
from emphatic.papers.p003.table import DigitsTable, accuracies, remark_on_usps
from emphatic.study import Store, Study
from emphatic.study.tasks import Setting

FUSIONS = ("mean", "dempster_shafer")


def svc_setting(problem: str, view: str) -> dict[str, Any]:
    """The setting of one support vector machine on one view."""
    return {"problem": problem, "model": "SVC", "views": [view], "fusion": "mean"}


def fused_svc_setting(problem: str, fusion: str) -> dict[str, Any]:
    """The setting of one support vector machine per view, fused."""
    return {"problem": problem, "model": "SVCs", "fusion": fusion}


def build_svc(setting: Setting, random_state: int) -> Any:
    """One SVC, or several SVCs fused."""
    from emphatic.fusion.classifier import FusionClassifier

    columns = columns_of(setting["problem"])
    fused = setting["model"] == "SVCs"
    svc = _make_svc(calibrated=fused)
    members = [(view, svc, columns[view]) for view in (columns if fused else setting["views"])]
    return FusionClassifier(members, setting["fusion"], cv=3, random_state=random_state)


def _make_svc(calibrated: bool) -> Any:
    """Fusion rules need probabilities: one machine on all samples, its scores calibrated by 3-fold cross-validation."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import SVC

    return CalibratedClassifierCV(SVC(C=10), cv=3, ensemble=False) if calibrated else SVC(C=10)


class MachinesTable(DigitsTable):
    """A machine per view, all of them fused, and for comparison of the cost the forest of single views."""

    quick_problems: ClassVar[Sequence[str]] = ()

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        single = [svc_setting(problem, view) for view in columns_of(problem)]
        fused = [fused_svc_setting(problem, fusion) for fusion in FUSIONS]
        return [
            self.study("SVC", problem, single, options, make=build_svc),
            self.study("SVCs, fused", problem, fused, options, make=build_svc),
            self.study("forest", problem, [_forest(problem)], options),
        ]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        views = columns_of(problem)
        lines = [Line(problem, "SVC, C 10", view, accuracies(errors, svc_setting(problem, view))) for view in views]
        for fusion in FUSIONS:
            values = accuracies(errors, fused_svc_setting(problem, fusion))
            lines.append(Line(problem, f"SVCs on all {len(views)} views", fusion, values))
        lines.append(Line(problem, "MVF_single, 20 per class", "DS, Mean", accuracies(errors, _forest(problem))))
        yield from (line for line in lines if line.values)

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return [judge_cost({name: self._seconds(name, options, store) for name in self.chosen_problems(options)})]

    def _seconds(self, problem: str, options: Options, store: Store) -> dict[str, float]:
        """Mean processor time of one fit of each method, where all fits are done: of an SVC that of all its views."""
        machines, _, forest = self.problem_studies(problem, options)
        found = {}
        for study in (machines, forest):
            [method] = study.methods
            times = {
                one.key: one.fit_cpu_seconds for one in store.records(self.id, problem=problem, method=method.name)
            }
            own = [times.get(task.key) for task in study.tasks()]
            known = [seconds for seconds in own if seconds]
            if known and len(known) == len(own):
                found[method.name] = sum(known) / len(known) * len(method.settings)
        return found

    def caption(self, options: Options) -> str:
        return (
            f"Accuracy in %, mean (std) over {self.n_folds(options)} folds. For the fusion machines are calibrated by "
            f"3-fold cross-validation, and their reliabilities learnt on three folds. {remark_on_usps()}"
        )


def _forest(problem: str) -> dict[str, Any]:
    return forest_setting(problem, "MVF_single", "DS", "Mean", PER_CLASS[0])


def judge_cost(seconds: Mapping[str, Mapping[str, float]]) -> Claim:
    """Training time of the forest against that of one SVC per view."""
    place, text = "Section 2.1.1", "Direct computation of the output weights is a fast method."
    both = {name: found for name, found in seconds.items() if {"SVC", "forest"} <= found.keys()}
    if not both:
        return Claim(place, text, None, NOT_FINISHED)
    listed = ", ".join(f"{name} {found['forest']:.2f} against {found['SVC']:.2f}" for name, found in both.items())
    evidence = (
        "the paper gives no times. Seconds of processor time to train a forest of single views, against one support "
        f"vector machine per view; holds if less on the largest set: {listed}"
    )
    first = next(iter(both.values()))
    return Claim(place, text, first["forest"] < first["SVC"], evidence)
