"""What cannot be exported, and tables that do not fit, say why."""

import builtins
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.export import make_feed, to_onnx
from emphatic.export.graph import Graph
from emphatic.fusion import FusionClassifier
from emphatic.tables import TableTransformer

X, Y = np.arange(20.0).reshape(10, 2), np.array([0, 1] * 5)


class OwnNetwork(RBFNetworkClassifier):
    """A subclass may predict otherwise."""


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LogisticRegression(), "sklearn's LogisticRegression cannot be exported to ONNX.*There is one for Class"),
        (RealAdaBoostClassifier(LogisticRegression(), n_estimators=2), "sklearn's LogisticRegression cannot"),
        (FusionClassifier([("a", LogisticRegression(), None)]), "sklearn's LogisticRegression cannot"),
        (
            make_pipeline(FunctionTransformer(), DecisionTreeClassifier()),
            "FunctionTransformer cannot.*Table",
        ),
        (OwnNetwork(), "tests's OwnNetwork cannot|OwnNetwork cannot"),
    ],
)
def test_other_classes_are_refused(model, message):
    with pytest.raises(TypeError, match=message):
        to_onnx(model.fit(X, Y))


def test_a_model_must_be_fitted():
    with pytest.raises(NotFittedError):
        to_onnx(RBFNetworkClassifier())


def test_trees_of_several_outputs_are_refused():
    with pytest.raises(ValueError, match="one model per output"):
        to_onnx(DecisionTreeClassifier().fit(X, np.column_stack([Y, Y])))


def test_classes_that_onnx_cannot_express_are_refused():
    tree = DecisionTreeClassifier().fit(X, Y)
    tree.classes_ = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]")
    with pytest.raises(TypeError, match="allowed are strings, integers, floats and booleans"):
        to_onnx(tree)


def test_without_onnx_the_remedy_is_named(monkeypatch):
    found = builtins.__import__

    def refuse(name, *arguments, **keywords):
        if name == "onnx":
            raise ImportError("no onnx")
        return found(name, *arguments, **keywords)

    monkeypatch.delitem(sys.modules, "onnx")
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r'pip install "emphatic\[onnx\]"'):
        to_onnx(DecisionTreeClassifier().fit(X, Y))


def test_tables_that_do_not_fit_are_refused():
    table = pd.DataFrame({"colour": ["red", "blue"] * 5, "size": range(10)})
    exported = to_onnx(make_pipeline(TableTransformer(), DecisionTreeClassifier()).fit(table, Y))
    with pytest.raises(ValueError, match=r"unknown column size.*sice"):
        make_feed(exported, table.rename(columns={"size": "sice"}))
    with pytest.raises(ValueError, match="the table has 3 columns, but the model takes 2"):
        make_feed(exported, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="column 'size' was numeric in fit and is nominal now"):
        make_feed(exported, table.assign(size="large"))


def test_only_exported_models_have_feeds():
    with pytest.raises(TypeError, match="pass what to_onnx returned"):
        make_feed(DecisionTreeClassifier(), X)
    exported = to_onnx(DecisionTreeClassifier().fit(X, Y))
    del exported.metadata_props[:]
    with pytest.raises(ValueError, match="was not exported by emphatic"):
        make_feed(exported, X)


def test_text_for_a_part_that_takes_numbers():
    member = make_pipeline(TableTransformer(), DecisionTreeClassifier())
    table = pd.DataFrame({"colour": ["1", "2"] * 5, "size": range(10)})
    members = [("text", member, None), ("numbers", DecisionTreeClassifier(), ["colour"])]
    with pytest.raises(TypeError, match="takes numbers only has columns of text"):
        to_onnx(FusionClassifier(members, random_state=0).fit(table, Y))


def test_what_nobody_uses_leaves_no_node():
    graph = Graph(reserved=["sum"])
    x = graph.input("x", np.float64, ["rows", 2])
    unused = x * 3.0
    graph.output(x.sum(), "sum", ["rows", 1])
    nodes, used = graph.needed_nodes()
    assert [one.operator for one in nodes] == ["ReduceSum", "Identity"]
    assert unused.name not in used
