"""
Decision boundaries, round by round
===================================

Five emphases, the same decision stumps, the same data. Each row is one ensemble as it grows: after 1, 5, 20 and
80 rounds. Where the emphasis looks first shows early, in how the regions change between columns.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.datasets import make_circles
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier
from emphatic.emphasis import Controlled, Exponential, Mixed, Savage, Uniform

X, y = make_circles(240, noise=0.17, factor=0.45, random_state=3)
X_test, y_test = make_circles(4000, noise=0.17, factor=0.45, random_state=4)
emphases = {
    "Uniform": Uniform(),
    "Exponential": Exponential(),
    "Mixed(0.2)": Mixed(0.2),
    "Controlled": Controlled(alpha=0.3, beta=0.5),
    "Savage": Savage(),
}
rounds = [1, 5, 20, 80]

# %%
# ``staged_predict`` replays a fit: one prediction per round. A learner is kept in ``Uniform`` although it has
# nothing new to look at, so all its stumps are equal, and it never gets further than the first.

side = np.linspace(-1.7, 1.7, 120)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
figure, axes = plt.subplots(len(emphases), len(rounds), figsize=(8.4, 10.4), sharex=True, sharey=True)
for row, (name, emphasis) in zip(axes, emphases.items(), strict=True):
    stump = DecisionTreeClassifier(max_depth=1)
    model = RealAdaBoostClassifier(stump, emphasis, n_estimators=max(rounds), random_state=0).fit(X, y)
    regions = list(model.staged_predict(grid))
    errors = [np.mean(labels != y_test) for labels in model.staged_predict(X_test)]
    row[0].set_ylabel(name)
    for axis, wanted in zip(row, rounds, strict=True):
        shown = min(wanted, len(regions)) - 1
        axis.pcolormesh(side, side, regions[shown].reshape(120, 120), cmap=ListedColormap(["#f6d5d9", "#cfe0ee"]))
        axis.scatter(*X.T, c=y, s=6, cmap=ListedColormap(["#d1495b", "#0b62a4"]), linewidth=0)
        axis.set(xticks=[], yticks=[], title=f"round {shown + 1}: {100 * errors[shown]:.0f}% wrong")
plt.show()
