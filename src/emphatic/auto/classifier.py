"""The one to try first: a raw table in, a calibrated and explained blend of validated learners out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.auto.decisions.class_weight import weigh_classes
from emphatic.auto.decisions.deciding import DecidingMixin
from emphatic.auto.decisions.decision import BY_PROBABILITY
from emphatic.auto.encoding import TableEncoder
from emphatic.auto.limits import check_limits, warn_of_limits
from emphatic.auto.monitoring import report_candidates, report_end, start_monitor
from emphatic.auto.partitioned.fitting import describe_rows, refuse_for_collections, search_collection, weigh_rows
from emphatic.auto.partitioned.sampling import SMALLEST_SAMPLE, PartitionSample, draw_sample
from emphatic.auto.searching.attempt import Attempt, Task, make_attempts
from emphatic.auto.searching.blend import CLEAN_CHANCES, tabulate_results
from emphatic.auto.searching.budget import Budget, make_budget
from emphatic.auto.searching.samples import Samples, rank_rows
from emphatic.auto.sparse import SparseEncoder, check_sparse, has_sparse_columns
from emphatic.auto.why.explained import Explained
from emphatic.auto.why.explanation import explain_blend
from emphatic.auto.why.left_out import LeftOutBlend
from emphatic.auto.why.tabulation import as_table
from emphatic.base import Lesson, check_saved_names
from emphatic.blending.by_loss import LOSSES
from emphatic.boosting.callbacks import CallbackSupportMixin, Monitor, with_callbacks
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import is_deferred
from emphatic.engines import check_engine
from emphatic.fields import Flag, IfSet, ListOf, Maybe, Number, Part, Record, Text, saved
from emphatic.fitting import all_or_nothing
from emphatic.groups import check_groups
from emphatic.inputs import any_table, rows_as_objects
from emphatic.margins import output_of_probabilities
from emphatic.partitions import OpenedParts, open_parts
from emphatic.randomness import as_generator
from emphatic.tables.decision import Decision
from emphatic.tables.transformer import check_wishes
from emphatic.threads import one_thread


@saved(
    best_model_=Part("Blend"),
    _encoder=Part("TableEncoder", "SparseEncoder"),
    _results=Record(
        family=ListOf(Text()),
        candidate=ListOf(Text()),
        log_loss=ListOf(Number()),
        error=ListOf(Number()),
        weight=ListOf(Number()),
        dropped=ListOf(Flag()),
        seconds=ListOf(Number()),
    ),
    _explanation=Text(),
    _rule=IfSet(Part("DecisionRule"), BY_PROBABILITY),
    _calibration=IfSet(Maybe(Part("Calibration")), None),
)
class EmphaticClassifier(CallbackSupportMixin, DecidingMixin, Explained):  # type: ignore[misc]
    """Try this first: it takes a raw table, tries learners of several families, and blends those that validate best.

    1. Numbers are scaled and softly bounded, categories become indicators, missing values are filled (`TableEncoder`).
    2. Candidates are fitted on shared folds: kernel networks with a unit on every sample, which score each sample
       without it in closed form; networks with a hidden layer; trees with random thresholds, bagged, and boosted with
       a mixed emphasis; gradient-boosted trees; logistic regression. Those far behind on the first fold are dropped.
    3. The scores of each are turned into probabilities by one factor, and weighted by how well they predict rows that
       the candidate was not trained on; greedy picks add what complements the others, the more rows the more so.
    4. One more factor calibrates the blend.
    5. Where many labels look wrong, and rows are fewer than 3,000, the members are fitted again with less weight on
       these labels.

    Parameters
    ----------
    time_budget : float, default=None
        Seconds for `fit`, which are used as well as possible: a good model of a few rows comes first; then, where there
        is no time for all candidates on all rows and folds, each is fitted once, on as many rows as there is time for;
        where there is ample time, there are more folds. What had to be left out is said in a warning. None tries all
        candidates on all rows, which takes seconds for a thousand rows.
    work_budget : float, default=None
        The same in estimated seconds of an idle core instead of the clock: the same seed gives the same model, whatever
        the machine and what else runs on it.
    metric : {"auto", "log_loss", "error", "balanced_accuracy"}, default="auto"
        What members are weighted by; "auto" is the log loss. With "balanced_accuracy" the probabilities are those of
        equally frequent classes, so that rare classes are predicted more often.
    decision : {"probability", "f1", "balanced", "cost"}, default="probability"
        How `predict` chooses a class; `predict_proba` stays the same. "probability": the most probable one. "f1" and
        "balanced": probabilities are multiplied by weights per class, chosen out of fold for the best F1 (of the rarer
        of two classes, or the mean over more) or balanced accuracy. "cost": the class with the least expected cost.
    costs : (K, K) array, or dict of dicts by label, default=None
        What it costs to predict a class (columns) where another one (rows) is true, in the order of `classes_`, such as
        ``{"ill": {"healthy": 10}, "healthy": {"ill": 1}}``, where what is missing costs 0. Being right may cost
        something, too. Costs that are given decide: `decision` may be left out.
    class_weight : dict by label, "balanced" or None, default=None
        Factors for the sample weights of classes, as in scikit-learn: probabilities become those of a table in which
        rows of a class are so many times as frequent. To predict rare classes more often, and keep probabilities that
        are true, use `decision` instead.
    label_noise : {"auto", "ignore", "correct"}, default="auto"
        What probabilities are to be if more than 5% of the training labels look wrong. "ignore": those of labels with
        as many mistakes. "correct": corrected for that share of random flips. **This assumes that the labels to be
        predicted are clean**; where they are as noisy as those of the training, such probabilities are overconfident.
        "auto" takes either case to be as probable as the other: the mean of the two.
        No predicted class depends on it, unless by costs. `explain` says what was done.
    columns : dict, default=None
        What to make of columns, by name, where the policy (`emphatic.tables.decide_columns`) would decide otherwise:
        "number", "category", "boolean", "date", "text" or "ignore", such as ``{"zip": "category"}``.
    sample_size : int, default=120000
        Rows of a larger Dask collection that are brought into this process: a sixth of them is held out, and what
        cannot learn from partitions learns from the others. Collections that are not larger are gathered whole.
    n_jobs : int, default=None
        Number of threads; -1 for one per core. The model is the same for every number.
    engine : engine of `emphatic.engines`, default=None
        Where candidates are fitted instead, such as ``on_dask(address)``, with the same model; None: on the active Dask
        client, if there is one.
    progress : bool, default=False
        Whether to show a progress bar (in a terminal; needs `rich`).
    random_state : int, generator or None, default=None
        The same seed gives the same model, unless there is a time budget.

    Attributes
    ----------
    best_model_ : Blend
        The members with their weights; `loss` and `error` out of fold.
    search_results_ : DataFrame, or a dict of columns where pandas is not installed
        One row per candidate: family, candidate, log_loss, error, weight, dropped, seconds. Losses are out of fold;
        those of a dropped candidate are from one fold.
    columns_ : list of Decision
        What became of each column of the table and why; printed, each is a line for people.
    importances_ : DataFrame, or a dict of columns where pandas is not installed
        One row per column of the table: column, importance, spread. The importance is how much the out-of-fold log loss
        grows when the cells of the column are shuffled; it is measured when it is first asked for, and kept in model
        files. An ignored column has 0, and one of a very wide table that was not measured has NaN.
    out_of_fold_ : ndarray (n, K)
        Probabilities of the training rows by models that were not trained on them, in the order of `classes_`; NaN
        for all other rows, if a budget left time for one fit of each candidate only. Of a large Dask collection, only
        those of the rows `held_out_rows_`. They are not kept in model files.
    held_out_rows_ : ndarray
        After a fit on a large Dask collection: the numbers of the rows that nothing was trained on.
    decision_ : str
        The decision that `predict` goes by: `decision`, or "cost" where costs are given.
    decision_weights_ : ndarray (K,), or None
        What probabilities are multiplied by before `predict` chooses the largest; None if costs decide.
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Tables are pandas or polars DataFrames, arrays or lists of rows, with numbers, categories, booleans, dates, text and
    missing values; one policy says what becomes of them (`emphatic.tables.decide_columns`). A candidate predicts by the
    mean of its fold models: nothing is trained again. A row is predicted alike, to the last bit, whatever rows come
    with it and however many threads the BLAS has. A fit that fails or is interrupted leaves the estimator as it was.
    scikit-learn's callbacks work where scikit-learn has them (1.9); a candidate is a round. Tables may be Dask
    collections, too: docs/scale.md says what learns from all rows then, and what from a sample.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic import EmphaticClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = EmphaticClassifier(random_state=0).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    >>> print(model.explain())
    Candidates evaluated on rows they were not trained on: 11 ...
    """

    def __init__(
        self,
        *,
        time_budget: float | None = None,
        work_budget: float | None = None,
        metric: str = "auto",
        decision: str = "probability",
        costs: Any = None,
        class_weight: Any = None,
        label_noise: str = "auto",
        columns: Mapping[str, Any] | None = None,
        sample_size: int = 120_000,
        n_jobs: int | None = None,
        engine: Any = None,
        progress: bool = False,
        random_state: Any = None,
    ) -> None:
        self.time_budget = time_budget
        self.work_budget = work_budget
        self.metric = metric
        self.decision = decision
        self.costs = costs
        self.class_weight = class_weight
        self.label_noise = label_noise
        self.columns = columns
        self.sample_size = sample_size
        self.n_jobs = n_jobs
        self.engine = engine
        self.progress = progress
        self.random_state = random_state

    @all_or_nothing
    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """Choose and train on rows `X` with labels `y`; `sample_weight` is how many times each row counts.

        `groups` says which rows belong together, such as those of one person: rows with equal values are never used
        both to train and to judge a model. There are at most as many folds as groups.
        """
        self.__dict__.pop("held_out_rows_", None)  # of an earlier fit
        if is_deferred(X):
            return self._fit_collection(X, y, sample_weight, groups)
        lesson = self.make_lesson(X, y, sample_weight)
        if groups is not None:
            lesson = replace(lesson, groups=check_groups(groups, lesson.y, self.classes_, lesson.present))
        self.learn(lesson)
        return self

    def _fit_collection(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> Self:
        """Gather a collection that is not larger than a sample; learn from all rows and a sample of a larger one."""
        self.check_parameters()
        refuse_for_collections(groups=groups, time_budget=self.time_budget, work_budget=self.work_budget)
        opened = open_parts(X, y, sample_weight)
        if len(opened.table) <= self.sample_size:
            table, labels, weights = opened.gather()
            self.fit(table, labels, None if sample_weight is None else weights)
            self._explanation += (
                "\nThe collection was small enough to be gathered: this is the fit of a table in memory."
            )
            return self
        self.classes_ = opened.classes
        self.check_labels_of_parameters()
        rng = as_generator(self.random_state)
        sample = draw_sample(opened, self.sample_size, rng)
        table = self._check_table(sample.table, reset=True)
        self._learn_collection(opened, sample, Lesson(table, sample.codes, sample.weights / sample.weights.sum(), rng))
        return self

    @with_callbacks
    def _learn_collection(self, opened: OpenedParts, sample: PartitionSample, lesson: Lesson) -> None:
        factors = weigh_rows(self.class_weight, opened)
        weights = lesson.weights * factors[lesson.y]
        monitor = start_monitor(self, lesson)
        with one_thread():
            task = self._make_task(lesson, weights, make_budget(None, None))
            rows = opened, sample, factors
            best = search_collection(task, *rows, report_candidates(monitor), show_progress=self.progress)
        self._conclude(best, monitor, describe_rows(opened, sample))
        self.out_of_fold_, self.held_out_rows_ = best.probabilities, sample.held_out_numbers

    def check_parameters(self) -> None:
        check_limits(self.time_budget, self.work_budget)
        check.jobs(self.n_jobs)
        check_engine(self.engine)
        check.one_of("metric", self.metric, ("auto", *LOSSES))
        self.check_decision_parameters()
        check.one_of("label_noise", self.label_noise, tuple(CLEAN_CHANCES))
        if self.columns is not None:
            check_wishes(self.columns)
        check.integer("sample_size", self.sample_size, at_least=SMALLEST_SAMPLE)
        check.one_of("progress", self.progress, (True, False))

    def prepare(self, X: Any, y: IntArray) -> Any:
        self.check_parameters()
        self.check_labels_of_parameters()
        return X

    @with_callbacks
    def learn(self, lesson: Lesson) -> FloatArray:
        y, n_classes = lesson.y, len(self.classes_)
        budget = make_budget(self.time_budget, self.work_budget)
        weights = weigh_classes(self.class_weight, self.classes_, y, lesson.weights)
        task = self._make_task(lesson, weights, budget)
        samples = Samples(len(y), self.n_features_in_, n_classes, lesson.groups is not None, budget)
        ranks = rank_rows(y, lesson.groups, lesson.rng) if samples.limited else np.zeros(len(y), dtype=np.intp)
        monitor = start_monitor(self, lesson)
        with one_thread():
            best = make_attempts(task, samples, ranks, report_candidates(monitor), show_progress=self.progress)
        warn_of_limits(best, self.time_budget, self.work_budget)
        self._conclude(best, monitor)
        # rows that no model was judged on have no prediction yet
        self.out_of_fold_ = np.full((len(y), n_classes), np.nan)
        self.out_of_fold_[best.judged] = best.probabilities
        return output_of_probabilities(self.out_of_fold_)

    def _make_task(self, lesson: Lesson, weights: FloatArray, budget: Budget) -> Task:
        metric = "log_loss" if self.metric == "auto" else self.metric
        where = self.n_jobs, self.engine
        return Task(lesson, self.classes_, weights, self.columns, metric, self.label_noise, *where, budget)

    def _conclude(self, attempt: Attempt, monitor: Monitor, about_rows: Sequence[str] = ()) -> None:
        """Keep the blend, and what describes it."""
        lesson, results = attempt.task.lesson, attempt.search.results
        self._encoder, self.best_model_ = attempt.encoder, attempt.blend
        self._results = tabulate_results(results, self.best_model_)  # plain lists: model files hold no DataFrame
        # what rows weigh for the user: a class weight is for the training alone
        judged = attempt.judged
        decided = self.learn_decision(attempt.probabilities, lesson.y[judged], lesson.weights[judged])
        notes = [*decided, *self._encoder.notes, *about_rows]
        self._explanation = explain_blend(results, self.best_model_, attempt.task.metric, attempt.noise, notes)
        dense = attempt.data.columns is None
        self._keep_evidence(LeftOutBlend.of(attempt.data, results, self.best_model_) if dense else None)
        report_end(monitor, self)

    def check_saved(self) -> None:
        super().check_saved()
        if self._encoder.n_features_in_ != self.n_features_in_:
            raise ValueError("the encoder has another number of columns")
        if isinstance(self._encoder, TableEncoder):
            check_saved_names(self._encoder.transformer, getattr(self, "feature_names_in_", None))
        self.best_model_.check_shape(self._encoder.n_outputs, len(self.classes_))
        self.best_model_.check_columns(self.n_features_in_ if isinstance(self._encoder, SparseEncoder) else 0)
        self.check_saved_decision()
        if len({len(column) for column in self._results.values()}) != 1:
            raise ValueError("the columns of the search's results differ in length")
        self._check_saved_why(self._encoder.n_outputs, self.n_features_in_)

    @property
    def columns_(self) -> list[Decision]:
        """What became of each column."""
        check_is_fitted(self)
        return self._encoder.columns_

    @property
    def search_results_(self) -> Any:
        """One row per candidate, the best first."""
        check_is_fitted(self)
        return as_table(self._results)

    def respond_probabilities(self, X: Any) -> FloatArray:
        return self.best_model_.probabilities(*self._encoder.encode(X))

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        if has_sparse_columns(X):
            return check_sparse(self, X, reset=reset)
        return any_table(self, rows_as_objects(X), reset=reset)

    def _accepts_any_table(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags
