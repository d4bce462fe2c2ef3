"""Fitted classifiers as ONNX models, which run without Python.

`model` makes them, `inputs` what goes into them. A model becomes a `graph`: `conversion` has the table of all families,
each of which has a file.
"""

from emphatic.export.inputs import make_feed
from emphatic.export.model import to_onnx

__all__ = ["make_feed", "to_onnx"]
