"""Fitted models as files of numbers and text, in which nothing can run.

`file` writes and reads them, `saved` is what they hold, `tree` turns a model into plain values and back, `classes`
lists what may be in them. Used by the commands and by users directly.

>>> import tempfile
>>> from sklearn.datasets import load_iris
>>> from emphatic import RealAdaBoostClassifier
>>> from emphatic.persistence import load, save
>>> X, y = load_iris(return_X_y=True)
>>> model = RealAdaBoostClassifier(n_estimators=5, random_state=0).fit(X, y)
>>> with tempfile.TemporaryDirectory() as folder:
...     save(model, folder + "/iris.emphatic")
...     again = load(folder + "/iris.emphatic")
>>> bool((again.predict_proba(X) == model.predict_proba(X)).all())
True
"""

from emphatic.persistence.file import ModelFileError, check_savable, load, read, save
from emphatic.persistence.saved import Saved

__all__ = ["ModelFileError", "Saved", "check_savable", "load", "read", "save"]
