"""A small table of mixed types, as users have them."""

import numpy as np
import pandas as pd


def make_mixed_table(n=72, n_classes=3, seed=0):
    """Two numeric columns, two nominal ones, missing values in both; the classes can be told apart."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    frame = pd.DataFrame({
        'size, in "cm"': y + rng.normal(size=n),
        "weight": rng.normal(size=n),
        "colour": pd.Categorical(np.where(rng.random(n) < 0.3, "grey", np.array(["red", "blue", "green"])[y])),
        "shape": rng.choice(["round", "flat"], n),
    })  # fmt: skip
    frame.loc[::9, 'size, in "cm"'] = np.nan
    frame.loc[4::9, "colour"] = None
    return frame, np.array(["a", "b", "c"])[y]
