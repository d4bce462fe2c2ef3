"""
A model as a file of data
=========================

A pickle can run any code when it is opened. A model file of this package is declared data: numbers and text,
checked when they are read, in which nothing can run. What is in one?
"""

import json
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from safetensors.numpy import load_file
from sklearn.datasets import load_wine

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.persistence import ModelFileError, load, save

X, y = load_wine(return_X_y=True)
model = RealAdaBoostClassifier(RBFNetworkClassifier(), n_estimators=20, random_state=0).fit(X, y)
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "wine.emphatic"
save(model, path)
assert (load(path).predict_proba(X) == model.predict_proba(X)).all()

# %%
# The container is a safetensors file, which many tools open. One tensor holds the description, the others are
# arrays.

tensors = load_file(path)
description = json.loads(bytes(tensors["model.json"]))
print(json.dumps(description, indent=1)[:600], "...")

# %%
sizes = {name: array.nbytes for name, array in tensors.items()}
kinds = {"description": sizes["model.json"], "checksum": sizes["checksum"]}
kinds["arrays"] = sum(sizes.values()) - sum(kinds.values())
figure, axis = plt.subplots(figsize=(6.4, 2.4))
axis.barh(list(kinds), [size / 1000 for size in kinds.values()])
axis.set(xlabel="kilobytes")
plt.show()

# %%
# A file that was changed, by accident or on purpose, is refused with a reason.

content = bytearray(path.read_bytes())
content[-100] ^= 1
path.write_bytes(content)
try:
    load(path)
except ModelFileError as error:
    print(str(error).replace(folder.name, ""))
folder.cleanup()
