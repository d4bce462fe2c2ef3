"""Fitted models as files that hold no code: skops, not pickle.

`file` writes and reads them, `trusted` lists the types they may hold. Used by the commands and by users directly.

>>> import tempfile
>>> from sklearn.datasets import load_iris
>>> from emphatic import RealAdaBoostClassifier
>>> from emphatic.persistence import load, save
>>> X, y = load_iris(return_X_y=True)
>>> model = RealAdaBoostClassifier(n_estimators=5, random_state=0).fit(X, y)
>>> with tempfile.TemporaryDirectory() as folder:
...     save(model, folder + "/iris.skops")
...     again = load(folder + "/iris.skops")
>>> bool((again.predict_proba(X) == model.predict_proba(X)).all())
True
"""

from emphatic.persistence.file import ModelFileError, Saved, load, read, save

__all__ = ["ModelFileError", "Saved", "load", "read", "save"]
