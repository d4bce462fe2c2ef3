"""
Write your own emphasis
=======================

An emphasis is a class with one method, ``update``. It receives the record of the round just completed and
returns the weight of every sample for the next one. This one looks at whatever the ensemble is undecided about,
right or wrong: the weight falls as the margin moves away from zero on either side.
"""

from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles, make_moons
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier, plot
from emphatic.base import Emphasis
from emphatic.emphasis import Exponential, Savage
from emphatic.learners import SampledCentres
from emphatic.margins import normalise


class Undecided(Emphasis):
    """Weight exp(-sharpness |q|), q the margin over the sum of the votes."""

    def __init__(self, sharpness=3.0):
        self.sharpness = sharpness

    def update(self, stage):
        q = stage.ensemble_margin / stage.total_alpha  # in [-1, 1]
        return normalise(-self.sharpness * np.abs(q))


# %%
# That is all. It works with every learner and for any number of classes, its parameter can be searched like any
# other, and its curve can be drawn beside those of the package:

plot.emphasis(Exponential(), Savage(), Undecided(), Undecided(10.0), scale="linear")

# %%
# Is it of any use? Two settings: simple trees on clean labels, and flexible networks with a fifth of the labels
# wrong. A sharpness of 0 is no emphasis at all. Means over ten draws of the data, on clean test data, with
# their standard errors.


def measure(learner, make_data, wrong_share, emphasis, n_draws=10):
    X_test, y_test = make_data(2000, noise=0.18, random_state=99)
    errors = []
    for seed in range(n_draws):
        X, truth = make_data(300, noise=0.18, random_state=seed)
        wrong = np.random.default_rng(seed).random(len(truth)) < wrong_share
        model = RealAdaBoostClassifier(learner, emphasis, n_estimators=40, random_state=seed)
        errors.append(100 - 100 * model.fit(X, np.where(wrong, 1 - truth, truth)).score(X_test, y_test))
    return np.mean(errors), np.std(errors) / np.sqrt(n_draws)


settings = {
    "trees of depth 2, clean labels": (DecisionTreeClassifier(max_depth=2), partial(make_circles, factor=0.4), 0.0),
    "RBF networks, 20% wrong labels": (RBFNetworkClassifier(SampledCentres(fraction=0.1)), make_moons, 0.2),
}
sharpness = [0.0, 1.0, 3.0, 6.0, 10.0]
figure, axes = plt.subplots(1, 2, figsize=(9.6, 4))
for axis, (title, setting) in zip(axes, settings.items(), strict=True):
    means, spreads = np.transpose([measure(*setting, Undecided(one)) for one in sharpness])
    usual, spread = measure(*setting, Exponential())
    axis.errorbar(sharpness, means, yerr=spreads, marker="o", capsize=3, label="Undecided(sharpness)")
    axis.axhline(usual, color="#d1495b", label="Exponential()")
    axis.axhspan(usual - spread, usual + spread, color="#d1495b", alpha=0.15, linewidth=0)
    axis.set(xlabel="sharpness", title=title, ylim=(0, None))
axes[0].set_ylabel("error, %")
axes[0].legend()
plt.show()

# %%
# On clean labels any emphasis is much better than none, and which one hardly matters. On noisy ones a gentle
# emphasis beats a strong one, and none at all (sharpness 0) is best. The tutorial for researchers does such a
# comparison over many problems, with statistics.
