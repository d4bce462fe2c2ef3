"""What goes in and out: columns of text and numbers, missing cells, names, classes of any type; pipelines."""

import json

import numpy as np
import onnx
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from emphatic import FuzzyBoostClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.export import make_feed, to_onnx
from emphatic.fusion import FusionClassifier
from emphatic.recipes import RECIPES
from emphatic.tables import TableTransformer
from tests.export.agreement import assert_agrees, open_session, run_exported

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    result = pd.DataFrame(
        {
            "size": rng.normal(size=50),
            "colour": rng.choice(["red", "blue", "green"], 50),
            "age": rng.integers(9, size=50),
        }
    )
    result.loc[::6, "size"] = np.nan
    result.loc[::8, "colour"] = None
    return result


@pytest.fixture
def y(table):
    return np.where((table["colour"] == "red") ^ (table["age"] > 4), "yes", "no")


@pytest.mark.parametrize("nominal", ["one_hot", "ordinal"])
@pytest.mark.parametrize("scale", ["standard", "minmax", "robust", "none"])
def test_every_way_to_prepare_a_table(table, y, nominal, scale):
    model = make_pipeline(TableTransformer(nominal, scale), RBFNetworkClassifier(random_state=0)).fit(table, y)
    new = table.assign(colour=["purple", None, "red", "blue", ""] * 10)
    for X in (table, new):
        assert_agrees(model, X)


@pytest.mark.parametrize("name", [name for name, recipe in RECIPES.items() if recipe.family == "ours"][1:])
def test_what_the_command_fits(table, y, name):
    assert_agrees(RECIPES[name].build({}, 0).fit(table, y), table)


def test_pipelines_inside_ensembles_take_text(table, y):
    member = make_pipeline(TableTransformer(), TREE)
    assert_agrees(FuzzyBoostClassifier(member, 6, random_state=0).fit(table, y), table)
    assert_agrees(RealAdaBoostClassifier(member, n_estimators=4, random_state=0).fit(table, y), table)
    members = [("text", member, ["colour"]), ("both", member, ["age", "colour"]), ("number", TREE, ["age"])]
    assert_agrees(FusionClassifier(members, random_state=0).fit(table, y), table)


def test_steps_of_a_pipeline_that_do_nothing(table, y):
    assert_agrees(make_pipeline(TableTransformer(), "passthrough", TREE).fit(table, y), table)


def test_inputs_are_named_by_the_columns(table, y):
    exported = to_onnx(make_pipeline(TableTransformer(), TREE).fit(table, y))
    kinds = {one.name: one.type.tensor_type.elem_type for one in exported.graph.input}
    assert kinds == {"size": onnx.TensorProto.DOUBLE, "colour": onnx.TensorProto.STRING, "age": onnx.TensorProto.DOUBLE}
    assert [one.type.tensor_type.shape.dim[1].dim_value for one in exported.graph.input] == [1, 1, 1]


def test_a_table_of_numbers_is_one_input(table, y):
    exported = to_onnx(TREE.fit(table[["age", "size"]], y))
    (only,) = exported.graph.input
    assert (only.name, only.type.tensor_type.shape.dim[1].dim_value) == ("X", 2)
    feed = make_feed(exported, table)  # by name: the order and further columns do not matter
    np.testing.assert_array_equal(feed["X"], table[["age", "size"]].to_numpy())


def test_any_kind_of_table_makes_the_same_inputs(table, y):
    exported = to_onnx(make_pipeline(TableTransformer(), TREE).fit(table, y))
    expected = make_feed(exported, table)
    assert expected["colour"][0] == [""] and np.isnan(expected["size"][0])
    plain = table.astype(object).where(table.notna(), None)
    shuffled = table[["colour", "size", "age"]].assign(more=1)
    for other in (shuffled, pl.DataFrame(plain.to_dict("list")), plain.to_numpy(), plain.to_numpy().tolist()):
        assert_same_feed(make_feed(exported, other), expected)
    assert_same_feed(make_feed(open_session(exported), table), expected)


def assert_same_feed(given, expected):
    assert list(given) == list(expected)
    for name, values in given.items():
        np.testing.assert_array_equal(values, expected[name])


def test_a_missing_text_is_one_that_is_no_category(y):
    texts = np.array(["", "()", "red", None] * 12 + ["", "red"], dtype=object)
    table = pd.DataFrame({"colour": texts, "other": ["a", "b"] * 25})
    exported = to_onnx(make_pipeline(TableTransformer(), TREE).fit(table, y))
    feed = make_feed(exported, table[:4])
    assert feed["colour"].ravel().tolist() == ["", "()", "red", "(())"]
    # a text that happens to be the one for missing is an unknown category, not a missing one
    assert make_feed(exported, pd.DataFrame({"colour": ["(())"], "other": ["a"]}))["colour"].item() == "unknown"


@pytest.mark.parametrize("name", ["label", "probabilities", "", "Concat_1", "X", "größe, in m²"])
def test_columns_may_have_any_name(table, y, name):
    table = table.rename(columns={"colour": name})
    exported = assert_agrees(make_pipeline(TableTransformer(), TREE).fit(table, y), table)
    assert len({one.name for one in exported.graph.input}) == 3


def test_tables_without_names(table, y):
    rows = table.astype(object).to_numpy()
    exported = assert_agrees(make_pipeline(TableTransformer(), TREE).fit(rows, y), rows)
    assert [one.name for one in exported.graph.input] == ["x0", "x1", "x2"]


@pytest.mark.parametrize(
    ("classes", "dtype"),
    [
        (["no", "yes", "perhaps"], object),
        (np.array(["no", "yes", "perhaps"], dtype=object), object),
        ([3, 1, 2], np.int64),
        (np.array([3, 1, 2], dtype=np.uint8), np.int64),
        ([0.0, 1.0, 2.0], np.float64),
        ([True, False, True], np.bool_),
    ],
)
def test_labels_have_the_type_of_the_classes(classes, dtype):
    X, y = np.arange(12.0)[:, None], np.asarray(classes)[np.arange(12) // 4]
    model = DecisionTreeClassifier().fit(X, y)
    exported = assert_agrees(model, X)
    assert run_exported(exported, X)[0].dtype == dtype


def test_the_file_says_what_it_needs_and_gives(table, y):
    exported = to_onnx(make_pipeline(TableTransformer(), TREE).fit(table, y), metadata={"author": "me"})
    metadata = {one.key: one.value for one in exported.metadata_props}
    assert json.loads(metadata["emphatic.classes"]) == ["no", "yes"]
    assert json.loads(metadata["emphatic.columns"]) == ["size", "colour", "age"]
    assert json.loads(metadata["emphatic.kinds"]) == ["numbers", "text", "numbers"]
    assert (metadata["emphatic.missing"], metadata["author"]) == ("", "me")
    assert exported.producer_name == "emphatic"


def test_only_standard_operators_of_2021(table, y):
    exported = to_onnx(make_pipeline(TableTransformer(), TREE).fit(table, y))
    assert {one.domain: one.version for one in exported.opset_import} == {"": 15, "ai.onnx.ml": 2}
    onnx.checker.check_model(exported, full_check=True)
