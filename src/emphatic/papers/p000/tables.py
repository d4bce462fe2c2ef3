"""Paper 000, "Designing RBF classifiers for weighted boosting": Tables II, III and IV.

How a row is run
1. With the ridge solver, the regularisation is chosen at lambda = 0.5 by 5-fold cross-validation inside each training
   part, so that it has seen nothing of the test part. (The paper trains by gradient descent and has no such parameter.)
2. Every lambda is fitted on every run of the protocol and scored on the test part. The *oracle* lambda has the best
   mean test error, as in the paper. lambda = 0.5 is Real AdaBoost, "RA".
3. Next to the oracle stands a lambda chosen by 5-fold cross-validation inside each training part, scored by the fits
   of 2.

Inside folds the fraction of centres stays the same, so their number falls with the training size, to four fifths: this
keeps the ratio of samples to centres, on which the fit of a network depends.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.published import find, lookup
from emphatic.papers.table import PublishedTable, Step, both_p, percent
from emphatic.study import InnerFolds, Method, PredefinedOrPartitions, Store, Study
from emphatic.study.protocol import Only, SplitProtocol
from emphatic.study.results import Results, Run, best_setting, choose_per_split, merge_results, results_of
from emphatic.study.tasks import Setting, canonical

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
LAMBDAS = tuple(round(0.1 * k, 1) for k in range(11))
QUICK_LAMBDAS = (0.2, 0.5, 0.8)
QUICK_ROWS = {("ripley", 10), ("ripley", 2), ("ionosphere", 10)}
REGULARISATIONS = (1e-4, 1e-3, 1e-2, 1e-1)
FOLD_REPEATS = 3  # where a predefined split leaves only one training part; ten partitions need no repeats


@dataclass(frozen=True)
class Row:
    """One row of a printed table."""

    dataset: str
    percent: int
    n_estimators: int

    @property
    def problem(self) -> str:
        return PROBLEMS[self.dataset]


def printed_rows(table: str) -> list[Row]:
    """The rows of a table as printed: fractions and rounds are read from the published numbers themselves.

    >>> printed_rows("IV")
    [Row(dataset='Abalone', percent=10, n_estimators=100), Row(dataset='Kwok', percent=10, n_estimators=100)]
    """
    values = find(PAPER, table, method=REAL_ADABOOST)
    return [Row(value.dataset, int(value.setting["K%"]), int(value.setting["T"])) for value in values]


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting.

    "emphasised" centres follow the emphasis of the output weights, "uniform" ones follow none, "separate" ones their
    own.
    """
    from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Mixed, Uniform
    from emphatic.learners import SampledCentres

    solver = {name: setting[name] for name in ("solver", "regularisation", "step_scale") if name in setting}
    design = {"emphasised": None, "uniform": Uniform(), "separate": Mixed(setting.get("lam_cen", 0.5))}
    return RealAdaBoostClassifier(
        RBFNetworkClassifier(SampledCentres(setting["fraction"]), **solver),
        Mixed(setting["lam"]),
        design_emphasis=design[setting["centres"]],
        n_estimators=setting["n_estimators"],
        random_state=random_state,
    )


