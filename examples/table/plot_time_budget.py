"""
As good a model as this time allows
===================================

With ``time_budget`` a fit takes at most so many seconds and is as good as it can be in that time: fewer
candidates, or some of the rows first. ``work_budget`` does the same in units of work, so that a fit can be
repeated exactly; it is used here. A warning says what there was no time for; this example expects it, and
ignores it.
"""

import time
import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from emphatic import EmphaticClassifier

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=900, stratify=y, random_state=0)

warnings.filterwarnings("ignore", message="work_budget=.* was too short")
EmphaticClassifier(work_budget=0.1).fit(X_train[:200], y_train[:200])  # compiles what is compiled once per machine
rows = []
for budget in (0.1, 0.7, 1.5, 3.0, 8.0):
    start = time.process_time()
    model = EmphaticClassifier(work_budget=budget, random_state=0).fit(X_train, y_train)
    seconds = time.process_time() - start
    rows.append((budget, seconds, 100 - 100 * model.score(X_test, y_test)))
    print(f"budget {budget:4g}: {seconds:4.1f} s, {rows[-1][2]:.1f}% wrong")

# %%
figure, axis = plt.subplots()
budgets, seconds, errors = zip(*rows, strict=True)
axis.semilogx(budgets, errors, marker="o")
for budget, second, error in rows:
    axis.annotate(f"{second:.1f} s", (budget, error), textcoords="offset points", xytext=(6, 6))
axis.set(xlabel="work_budget, about seconds of an idle core", ylabel="error on test data, %", ylim=(0, None))
plt.show()
