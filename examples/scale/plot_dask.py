"""
A table in partitions
=====================

A Dask array or data frame goes into ``fit`` as it is. Learners ask the partitions for sums, so the result is
the model of a fit in memory, and the table is never gathered in one place.
"""

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from distributed import Client

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.learners import SampledCentres

client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)
X = da.random.default_rng(0).standard_normal((60_000, 2), chunks=(15_000, -1))  # or dask.dataframe.read_parquet(folder)
y = X[:, 0] * X[:, 1] > 0

network = RBFNetworkClassifier(SampledCentres(n_centres=40), regularisation=1e-6)
model = RealAdaBoostClassifier(network, n_estimators=3, random_state=0).fit(X, y)
lazy = model.predict(X)  # a Dask array: nothing is computed before it is asked for
print(lazy)
print(f"accuracy {float(model.score(X, y)):.3f}, of which only this number was gathered")

# %%
# The fitted model is an ordinary one, which predicts anything in memory, too.

side = np.linspace(-2.5, 2.5, 120)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
figure, axis = plt.subplots(figsize=(5, 4))
shown = axis.pcolormesh(side, side, model.decision_function(grid).reshape(120, 120), cmap="RdBu", vmin=-2, vmax=2)
for member, colour in zip(model.estimators_, ("#000000", "#555555", "#999999"), strict=True):
    axis.scatter(*member.centres_.T, s=10, color=colour)
axis.set(title="score, and the centres of three networks", aspect="equal")
figure.colorbar(shown)
plt.show()
client.close()
