"""
A study of your own
===================

Which emphasis for which problem? A study fits every method with every setting on every split of every problem,
once, and keeps each result in a store: stop it at any moment, run it again, and nothing is done twice. At the
end there is a table with intervals and tests, or a whole page.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles, make_classification, make_moons
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier
from emphatic.emphasis import Exponential, Mixed, Savage, Uniform
from emphatic.study import Method, OwnProblem, RepeatedKFold, Store, Study


def boosted(emphasis):
    def make(setting, random_state):
        tree = DecisionTreeClassifier(max_depth=2)
        return RealAdaBoostClassifier(tree, emphasis, n_estimators=25, random_state=random_state)

    return make


emphases = {"none": Uniform(), "errors": Exponential(), "boundary": Mixed(0.2), "forgiving": Savage()}
methods = [Method(name, boosted(emphasis)) for name, emphasis in emphases.items()]

# %%
# Three problems, each clean and with a fifth of all labels wrong.

drawn = {
    "moons": make_moons(200, noise=0.2, random_state=0),
    "circles": make_circles(200, noise=0.15, factor=0.5, random_state=0),
    "mixture": make_classification(200, 5, n_informative=4, n_redundant=0, class_sep=1.3, flip_y=0, random_state=0),
}
rng = np.random.default_rng(0)
problems = []
for name, (X, y) in drawn.items():
    noisy = np.where(rng.random(len(y)) < 0.2, 1 - y, y)
    problems += [OwnProblem(name, X, y), OwnProblem(f"{name}, noisy", X, noisy)]

study = Study("emphases", methods, problems, RepeatedKFold(n_folds=5, n_repeats=1))
with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "mine.sqlite") as store:
    study.run(store, progress=False)
    findings = study.collect(store)
    findings.to_html(Path(folder) / "page.html")  # the page: tables, tests and figures in one file
print(findings.summary())

# %%
table = findings.table()
errors = table.pivot(index="problem", columns="method", values="error")[list(emphases)]
figure, axis = plt.subplots(figsize=(7.6, 4))
for place, name in enumerate(errors):
    axis.barh(np.arange(len(errors)) + 0.2 * (1.5 - place), errors[name], height=0.18, label=name)
axis.set(yticks=range(len(errors)), yticklabels=errors.index, xlabel="cross-validated error, labels as they are")
figure.legend(loc="outside right upper")
plt.show()
