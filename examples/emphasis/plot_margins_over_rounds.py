"""
Margins over rounds
===================

Boosting goes on improving after every training sample is classified correctly, because margins go on growing.
This is how they move: the distribution of the margins, divided by the sum of the votes, after more and more
rounds.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier, plot
from emphatic.emphasis import Exponential
from emphatic.margins import margins

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
tree = DecisionTreeClassifier(max_depth=1)
model = RealAdaBoostClassifier(tree, Exponential(), n_estimators=300, random_state=0).fit(X_train, y_train)

# %%
# A point of a curve says which share of the training samples has at most this margin. What is left of zero is
# classified wrongly. After 20 rounds hardly anything is, and still the smallest margins go on moving to the
# right.

scores = list(model.staged_decision_function(X_train))
votes = np.cumsum(np.abs(model.alphas_))
shades = plt.get_cmap("viridis")(np.linspace(0.0, 0.85, 4))
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4))
for colour, rounds in zip(shades, (3, 20, 100, 300), strict=True):
    found = np.sort(margins(scores[rounds - 1], y_train) / votes[rounds - 1])
    left.plot(found, np.linspace(0, 1, len(found)), color=colour, label=f"{rounds} rounds")
left.axvline(0, color="black", linewidth=1)
left.set(xlabel="margin / sum of the votes", ylabel="share of the training samples")
left.legend(loc="upper left")

for name, rows, labels in (("training", X_train, y_train), ("test", X_test, y_test)):
    errors = [np.mean(found != labels) for found in model.staged_predict(rows)]
    right.semilogx(range(1, len(errors) + 1), 100 * np.array(errors), label=name)
right.set(xlabel="round", ylabel="error, %")
right.legend()
plt.show()

# %%
# ``plot.rounds`` draws the same and more from what the fit recorded, as a figure that can be zoomed.

plot.rounds(model, X_train, y_train, X_test, y_test)
