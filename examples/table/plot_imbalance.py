"""
A rare class, and what mistakes cost
====================================

Of 100 transactions, 4 are fraud. A model that always says "no" is right 96% of the time and useless. Two
remedies that leave the probabilities as they are: choose the decision for a measure such as F1, or say what
mistakes cost.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import confusion_matrix, f1_score
from sklearn.model_selection import train_test_split

from emphatic import EmphaticClassifier

X, y = make_classification(5000, 8, n_informative=5, weights=[0.96], class_sep=0.8, flip_y=0.01, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=750, stratify=y, random_state=0)

costs = np.array(
    [[0, 1], [20, 0]]
)  # true classes down, predicted across: a missed fraud costs as much as 20 false alarms
models = {
    "as probable": EmphaticClassifier(random_state=0),
    'decision="f1"': EmphaticClassifier(decision="f1", random_state=0),
    "costs=...": EmphaticClassifier(costs=costs, random_state=0),
}

# %%
# All three have learnt the same probabilities. They differ in where the line is drawn.

figure, axes = plt.subplots(1, 3, figsize=(10, 3.7))
for axis, (name, model) in zip(axes, models.items(), strict=True):
    predicted = model.fit(X_train, y_train).predict(X_test)
    counts = confusion_matrix(y_test, predicted)
    axis.imshow(counts / counts.sum(axis=1, keepdims=True), cmap="Blues", vmin=0, vmax=1.3)
    for (row, column), count in np.ndenumerate(counts):
        axis.text(column, row, str(count), ha="center", va="center", fontsize=13)
    axis.set(xticks=[0, 1], yticks=[0, 1], xticklabels=["ok", "fraud"], yticklabels=["ok", "fraud"], xlabel="predicted")
    paid = (counts * costs).sum()
    axis.set_title(f"{name}\nF1 {f1_score(y_test, predicted):.2f}, cost {paid}")
axes[0].set_ylabel("true")
plt.show()

# %%
# Every threshold at once: what is the cheapest one, and where do the decisions lie?

probability = models["as probable"].predict_proba(X_test)[:, 1]
thresholds = np.linspace(0.005, 0.9, 120)
paid = [(confusion_matrix(y_test, probability > one) * costs).sum() for one in thresholds]
figure, axis = plt.subplots()
axis.plot(thresholds, paid)
axis.axvline(1 / 21, color="#2a7f62", linestyle="--", label="by theory: 1 / (1 + 20)")
axis.axvline(0.5, color="#d1495b", linestyle=":", label="as probable")
axis.set(xlabel="say fraud above this probability", ylabel="cost on test data", ylim=(0, None))
axis.legend()
plt.show()
