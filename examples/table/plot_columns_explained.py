"""
Which columns matter
====================

A fitted ``EmphaticClassifier`` knows how much its predictions depend on each column, and why it predicts a row
as it does. No second library, no further fits.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from emphatic import EmphaticClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
model = EmphaticClassifier(random_state=0).fit(X[::2], y[::2])
print(model.explain())

# %%
# ``importances_`` was measured while the model was fitted: how much the loss rises when a column is shuffled.

first = model.importances_.head(10)[::-1]
figure, axis = plt.subplots()
axis.barh(first["column"], first["importance"])
axis.set(xlabel="rise of the loss when the column is shuffled")
plt.show()

# %%
# Why is this one row predicted as it is? Contributions per column that add up to the difference between the
# probability of this row and that of an average one.

found = model.explain(X.iloc[[22]])
print(found)
table = found.table.head(8)[::-1]
names = [f"{row.column} = {row.value:g}" for row in table.itertuples()]
figure, axis = plt.subplots()
axis.barh(names, table["contribution"], color=["#0b62a4" if one > 0 else "#d1495b" for one in table["contribution"]])
axis.axvline(0, color="black", linewidth=1)
axis.set(xlabel=f"raises or lowers the probability of '{found.label}'")
plt.show()
