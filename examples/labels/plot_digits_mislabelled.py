"""
Find mislabelled digits
=======================

Ten of 600 handwritten digits are given a wrong label on purpose. ``audit_labels`` predicts every digit by
models that have not seen its label, and lists the most suspicious first. What comes up?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from emphatic.audit import audit_labels

digits = load_digits()
X, images, truth = digits.data[:600], digits.images[:600], digits.target[:600]
rng = np.random.default_rng(0)
changed = rng.choice(len(truth), 10, replace=False)
y = truth.copy()
y[changed] = (truth[changed] + rng.integers(1, 10, 10)) % 10

# %%
audit = audit_labels(X, y, n_jobs=1)
print(audit.summary())

# %%
# The first ten, each with its label and the label that would be more likely. A red frame: the label was changed
# by us.

figure, axes = plt.subplots(2, 5, figsize=(7.6, 3.9))
for axis, (_, row) in zip(axes.flat, audit.table.head(10).iterrows(), strict=True):
    axis.imshow(images[row["index"]], cmap="gray_r")
    axis.set(xticks=[], yticks=[], title=f"{row['label']}, rather {row['suggested']}: {row['suspicion']:.0%}")
    axis.title.set_fontsize(9)
    for side in axis.spines.values():
        side.set(visible=True, color="#d1495b" if row["index"] in changed else "#cccccc", linewidth=3)
plt.show()

first = set(audit.table["index"].head(10))
print(f"Of the first ten, {len(first & set(changed))} are those that we changed.")
