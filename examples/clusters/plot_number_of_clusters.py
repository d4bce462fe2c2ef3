"""
How many clusters?
==================

No index is always right, so ask several. ``select_n_clusters`` fits each number of clusters and reports what
every index would choose.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from emphatic.clustering import FuzzyCMeans, select_n_clusters

X = scale(load_wine().data)  # three kinds of wine, but the clusterer is not told
found = select_n_clusters(X, range(2, 8), estimator=FuzzyCMeans(m=1.5, n_init=3), random_state=0)
print(f"chosen: {found.n_clusters}, by {found.index}")
for index, choice in found.choices.items():
    print(f"{index:31s} {choice}")

# %%
# Some indices favour few clusters whatever the data are, which shows as a curve without a peak.

figure, axes = plt.subplots(2, 3, figsize=(10, 5), sharex=True)
for axis, (index, values) in zip(axes.flat, found.indices.items(), strict=True):
    axis.plot(found.counts, values, marker="o")
    axis.axvline(found.choices[index], color="#d1495b", linestyle=":")
    axis.set_title(index.replace("_", " "), fontsize=10)
for axis in axes[1]:
    axis.set(xlabel="clusters", xticks=found.counts)
plt.show()
