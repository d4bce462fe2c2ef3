"""
What else may be wrong with a table
===================================

Wrong labels are one trouble of many. ``find_troubles`` looks for duplicates, outliers, columns that give the
answer away, drift and more. We spoil a table in three ways and see whether it notices.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_wine

from emphatic.audit import find_troubles

X, y = load_wine(return_X_y=True, as_frame=True)
X.loc[20, "magnesium"] = 9800.0  # the unit was forgotten
X = pd.concat([X, X.iloc[[5, 70]]], ignore_index=True)  # two rows came in twice
y = pd.concat([y, y.iloc[[5, 70]]], ignore_index=True)
X["grade"] = y.map({0: "A", 1: "B", 2: "C"})  # a column that gives the answer away

# %%
found = find_troubles(X, y)
print(found.explain())

# %%
# It found all three, and something that we did not know: the rows of this table are sorted by class, which
# looks like drift.
#
# An outlier is easiest to believe when it is seen among its neighbours.

rows = [row for finding in found.of("outliers") for row in finding.rows]
figure, axis = plt.subplots()
axis.scatter(X["alcohol"], X["magnesium"], s=14)
axis.scatter(X["alcohol"].iloc[rows], X["magnesium"].iloc[rows], s=160, facecolor="none", edgecolor="#d1495b")
for row in rows:
    place = (X["alcohol"].iloc[row], X["magnesium"].iloc[row])
    axis.annotate(f"row {row}", place, textcoords="offset points", xytext=(12, -4))
axis.set(xlabel="alcohol", ylabel="magnesium (logarithmic)", yscale="log")
plt.show()
