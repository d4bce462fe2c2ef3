"""
Can the probabilities be believed?
==================================

Of all days with a forecast of "70% rain", it should rain on 70%. The same can be asked of a classifier. Here
15% of the training labels are wrong, as is not unusual, and three classifiers are asked for probabilities on
test data.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from emphatic import EmphaticClassifier
from emphatic.metrics import calibration_error

X, y = make_classification(3000, 10, n_informative=6, class_sep=0.8, flip_y=0.15, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=400, random_state=0)
models = {
    "EmphaticClassifier": EmphaticClassifier(random_state=0),
    "random forest": RandomForestClassifier(random_state=0),
    "boosted trees": HistGradientBoostingClassifier(random_state=0),
}

# %%
# On the diagonal a probability means what it says. Below it, on the right, a model is too sure of itself.

figure, axis = plt.subplots(figsize=(5.6, 5))
for name, model in models.items():
    probabilities = model.fit(X_train, y_train).predict_proba(X_test)
    edges = np.quantile(probabilities[:, 1], np.linspace(0, 1, 11))
    groups = np.digitize(probabilities[:, 1], edges[1:-1])
    promised = [probabilities[groups == group, 1].mean() for group in range(10)]
    happened = [y_test[groups == group].mean() for group in range(10)]
    axis.plot(promised, happened, marker="o", label=name)
    error = calibration_error(probabilities, y_test)
    print(f"{name:19s} calibration error {error:.3f}, log loss {log_loss(y_test, probabilities):.3f}")
axis.plot([0, 1], [0, 1], color="black", linestyle=":", linewidth=1)
axis.set(xlabel="predicted probability, ten groups of equal size", ylabel="how often it happened", aspect="equal")
axis.legend(loc="upper left")
plt.show()
