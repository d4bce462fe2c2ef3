"""
The same predictions without Python
===================================

``to_onnx`` writes a whole model, from raw columns to probabilities, as one graph that any ONNX runtime
evaluates: in JavaScript, C#, C++ or on a phone. Here it is checked against the model itself.
"""

import matplotlib.pyplot as plt
import numpy as np
import onnxruntime
import pandas as pd

from emphatic import EmphaticClassifier
from emphatic.export import make_feed, to_onnx

rng = np.random.default_rng(0)
table = pd.DataFrame({
    "colour": rng.choice(["red", "green", "blue", None], 300),
    "size": np.where(rng.random(300) < 0.1, np.nan, rng.normal(5, 2, 300)),
    "ripe": rng.random(300) < 0.5,
})  # fmt: skip
score = (table["colour"] == "red") * 1.5 + table["size"].fillna(5) / 2 + table["ripe"] - rng.normal(3.5, 0.7, 300)
taste = np.where(score > 0.3, "sweet", "sour")

model = EmphaticClassifier(random_state=0).fit(table, taste)
content = to_onnx(model).SerializeToString()  # what belongs into model.onnx
print(f"{len(content) / 1e6:.2f} MB")

# %%
# One input per column, under its own name; missing cells are empty text or NaN.

session = onnxruntime.InferenceSession(content)
print([(one.name, one.type) for one in session.get_inputs()])
label, probabilities = session.run(None, make_feed(session, table))
assert (label == model.predict(table)).all()

# %%
ours = model.predict_proba(table)[:, 1]
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8))
left.scatter(ours, probabilities[:, 1], s=12, linewidth=0)
left.set(xlabel="probability in Python", ylabel="probability by ONNX", aspect="equal")
right.hist(np.abs(ours - probabilities[:, 1]), bins=30)
right.set(xlabel="absolute difference", ylabel="rows")
plt.show()
