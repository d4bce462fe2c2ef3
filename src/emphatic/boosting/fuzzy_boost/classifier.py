"""FuzzyBoost: chains of learners, some on undecided samples and some on easy samples first, pooled in one vote."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.tree import DecisionTreeClassifier

from emphatic import check
from emphatic.base import Lesson, choose_classes, outputs_of
from emphatic.boosting.additive import AdditiveEnsemble, restore_left_out
from emphatic.boosting.fuzzy_boost.chains import (
    ORDERS,
    Chain,
    GrownChain,
    group_sizes,
    grow_chain,
    plan_chains,
    start_groups,
)
from emphatic.boosting.growth import SMALLEST_EDGE
from emphatic.check import FloatArray, IntArray
from emphatic.emphasis import FuzzyEntropy
from emphatic.emphasis.fuzzy_entropy import entropy
from emphatic.engines import Item, check_engine, run_tasks
from emphatic.fields import Array, ListOf, Text, Together, Whole, saved
from emphatic.fitting import all_or_nothing
from emphatic.inputs import check_classifier
from emphatic.learners.compiled import runs_compiled
from emphatic.margins import effective_sample_size, output_of_probabilities, probabilities_of_output
from emphatic.randomness import draw_entropy


@saved(
    chains_=ListOf(Together(Whole(), Text("hard", "easy", "alternate")), "chains"),
    learner_chains_=Array(np.int64, "rounds", low=0, below="chains"),
    memberships_=Array(np.float64, "groups", "samples", "classes"),
    final_memberships_=Array(np.float64, "chains", "samples", "classes"),
    final_entropies_=Array(np.float64, "chains", "samples"),
)
class FuzzyBoostClassifier(AdditiveEnsemble):
    r"""Learners that look at undecided samples, and others that look at easy ones first (paper 004).

    1. Fuzzy c-means, with as many clusters as classes, gives every sample memberships :math:`\mu_{ij}`. Their entropy
       :math:`\mathrm{Info}(x_i) = -\sum_j \mu_{ij} \log_2 \mu_{ij}` says how hard the sample is to label.
    2. Two chains grow, each learner on a bootstrap: the "hard" chain draws samples in proportion to Info, the "easy"
       one to 1/Info. After each learner the memberships of samples that the majority of its chain has right move
       towards their class, and those of the others towards 1/c (`emphatic.emphasis.FuzzyEntropy` has the formulas).
    3. All learners are pooled: :math:`C(x) = \operatorname{argmax}_y \sum_i \alpha_i [c_i(x) = y]` with
       :math:`\alpha_i = \tfrac12 \ln\frac{1-\varepsilon_i}{\varepsilon_i}` of the error on the training set.

    With `n_deflections` = s it is the deflected form, DFA: s further minima of the objective of fuzzy c-means give s
    further groups of memberships, each with its two chains, and the learners are shared out among the groups.

    Parameters
    ----------
    estimator : classifier, default=DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
        Any scikit-learn classifier. The paper used C4.5; the default is CART, which has neither its gain ratio, nor
        its pruning, nor its splits and rules for nominal and missing values.
    n_estimators : int, default=30
        Learners in all.
    reward : float in (0, 1), default=0.3
        How far memberships move after each learner; the paper's alpha.
    fuzziness : float in (1, 10], default=2.0
        The exponent m of fuzzy c-means.
    n_deflections : int, default=0
        Further groups of memberships.
    resample : {True, False, "auto"}, default=True
        Whether learners are trained on bootstraps, as in the paper, or by `sample_weight`.
    chains : {"both", "hard", "easy", "shared"}, default="both"
        Which chains grow from a group. "shared" makes both take turns on one set of memberships, which counts a sample
        as right if both majorities are.
    r_per_chain : bool, default=False
        Whether `n_estimators` counts the learners of each kind of chain, so that there are twice as many in all.
    samme : bool, default=False
        Whether :math:`\tfrac12 \ln(K-1)` is added to the votes, so that of K classes a learner need only be better than
        chance to be heard.
    init : {"classes", "random", "supervised", "equal"}, default="classes"
        Where the clusters start: at the class means or at random; "supervised" leaves them at the class means. "equal":
        no clusters, all memberships are 1/c, and the first learner of each chain has a plain bootstrap.
    relaxation : float, default=10.0
        How far a deflected minimum must keep away from the earlier ones: the smaller, the farther.
    aligned : bool, default=True
        Whether the distance from earlier minima ignores the numbering of the clusters. Otherwise most of the further
        minima are old ones with clusters exchanged.
    keep_weights : bool, default=False
        Keep the weights of every learner's samples in `sample_weights_`.
    n_jobs : int, default=None
        Chains that grow at a time; it does not change the result.
    engine : engine of `emphatic.engines`, default=None
        Where they grow instead, such as ``on_dask(address)``; None: on the active Dask client, if there is one.
    random_state : int, generator or None, default=None

    Attributes
    ----------
    estimators_ : list of fitted learners, the first of every chain, then the second of every chain, and so on
    alphas_ : array (learners,), their votes; a learner that errs on half of the samples or more has none
    edges_, effective_sample_sizes_ : arrays (learners,), of the distribution that each was trained under
    chains_ : list of (group, order), the chains: order is "hard", "easy", or "alternate" if `chains` is "shared"
    learner_chains_ : array (learners,), the place in `chains_` of each learner's chain
    memberships_ : array (groups, n, K), the memberships that the chains started from
    final_memberships_, final_entropies_ : arrays (chains, n, K) and (chains, n), after the last learner of each chain
    entropies_ : array (learners, n), Info of every sample when the learner was trained, in bits
    classes_, n_features_in_, feature_names_in_ : as usual
    stop_reason_ : "rounds"
    sample_weights_ : array (learners, n), only with `keep_weights=True`

    Notes
    -----
    A table goes to the learners as it comes; for the clusters, categories become indicators and numbers are scaled to
    [0, 1] by `emphatic.tables.TableTransformer(scale="minmax")`, always, so scaling before changes nothing. Trees of
    scikit-learn do not take text: use `make_pipeline(TableTransformer(), DecisionTreeClassifier())` as `estimator`.

    `sample_weight` counts a row as that many, in the clusters, the weights and the errors (deflected minima leave it
    aside). Rows of weight 0 are left out; what is kept of them is 0.

    The first learners of a chain see most samples; when nearly all samples are right, the last learners of the easy
    chain are trained on the few that are wrong, and their votes are small.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from emphatic import FuzzyBoostClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> bool(cross_val_score(FuzzyBoostClassifier(random_state=0), X, y, cv=5).mean() > 0.93)
    True
    >>> model = FuzzyBoostClassifier(n_deflections=1, random_state=0).fit(X, y)
    >>> model.chains_
    [(0, 'hard'), (0, 'easy'), (1, 'hard'), (1, 'easy')]
    >>> model.final_entropies_.shape
    (4, 178)
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 30,
        *,
        reward: float = 0.3,
        fuzziness: float = 2.0,
        n_deflections: int = 0,
        resample: str | bool = True,
        chains: str = "both",
        r_per_chain: bool = False,
        samme: bool = False,
        init: str = "classes",
        relaxation: float = 10.0,
        aligned: bool = True,
        keep_weights: bool = False,
        n_jobs: int | None = None,
        engine: Any = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.reward = reward
        self.fuzziness = fuzziness
        self.n_deflections = n_deflections
        self.resample = resample
        self.chains = chains
        self.r_per_chain = r_per_chain
        self.samme = samme
        self.init = init
        self.relaxation = relaxation
        self.aligned = aligned
        self.keep_weights = keep_weights
        self.n_jobs = n_jobs
        self.engine = engine
        self.random_state = random_state

    @property
    def member_attributes(self) -> tuple[str, ...]:
        """Attributes with an entry for every learner, for `kappa_prune`."""
        kept = ("sample_weights_",) if hasattr(self, "sample_weights_") else ()
        return ("alphas_", "edges_", "effective_sample_sizes_", "learner_chains_", "entropies_", *kept)

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the chains on rows `X` with labels `y`; `sample_weight` counts a row as that many."""
        self.learn(self.make_lesson(X, y, sample_weight))
        return self

    def check_parameters(self) -> None:
        self._member()
        check.jobs(self.n_jobs)
        check_engine(self.engine)
        check.integer("n_estimators", self.n_estimators, at_least=1)
        check.integer("n_deflections", self.n_deflections, at_least=0)
        check.one_of("chains", self.chains, tuple(ORDERS))
        check.real("relaxation", self.relaxation, 0, open_low=True)
        for name in ("r_per_chain", "samme", "aligned", "keep_weights"):
            check.one_of(name, getattr(self, name), (True, False))
        self._emphasis("hard").check_parameters()

    def prepare(self, X: Any, y: IntArray) -> Any:
        self.check_parameters()
        return X

    @property
    def needs_all_rows(self) -> str:
        return "it clusters all rows of a class, and deflects the clusters (RealAdaBoostClassifier does not)"

    def learn(self, lesson: Lesson) -> FloatArray:
        entropy_of_chains, seed = draw_entropy(lesson.rng), int(lesson.rng.integers(2**31))
        groups = start_groups(
            lesson.table,
            lesson.y,
            len(self.classes_),
            lesson.weights,
            n_deflections=self.n_deflections,
            fuzziness=self.fuzziness,
            init=self.init,
            relaxation=self.relaxation,
            aligned=self.aligned,
            seed=seed,
        )
        plan = plan_chains(self.chains, group_sizes(self.n_estimators, len(groups)), self.r_per_chain)
        shared = lesson.table, lesson.y, lesson.weights
        items = (Item((chain, self._settings(chain, groups, chain.rng(entropy_of_chains))), shared) for chain in plan)
        prefer = "threads" if runs_compiled(self._member()) else None
        grown = run_tasks(grow_chain, items, n_jobs=self.n_jobs, engine=self.engine, prefer=prefer)
        chosen = self._record(plan, groups, grown, lesson)
        shares = deque(self._staged_shares(chosen), maxlen=1).pop()
        return output_of_probabilities(shares)

    def _emphasis(self, order: str, memberships: FloatArray | None = None) -> FuzzyEntropy:
        return FuzzyEntropy(order, self.reward, self.fuzziness, self.init, memberships)

    def _settings(self, chain: Chain, groups: FloatArray, rng: np.random.Generator) -> dict[str, Any]:
        """Of the growth of a chain."""
        return {
            "classes": self.classes_,
            "learner": self._member(),
            "emphasis": self._emphasis(chain.order, groups[chain.group]),
            "vote": "equal",
            "resample": self.resample,
            "feature_names": getattr(self, "feature_names_in_", None),
            "rng": rng,
        }

    def _record(self, plan: list[Chain], groups: FloatArray, chains: list[GrownChain], lesson: Lesson) -> IntArray:
        """Set the fitted attributes; the classes (learners, n) that the learners choose for the training samples."""
        # the first learner of every chain, then the second, so that the beginning of the pool is a smaller pool
        places = sorted((turn, number) for number, chain in enumerate(plan) for turn in range(chain.size))
        stages = [chains[number].stages[turn] for turn, number in places]
        self.chains_ = [(chain.group, chain.order) for chain in plan]
        self.learner_chains_ = np.array([number for _, number in places])
        self.estimators_ = [stage.learner for stage in stages]
        self.edges_ = np.array([stage.edge for stage in stages])
        self.effective_sample_sizes_ = np.array([effective_sample_size(stage.training_weights) for stage in stages])
        final = np.array([chain.memberships for chain in chains])
        by_sample = {
            "memberships_": groups,
            "final_memberships_": final,
            "final_entropies_": entropy(final),
            "entropies_": np.array([stage.observed["entropies_"] for stage in stages]),
        }
        if self.keep_weights:
            by_sample["sample_weights_"] = np.array([stage.training_weights for stage in stages])
        else:  # of an earlier fit
            self.__dict__.pop("sample_weights_", None)
        for name, values in by_sample.items():
            setattr(self, name, restore_left_out(values, lesson.present))
        self.stop_reason_ = "rounds"
        chosen = np.array([choose_classes(stage.learner, stage.output) for stage in stages])
        errors = (chosen != lesson.y) @ lesson.weights
        self.alphas_ = pool_votes(errors, len(lesson.y), len(self.classes_) if self.samme else 2)
        self.initial_score_ = self._zero_score()
        return chosen

    def _staged_score(self, X: Any) -> Iterator[FloatArray]:
        outputs = outputs_of(self.estimators_, X, self.classes_)
        chosen = (choose_classes(*pair) for pair in zip(self.estimators_, outputs, strict=True))
        for shares in self._staged_shares(chosen):
            yield output_of_probabilities(shares)

    def _staged_shares(self, chosen: Iterable[IntArray]) -> Iterator[FloatArray]:
        """(n, K) shares of the votes after each learner, by what they choose; equal as long as none has a vote."""
        n_classes = len(self.classes_)
        votes = np.zeros((1, n_classes))
        for alpha, total, codes in zip(self.alphas_, np.cumsum(self.alphas_), chosen, strict=True):
            votes = votes + alpha * (codes[:, None] == np.arange(n_classes))
            yield votes / total if total > 0 else np.full_like(votes, 1.0 / n_classes)

    def _confidence(self, score: FloatArray, rounds: int | None = None) -> FloatArray:
        return score  # shares of the votes, so in [-1, 1] as they are

    def _probabilities(self, score: FloatArray) -> FloatArray:
        return probabilities_of_output(score)

    def check_saved(self) -> None:
        super().check_saved()
        if not len(self.alphas_) or (self.alphas_ < 0).any():
            raise ValueError("alphas_ must be votes of 0 or more")

    def _member(self) -> Any:
        if self.estimator is None:
            return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
        return check_classifier("estimator", self.estimator)


def pool_votes(errors: FloatArray, n: int, n_classes: int = 2) -> FloatArray:
    r"""Votes of learners with these errors on n samples, :math:`\tfrac12 \ln((1-\varepsilon)/\varepsilon)` or 0.

    Errors are kept within [1/(2n), 1 - 1/(2n)], for n_classes > 2 :math:`\tfrac12 \ln(K-1)` is added, and if no learner
    would have a vote all have the same. A vote within rounding of zero is none.

    >>> pool_votes(np.array([0.0, 0.1, 0.6]), 10)
    array([1.472, 1.099, 0.   ])
    >>> pool_votes(np.array([0.5, 0.6]), 10)
    array([1., 1.])
    """
    errors = np.clip(errors, 0.5 / n, 1.0 - 0.5 / n)
    votes = 0.5 * np.log((1.0 - errors) / errors) + 0.5 * np.log(n_classes - 1.0)
    votes = np.where(votes > SMALLEST_EDGE, votes, 0.0)
    return votes if votes.any() else np.ones_like(votes)
