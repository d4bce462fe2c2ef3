"""
How many rows must I look at?
=============================

Going through suspicions from the top, how soon are most wrong labels found? Here 15% of the labels of a table
are wrong, and we compare the audit with looking at rows in any order, and with the doubts of a single model.

One table and one draw prove nothing, and this is one on which the audit is clearly ahead; on breast cancer, say, the
two are level. Measured over 14 problems: see the page about the audit.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_predict

from emphatic.audit import audit_labels
from emphatic.datasets import load

problem = load("heart_statlog")  # 270 patients
X, truth = problem.X, np.unique(problem.y, return_inverse=True)[1]
wrong = np.random.default_rng(0).random(len(truth)) < 0.15
y = np.where(wrong, 1 - truth, truth)

audit = audit_labels(X, y, n_jobs=1)
forest = cross_val_predict(RandomForestClassifier(random_state=0), X, y, cv=5, method="predict_proba")
doubt = 1 - forest[np.arange(len(y)), y]

# %%
figure, axis = plt.subplots()
looked_at = np.arange(1, len(y) + 1)
for name, suspicion in (("audit_labels", audit.suspicion), ("random forest, cross-validated", doubt)):
    found = np.cumsum(wrong[np.argsort(-suspicion, kind="stable")])
    axis.plot(100 * looked_at / len(y), 100 * found / wrong.sum(), label=name)
axis.plot([0, 100], [0, 100], color="black", linestyle=":", linewidth=1, label="rows in any order")
axis.set(xlabel="rows looked at, %", ylabel="wrong labels found, %", xlim=(0, 60), ylim=(0, 101))
axis.legend(loc="lower right")
plt.show()

# %%
# Suspicions are meant as probabilities, so their sum is an estimate of how many labels are wrong.

print(f"wrong labels: {wrong.sum()}, expected by the audit: {audit.suspicion.sum():.0f}")
