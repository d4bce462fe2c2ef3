"""
Redundant, borderline and noisy samples
=======================================

Several perceptrons that vote, each with a margin that it learns, sort the training samples (paper 002): a
sample is *redundant* if every perceptron has it safely right, *noisy* if every one has it safely wrong, and
*borderline* otherwise. The emphasis ``PatternType`` lets only some of these gain weight.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs
from sklearn.preprocessing import scale

from emphatic import ParallelPerceptronClassifier, RealAdaBoostClassifier
from emphatic.emphasis import PatternType

X, truth = make_blobs(400, centers=[[-1, -1], [1, 1]], cluster_std=0.75, random_state=0)
X = scale(X)
wrong = np.random.default_rng(0).random(len(truth)) < 0.05
y = np.where(wrong, 1 - truth, truth)

# %%
# ``hidden_margins`` says for every sample and perceptron how safely it is right: above 1 safely right, below -1
# safely wrong.

perceptrons = ParallelPerceptronClassifier(3, random_state=0).fit(X, y)
found = perceptrons.hidden_margins(X, y)
kinds = np.where((found > 1).all(axis=1), "redundant", np.where((found < -1).all(axis=1), "noisy", "borderline"))
styles = {"redundant": ("#9db4c4", 16, "o"), "borderline": ("#0b62a4", 20, "o"), "noisy": ("#d1495b", 45, "X")}

figure, axis = plt.subplots()
for kind, (colour, size, marker) in styles.items():
    rows = kinds == kind
    axis.scatter(*X[rows].T, color=colour, s=size, marker=marker, label=f"{kind}: {rows.sum()}", linewidth=0)
axis.set_axis_off()
figure.legend(loc="outside right upper")
plt.show()
noisy = kinds == "noisy"
print(f"{noisy.sum()} samples are noisy, {(wrong & noisy).sum()} of them were mislabelled on purpose")

# %%
# In the "balanced" policy noisy samples do not gain weight, so boosting does not chase them.

for policy in ("standard", "balanced"):
    model = RealAdaBoostClassifier(
        ParallelPerceptronClassifier(3), PatternType(policy), n_estimators=10, keep_weights=True, random_state=0
    ).fit(X, y)
    share = model.sample_weights_[-1][wrong].sum()
    print(f"{policy:9s} accuracy on the true labels {model.score(X, truth):.3f}, weight on wrong labels {share:.0%}")
