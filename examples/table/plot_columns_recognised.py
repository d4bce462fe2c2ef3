"""
What is in these columns?
=========================

Tables come as people write them: numbers with decimal commas, dates, truth values, row numbers, postal codes
that look like numbers. ``decide_columns`` says what each column is taken for, and why. ``emphatic inspect
data.csv`` prints the same in the shell.
"""

import matplotlib.pyplot as plt
import pandas as pd

from emphatic.tables import TableTransformer, decide_columns

n = 60
table = pd.DataFrame({
    "id": range(1000, 1000 + n),
    "price": [f"{1000 + 37 * k:,}".replace(",", ".") + ",50" for k in range(n)],
    "paid": ["TRUE", "FALSE", "TRUE"] * (n // 3),
    "day": [f"{k % 28 + 1}.{k % 12 + 1}.2024" for k in range(n)],
    "zip": ["01067", "80331", "10115", "20095"] * (n // 4),
    "age": [*range(20, 18 + n), "?", "n/a"],
    "unit": ["cm"] * n,
})  # fmt: skip
decisions = decide_columns(table)
print(*decisions, sep="\n")

# %%
# Each decision can be overruled (``columns={"zip": "number"}``). The transformer turns the table into numbers:
# categories become indicators, dates their parts, missing values means. Every column is scaled, so learners
# that go by distance work.

transformer = TableTransformer(columns="useful").fit(table)
numbers = transformer.transform(table)
names = transformer.get_feature_names_out()
figure, axis = plt.subplots(figsize=(7.2, 4.4))
shown = axis.imshow(numbers.T, aspect="auto", cmap="RdBu_r", vmin=-2.5, vmax=2.5)
axis.set(yticks=range(len(names)), yticklabels=names, xlabel="row")
figure.colorbar(shown, label="value after scaling")
plt.show()
