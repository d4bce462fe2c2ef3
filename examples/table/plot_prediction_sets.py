"""
Sets of classes with a promise
==============================

Instead of one class that may be wrong, ask for a *set* of classes that holds the true one in 95% of cases,
whatever the data are like. Sure rows get one class, doubtful ones two or three. That is what to pass on to a
person.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from emphatic import EmphaticClassifier

digits = load_digits()
rng = np.random.default_rng(0)
blurred = digits.data + rng.normal(scale=4.0, size=digits.data.shape)  # badly scanned
X_train, X_test, y_train, y_test = train_test_split(blurred, digits.target, train_size=400, random_state=0)
model = EmphaticClassifier(random_state=0).fit(X_train, y_train)
print(f"{model.score(X_test, y_test):.1%} are right if one class must be named")

# %%
# The promise is kept, and the price is seen: the more is promised, the larger the sets.

promised = np.array([0.8, 0.9, 0.95, 0.98, 0.99])
kept, sizes = [], []
for coverage in promised:
    sets = model.predict_sets(X_test, coverage=coverage)  # (rows, classes), truth values
    kept.append(sets[np.arange(len(y_test)), y_test].mean())
    sizes.append(sets.sum(axis=1).mean())
figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.7))
left.plot(promised, kept, marker="o")
left.plot([0.8, 1], [0.8, 1], color="black", linestyle=":", linewidth=1)
left.set(xlabel="coverage promised", ylabel="coverage measured on test data")
right.plot(promised, sizes, marker="o")
right.set(xlabel="coverage promised", ylabel="classes per set", ylim=(0, None))
plt.show()

# %%
# Digits with two candidates are those about which a person would hesitate, too.

sets = model.predict_sets(X_test, coverage=0.95)
doubtful = np.flatnonzero(sets.sum(axis=1) == 2)[:5]
figure, axes = plt.subplots(1, 5, figsize=(9, 2.4))
for axis, row in zip(axes, doubtful, strict=True):
    axis.imshow(X_test[row].reshape(8, 8), cmap="gray_r")
    axis.set_title(f"{' or '.join(map(str, np.flatnonzero(sets[row])))}?\nit is {y_test[row]}", fontsize=10)
    axis.set_axis_off()
plt.show()
