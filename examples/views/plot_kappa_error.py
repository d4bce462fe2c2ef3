"""
The kappa-error diagram
=======================

An ensemble needs members that are good *and* different. The diagram has a point per pair of members: to the
left pairs that disagree, at the bottom pairs that are accurate. Boosting makes a wide cloud, a forest a narrow
one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier
from emphatic.diversity import kappa_error_points, kappa_prune

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=0.5, random_state=0)
ensembles = {
    "random forest": RandomForestClassifier(40, max_depth=6, random_state=0),
    "boosted trees": RealAdaBoostClassifier(DecisionTreeClassifier(max_depth=6), n_estimators=40, random_state=0),
}

figure, axis = plt.subplots()
for name, ensemble in ensembles.items():
    points = kappa_error_points(ensemble.fit(X_train, y_train), X_test, y_test)
    accuracy = ensemble.score(X_test, y_test)
    axis.scatter(
        points.kappa, points.error, s=7, alpha=0.6, linewidth=0, label=f"{name}, together {accuracy:.1%} right"
    )
axis.set(xlabel="agreement of a pair, kappa", ylabel="mean error of the pair")
axis.legend(markerscale=3)
plt.show()

# %%
# Pruning by kappa keeps the pairs at the left: a smaller copy of the ensemble, with as much variety as
# possible.

forest = ensembles["random forest"]
for keep in (40, 20, 10, 5):
    small = kappa_prune(forest, X_train, y_train, keep=keep)
    print(f"{keep:2d} trees: {small.score(X_test, y_test):.1%} right")