@dataclass(frozen=True)
class EmphasisTable(PublishedTable):
    """A table of paper 000.

    `centres` says how centres are drawn: "emphasised", "uniform", or "separate" (with a lambda of their own).
    """

    centres: str
    best_method: str

    paper = PAPER

    @property
    def printed(self) -> str:
        """Its number in the paper."""
        return self.id.partition("-")[2]

    def rows(self, options: Options) -> list[Row]:
        """The printed rows that were asked for."""
        return [
            row
            for row in printed_rows(self.printed)
            if (not options.problems or row.problem in options.problems)
            and (not options.quick or (row.problem, row.percent) in QUICK_ROWS)
        ]

    def problems(self, quick: bool = False) -> Sequence[str]:
        return list(dict.fromkeys(row.problem for row in self.rows(Options(quick=quick))))

    def steps(self, options: Options) -> list[Step]:
        rows = self.rows(options)
        selection = Step(lambda _: [self._selection(row, options) for row in rows])
        fits = Step(lambda store: [study for row in rows for study in self._fits(row, options, store)])
        return [selection, fits] if _chooses_regularisation(options) else [fits]

    def _fits(self, row: Row, options: Options, store: Store) -> list[Study]:
        chosen = self._regularisations(row, options, store)
        studies = self._lambda_studies(row, options, chosen, PredefinedOrPartitions(options.runs))
        if options.cross_validate:
            studies += self._lambda_studies(row, options, chosen, self._inner_folds(row, options))
        return studies

    def _inner_folds(self, row: Row, options: Options) -> InnerFolds:
        """Five folds of every training part, drawn several times where there is only one training part."""
        only_one = self.load(row.problem).train is not None
        repeats = FOLD_REPEATS if only_one and not options.quick else 1
        return InnerFolds(PredefinedOrPartitions(options.runs), n_folds=5, n_repeats=repeats)

    def _selection(self, row: Row, options: Options) -> Study:
        """Real AdaBoost with every regularisation, on inner folds."""
        settings = [self._setting(row, options, value) for value in REGULARISATIONS]
        return self._study(row, settings, self._inner_folds(row, options))

    def _regularisations(self, row: Row, options: Options, store: Store) -> dict[str, float | None]:
        """The regularisation of every split: given, or with the smallest error on its inner folds; None for "sgd".

        Ties go to the strongest.
        """
        splits = PredefinedOrPartitions(options.runs).splits(self.load(row.problem))
        ids = dict.fromkeys(split.id for split in splits)
        if not _chooses_regularisation(options):
            return dict.fromkeys(ids, options.regularisation if options.solver == "ridge" else None)
        errors = results_of(self._selection(row, options), store).errors
        if not errors:  # every fit failed: the fits that follow will show why
            return dict.fromkeys(ids, REGULARISATIONS[-1])
        best = {split: best_setting(errors, lambda one: -json.loads(one)["regularisation"], split) for split in ids}
        return {split: float(json.loads(setting)["regularisation"]) for split, setting in best.items()}

    def _lambda_studies(
        self, row: Row, options: Options, chosen: Mapping[str, float | None], protocol: SplitProtocol
    ) -> list[Study]:
        """Every lambda: one study per regularisation, over the splits that chose it."""
        lambdas = QUICK_LAMBDAS if options.quick else LAMBDAS
        own = lambdas if self.centres == "separate" else (0.5,)
        studies = []
        for value in dict.fromkeys(chosen.values()):
            settings = [self._setting(row, options, value, lam, lam_cen) for lam in lambdas for lam_cen in own]
            ids = frozenset(split for split, its_value in chosen.items() if its_value == value)
            studies.append(self._study(row, settings, Only(protocol, ids)))
        return studies

    def _setting(
        self, row: Row, options: Options, regularisation: float | None = None, lam: float = 0.5, lam_cen: float = 0.5
    ) -> dict[str, Any]:
        return {
            "fraction": row.percent / 100,
            "n_estimators": row.n_estimators,
            "solver": options.solver,
            "centres": self.centres,
            "lam": lam,
            **({} if regularisation is None else {"regularisation": regularisation}),
            **({"lam_cen": lam_cen} if self.centres == "separate" else {}),
        }

    def _study(self, row: Row, settings: Sequence[Setting], protocol: SplitProtocol) -> Study:
        method = Method(f"mixed emphasis, {self.centres} centres", build, settings)
        return self.make_study(row.problem, method, protocol)

    def lines(self, options: Options, store: Store) -> list[Line]:
        return [line for row in self.rows(options) for line in self._row_lines(row, options, store)]

    def _row_lines(self, row: Row, options: Options, store: Store) -> Iterator[Line]:
        """Real AdaBoost, the oracle lambda, and the cross-validated one."""
        chosen = self._regularisations(row, options, store)

        def read(protocol: SplitProtocol) -> Results:
            studies = self._lambda_studies(row, options, chosen, protocol)
            return merge_results([results_of(study, store) for study in studies], _without_regularisation)

        tests = read(PredefinedOrPartitions(options.runs))
        ra = tests.errors.get(canonical(self._setting(row, options)), {})
        conditions = {"K%": str(row.percent)}
        shared: dict[str, Any] = {
            "problem": row.problem,
            "setting": f"K {row.percent}%, T {row.n_estimators}",
            "stand_in": bool(self.load(row.problem).stand_in),
        }

        def compare_with_ra(errors: Mapping[Run, float]) -> dict[str, Any]:
            return both_p(list(ra.values()), [errors[run] for run in ra])

        used = {split: f"regularisation {value:g}" for split, value in chosen.items() if value is not None}
        published = lookup(PAPER, self.printed, row.dataset, REAL_ADABOOST, METRIC, conditions)
        yield Line(method="RA, λ=0.5", values=percent(ra), published=published, note=_count_choices(used), **shared)
        if not tests.errors:
            return
        best = best_setting(tests.errors, _distance)
        [value] = find(PAPER, self.printed, row.dataset, self.best_method, METRIC, conditions)
        rank_sum = find(PAPER, self.printed, row.dataset, "WRT RA vs best lambda", "p_value", conditions)
        unfinished = f"; {len(tests.incomplete)} λ not finished" if tests.incomplete else ""
        yield Line(
            method=_lambda_text(best),
            values=percent(tests.errors[best]),
            published=(value.mean, value.std),
            choice="oracle",
            p_published=rank_sum[0].mean if rank_sum else None,
            note=f"published {_published_lambda(value.setting)}{unfinished}",
            **compare_with_ra(tests.errors[best]),
            **shared,
        )
        inner = read(self._inner_folds(row, options)).errors if options.cross_validate else {}
        if inner:
            errors, choices = choose_per_split(tests.errors, inner, _distance)
            yield Line(
                method="λ",
                values=percent(errors),
                choice="cross-validated",
                note=_count_choices({split: _lambda_text(setting) for split, setting in choices.items()}),
                **compare_with_ra(errors),
                **shared,
            )

    def caption(self, options: Options) -> str:
        return (
            "Test error in %, mean (std). Diff/std: measured minus published, in published standard deviations. "
            "p: Wilcoxon rank-sum test against RA; the paper prints p < 0.01 as 0. "
            "Oracle: λ chosen on the test error, as in the paper; cross-validated: λ chosen on training parts only. "
            f"λ tried: {', '.join(f'{lam:g}' for lam in (QUICK_LAMBDAS if options.quick else LAMBDAS))}. "
            f"Output weights: {_solver_text(options)}. Votes come from the edge under Real AdaBoost's own distribution."
        )


