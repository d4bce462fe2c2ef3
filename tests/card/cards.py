"""Tables and cards that the tests of the model card share."""

from functools import cache

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from emphatic.card import describe_model
from emphatic.tables import TableTransformer

NASTY = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", '"quoted" & {{data}}']


def make_table(n=200, n_classes=2, seed=0):
    """A number that decides, a category that matters, noise with missing values, and an identifier."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.normal(40.0, 10.0, n),
            "size": rng.choice(["s", "m", "l"], n),
            "noise": rng.normal(size=n),
            "id": [f"k{i}x{i * i}" for i in range(n)],
        }
    )
    score = X["age"] + 8.0 * (X["size"] == "l") + rng.normal(0.0, 4.0, n)
    X.loc[::10, "noise"] = np.nan
    names = np.array(["no", "yes"] if n_classes == 2 else [f"class {k}" for k in range(n_classes)])
    return X, names[np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)]


def make_model():
    return make_pipeline(TableTransformer(columns="useful"), LogisticRegression(max_iter=1000))


def make_card(n_classes=2, n=200, **more):
    X, y = make_table(n, n_classes)
    given = {"target": "ill", "source": "patients.csv", "seed": 7, "seconds": 1.5, **more}
    return describe_model(make_model().fit(X, y), X, y, **given)


@cache
def make_nasty_card():
    """Column names, labels, cells and row labels that would be markup, or commands to a terminal."""
    X, y = make_table(120)
    X = X.rename(columns={"age": NASTY[0], "size": NASTY[1]})
    X["text"] = np.where(np.arange(120) % 3 == 0, NASTY[0], "\x1b[2Jcleared" + "long " * 100)
    X.index = [f"{NASTY[1]} {i}" for i in range(120)]
    y = np.where(y == "yes", NASTY[0], NASTY[2])
    return describe_model(make_model().fit(X, y), X, y, target=NASTY[1], source=NASTY[2], warnings=[NASTY[0]])
