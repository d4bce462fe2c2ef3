"""
Memberships between 0 and 1
===========================

Fuzzy c-means does not force a row into one cluster: a row half way between two belongs to both by half. The
clusterers of this package differ in what a cluster looks like, and in what happens to rows that belong nowhere.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from emphatic.clustering import FuzzyCMeans, GustafsonKessel, NoiseCMeans

X, _ = make_blobs(
    [130, 130, 90], centers=[[0, 0], [3.2, 0.5], [1.2, 3.6]], cluster_std=0.8, shuffle=False, random_state=0
)
X[:130] = X[:130] @ [[1.6, 1.7], [0.0, 0.35]]  # one cluster is long and slanted
far = np.random.default_rng(0).uniform([-4, -4], [7, 8], size=(25, 2))
X = np.vstack([X, far])  # and some rows belong nowhere

clusterers = {
    "FuzzyCMeans": FuzzyCMeans(3, m=1.7, random_state=0),
    "GustafsonKessel: ellipses": GustafsonKessel(3, m=1.7, random_state=0),
    "NoiseCMeans: grey is noise": NoiseCMeans(3, m=1.7, noise_distance=2.0, random_state=0),
}
colours = np.array([[209, 73, 91], [11, 98, 164], [42, 127, 98]]) / 255
figure, axes = plt.subplots(1, 3, figsize=(11, 3.9), sharex=True, sharey=True)
for axis, (name, clusterer) in zip(axes, clusterers.items(), strict=True):
    memberships = clusterer.fit(X).membership_
    rest = np.clip(1 - memberships.sum(axis=1, keepdims=True), 0, 1)  # what belongs to no cluster
    axis.scatter(*X.T, c=np.clip(memberships @ colours + 0.8 * rest, 0, 1), s=22, linewidth=0)
    axis.set_title(name)
    axis.set_axis_off()
plt.show()

# %%
# Colours are mixed in proportion to the memberships: pure where a row clearly belongs to one cluster, muddy
# between two. Row beside row, sorted, ``plot.memberships`` shows the same for any number of columns: steep
# edges are clear clusters, slopes are rows between them.

from emphatic import plot

plot.memberships(clusterers["FuzzyCMeans"])
