"""
A tree of digits
================

Ten classes at once are a hard question. A class tree asks easier ones: at the root, is it one of these five or
one of those? Each node is a binary classifier, and similar classes stay together until the end. The tree is
found from the distances between the classes.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from emphatic import ClassTreeClassifier

digits = load_digits()
X_train, X_test, y_train, y_test = train_test_split(digits.data, digits.target, random_state=0, stratify=digits.target)
tree = ClassTreeClassifier(random_state=0).fit(X_train, y_train)
print(f"accuracy: {tree.score(X_test, y_test):.3f}")
print(tree.export_text())

# %%
# The same as a picture, with the mean image of every class at its leaf. Digits that look alike share a branch.


def draw(node, classes, x, width, depth):
    """Draw the edges below a node, and return where the leaves are: (class, x, depth)."""
    leaves = []
    sides = ((node.first, node.left, -1), (node.second, node.right, 1))
    for codes, child, side in sides:
        share = len(codes) / (len(node.first) + len(node.second))
        left = x - width / 2 if side < 0 else x + width / 2 - share * width
        middle = left + share * width / 2
        axis.plot([x, middle], [-depth, -depth - 1], color="#0b62a4", linewidth=1.5)
        if child is None:
            leaves.append((classes[codes[0]], middle, depth + 1))
        else:
            leaves += draw(child, classes, middle, share * width, depth + 1)
    return leaves


figure, axis = plt.subplots(figsize=(9, 5))
leaves = draw(tree.root_, tree.classes_, 0.0, 10.0, 0)
for digit, x, depth in leaves:
    picture = np.mean(digits.images[digits.target == digit], axis=0)
    axis.imshow(picture, cmap="gray_r", extent=(x - 0.42, x + 0.42, -depth - 0.75, -depth + 0.05), zorder=2)
axis.set(xlim=(-5.2, 5.2), ylim=(-max(depth for *_, depth in leaves) - 0.9, 0.2), aspect="auto")
axis.set_axis_off()
plt.show()
