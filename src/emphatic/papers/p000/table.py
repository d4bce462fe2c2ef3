"""The tables of paper 000, "Designing RBF classifiers for weighted boosting", as work to be done.

How a row is run
1. With the ridge solver, the regularisation is chosen at lambda = 0.5 by 5-fold cross-validation inside each training
   part, so that it has seen nothing of the test part. (The paper trains by gradient descent and has no such parameter.)
2. Every lambda is fitted on every run of the protocol and scored on the test part. The *oracle* lambda has the best
   mean test error, as in the paper. lambda = 0.5 is Real AdaBoost, "RA".
3. Next to the oracle stands a lambda chosen by 5-fold cross-validation inside each training part, or inside the first
   `parts` of them, scored by the fits of 2.

Inside folds the fraction of centres stays the same, so their number falls with the training size, to four fifths: this
keeps the ratio of samples to centres, on which the fit of a network depends.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p000.caption import describe_solver, describe_vote, list_lambdas
from emphatic.papers.p000.claims import judge_table
from emphatic.papers.p000.ensembles import REGULARISATIONS, build
from emphatic.papers.p000.figures import draw_rounds, draw_surfaces
from emphatic.papers.p000.lines import write_lines
from emphatic.papers.p000.outcome import Outcome, count_rounds, drop_regularisation, error_early, without_nan
from emphatic.papers.p000.rows import PAPER, QUICK_ROWS, Row, make_protocol, printed_rows
from emphatic.papers.table import PublishedTable, Step
from emphatic.report.page import Section
from emphatic.study import InnerFolds, Method, Store, Study
from emphatic.study.protocol import Only, SplitProtocol
from emphatic.study.results import Results, best_setting, merge_results, results_of
from emphatic.study.tasks import Setting, canonical

LAMBDAS = tuple(round(0.1 * k, 1) for k in range(11))
QUICK_LAMBDAS = (0.2, 0.5, 0.8)
FOLD_REPEATS = 3  # where a predefined split leaves only one training part; ten partitions need no repeats
Metric = Callable[[Mapping[str, Any]], float]


@dataclass(frozen=True)
class EmphasisTable(PublishedTable):
    """A table of paper 000, in one interpretation.

    `printed` is its number in the paper. `centres` says how centres are drawn: "emphasised", "uniform", or "separate"
    (with a lambda of their own). `negative` says what becomes of a learner with a negative edge: "flip" gives it the
    negative vote of equation 4, "stop" redraws it and then ends the growth. `solver` is that of the options if it is
    empty, and `step_scale` the default one of "sgd". `lambdas` are tried, at most `most_runs` runs are done, and one of
    `fold_lambdas` is chosen by cross-validation on the first `parts` training parts.
    """

    printed: str
    centres: str
    negative: str = "flip"
    solver: str = ""
    step_scale: str = ""
    lambdas: Sequence[float] = LAMBDAS
    fold_lambdas: Sequence[float] = LAMBDAS
    most_runs: int = 50
    parts: int = 10

    paper = PAPER

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
        return [selection, fits] if self._chooses_regularisation(options) else [fits]

    def lines(self, options: Options, store: Store) -> list[Line]:
        return [line for one in self.outcomes(options, store) for line in self.outcome_lines(one)]

    def outcome_lines(self, outcome: Outcome) -> Sequence[Line]:
        """The lines of one row."""
        return list(write_lines(outcome, self.printed))

    def sections(self, options: Options, store: Store) -> list[Section]:
        outcomes = self.outcomes(options, store)
        return [*draw_rounds(self.id, outcomes), *draw_surfaces(self.id, outcomes)]

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        twin = replace(self, id=f"{PAPER}-II", printed="II", centres="emphasised")
        others = twin.outcomes(options, store) if self.id == f"{PAPER}-III" else []
        return judge_table(self.id, self.printed, self.outcomes(options, store), others)

    def outcomes(self, options: Options, store: Store) -> list[Outcome]:
        """What the store holds of every row: with all its runs, or else with the largest number that is finished."""
        return [self._read_most(row, options, store) for row in self.rows(options)]

    def _read_most(self, row: Row, options: Options, store: Store) -> Outcome:
        found = (self.read_row(row, fewer, store) for fewer in reversed(options.list_fewer()))
        first = next(found)
        return first if first.is_finished else next((one for one in found if one.is_finished), first)

    def read_row(self, row: Row, options: Options, store: Store) -> Outcome:
        """What the store holds of a row."""
        chosen = self._regularisations(row, options, store)

        def read(studies: Sequence[Study], metric: Metric = itemgetter("error")) -> Results:
            return merge_results([results_of(study, store, metric) for study in studies], drop_regularisation)

        tests, folds = self._test_studies(row, options, chosen), self._fold_studies(row, options, chosen)
        return Outcome(
            row,
            bool(self.load(row.problem).stand_in),
            read(tests),
            read(folds).errors,
            without_nan(read(tests, count_rounds).errors),
            without_nan(read(tests, error_early).errors),
            canonical(self._setting(row, options)),
            chosen,
        )

    def candidates(self, row: Row, options: Options, lambdas: Sequence[float]) -> list[dict[str, Any]]:
        """The settings that are compared, without their regularisation."""
        own = lambdas if self.centres == "separate" else (0.5,)
        return [self._setting(row, options, lam, lam_cen) for lam in lambdas for lam_cen in own]

    def make_method(self, settings: Sequence[Setting]) -> Method:
        return Method(f"mixed emphasis, {self.centres} centres", build, settings)

    def _fits(self, row: Row, options: Options, store: Store) -> list[Study]:
        chosen = self._regularisations(row, options, store)
        return [*self._test_studies(row, options, chosen), *self._fold_studies(row, options, chosen)]

    def _runs(self, row: Row, options: Options, most: int | None = None) -> SplitProtocol:
        runs = min(options.runs, self.most_runs)
        return make_protocol(row.problem, runs if most is None else min(runs, most))

    def _folds(self, row: Row, options: Options, parts: int | None = None) -> InnerFolds:
        """Five folds of the first training parts, or of all; drawn several times where there is only one."""
        only_one = self.load(row.problem).train is not None
        repeats = FOLD_REPEATS if only_one and not options.quick else 1
        return InnerFolds(self._runs(row, options, parts), n_folds=5, n_repeats=repeats)

    def _selection(self, row: Row, options: Options) -> Study:
        """Real AdaBoost with every regularisation, on the folds of every training part."""
        settings = [{**self._setting(row, options), "regularisation": value} for value in REGULARISATIONS]
        return self._study(row, settings, self._folds(row, options))

    def _regularisations(self, row: Row, options: Options, store: Store) -> dict[str, float | None]:
        """The regularisation of every split: given, or with the smallest error on its inner folds; None for "sgd".

        Ties go to the strongest.
        """
        ids = dict.fromkeys(split.id for split in self._runs(row, options).splits(self.load(row.problem)))
        if not self._chooses_regularisation(options):
            return dict.fromkeys(ids, options.regularisation if self._solver(options) == "ridge" else None)
        errors = results_of(self._selection(row, options), store).errors
        if not errors:  # every fit failed: the fits that follow will show why
            return dict.fromkeys(ids, REGULARISATIONS[-1])
        best = {split: best_setting(errors, lambda one: -json.loads(one)["regularisation"], split) for split in ids}
        return {split: float(json.loads(setting)["regularisation"]) for split, setting in best.items()}

    def _test_studies(self, row: Row, options: Options, chosen: Mapping[str, float | None]) -> list[Study]:
        """Every candidate on the test parts."""
        candidates = self.candidates(row, options, QUICK_LAMBDAS if options.quick else self.lambdas)
        return self._split_studies(row, candidates, chosen, self._runs(row, options))

    def _fold_studies(self, row: Row, options: Options, chosen: Mapping[str, float | None]) -> list[Study]:
        """The candidates to choose from on the folds of training parts; none if there is no cross-validation."""
        if not self._cross_validates(options):
            return []
        candidates = self.candidates(row, options, QUICK_LAMBDAS if options.quick else self.fold_lambdas)
        return self._split_studies(row, candidates, chosen, self._folds(row, options, self.parts))

    def _split_studies(
        self,
        row: Row,
        candidates: Sequence[Setting],
        chosen: Mapping[str, float | None],
        protocol: SplitProtocol,
    ) -> list[Study]:
        """One study per regularisation, over the splits that chose it."""
        studies = []
        for value in dict.fromkeys(chosen.values()):
            used = {} if value is None else {"regularisation": value}
            settings = [{**one, **used} for one in candidates]
            ids = frozenset(split for split, its_value in chosen.items() if its_value == value)
            studies.append(self._study(row, settings, Only(protocol, ids)))
        return studies

    def _setting(self, row: Row, options: Options, lam: float = 0.5, lam_cen: float = 0.5) -> dict[str, Any]:
        return {
            "fraction": row.percent / 100,
            "n_estimators": row.n_estimators,
            "solver": self._solver(options),
            "centres": self.centres,
            "negative": self.negative,
            "lam": lam,
            **({"step_scale": self.step_scale} if self.step_scale else {}),
            **({"lam_cen": lam_cen} if self.centres == "separate" else {}),
        }

    def _study(self, row: Row, settings: Sequence[Setting], protocol: SplitProtocol) -> Study:
        return self.make_study(row.problem, self.make_method(settings), protocol)

    def _solver(self, options: Options) -> str:
        return self.solver or options.solver

    def _chooses_regularisation(self, options: Options) -> bool:
        return self._solver(options) == "ridge" and options.regularisation is None

    def _cross_validates(self, options: Options) -> bool:
        return options.cross_validate and self.parts > 0

    def caption(self, options: Options) -> str:
        return " ".join(filter(None, self.caption_parts(options)))

    def caption_parts(self, options: Options) -> list[str]:
        """The sentences of the caption; empty ones are left out."""
        among = "" if self.fold_lambdas == LAMBDAS else f" among {list_lambdas(self.fold_lambdas)}"
        chosen = f"; cross-validated: λ chosen{among} on training parts only, of up to {self.parts} partitions"
        on_abalone = any(row.dataset == "Abalone" for row in self.rows(options))
        return [
            "Test error in %, mean (std). Diff/std: measured minus published, in published standard deviations.",
            "p: Wilcoxon rank-sum test against RA; the paper prints p < 0.01 as 0.",
            f"Oracle: λ chosen on the test error, as in the paper{chosen if self._cross_validates(options) else ''}.",
            f"λ tried: {list_lambdas(QUICK_LAMBDAS if options.quick else self.lambdas)}.",
            f"At most {self.most_runs} runs." if self.most_runs < options.runs else "",
            describe_solver(self._solver(options), self.step_scale, options.regularisation),
            describe_vote(self.negative),
            "Each run on Abalone has a random partition of its own." if on_abalone else "",
        ]
