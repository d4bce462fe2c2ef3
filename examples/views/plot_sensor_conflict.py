"""
Sensors that contradict each other
==================================

Three sensors look at the same thing, each with a classifier of its own, and their answers are fused by
Dempster-Shafer evidence. The *conflict* says for every sample how much the answers contradict each other. When
a sensor breaks, conflict rises: that can be noticed without knowing a single label.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

from emphatic import FusionClassifier

X, y = make_blobs(1200, n_features=6, centers=3, cluster_std=5.0, random_state=3)
train, test = np.arange(600), np.arange(600, 1200)
sensors = {"camera": [0, 1], "radar": [2, 3], "microphone": [4, 5]}
members = [(name, LogisticRegression(), columns) for name, columns in sensors.items()]
model = FusionClassifier(members, fusion="dempster_shafer", reliability="robust", random_state=0)
model.fit(X[train], y[train])

supports = model.member_probabilities(X[test])  # (sensors, samples, classes)
alone = (supports.argmax(axis=2) == y[test]).mean(axis=1)
for name, accuracy in zip(sensors, alone, strict=True):
    print(f"{name:11s} alone: {accuracy:.1%}")
print(f"fused: {model.score(X[test], y[test]):.1%}")

# %%
# Where there is little conflict, the fused answer can be trusted.

conflict = model.conflict(X[test])
right = model.predict(X[test]) == y[test]
fifths = np.array_split(np.argsort(conflict), 5)
figure, axis = plt.subplots(figsize=(6.4, 3.8))
axis.bar(range(5), [100 * right[rows].mean() for rows in fifths], width=0.7)
axis.set(
    xticks=range(5),
    xticklabels=["least", "", "", "", "most"],
    xlabel="conflict, in fifths of the test samples",
    ylabel="right, %",
)
plt.show()

# %%
# From sample 300 on the radar is broken: it reports another sample. ``member_conflict`` says who contradicts
# the others most.

broken = X[test].copy()
broken[300:, sensors["radar"]] = np.roll(broken[300:, sensors["radar"]], 7, axis=0)
by_member = model.member_conflict(broken)
figure, axis = plt.subplots()
window = np.ones(40) / 40
for name, found in zip(sensors, by_member, strict=True):
    axis.plot(np.arange(20, 581), np.convolve(found, window, mode="valid"), label=name)
axis.axvline(300, color="black", linestyle=":", linewidth=1)
axis.annotate("the radar breaks", (306, 0.76))
axis.set(xlabel="sample", ylabel="conflict with the others, mean of 40", ylim=(0, 0.8))
figure.legend(loc="outside right upper")
plt.show()
