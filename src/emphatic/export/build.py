"""A finished graph in the form of the package onnx: the only place that needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from emphatic.export.graph import ML, Graph, Value
from emphatic.version import __version__

if TYPE_CHECKING:
    import onnx

OPERATORS, ML_OPERATORS, FORMAT = 15, 2, 8
"""Versions of the two sets of operators and of the file format: those of onnx 1.10, of 2021."""


def build_model(graph: Graph, metadata: Mapping[str, str]) -> onnx.ModelProto:
    """The model of a graph, checked by onnx."""
    onnx = import_onnx()
    nodes, used = _build_nodes(onnx, graph)
    constants = [_build_constant(onnx, name, array) for name, array in graph.constants.items() if name in used]
    content = onnx.helper.make_graph(
        nodes, "emphatic", _describe(onnx, graph.inputs), _describe(onnx, graph.outputs), constants
    )
    versions = {"": OPERATORS, ML: ML_OPERATORS}
    model = onnx.helper.make_model(
        content,
        producer_name="emphatic",
        producer_version=__version__,
        ir_version=FORMAT,
        opset_imports=[onnx.helper.make_opsetid(domain, version) for domain, version in versions.items()],
    )
    onnx.helper.set_model_props(model, dict(metadata))
    onnx.checker.check_model(model)
    return model


def import_onnx() -> Any:
    """The package onnx, or an ImportError that says how to get it."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError('exporting a model needs the package onnx: pip install "emphatic[onnx]"') from error
    return onnx


def _build_nodes(onnx: Any, graph: Graph) -> tuple[list[Any], set[str]]:
    """The nodes that are needed, and the names of all values that they use."""
    nodes, used = graph.needed_nodes()
    built = []
    for node in nodes:
        attributes = {name: _build_attribute(onnx, value) for name, value in node.attributes.items()}
        built.append(
            onnx.helper.make_node(
                node.operator, node.inputs, [node.output], node.output, domain=node.domain or None, **attributes
            )
        )
    return built, used


def _build_attribute(onnx: Any, value: Any) -> Any:
    if isinstance(value, Graph):
        nodes, _ = _build_nodes(onnx, value)
        return onnx.helper.make_graph(nodes, "body", _describe(onnx, value.inputs), _describe(onnx, value.outputs))
    return onnx.helper.np_dtype_to_tensor_dtype(value) if isinstance(value, np.dtype) else value


def _build_constant(onnx: Any, name: str, array: np.ndarray) -> Any:
    return onnx.numpy_helper.from_array(np.ascontiguousarray(array) if array.ndim else array, name)


def _describe(onnx: Any, values: Sequence[tuple[Value, Sequence[int | str]]]) -> list[Any]:
    return [
        onnx.helper.make_tensor_value_info(value.name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), [*shape])
        for value, shape in values
    ]
