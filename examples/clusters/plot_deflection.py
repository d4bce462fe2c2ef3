"""
Another way to see the same data: deflection
============================================

A clustering finds one minimum of its objective. Often there are others, almost as good and quite different.
*Deflection* pushes the search away from what was already found, and so gives several groups of memberships,
each a view of its own.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs

from emphatic.clustering import FuzzyCMeans, deflect, distance

X, _ = make_blobs(400, centers=[[-2, -2], [-2, 2], [2, -2], [2, 2]], cluster_std=0.7, random_state=0)

# %%
# Four heaps and two clusters: left against right, or top against bottom? Both are good. Fuzzy c-means finds one
# of them, and the search that keeps away from it finds the other. The smaller ``relaxation``, the farther it
# keeps away.

first = FuzzyCMeans(2, random_state=0).fit(X).membership_
groups = deflect(X, 2, n_deflections=1, relaxation=1.0, first=first, random_state=0)
figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharex=True, sharey=True)
for number, (axis, group) in enumerate(zip(axes, groups, strict=True)):
    shown = axis.scatter(*X.T, c=group[:, 0], cmap="RdBu", vmin=0, vmax=1, s=16, linewidth=0)
    axis.set_title("after a deflection" if number else "fuzzy c-means")
    axis.set_axis_off()
figure.colorbar(shown, ax=axes, label="membership in the first cluster")
plt.show()

print(f"distance of the two: {distance(*groups):.2f}, of at most 1.41")
