"""A fitted classifier as an ONNX model: what goes in, what comes out, and what the file says about itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

# the families enter their conversions into the table when they are imported
from emphatic.export import additive, blend, class_trees, fusion, networks, transformers, trees  # noqa: F401
from emphatic.export.build import build_model, import_onnx
from emphatic.export.conversion import convert
from emphatic.export.graph import Graph
from emphatic.export.inputs import Inputs

if TYPE_CHECKING:
    import onnx

LABEL, PROBABILITIES = "label", "probabilities"
"""Names of the outputs."""


def to_onnx(model: Any, *, metadata: Mapping[str, str] | None = None) -> onnx.ModelProto:
    """A fitted classifier as an ONNX model of standard operators, which predicts the same.

    Parameters
    ----------
    model : fitted classifier
        `EmphaticClassifier`, `RealAdaBoostClassifier`, `FuzzyBoostClassifier`, `ClassTreeClassifier`,
        `MultiViewForestClassifier`, `FusionClassifier`, a single network of ours, a tree of scikit-learn, or a
        `Pipeline` of `TableTransformer` or `StandardScaler` and one of these. Ensembles must be made of these as well.
    metadata : dict of str, default=None
        Further remarks for the file.

    Returns
    -------
    onnx.ModelProto
        `model.SerializeToString()` is the content of a file.

        Inputs: for a table of numbers `X`, float64 (rows, columns); if there is a column of text, one input (rows, 1)
        per column, by its name: strings, or float64. A missing number is NaN; ONNX has no missing text, so one that is
        no category stands for it. `make_feed` makes the inputs from any table.

        Outputs: `label` (rows,), of the type of `classes_` (strings, int64, float64 or bool), and `probabilities`
        (rows, K), float64, in the order of `classes_`.

        Metadata: "emphatic.classes" and "emphatic.columns" as JSON, "emphatic.missing", the text that stands for a
        missing one, and what `make_feed` needs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.export import make_feed, to_onnx
    >>> X, y = load_iris(return_X_y=True)
    >>> exported = to_onnx(RealAdaBoostClassifier(n_estimators=5, random_state=0).fit(X, y))
    >>> [one.name for one in exported.graph.output]
    ['label', 'probabilities']
    >>> {name: value.shape for name, value in make_feed(exported, X[:2]).items()}
    {'X': (2, 4)}
    """
    import_onnx()  # before any work is done
    check_is_fitted(model)
    classes = _read_classes(model)
    graph = Graph(reserved=[LABEL, PROBABILITIES])
    inputs, table = Inputs.declare(graph, model)
    answer = convert(model, table)
    winner = answer.winner.apply("Reshape", np.array([-1]))
    label = graph.node("Gather", classes, winner, axis=0)
    graph.output(label, LABEL, ["rows"])
    graph.output(answer.probabilities, PROBABILITIES, ["rows", len(classes)])
    about = {"emphatic.classes": json.dumps(classes.tolist()), **inputs.to_metadata()}
    return build_model(graph, {**about, **(metadata or {})})


def _read_classes(model: Any) -> np.ndarray:
    """The classes as strings, int64, float64 or bool."""
    if isinstance(model.classes_, list):
        raise ValueError("a model of several outputs cannot be exported to ONNX: fit one model per output")
    classes = np.asarray(model.classes_.tolist())
    if classes.dtype.kind == "U":
        return classes.astype(object)
    kinds = {"b": np.bool_, "i": np.int64, "f": np.float64}
    if classes.dtype.kind not in kinds:
        raise TypeError(
            f"classes_ of type {model.classes_.dtype} cannot be exported to ONNX: allowed are strings, "
            "integers, floats and booleans"
        )
    return classes.astype(kinds[classes.dtype.kind])