def _chooses_regularisation(options: Options) -> bool:
    return options.solver == "ridge" and options.regularisation is None


def _distance(setting: str) -> float:
    """From Real AdaBoost, in lambdas: the tie-break of every choice."""
    values = json.loads(setting)
    return round(abs(values["lam"] - 0.5) + abs(values.get("lam_cen", 0.5) - 0.5), 9)


def _lambda_text(setting: str) -> str:
    values = json.loads(setting)
    if "lam_cen" in values:
        return f"λ_out={values['lam']:g}, λ_cen={values['lam_cen']:g}"
    return f"λ={values['lam']:g}"


def _published_lambda(setting: Mapping[str, str]) -> str:
    short = {"lambda": "λ", "lambda_out": "λ_out", "lambda_cen": "λ_cen"}
    return ", ".join(f"{short[name]}={value}" for name, value in setting.items() if name in short)


def _without_regularisation(setting: str) -> str:
    """The regularisation may differ between splits, the rest of a setting does not."""
    return canonical({name: value for name, value in json.loads(setting).items() if name != "regularisation"})


def _count_choices(choices: Mapping[str, str]) -> str:
    """What was chosen, and on how many training parts."""
    counts = Counter(choices.values())
    return "; ".join(text if len(choices) == 1 else f"{text} ×{count}" for text, count in counts.most_common())


def _solver_text(options: Options) -> str:
    if options.solver == "sgd":
        return "stochastic gradient descent, as in the paper"
    given = f"{options.regularisation:g}" if options.regularisation is not None else ""
    return f"ridge, regularisation {given or 'chosen by cross-validation inside each training part'}"


BEST = "weighted emphasis (best lambda)"
TABLE_II = EmphasisTable("000-II", "000, Table II: centres drawn with emphasis", "emphasised", BEST)
TABLE_III = EmphasisTable("000-III", "000, Table III: centres drawn without emphasis", "uniform", BEST)
TABLE_IV = EmphasisTable(
    "000-IV", "000, Table IV: centres with an emphasis of their own", "separate", "separate emphasis"
)
