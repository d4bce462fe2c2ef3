"""
Five ways to look at a digit
============================

A multi-view forest grows one class tree per *view*, a description of the same object, and fuses their answers.
Each view alone is worse than all of them together.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from emphatic import MultiViewForestClassifier
from emphatic.multiview.views import DigitViews

images, y = load_digits(return_X_y=True)
train, test, y_train, y_test = train_test_split(images, y, stratify=y, train_size=600, random_state=0)
views = DigitViews().fit(train)  # five views side by side in one table
table, others = views.transform(train), views.transform(test)

# %%
# What the five views make of one image:

figure, axes = plt.subplots(1, 6, figsize=(11, 2.2))
axes[0].imshow(test[3].reshape(8, 8), cmap="gray_r")
axes[0].set_title("image", fontsize=10)
for axis, (name, columns) in zip(axes[1:], views.views_.items(), strict=True):
    values = others[3, columns]
    axis.bar(range(len(values)), values, width=1.0)
    axis.set_title(f"{name}: {len(values)}", fontsize=10)
for axis in axes:
    axis.set(xticks=[], yticks=[])
plt.show()

# %%
forest = MultiViewForestClassifier(views.views_, random_state=0).fit(table, y_train)
alone = (forest.member_predictions(others) == y_test).mean(axis=1)
errors = 100 - 100 * np.append(alone, forest.score(others, y_test))
figure, axis = plt.subplots(figsize=(6.6, 3.4))
names = [*views.views_, "all, fused"]
axis.barh(names[::-1], errors[::-1], color=["#d1495b"] + ["#0b62a4"] * 5)
axis.set(xlabel="error on test data, %")
plt.show()
