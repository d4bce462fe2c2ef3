"""
Wrong labels and three emphases
===============================

A fifth of the labels below are wrong. Three ensembles of the same networks, grown for as many rounds, differ in
one thing only: the *emphasis*, that is, which samples each new network is told to look at.

- ``Exponential`` is Real AdaBoost's own: the more wrong a sample is, the larger its weight.
- ``Mixed(0.1)`` prefers samples near the boundary to those that are far on the wrong side.
- ``Controlled`` keeps every weight above a share of the largest.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.datasets import make_moons

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Controlled, Exponential, Mixed, Uniform
from emphatic.learners import SampledCentres


def draw_data(seed):
    X, truth = make_moons(300, noise=0.18, random_state=seed)
    wrong = np.random.default_rng(seed).random(len(truth)) < 0.2
    return X, np.where(wrong, 1 - truth, truth), wrong


X_test, y_test = make_moons(5000, noise=0.18, random_state=99)
network = RBFNetworkClassifier(SampledCentres(fraction=0.1))
emphases = {"Exponential": Exponential(), "Mixed(0.1)": Mixed(0.1), "Controlled(0.3)": Controlled(alpha=0.3)}

# %%
# Points are as large as their weight in the last round; those with a black rim are wrong labels.
# ``Exponential`` looks at them more and more, and bends the boundary around them. The other two keep to the
# boundary.

X, y, wrong = draw_data(0)
grid = np.stack(np.meshgrid(np.linspace(-1.7, 2.7, 160), np.linspace(-1.3, 1.8, 160)), axis=-1)
colours = np.array(["#d1495b", "#0b62a4"])

figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharex=True, sharey=True)
for axis, (name, emphasis) in zip(axes, emphases.items(), strict=True):
    model = RealAdaBoostClassifier(network, emphasis, n_estimators=150, keep_weights=True, random_state=0).fit(X, y)
    regions = model.predict(grid.reshape(-1, 2)).reshape(160, 160)
    axis.pcolormesh(grid[..., 0], grid[..., 1], regions, cmap=ListedColormap(["#f6d5d9", "#cfe0ee"]))
    sizes = 14 * len(y) * model.sample_weights_[-1]
    axis.scatter(*X[~wrong].T, s=sizes[~wrong], color=colours[y[~wrong]], linewidth=0)
    axis.scatter(*X[wrong].T, s=sizes[wrong], color=colours[y[wrong]], edgecolor="black", linewidth=0.8)
    error = np.mean(model.predict(X_test) != y_test)
    axis.set_title(f"{name}: {100 * error:.1f}% wrong on clean test data", fontsize=11)
    axis.set_axis_off()
plt.show()

# %%
# One draw proves little. Over ten draws of the data, in per cent on clean test data; without any emphasis, that
# is, with networks which differ by chance only, too:

for name, emphasis in {**emphases, "Uniform": Uniform()}.items():
    errors = []
    for seed in range(10):
        X, y, _ = draw_data(seed)
        model = RealAdaBoostClassifier(network, emphasis, n_estimators=60, random_state=seed).fit(X, y)
        errors.append(100 * np.mean(model.predict(X_test) != y_test))
    print(f"{name:16s} {np.mean(errors):4.1f} +- {np.std(errors) / np.sqrt(10):.1f}")

# %%
# With labels this noisy and learners this flexible, the less emphasis the better. On clean labels and with
# simpler learners it is the other way round: see :ref:`sphx_glr_gallery_emphasis_plot_boundaries_by_round.py`.
