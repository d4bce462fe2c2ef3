"""
From undecided to decided: FuzzyBoost
=====================================

FuzzyBoost starts from memberships of clusters: their entropy says how hard a sample is to label. Two chains of
trees grow, one that begins with undecided samples, one that begins with easy ones. After each tree the
memberships of samples that come out right move towards their class. What stays undecided is worth looking at.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale

from emphatic import FuzzyBoostClassifier

X, y = load_wine(return_X_y=True)
plane = PCA(2).fit_transform(scale(X))
model = FuzzyBoostClassifier(n_estimators=30, random_state=0).fit(X, y)
hard = model.chains_.index((0, "hard"))
history = model.entropies_[model.learner_chains_ == hard]  # (learners of this chain, samples), in bits

# %%
# The entropy of every sample when the first, the fourth and the last tree of the hard chain was trained, on the
# plane of the two main components. Dark samples are undecided.

figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharex=True, sharey=True)
for axis, learner in zip(axes, (0, 3, len(history) - 1), strict=True):
    for label, marker in enumerate("os^"):
        rows = y == label
        shown = axis.scatter(
            *plane[rows].T, c=history[learner][rows], marker=marker, cmap="viridis_r", vmin=0, vmax=1.6, s=24
        )
    axis.set_title(f"tree {learner + 1}")
    axis.set_axis_off()
figure.colorbar(shown, ax=axes, label="entropy of the memberships, bits")
plt.show()

# %%
# Each line is a sample. Most become clear at once; a few take long, and one or two never do.

figure, axis = plt.subplots()
axis.plot(range(1, len(history) + 1), history, color="#0b62a4", alpha=0.12, linewidth=1)
axis.plot(range(1, len(history) + 1), np.mean(history, axis=1), color="#d1495b", label="mean")
axis.set(xlabel="tree of the hard chain", ylabel="entropy, bits", ylim=(0, None))
axis.legend()
plt.show()
