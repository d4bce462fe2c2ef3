"""
Several annotators, not equally good
====================================

Three people label flowers. One is good, one is fair, and one is hardly better than guessing but labels the
most. A majority vote trusts them all alike; ``audit_annotators`` estimates how good each one is, and uses the
measurements of the flowers as well.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

from emphatic.audit import audit_annotators

X, y = load_iris(return_X_y=True, as_frame=True)
rng = np.random.default_rng(0)
people = {
    "ann": (0.9, 0.5),
    "bob": (0.7, 0.5),
    "cem": (0.4, 1.0),
}  # how often they know the answer; how many rows they label
labels = pd.DataFrame()
for name, (accuracy, share) in people.items():
    given = np.where(rng.random(150) < accuracy, y, rng.integers(3, size=150))
    labels[name] = np.where(rng.random(150) < share, given, np.nan)

audit = audit_annotators(X, labels, n_jobs=1)
print(audit.summary())

# %%
# What each of them is worth, estimated without knowing the truth, beside what it really is.

table = audit.annotator_table.set_index("annotator")
true_quality = [np.mean(labels[name][labels[name].notna()] == y[labels[name].notna()]) for name in people]
places = np.arange(len(people))
figure, axis = plt.subplots(figsize=(6.4, 3.8))
axis.bar(places - 0.18, table.loc[list(people), "quality"], width=0.34, label="estimated")
axis.bar(places + 0.18, true_quality, width=0.34, label="true, which the audit does not know")
axis.set(xticks=places, xticklabels=people, ylabel="share of right labels", ylim=(0, 1))
figure.legend(loc="outside upper center", ncols=2)
plt.show()

for name, answer in (("majority vote", audit.majority), ("audit", audit.consensus)):
    print(f"right by {name}: {np.mean(answer == y):.0%}")
