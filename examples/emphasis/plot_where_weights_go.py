"""
Where the weights go
====================

An ensemble fitted with ``keep_weights=True`` remembers the weight of every sample in every round. Here 15% of
the labels are wrong, and we know which. How much of the weight do they take?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Capped, Controlled, Exponential, Logistic, Mixed
from emphatic.learners import SampledCentres

X, truth = make_moons(400, noise=0.18, random_state=0)
wrong = np.random.default_rng(0).random(len(truth)) < 0.15
y = np.where(wrong, 1 - truth, truth)
network = RBFNetworkClassifier(SampledCentres(fraction=0.1))

# %%
# If every sample had the same weight, the wrong labels would take 15%: the dotted line. Real AdaBoost's own
# emphasis lets them take more than 40%. ``Mixed`` with a small lambda, a limit for single weights (``Capped``)
# and ``Controlled`` hold that back. (``Mixed(0.1)`` ends after 20 rounds, when no further network is better
# than chance under its weights.)

emphases = [Exponential(), Logistic(), Mixed(0.3), Mixed(0.1), Capped(Exponential(), 2.0), Controlled(alpha=0.3)]
names = ["Exponential", "Logistic", "Mixed(0.3)", "Mixed(0.1)", "Capped at 2 x average", "Controlled(0.3)"]
figure, axis = plt.subplots()
for name, emphasis in zip(names, emphases, strict=True):
    model = RealAdaBoostClassifier(network, emphasis, n_estimators=80, keep_weights=True, random_state=0).fit(X, y)
    share = model.sample_weights_[:, wrong].sum(axis=1)
    axis.plot(range(1, len(share) + 1), 100 * share, label=name)
axis.axhline(100 * wrong.mean(), color="black", linestyle=":", linewidth=1)
axis.set(xlabel="round", ylabel="weight on wrong labels, %", ylim=(0, 50))
figure.legend(loc="outside right upper")
plt.show()

# %%
# One sample at a time: each line is a sample, the heaviest at the top, each column a round. The marks at the
# right are the wrong labels, and nearly all of them are at the top. That is why weights can be used to find
# wrong labels.

model = RealAdaBoostClassifier(network, Exponential(), n_estimators=80, keep_weights=True, random_state=0).fit(X, y)
order = model.sample_weights_[-10:].mean(axis=0).argsort()[::-1]
figure, axis = plt.subplots(figsize=(7.2, 4.6))
shown = axis.imshow(
    np.log10(model.sample_weights_[:, order].T * len(y)), aspect="auto", vmin=-0.7, vmax=0.7, cmap="RdBu_r"
)
axis.scatter(np.full(wrong.sum(), 82.0), np.flatnonzero(wrong[order]), marker="_", color="black", clip_on=False)
axis.set(xlabel="round", ylabel="samples, heaviest first")
colour_bar = figure.colorbar(shown, label="weight, 1 = average", ticks=np.log10([0.2, 0.5, 1, 2, 5]))
colour_bar.set_ticklabels(["0.2", "0.5", "1", "2", "5"])
plt.show()
