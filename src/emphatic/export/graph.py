"""A graph of standard ONNX operators in the making: values that are computed with like arrays, and their nodes.

Nothing here needs the package onnx: `build` turns the finished graph into its form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

ML = "ai.onnx.ml"
"""The domain of the operators for trees and for categories."""

TEXT = np.dtype(object)
"""The type of a value that holds strings."""


class Node(NamedTuple):
    """An operator with the names of its inputs and of its output. An attribute may be a graph, or a NumPy type."""

    operator: str
    inputs: tuple[str, ...]
    output: str
    attributes: dict[str, Any]
    domain: str


class Graph:
    """Nodes in the order in which they are computed, the constants they use, and the values that come from outside."""

    def __init__(self, parent: Graph | None = None, reserved: Sequence[str] = ()) -> None:
        self.nodes: list[Node] = []
        self.inputs: list[tuple[Value, Sequence[int | str]]] = []
        self.outputs: list[tuple[Value, Sequence[int | str]]] = []
        # a graph inside another one shares its constants, and may reuse none of its names
        self.constants: dict[str, np.ndarray] = {} if parent is None else parent.constants
        self._taken: set[str] = set(reserved) if parent is None else parent._taken

    def input(self, name: str, dtype: DTypeLike, shape: Sequence[int | str]) -> Value:
        """A value from outside; a name that is taken is extended."""
        while not name or name in self._taken:
            name += "_"
        self._taken.add(name)
        value = Value(self, name, np.dtype(dtype))
        self.inputs.append((value, shape))
        return value

    def output(self, value: Value, name: str, shape: Sequence[int | str]) -> None:
        """Give a value to the outside, under a name that was reserved."""
        self.nodes.append(Node("Identity", (value.name,), name, {}, ""))
        self.outputs.append((Value(self, name, value.dtype), shape))

    def constant(self, array: ArrayLike) -> Value:
        """Numbers or texts that belong to the model."""
        value = np.asarray(array)
        if value.dtype.kind == "U":
            value = value.astype(object)
        for name, known in self.constants.items():  # small ones occur often
            if known.dtype == value.dtype and known.shape == value.shape and value.size <= 4 and (known == value).all():
                return Value(self, name, value.dtype)
        name = self._name("constant")
        self.constants[name] = value
        return Value(self, name, value.dtype)

    def node(
        self, operator: str, *operands: Any, dtype: DTypeLike | None = None, domain: str = "", **attributes: Any
    ) -> Value:
        """The result of an operator; operands that are not values become constants.

        `dtype` is that of the result, by default that of the first operand.
        """
        values = [one if isinstance(one, Value) else self.constant(one) for one in operands]
        result = Value(self, self._name(operator), values[0].dtype if dtype is None else np.dtype(dtype))
        self.nodes.append(Node(operator, tuple(one.name for one in values), result.name, attributes, domain))
        return result

    def concatenate(self, values: Sequence[Value]) -> Value:
        """Columns side by side."""
        return values[0] if len(values) == 1 else self.node("Concat", *values, axis=1)

    def scan(self, blocks: Value, compute: Callable[[Value], Value]) -> Value:
        """`compute` for every entry of the first axis of `blocks`, the results again along a first axis."""
        body = Graph(parent=self)
        given = body.input(self._name("block"), blocks.dtype, ["block", "columns"])
        body.outputs.append((compute(given), ["block", "results"]))
        return self.node("Scan", blocks, dtype=body.outputs[0][0].dtype, body=body, num_scan_inputs=1)

    def needed_nodes(self) -> tuple[list[Node], set[str]]:
        """The nodes that the outputs depend on, and the names of all values that these nodes use."""
        used, nodes = {value.name for value, _ in self.outputs}, []
        for node in reversed(self.nodes):
            if node.output in used:
                nodes.append(node)
                used.update(node.inputs)
                for attribute in node.attributes.values():
                    if isinstance(attribute, Graph):
                        used |= attribute.needed_nodes()[1]
        return nodes[::-1], used

    def _name(self, stem: str) -> str:
        number = len(self._taken)
        while (name := f"{stem}_{number}") in self._taken:
            number += 1
        self._taken.add(name)
        return name


class Value:
    """What a node computes, for all rows at once: numbers (rows, columns) as a rule. Arithmetic adds nodes."""

    __array_ufunc__ = None  # so that `array - value` is ours and not NumPy's

    def __init__(self, graph: Graph, name: str, dtype: np.dtype[Any]) -> None:
        self.graph, self.name, self.dtype = graph, name, dtype

    def apply(self, operator: str, *operands: Any, dtype: DTypeLike | None = None, **attributes: Any) -> Value:
        """An operator on this value and others."""
        return self.graph.node(operator, self, *operands, dtype=dtype, **attributes)

    def __add__(self, other: Any) -> Value:
        return self.apply("Add", self._like(other))

    def __radd__(self, other: Any) -> Value:
        return self._like(other).apply("Add", self)

    def __sub__(self, other: Any) -> Value:
        return self.apply("Sub", self._like(other))

    def __rsub__(self, other: Any) -> Value:
        return self._like(other).apply("Sub", self)

    def __mul__(self, other: Any) -> Value:
        return self.apply("Mul", self._like(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Value:
        return self.apply("Div", self._like(other))

    def __rtruediv__(self, other: Any) -> Value:
        return self._like(other).apply("Div", self)

    def __matmul__(self, other: Any) -> Value:
        return self.apply("MatMul", self._like(other))

    def __neg__(self) -> Value:
        return self.apply("Neg")

    def __gt__(self, other: Any) -> Value:
        return self.apply("Greater", self._like(other), dtype=bool)

    def __ge__(self, other: Any) -> Value:
        return self.apply("GreaterOrEqual", self._like(other), dtype=bool)

    def equals(self, other: Any) -> Value:
        """Where two values are the same; not `==`, which objects in sets and dictionaries need."""
        return self.apply("Equal", self._like(other), dtype=bool)

    def __and__(self, other: Value) -> Value:
        return self.apply("And", other)

    def __invert__(self) -> Value:
        return self.apply("Not")

    def at_least(self, other: Any) -> Value:
        """The larger of two values."""
        return self.apply("Max", self._like(other))

    def at_most(self, other: Any) -> Value:
        """The smaller of two values."""
        return self.apply("Min", self._like(other))

    def where(self, yes: Any, no: Any) -> Value:
        """By this condition: one or the other, of which one must be a value if the other is a number."""
        dtype = next((one.dtype for one in (yes, no) if isinstance(one, Value)), np.dtype(np.float64))
        yes, no = (one if isinstance(one, Value) else np.asarray(one, dtype) for one in (yes, no))
        return self.apply("Where", yes, no, dtype=dtype)

    def cast(self, dtype: DTypeLike) -> Value:
        """The same numbers as another type."""
        return self if self.dtype == dtype else self.apply("Cast", dtype=dtype, to=np.dtype(dtype))

    def sum(self) -> Value:
        """Of each row, as one column."""
        return self.apply("ReduceSum", np.array([1]), keepdims=1)

    def max(self) -> Value:
        """Of each row, as one column."""
        return self.apply("ReduceMax", axes=[1], keepdims=1)

    def argmax(self) -> Value:
        """Place of the largest number of each row, the first of several, as one column."""
        return self.apply("ArgMax", axis=1, keepdims=1, dtype=np.int64)

    def columns(self, positions: ArrayLike) -> Value:
        """Some of the columns."""
        return self.apply("Gather", np.asarray(positions, dtype=np.int64), axis=1)

    def shape(self) -> Value:
        """The lengths of all axes, as a vector."""
        return self.apply("Shape", dtype=np.int64)

    def _like(self, other: Any) -> Value:
        return other if isinstance(other, Value) else self.graph.constant(np.asarray(other, dtype=self.dtype))


def add_up(values: Iterable[Value]) -> Value:
    """The sum of values, one after another: an operator for many would add in an order of its own."""
    return reduce(Value.__add__, values)
