"""Paper 000, "Designing RBF classifiers for weighted boosting": Tables II, III and IV.

How a row is run
1. With the ridge solver, the regularisation is chosen at lambda = 0.5 by 5-fold cross-validation inside each training
   part, so that it has seen nothing of the test part. (The paper trains by gradient descent and has no such parameter.)
2. Every lambda is fitted on every run of the protocol and scored on the test part. The *oracle* lambda is the best
   mean test error, as in the paper. lambda = 0.5 is Real AdaBoost, "RA".
3. Beside the oracle stands a lambda chosen by 5-fold cross-validation inside each training part, scored by the fits
   of step 2.

Inside folds the fraction of centres stays the same, so their number falls with the training size, to four fifths: the
ratio of patterns to centres, on which the fit of a network depends, is kept.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p000.setup import (
    LAMBDAS,
    PAPER,
    QUICK_LAMBDAS,
    QUICK_ROWS,
    REAL_ADABOOST,
    REGULARISATIONS,
    Row,
    build,
    inner_folds,
    load_problem,
    printed_rows,
)
from emphatic.papers.published import find, lookup
from emphatic.study.protocol import Only, PredefinedOrPartitions, SplitProtocol
from emphatic.study.results import Results, Run, best_setting, choose_per_split, merge_results, results_of
from emphatic.study.runner import Study
from emphatic.study.statistics import rank_sum_p, signed_rank_p
from emphatic.study.store import Store
from emphatic.study.tasks import Method, Setting, canonical

METRIC = "test_error_%"


@dataclass(frozen=True)
class EmphasisTable:
    """A table of paper 000.

    `centres` says what the centres are drawn by: "emphasised", "uniform", or "separate" (own lambda).
    """

    id: str
    title: str
    centres: str
    best_method: str

    @property
    def printed(self) -> str:
        """Its number in the paper."""
        return self.id.partition("-")[2]

    def rows(self, options: Options) -> list[Row]:
        """The printed rows, so far as asked for."""
        return [
            row
            for row in printed_rows(self.printed)
            if (not options.problems or row.problem in options.problems)
            and (not options.quick or (row.problem, row.percent) in QUICK_ROWS)
        ]

    def problems(self, quick: bool = False) -> Sequence[str]:
        return list(dict.fromkeys(row.problem for row in self.rows(Options(quick=quick))))

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        rows = self.rows(options)
        if options.solver == "ridge" and options.regularisation is None:
            yield [self.selection(row, options) for row in rows]
        fits: list[Study] = []
        for row in rows:
            chosen = self.regularisations(row, options, store)
            fits += self.tests(row, options, chosen)
            if options.cross_validate:
                fits += self.inner(row, options, chosen)
        yield fits

    def selection(self, row: Row, options: Options) -> Study:
        """Real AdaBoost with every regularisation, on inner folds."""
        settings = [self.setting(row, options, reg, 0.5, 0.5) for reg in REGULARISATIONS]
        return self._study(row, settings, inner_folds(row, options))

    def regularisations(self, row: Row, options: Options, store: Store) -> dict[str, float | None]:
        """For every split the given value, or the one with the smallest error on its inner folds; None for "sgd".

        Of equal ones the strongest is taken.
        """
        splits = PredefinedOrPartitions(options.runs).splits(load_problem(row.problem))
        ids = dict.fromkeys(split.id for split in splits)
        if options.solver != "ridge" or options.regularisation is not None:
            return dict.fromkeys(ids, options.regularisation if options.solver == "ridge" else None)
        errors = results_of(self.selection(row, options), store).errors
        if not errors:  # every fit failed: let the fits that follow say why
            return dict.fromkeys(ids, REGULARISATIONS[-1])
        best = {split: best_setting(errors, lambda one: -json.loads(one)["regularisation"], split) for split in ids}
        return {split: float(json.loads(setting)["regularisation"]) for split, setting in best.items()}

    def tests(self, row: Row, options: Options, chosen: Mapping[str, float | None]) -> list[Study]:
        """Every lambda on the test parts: one study for each regularisation, over the splits that chose it."""
        return self._by_regularisation(row, options, chosen, PredefinedOrPartitions(options.runs))

    def inner(self, row: Row, options: Options, chosen: Mapping[str, float | None]) -> list[Study]:
        """Every lambda on inner folds, likewise."""
        return self._by_regularisation(row, options, chosen, inner_folds(row, options))

    def _by_regularisation(
        self, row: Row, options: Options, chosen: Mapping[str, float | None], protocol: SplitProtocol
    ) -> list[Study]:
        studies = []
        for regularisation in dict.fromkeys(chosen.values()):
            ids = frozenset(split for split, value in chosen.items() if value == regularisation)
            settings = self.candidates(row, options, regularisation)
            studies.append(self._study(row, settings, Only(protocol, ids)))
        return studies

    def candidates(self, row: Row, options: Options, regularisation: float | None) -> list[Setting]:
        lambdas = _lambdas(options)
        own = lambdas if self.centres == "separate" else (0.5,)
        return [self.setting(row, options, regularisation, lam, lam_cen) for lam in lambdas for lam_cen in own]

    def setting(
        self, row: Row, options: Options, regularisation: float | None, lam: float, lam_cen: float
    ) -> dict[str, Any]:
        setting: dict[str, Any] = {
            "fraction": row.percent / 100,
            "n_estimators": row.n_estimators,
            "solver": options.solver,
            "centres": self.centres,
            "lam": lam,
        }
        if regularisation is not None:
            setting["regularisation"] = regularisation
        if self.centres == "separate":
            setting["lam_cen"] = lam_cen
        return setting

    def lines(self, options: Options, store: Store) -> list[Line]:
        return [line for row in self.rows(options) for line in self._row_lines(row, options, store)]

    def _row_lines(self, row: Row, options: Options, store: Store) -> Iterator[Line]:
        """Real AdaBoost, the oracle lambda, and the cross-validated one."""
        chosen = self.regularisations(row, options, store)
        tests = merge_results([results_of(study, store) for study in self.tests(row, options, chosen)], _by_lambda)
        ra = tests.errors.get(_by_lambda(canonical(self.setting(row, options, None, 0.5, 0.5))), {})
        printed = {"K%": str(row.percent)}
        shared: dict[str, Any] = {
            "problem": row.problem,
            "setting": f"K {row.percent}%, T {row.n_estimators}",
            "stand_in": bool(load_problem(row.problem).stand_in),
        }
        used = {split: f"regularisation {value:g}" for split, value in chosen.items() if value is not None}
        published = lookup(PAPER, self.printed, row.dataset, REAL_ADABOOST, METRIC, printed)
        yield Line(method="RA, λ=0.5", values=_percent(ra), published=published, note=_counted(used), **shared)
        if not tests.errors:
            return
        best = best_setting(tests.errors, _distance)
        [value] = find(PAPER, self.printed, row.dataset, self.best_method, METRIC, printed)
        wrt = find(PAPER, self.printed, row.dataset, "WRT RA vs best lambda", "p_value", printed)
        yield Line(
            method=_lambda_text(best),
            values=_percent(tests.errors[best]),
            published=(value.mean, value.std),
            choice="oracle",
            p_published=wrt[0].mean if wrt else None,
            note=f"published {_published_lambda(value.setting)}" + _excluded(tests),
            **_p_values(ra, tests.errors[best]),
            **shared,
        )
        if options.cross_validate:
            inner = merge_results([results_of(study, store) for study in self.inner(row, options, chosen)], _by_lambda)
            if inner.errors:
                errors, choices = choose_per_split(tests.errors, inner.errors, _distance)
                yield Line(
                    method="λ",
                    values=_percent(errors),
                    choice="cross-validated",
                    note=_counted({split: _lambda_text(setting) for split, setting in choices.items()}),
                    **_p_values(ra, errors),
                    **shared,
                )

    def caption(self, options: Options) -> str:
        return (
            "Test error in %, mean (std). Diff/std: measured minus published in published standard deviations. "
            "p: Wilcoxon rank-sum test against RA; the paper prints p < 0.01 as 0. "
            "Oracle: λ chosen on the test error, as in the paper; cross-validated: λ chosen on training parts only. "
            f"λ tried: {', '.join(f'{lam:g}' for lam in _lambdas(options))}. "
            f"Output weights: {_solver_text(options)}. Vote from the edge under Real AdaBoost's own distribution."
        )

    def _study(self, row: Row, settings: Sequence[Setting], protocol: SplitProtocol) -> Study:
        method = Method(f"mixed emphasis, {self.centres} centres", build, settings)
        return Study(self.id, [method], [load_problem(row.problem)], protocol)


def _lambdas(options: Options) -> tuple[float, ...]:
    return QUICK_LAMBDAS if options.quick else LAMBDAS


def _distance(setting: str) -> float:
    """From Real AdaBoost, in lambdas: the tie-break of every choice."""
    values = json.loads(setting)
    return round(abs(values["lam"] - 0.5) + abs(values.get("lam_cen", 0.5) - 0.5), 9)


def _percent(errors: Mapping[Run, float]) -> list[float]:
    return [100 * error for error in errors.values()]


def _p_values(reference: Mapping[Run, float], errors: Mapping[Run, float]) -> dict[str, Any]:
    if not reference:
        return {}
    first, second = list(reference.values()), [errors[run] for run in reference]
    return {"p": rank_sum_p(first, second), "p_paired": signed_rank_p(first, second)}


def _lambda_text(setting: str) -> str:
    values = json.loads(setting)
    if "lam_cen" in values:
        return f"λ_out={values['lam']:g}, λ_cen={values['lam_cen']:g}"
    return f"λ={values['lam']:g}"


def _published_lambda(setting: Mapping[str, str]) -> str:
    short = {"lambda": "λ", "lambda_out": "λ_out", "lambda_cen": "λ_cen"}
    return ", ".join(f"{short[name]}={value}" for name, value in setting.items() if name in short)


def _by_lambda(setting: str) -> str:
    """A setting without its regularisation, which may differ from split to split."""
    return canonical({name: value for name, value in json.loads(setting).items() if name != "regularisation"})


def _counted(choices: Mapping[str, str]) -> str:
    """What was chosen, and on how many training parts."""
    counts = Counter(choices.values())
    return "; ".join(text if len(choices) == 1 else f"{text} ×{count}" for text, count in counts.most_common())


def _solver_text(options: Options) -> str:
    if options.solver == "sgd":
        return "stochastic gradient, as in the paper"
    if options.regularisation is not None:
        return f"ridge, regularisation {options.regularisation:g}"
    return "ridge, regularisation chosen by cross-validation inside each training part"


def _excluded(results: Results) -> str:
    return f"; {len(results.incomplete)} λ not finished" if results.incomplete else ""


TABLE_II = EmphasisTable(
    "000-II", "000, Table II: centres drawn with emphasis", "emphasised", "weighted emphasis (best lambda)"
)
TABLE_III = EmphasisTable(
    "000-III", "000, Table III: centres drawn without emphasis", "uniform", "weighted emphasis (best lambda)"
)
TABLE_IV = EmphasisTable(
    "000-IV", "000, Table IV: an emphasis of their own for the centres", "separate", "separate emphasis"
)
