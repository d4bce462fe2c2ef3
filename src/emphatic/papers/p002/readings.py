"""Readings of paper 002: what it leaves open, and other ways to read what it says."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from emphatic.papers.p002.ensembles import SCALES, build_perceptrons, make_scaler, measure_perceptrons
from emphatic.study.tasks import Method

LEARNING_RATE, THYROID_LEARNING_RATE = 1e-2, 1e-3  # as printed


@dataclass(frozen=True)
class Reading:
    """One choice of what the paper leaves open, or of another way to read what it says.

    Scale of the inputs, use of the weights, which machine is kept, when a negative sample is near noisy, and the
    learning rate of all problems but Thyroid.
    """

    scale: str
    gamma_step: str = "mean"
    resample: bool = False
    updates: str = "batch"
    keep: str = "last"
    near_noisy: str = "all"
    learning_rate: float = LEARNING_RATE

    def method(self, problem: str, policies: Sequence[str]) -> Method:
        """Parallel perceptrons boosted with these policies."""
        choices = {name: value for name, value in asdict(self).items() if name != "scale"}  # named by the method
        if problem == "thyroid":
            choices["learning_rate"] = THYROID_LEARNING_RATE
        settings = [{"policy": policy, **choices} for policy in policies]
        scaler = partial(make_scaler, self.scale)
        name = f"boosted PP, inputs {self.scale}"
        return Method(name, build_perceptrons, settings, scaler, measure=measure_perceptrons)

    def __str__(self) -> str:
        marks = {
            "resampled": self.resample,
            "online": self.updates == "online",
            "best kept": self.keep == "best",
            "nB- by majority": self.near_noisy == "majority",
            f"η {self.learning_rate:g}": self.learning_rate != LEARNING_RATE,
        }
        marked = [mark for mark, holds in marks.items() if holds]
        return ", ".join([f"inputs {self.scale}", f"γ step {self.gamma_step}", *marked])


AS_PRINTED = Reading("length 1", "unweighted")
"""The nearest of those that contradict no word of the paper."""

ONLINE = Reading("length 1", "sum", resample=True, updates="online", near_noisy="majority")
"""Against its wording: updates after every sample, and near noisy are negatives that the majority gets wrong."""

READING = replace(ONLINE, scale="[-1, 1]")
"""That of the tables: the one for all problems that came nearest on folds of training parts."""

READINGS = (
    *(Reading(scale, gamma_step) for scale in SCALES for gamma_step in ("mean", "sum")),
    *(Reading(scale, gamma_step, resample=True) for scale in SCALES for gamma_step in ("mean", "sum")),
    *(Reading(scale, updates="online") for scale in SCALES),
    *(Reading(scale, keep="best") for scale in SCALES),
    *(replace(ONLINE, scale=scale) for scale in SCALES),
    *(replace(ONLINE, scale=scale, learning_rate=1e-3) for scale in SCALES),
    replace(ONLINE, updates="batch"),
    replace(ONLINE, near_noisy="all"),
    replace(ONLINE, resample=False),
    replace(ONLINE, gamma_step="mean"),
    replace(ONLINE, gamma_step="unweighted", resample=False),  # of a bootstrap, all rows weigh the same: as with "sum"
    AS_PRINTED,
    replace(AS_PRINTED, near_noisy="majority"),
)
"""All that were compared."""
