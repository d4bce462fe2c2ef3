"""The mixed emphasis with a lambda of its own in every round (DW-RA, which paper 001 cites)."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from emphatic import check
from emphatic.base import Emphasis, Stage, Vote
from emphatic.check import FloatArray
from emphatic.margins import mixed_exponent, normalise

TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class DynamicMixed(Emphasis):
    r"""Try every lambda of the mixed emphasis in each round; the learner with the largest edge is kept.

    .. math:: D^\lambda_{t+1}(i) \propto \exp\bigl(\lambda (f_t(x_i) - d_i)^2 - (1-\lambda) f_t(x_i)^2\bigr)

    is offered to `grow` for every lambda, which trains a learner under each, all with the same random draws: a round
    costs as many trainings as there are lambdas. In the first round, f = 0, all of them are uniform: one training.

    Parameters
    ----------
    lams : sequence of floats in [0, 1], default=(0.0, 0.1, ..., 1.0)
        The lambdas to try. A single one makes it `Mixed` of that lambda.
    f_scale : {"raw", "sum", "tanh", "clip"}, default="raw"
        What stands for the margin m = f d in the exponent: m itself, m / sum|alpha|, tanh m, or m clipped to [-1, 1].

    Notes
    -----
    All edges are measured under Real AdaBoost's own distribution (`vote="bound"`). With any other vote each is
    measured under its own weights, where a lambda that favours easy samples wins for free: this is allowed with a
    bounded `f_scale` only. Paper 001 speaks of the "minimization of the edge parameter"; the work that it cites
    maximises, and so does this.

    The lambda of a round is that of `candidates_` of the ensemble, or of `candidate` of its `Stage`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import DynamicMixed
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> stump, emphasis = DecisionTreeClassifier(max_depth=1), DynamicMixed([0.2, 0.5, 0.8])
    >>> model = RealAdaBoostClassifier(stump, emphasis, n_estimators=4, random_state=0).fit(X, y)
    >>> np.array(emphasis.lams)[model.candidates_[1:]]  # the first round is uniform
    array([0.2, 0.5, 0.5])
    """

    vote: ClassVar[str] = "bound"

    def __init__(self, lams: Sequence[float] = TENTHS, f_scale: str = "raw") -> None:
        self.lams = lams
        self.f_scale = f_scale

    def check_parameters(self) -> None:
        check.one_of("f_scale", self.f_scale, ("raw", "sum", "tanh", "clip"))
        if not (np.iterable(self.lams) and hasattr(self.lams, "__len__") and len(self.lams)):
            raise ValueError(
                f"lams={self.lams!r} is not allowed: lams must be a list of at least one finite number in [0, 1]."
            )
        for place, lam in enumerate(self.lams):
            check.real(f"lams[{place}]", lam, 0, 1)

    def check_use(self, role: str, vote: Vote) -> None:
        if role == "design_emphasis":
            raise ValueError(
                f"design_emphasis={self!r} is not allowed: its lambda is chosen by the edge of a learner for each, "
                "which only emphasis can do. For the design use one lambda, such as Mixed(0.3)."
            )
        if vote.under != "bound" and self.f_scale == "raw":
            raise ValueError(
                f"f_scale='raw' is not allowed with vote={vote!r}, under which a lambda that favours easy samples "
                "wins for free: use vote='bound', or f_scale 'sum', 'tanh' or 'clip'."
            )

    def update(self, stage: Stage) -> FloatArray:
        m = stage.scaled_margin(self.f_scale)
        return np.stack([normalise(mixed_exponent(m, lam)) for lam in self.lams])
