"""The emphasis of paper 004: how undecided a sample's memberships are, moved by whether the vote is right."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from emphatic import check
from emphatic.base import Emphasis, Stage, choose_classes
from emphatic.check import FloatArray, IntArray
from emphatic.clustering import LARGEST_FUZZINESS, class_memberships
from emphatic.clustering.classes import INITS
from emphatic.margins import normalise
from emphatic.tables import TableTransformer

ORDERS = {"hard": ("hard",), "easy": ("easy",), "alternate": ("hard", "easy")}
"""Which weights are used, round after round."""

LEAST_SHARE = 1e-3
"""An entropy below this share of the largest counts as this share: 1/entropy of a sample on a centre is infinite."""


class FuzzyEntropy(Emphasis):
    r"""Look at undecided samples, or at decided ones first (paper 004): weights are made of the fuzzy entropy

    .. math:: \mathrm{Info}(x_i) = -\sum_j \mu_{ij} \log_2 \mu_{ij}

    of the memberships of a sample in the c classes, which come from fuzzy c-means. After every round they move by the
    `reward`, according to the unweighted majority vote of all learners so far: for samples that it has right towards
    their class, for the others towards 1/c, where nothing is decided,

    .. math:: \mu_{ij} \leftarrow \mu_{ij} + \mathrm{reward}\,([j = y_i] - \mu_{ij}), \qquad
              \mu_{ij} \leftarrow \mu_{ij} + \mathrm{reward}\,(1/c - \mu_{ij}).

    Parameters
    ----------
    order : {"hard", "easy", "alternate"}, default="hard"
        "hard": weights proportional to Info. "easy": to z = 1/Info, and to z exp(-z) for samples that the vote has
        right, so that easy samples come first and lose their weight soon. "alternate": the one and the other by turns,
        on one set of memberships, each order with a vote of its own; a sample is right if both votes are, and the
        memberships move after each pair of rounds.
    reward : float in (0, 1), default=0.3
        How far memberships move; the paper's alpha.
    fuzziness : float in (1, 10], default=2.0
        The exponent m of fuzzy c-means: the larger, the less decided the memberships.
    init : {"classes", "random", "supervised", "equal"}, default="classes"
        Where the clusters start, at the class means or at random; "supervised" leaves them at the class means. "equal":
        no clusters, all memberships are 1/c, and all samples have the same weight in the first round.
    memberships : array (n, c), default=None
        Memberships to start with, instead of those of fuzzy c-means: one row per sample, one column per class;
        each row sums to 1.
    random_state : int, generator or None, default=None
        For `init="random"`.

    Notes
    -----
    Clusters are found on the table as `TableTransformer(scale="minmax")` makes it: numbers in [0, 1], two different
    categories at squared distance 1, missing values filled. So the table may be any that the learner takes. An emphasis
    does not see the user's sample weights, so the clusters ignore them; `FuzzyBoostClassifier` takes them into account.

    Info counts as at least a thousandth of its largest value, log2(c). Ties of the majority go to the first class. A
    right sample of which the class is not yet the largest membership first gains entropy, and then loses it.

    All learners are kept, with equal votes (`vote="equal"`), as in the paper's chains. The ensemble has `entropies_`,
    an array (rounds, n): Info of every sample when the learner of that round was trained, in bits.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import FuzzyEntropy
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
    >>> model = RealAdaBoostClassifier(tree, FuzzyEntropy(), n_estimators=10, random_state=0).fit(X, y)
    >>> model.entropies_.shape
    (10, 150)
    >>> setosa, others = model.entropies_[0, :50], model.entropies_[0, 50:]  # the first class lies apart
    >>> bool(setosa.mean() < others.mean())
    True
    """

    vote: ClassVar[str] = "equal"

    def __init__(
        self,
        order: str = "hard",
        reward: float = 0.3,
        fuzziness: float = 2.0,
        init: str = "classes",
        memberships: ArrayLike | None = None,
        random_state: Any = None,
    ) -> None:
        self.order = order
        self.reward = reward
        self.fuzziness = fuzziness
        self.init = init
        self.memberships = memberships
        self.random_state = random_state

    def check_parameters(self) -> None:
        check.one_of("order", self.order, tuple(ORDERS))
        check.real("reward", self.reward, 0, 1, open_low=True, open_high=True)
        check.real("fuzziness", self.fuzziness, 1, LARGEST_FUZZINESS, open_low=True)
        check.one_of("init", self.init, INITS)

    @property
    def needs_all_rows(self) -> str:
        return "it clusters all rows of a class"

    def start(self, X: Any, y: IntArray) -> FloatArray:
        self._move_to(self._first_memberships(X, y))
        shape = len(ORDERS[self.order]), *self.memberships_.shape
        self.counts_ = np.zeros(shape)
        self.right_ = np.zeros(shape[:2], dtype=bool)
        self.turn_ = 0
        return self._weights()

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        return {"entropies_": self.entropies_}

    def update(self, stage: Stage) -> FloatArray:
        voted = choose_classes(stage.learner, stage.output)
        self.counts_[self.turn_] += voted[:, None] == np.arange(self.counts_.shape[2])
        self.turn_ = (self.turn_ + 1) % len(self.counts_)
        if self.turn_ == 0:  # every order had its round
            self.right_ = self.counts_.argmax(axis=2) == stage.y
            right = np.logical_and.reduce(self.right_)
            self._move_to(move_memberships(self.memberships_, stage.y, right, self.reward))
        return self._weights()

    def _move_to(self, memberships: FloatArray) -> None:
        self.memberships_ = memberships
        self.entropies_ = entropy(memberships)  # once: they are observed, and make the weights

    def _weights(self) -> FloatArray:
        largest = np.log2(self.memberships_.shape[1])
        info = np.maximum(self.entropies_, LEAST_SHARE * largest)
        if ORDERS[self.order][self.turn_] == "hard":
            return normalise(np.log(info))
        return normalise(-np.log(info) - self.right_[self.turn_] / info)  # z, and z exp(-z) for right ones, in logs

    def _first_memberships(self, X: Any, y: IntArray) -> FloatArray:
        if self.memberships is None:
            present, codes = np.unique(y, return_inverse=True)
            found = class_memberships(
                coordinates(X),
                codes,
                len(present),
                m=self.fuzziness,
                init=self.init,
                random_state=self.random_state,
            )
            return over_classes(found, present, int(y.max()) + 1)
        given = np.asarray(self.memberships, dtype=np.float64)
        if given.ndim != 2 or len(given) != len(y) or given.shape[1] <= max(1, y.max()):
            raise ValueError(
                f"memberships has shape {given.shape}, but there are {len(y)} samples of {y.max() + 1} classes: "
                "memberships must have a row for each sample and a column for each class."
            )
        if not (given >= 0).all() or not np.allclose(given.sum(axis=1), 1.0):  # NaN is not >= 0 either
            raise ValueError(
                "memberships holds rows that are not distributions: each row must be non-negative and sum to 1."
            )
        return given


def coordinates(X: Any) -> FloatArray:
    """A table for clustering: numbers in [0, 1], categories at squared distance 1, missing values filled."""
    try:
        return np.asarray(TableTransformer(nominal="one_hot", scale="minmax").fit_transform(X))
    except ValueError as error:
        if "holds values of type" not in str(error):
            raise
        raise TypeError(f"The argument must be a table of strings and numbers: {error}.") from error


def over_classes(memberships: FloatArray, present: IntArray, n_classes: int) -> FloatArray:
    """Memberships (..., n, c) in the classes `present`, as columns of all classes: 0 in one that has no sample."""
    spread = np.zeros((*memberships.shape[:-1], n_classes))
    spread[..., present] = memberships
    return spread


def entropy(memberships: FloatArray) -> FloatArray:
    """Fuzzy entropy of each row, in bits: 0 for one that belongs to one class, log2(c) where all are equal.

    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]]))
    array([1., 0.])
    """
    return np.maximum(entr(memberships).sum(axis=-1) / np.log(2.0), 0.0)


def move_memberships(memberships: FloatArray, y: IntArray, right: NDArray[np.bool_], reward: float) -> FloatArray:
    """Memberships after a vote: those of right samples nearer to their class, all others nearer to 1/c.

    >>> move_memberships(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 0]), np.array([True, False]), 0.5)
    array([[0.75, 0.25],
           [0.75, 0.25]])
    """
    n_classes = memberships.shape[1]
    goals = np.full_like(memberships, 1.0 / n_classes)
    rows = np.flatnonzero(right)
    goals[rows] = 0.0
    goals[rows, y[rows]] = 1.0
    return (1.0 - reward) * memberships + reward * goals
