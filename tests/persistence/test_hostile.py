"""Files that somebody made on purpose: whole containers with right checksums, in which only the deep checks find fault.

Each is a function that edits the tree or the arrays of a good file, or writes a file of its own. None may run code,
read memory that is not its own, hang, unpack to much more than it is, or import anything.
"""

import io
import json
import pickle
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save as save_tensors
from typer.testing import CliRunner

from emphatic import cli
from emphatic.persistence import ModelFileError, load
from emphatic.persistence.file import CHECKSUM, LARGEST_HEADER, TREE, compute_checksum
from tests.persistence.isolated import open_judge
from tests.persistence.models import close_file, good_file, open_file, training_table

HOSTILE = []


def hostile(name):
    """Register an edit of the good file of this name: of its tree and arrays, in place."""

    def register(edit):
        def make():
            tree, arrays = open_file(good_file(name))
            found = edit(tree, arrays)
            return found if isinstance(found, bytes) else close_file(tree, arrays)

        HOSTILE.append(pytest.param(name, make, id=edit.__name__))
        return edit

    return register


def raw(make):
    """Register a file that is no edit of a good one."""
    HOSTILE.append(pytest.param("networks", make, id=make.__name__))
    return make


@pytest.fixture(scope="module")
def judge():
    with open_judge() as one:
        yield one


@pytest.mark.parametrize(("name", "make"), HOSTILE)
def test_a_hostile_file_is_refused(name, make, judge):
    verdict = judge(name, make())
    verdict.demand()
    assert verdict.end == "refused", verdict
    assert len(verdict.text) < 1000


def test_there_are_enough_of_them():
    assert len(HOSTILE) >= 40


def test_the_good_files_pass_the_same_judge(judge):
    for name in ("networks", "trees", "table"):
        verdict = judge(name, close_file(*open_file(good_file(name))))
        verdict.demand()
        assert verdict.end == "loaded"


# code: names that an importing reader would resolve, and methods that a file would replace


def field(tree, *path):
    """The part at this path below the fields of the model."""
    node = tree["model"]
    for step in path:
        node = node["fields"][step] if isinstance(step, str) else node[step]
    return node


for _class in (
    "FunctionTransformer",
    "sklearn.preprocessing.FunctionTransformer",
    "StackingClassifier",
    "builtins.eval",
    "eval",
    "object",
    "type",
    "os.system",
    "functools.partial",
    "emphatic.persistence.file.load",
    "Kind",
    "__main__.Evil",
    "../../evil",
    "",
):

    def class_that_is_not_ours(tree, arrays, name=_class):
        tree["model"]["fields"]["estimators_"][0] = {"class": name, "parameters": {"func": "eval"}}

    class_that_is_not_ours.__name__ = f"class_{_class or 'empty'}"
    hostile("networks")(class_that_is_not_ours)


@hostile("scaled")
def the_chain_that_ran_a_command(tree, arrays):
    """The attack on files of version 0.1: transformers whose functions, and a stack whose methods, the file names."""
    function = {
        "class": "FunctionTransformer",
        "parameters": {"func": {"class": "partial", "parameters": {"func": "str"}}},
    }
    stack = {
        "class": "StackingClassifier",
        "parameters": {"estimators": []},
        "fields": {
            "estimators_": [{"class": "check_array"}],
            "stack_method_": ["__getattribute__"],
            "_concatenate_predictions": {"class": "partial", "parameters": {"func": "map"}},
        },
    }
    steps = tree["model"]["parameters"]["steps"]
    steps[:0] = [{"tuple": ["raw", function]}, {"tuple": ["call", stack]}]


@hostile("scaled")
def the_chain_of_classes_that_are_allowed(tree, arrays):
    """As far as the attack gets with our own table: a pipeline in which a name stands for a part."""
    tree["model"]["parameters"]["steps"][0] = {"tuple": ["raw", "sklearn.utils.validation.check_array"]}


for _name in ("__class__", "__dict__", "predict", "_concatenate_predictions", "__reduce__", "__getattribute__", "fit"):

    def field_that_replaces_a_method(tree, arrays, name=_name):
        tree["model"]["fields"][name] = tree["model"]["fields"]["stop_reason_"]

    def parameter_that_replaces_a_method(tree, arrays, name=_name):
        tree["model"]["parameters"][name] = "eval"

    field_that_replaces_a_method.__name__ = f"field_{_name}"
    parameter_that_replaces_a_method.__name__ = f"parameter_{_name}"
    hostile("networks")(field_that_replaces_a_method)
    hostile("networks")(parameter_that_replaces_a_method)


@hostile("networks")
def estimator_that_is_a_number(tree, arrays):
    tree["model"]["parameters"]["estimator"] = 7


@hostile("networks")
def learner_that_is_a_transformer(tree, arrays):
    tree["model"]["fields"]["estimators_"][0] = {"class": "TableTransformer", "parameters": {}}


@hostile("networks")
def learner_that_is_not_fitted(tree, arrays):
    del tree["model"]["fields"]["estimators_"][0]["fields"]


@hostile("networks")
def model_that_is_an_emphasis(tree, arrays):
    tree["model"] = tree["model"]["parameters"]["emphasis"]


@hostile("networks")
def model_that_is_not_fitted(tree, arrays):
    del tree["model"]["fields"]


@hostile("fusion")
def unknown_fusion_rule(tree, arrays):
    tree["model"]["parameters"]["fusion"] = "__import__"


@hostile("fusion")
def member_inside_itself(tree, arrays):
    tree["model"]["fields"]["members_"][0] = {"same": 99}


@hostile("fusion")
def columns_outside_the_table(tree, arrays):
    arrays[field(tree, "columns_")[1]][:] = 10**9


@hostile("fusion")
def columns_before_the_table(tree, arrays):
    arrays[field(tree, "columns_")[1]][:] = -1


@hostile("fusion")
def reliability_that_is_no_share(tree, arrays):
    arrays[field(tree, "reliabilities_")][:] = 7.0


@hostile("fusion")
def fewer_reliabilities_than_members(tree, arrays):
    at = field(tree, "reliabilities_")
    arrays[at] = arrays[at][:1]


@hostile("fusion")
def members_that_are_swapped(tree, arrays):
    members = field(tree, "members_")
    members[0], members[1] = members[1], members[0]


# trees: walks that leave the arrays or never end


def first_tree(tree):
    return field(tree, "estimators_")[0]["fields"]["trees_"]["fields"]


@hostile("trees")
def children_outside(tree, arrays):
    arrays[first_tree(tree)["splits"]][:] = True


@hostile("trees")
def children_of_the_last_node(tree, arrays):
    splits = arrays[first_tree(tree)["splits"]]
    splits[0], splits[-1] = False, True


@hostile("trees")
def nodes_that_nothing_leads_to(tree, arrays):
    arrays[first_tree(tree)["splits"]][:] = False


@hostile("trees")
def splits_that_are_neither_true_nor_false(tree, arrays):
    at = str(first_tree(tree)["splits"])
    named = {str(number): array for number, array in enumerate(arrays)}
    named = {TREE: np.frombuffer(text_of(tree), dtype=np.uint8), **named}
    named[at] = np.full(len(named[at]), 2, dtype=np.uint8).view(np.bool_)
    return signed(named)


@hostile("trees")
def trees_that_begin_twice(tree, arrays):
    at = first_tree(tree)["roots"]
    arrays[at] = np.zeros(2, dtype=np.int32)


@hostile("trees")
def trees_that_begin_late(tree, arrays):
    arrays[first_tree(tree)["roots"]][0] = 1


@hostile("trees")
def trees_that_begin_inside_another(tree, arrays):
    at = first_tree(tree)["roots"]
    arrays[at] = np.array([0, 1], dtype=np.int32)


@hostile("forest")
def trees_that_begin_before_another(tree, arrays):
    roots = arrays[field(tree, "trees_")["fields"]["roots"]]
    roots[1], roots[2] = roots[2], roots[1]


@hostile("trees")
def feature_outside_the_table(tree, arrays):
    arrays[first_tree(tree)["feature"]][0] = 10**6


@hostile("trees")
def feature_that_is_negative(tree, arrays):
    arrays[first_tree(tree)["feature"]][0] = -(10**6)


@hostile("trees")
def too_few_values(tree, arrays):
    at = first_tree(tree)["values"]
    arrays[at] = arrays[at][:2].copy()


@hostile("trees")
def too_few_columns_of_values(tree, arrays):
    at = first_tree(tree)["values"]
    arrays[at] = arrays[at][:, :2].copy()


@hostile("trees")
def leaves_that_are_no_probabilities(tree, arrays):
    arrays[first_tree(tree)["values"]][:] = 0.9


@hostile("trees")
def root_outside(tree, arrays):
    arrays[first_tree(tree)["roots"]][0] = 10**6


@hostile("trees")
def no_roots(tree, arrays):
    at = first_tree(tree)["roots"]
    arrays[at] = arrays[at][:0].copy()


@hostile("trees")
def threshold_that_is_nan(tree, arrays):
    arrays[first_tree(tree)["threshold"]][0] = np.nan


@hostile("trees")
def trees_of_other_types(tree, arrays):
    at = first_tree(tree)["feature"]
    arrays[at] = arrays[at].astype(np.int64)


@hostile("trees")
def one_array_under_two_kinds(tree, arrays):
    fields = first_tree(tree)
    fields["threshold"] = fields["feature"]


@hostile("trees")
def missing_values_of_another_length(tree, arrays):
    at = field(tree, "estimators_")[0]["fields"]["missing_right_"]
    arrays[at] = arrays[at][:1].copy()


@hostile("trees")
def array_that_does_not_exist(tree, arrays):
    first_tree(tree)["feature"] = 10**6


@hostile("trees")
def array_with_a_negative_number(tree, arrays):
    first_tree(tree)["feature"] = -1


@hostile("trees")
def array_with_a_number_that_is_a_truth_value(tree, arrays):
    first_tree(tree)["feature"] = True


@hostile("blend of trees")
def children_outside_in_a_blend(tree, arrays):
    for at in _find(tree, "splits"):
        arrays[at][:] = True


@hostile("blend of trees")
def features_outside_in_a_blend(tree, arrays):
    for at in _find(tree, "feature"):
        arrays[at][:] = 10**6


def _find(node, key):
    """Every value under this key, anywhere below."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key:
                yield value
            yield from _find(value, key)
    elif isinstance(node, list):
        for one in node:
            yield from _find(one, key)


# numbers and shapes that do not fit together


@hostile("networks")
def negative_widths(tree, arrays):
    arrays[field(tree, "estimators_")[0]["fields"]["widths_"]][0] = -1.0


@hostile("networks")
def widths_of_zero(tree, arrays):
    arrays[field(tree, "estimators_")[0]["fields"]["widths_"]][:] = 0.0


@hostile("networks")
def infinite_weights(tree, arrays):
    arrays[field(tree, "estimators_")[0]["fields"]["weights_"]].flat[0] = np.inf


@hostile("networks")
def nan_weights(tree, arrays):
    arrays[field(tree, "alphas_")][0] = np.nan


@hostile("networks")
def huge_votes(tree, arrays):
    arrays[field(tree, "alphas_")][:] = 1e308


@hostile("networks")
def centres_of_another_width(tree, arrays):
    at = field(tree, "estimators_")[0]["fields"]["centres_"]
    arrays[at] = np.hstack([arrays[at], arrays[at]])


@hostile("ellipsoids")
def centres_of_less_precision_than_a_fit_has(tree, arrays):
    centres = tree["model"]["fields"]["cluster_centers_"]
    arrays[centres] = arrays[centres].astype(np.float32)


@hostile("networks")
def weights_that_are_transposed(tree, arrays):
    at = field(tree, "estimators_")[0]["fields"]["weights_"]
    arrays[at] = np.ascontiguousarray(arrays[at].T)


@hostile("networks")
def fewer_votes_than_learners(tree, arrays):
    at = field(tree, "alphas_")
    arrays[at] = arrays[at][:1].copy()


@hostile("networks")
def unsorted_classes(tree, arrays):
    at = field(tree, "classes_")
    arrays[at] = arrays[at][::-1].copy()


@hostile("networks")
def more_classes_than_outputs(tree, arrays):
    at = field(tree, "classes_")
    arrays[at] = np.arange(9)


@hostile("networks")
def one_class(tree, arrays):
    at = field(tree, "classes_")
    arrays[at] = arrays[at][:1].copy()


@hostile("networks")
def learner_with_other_classes(tree, arrays):
    field(tree, "estimators_")[0]["fields"]["classes_"] = len(arrays)
    arrays.append(np.array([5, 6, 7]))


@hostile("table")
def labels_that_are_no_text(tree, arrays):
    tree["model"]["parameters"]["steps"][1]["tuple"][1]["fields"]["classes_"] = {"text": ["a", 1, None]}


@hostile("table")
def labels_that_come_twice(tree, arrays):
    tree["model"]["parameters"]["steps"][1]["tuple"][1]["fields"]["classes_"] = {"text": ["a", "a", "b"]}


@hostile("networks")
def more_columns_than_the_learners_know(tree, arrays):
    tree["model"]["fields"]["n_features_in_"] = 10**9


@hostile("networks")
def a_negative_number_of_columns(tree, arrays):
    tree["model"]["fields"]["n_features_in_"] = -2


@hostile("networks")
def a_number_of_columns_that_is_text(tree, arrays):
    tree["model"]["fields"]["n_features_in_"] = "2"


@hostile("networks")
def parameter_that_nobody_knows(tree, arrays):
    tree["model"]["parameters"]["backdoor"] = 1


@hostile("networks")
def parameter_out_of_range(tree, arrays):
    tree["model"]["parameters"]["n_estimators"] = -1


@hostile("networks")
def field_that_is_missing(tree, arrays):
    del tree["model"]["fields"]["alphas_"]


@hostile("networks")
def list_where_text_is_expected(tree, arrays):
    tree["model"]["fields"]["stop_reason_"] = ["rounds"]


@hostile("networks")
def number_where_a_list_is_expected(tree, arrays):
    tree["model"]["fields"]["estimators_"] = 3


@hostile("class tree")
def class_tree_with_a_class_on_both_sides(tree, arrays):
    field(tree, "splits")[0] = ["b", [0, 1], [1]]


@hostile("class tree")
def class_tree_with_an_unknown_view(tree, arrays):
    field(tree, "splits")[0][0] = "__globals__"


@hostile("class tree")
def class_tree_of_other_classes(tree, arrays):
    field(tree, "splits")[0] = ["b", [0, 10**9], [2]]


@hostile("class tree")
def class_tree_without_a_split(tree, arrays):
    field(tree, "splits").pop()


@hostile("class tree")
def variances_of_zero(tree, arrays):
    arrays[field(tree, "classifiers")[0]["fields"]["var_"]][:] = 0.0


@hostile("table")
def categories_that_are_no_text(tree, arrays):
    tree["model"]["parameters"]["steps"][0]["tuple"][1]["fields"]["categories_"][2] = [1, {"class": "eval"}]


@hostile("table")
def categories_for_fewer_columns(tree, arrays):
    tree["model"]["parameters"]["steps"][0]["tuple"][1]["fields"]["categories_"].pop()


@hostile("table")
def steps_of_other_widths(tree, arrays):
    tree["model"]["parameters"]["steps"][0]["tuple"][1]["fields"]["categories_"][2].append("more")


@hostile("scaled")
def scaler_without_a_scale(tree, arrays):
    scaler = tree["model"]["parameters"]["steps"][1]["tuple"][1]
    assert scaler["class"] == "StandardScaler"
    scaler["fields"]["scale_"] = None


@hostile("scaled")
def scaler_whose_range_is_text(tree, arrays):
    tree["model"]["parameters"]["steps"][0]["tuple"][1]["parameters"] = {"feature_range": "wide", "clip": True}


def set_scale(tree, arrays, name, value):
    arrays[tree["model"]["parameters"]["steps"][0]["tuple"][1]["fields"]["_scales"]["fields"][name]][:] = value


@hostile("table")
def scale_that_is_nearly_zero(tree, arrays):
    set_scale(tree, arrays, "spread", 5e-324)


@hostile("table")
def offset_that_is_huge(tree, arrays):
    set_scale(tree, arrays, "offset", 1.7e308)


@hostile("table")
def columns_that_are_no_pairs(tree, arrays):
    tree["columns"] = [["width", "numbers", "__class__"]]


@hostile("table")
def columns_of_a_kind_that_is_code(tree, arrays):
    tree["columns"] = [["width", "eval"]]


@hostile("blend")
def blend_whose_weights_do_not_sum_to_one(tree, arrays):
    for member in field(tree, "best_model_")["fields"]["members"]:
        member["fields"]["weight"] = 1.0


@hostile("blend")
def blend_of_other_columns_than_it_says(tree, arrays):
    tree["model"]["fields"]["feature_names_in_"] = ["a", "b", "c"]


@hostile("fusion of names")
def member_of_other_columns_than_it_gets(tree, arrays):
    field(tree, "members_")[0]["fields"]["feature_names_in_"] = ["nonsense"]


@hostile("blend")
def blend_of_nobody(tree, arrays):
    field(tree, "best_model_")["fields"]["members"] = []


@hostile("blend")
def blend_with_a_layer_of_another_size(tree, arrays):
    at = next(_find(tree, "hidden_bias"))
    arrays[at] = arrays[at][:-1].copy()


@hostile("perceptrons")
def machine_of_another_width(tree, arrays):
    at = next(_find(tree, "weights_"))
    arrays[at] = arrays[at][:, :-1].copy()


@hostile("fuzzy")
def chain_of_a_round_that_does_not_exist(tree, arrays):
    fields = tree["model"]["fields"]
    fields["alphas_"] = fields["classes_"]


@hostile("clusters")
def no_clusters(tree, arrays):
    at = field(tree, "cluster_centers_")
    arrays[at] = arrays[at][:0].copy()


# JSON that is more than JSON, or too much of it


def text_of(tree):
    return json.dumps(tree).encode()


@hostile("networks")
def deep_nesting(tree, arrays):
    return close_file(b'{"format":2,"model":' + b"[" * 200_000 + b"]" * 200_000 + b"}", arrays)


@hostile("networks")
def deep_parts(tree, arrays):
    part = tree["model"]["parameters"]["emphasis"]
    for _ in range(100):
        part = {"class": "Neighbour", "parameters": {"base": part}}
    tree["model"]["parameters"]["emphasis"] = part


@hostile("networks")
def nan_literal(tree, arrays):
    return close_file(text_of(tree).replace(b'"margin_": ', b'"margin_": NaN, "x": ', 1), arrays)


@hostile("networks")
def infinity_literal(tree, arrays):
    tree["model"]["fields"]["margin_"] = float("inf")
    return close_file(text_of(tree), arrays)


@hostile("networks")
def number_beyond_floats(tree, arrays):
    tree["model"]["fields"]["margin_"] = 10**400


@hostile("networks")
def number_of_ten_million_digits(tree, arrays):
    return close_file(b'{"format": ' + b"9" * 10_000 + b"}", arrays)


@hostile("networks")
def huge_exponent(tree, arrays):
    return close_file(text_of(tree).replace(b'"margin_": ', b'"margin_": 1e999999, "x": ', 1), arrays)


@hostile("networks")
def duplicate_keys(tree, arrays):
    return close_file(text_of(tree).replace(b'{"class"', b'{"class": "Mixed", "class"', 1), arrays)


@hostile("networks")
def text_that_is_not_utf_8(tree, arrays):
    return close_file(b'{"format": 2, "model": "\xff\xfe"}', arrays)


@hostile("table")
def labels_that_cannot_be_written(tree, arrays):
    labels = ["maybe", "no", "\ud800"]
    tree["model"]["parameters"]["steps"][1]["tuple"][1]["fields"]["classes_"] = {"text": labels}
    return close_file(text_of(tree), arrays)


@hostile("networks")
def tree_that_is_a_list(tree, arrays):
    return close_file([tree], arrays)


@hostile("networks")
def format_that_is_text(tree, arrays):
    tree["format"] = "2"


@hostile("networks")
def format_of_a_newer_version(tree, arrays):
    tree["format"] = 10**6


@hostile("networks")
def format_that_is_negative(tree, arrays):
    tree["format"] = -1


@hostile("networks")
def a_key_more_at_the_top(tree, arrays):
    tree["__class__"] = "object"


@hostile("networks")
def training_that_holds_a_class(tree, arrays):
    tree["training"] = {"dict": [["rows", {"class": "eval"}]]}


@hostile("networks")
def versions_that_are_parts(tree, arrays):
    tree["versions"] = {"emphatic": {"class": "Mixed", "parameters": {}}}


# the container


def container(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def signed(arrays, dtypes=None):
    """A container of arrays under any names, with the right checksum."""
    return save_tensors({**arrays, CHECKSUM: compute_checksum(arrays)})


@raw
def header_larger_than_the_file():
    return struct.pack("<Q", 2**63) + b"{}"


@raw
def header_that_is_too_large():
    return container(b"{" + b" " * (LARGEST_HEADER + 10) + b"}")


@raw
def header_that_is_no_json():
    return container(b"not json")


@raw
def header_that_is_empty():
    return container({})


@raw
def tensors_that_overlap():
    entry = {"dtype": "U8", "shape": [32], "data_offsets": [0, 32]}
    return container({TREE: entry, CHECKSUM: entry}, bytes(32))


@raw
def tensors_with_negative_offsets():
    return container({TREE: {"dtype": "U8", "shape": [4], "data_offsets": [-4, 0]}}, bytes(4))


@raw
def tensors_with_huge_offsets():
    return container({TREE: {"dtype": "U8", "shape": [2**62], "data_offsets": [0, 2**62]}}, bytes(4))


@raw
def tensors_with_giant_shapes():
    return container({TREE: {"dtype": "U8", "shape": [2**40, 2**40], "data_offsets": [0, 4]}}, bytes(4))


@raw
def tensors_whose_shape_overflows():
    shape = [2**32, 2**32]
    return container({TREE: {"dtype": "F64", "shape": shape, "data_offsets": [0, 0]}}, b"")


@raw
def tensor_of_another_type():
    entry = {"dtype": "C64", "shape": [1], "data_offsets": [0, 8]}
    return container({TREE: entry, CHECKSUM: {"dtype": "U8", "shape": [32], "data_offsets": [8, 40]}}, bytes(40))


@hostile("networks")
def arrays_with_other_names(tree, arrays):
    named = {f"../{number}": array for number, array in enumerate(arrays)}
    return signed({TREE: np.frombuffer(text_of(tree), dtype=np.uint8), **named})


@hostile("networks")
def array_of_no_elements_and_giant_shape(tree, arrays):
    arrays[field(tree, "alphas_")] = np.zeros((0, 2**40))


@hostile("networks")
def tree_of_floats(tree, arrays):
    named = {str(number): array for number, array in enumerate(arrays)}
    return signed({TREE: np.frombuffer(text_of(tree), dtype=np.uint8).astype(np.float64), **named})


@hostile("networks")
def thousands_of_arrays_that_nothing_needs(tree, arrays):
    return close_file(tree, [*arrays, *[np.zeros(1)] * 20_000])


# other formats


class Explosive:
    def __reduce__(self):
        return exec, ("import sys; sys.exit('this ran')",)


@raw
def pickled_code():
    return pickle.dumps(Explosive())


@raw
def numpy_archive_with_a_pickle():
    with io.BytesIO() as file:
        np.savez(file, model=np.array([Explosive()], dtype=object))
        return file.getvalue()


@raw
def file_of_version_0_1():
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("schema.json", json.dumps({"__class__": "dict", "__module__": "builtins"}))
        return file.getvalue()


@raw
def zip_bomb():
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("schema.json", bytes(2**26))
        return file.getvalue()


@raw
def compressed_file():
    return zlib.compress(good_file("networks"))


@raw
def onnx_like_bytes():
    return b"\x08\x07\x12\x07pytorch" + bytes(100)


@raw
def table_of_text():
    return b"a,b,y\n1,2,no\n"


def predict(tree, arrays, monkeypatch, folder):
    monkeypatch.chdir(folder)
    Path("model").write_bytes(close_file(tree, arrays))
    training_table("table")[0].to_csv("data.csv", index=False)
    return CliRunner().invoke(cli.build_app(), ["predict", "model", "data.csv"])


def test_a_file_cannot_send_commands_to_the_terminal(monkeypatch, tmp_path):
    tree, arrays = open_file(good_file("table"))
    tree["versions"]["emphatic"] = "0 \x1b]0;title\x07 \x1b[31m"
    done = predict(tree, arrays, monkeypatch, tmp_path)
    assert done.exit_code == 0
    assert r"emphatic 0 \x1b]0;title\x07 \x1b[31m" in done.stderr
    assert done.stderr.count("\n") == 1 and "\x1b" not in done.stderr


def test_what_a_file_says_of_its_training_is_not_relied_on(monkeypatch, tmp_path):
    tree, arrays = open_file(good_file("table"))
    tree["training"] = {"dict": [["target", ["colour"]], ["left_out", 5]]}
    done = predict(tree, arrays, monkeypatch, tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert len(done.stdout.split()) == 46


def test_pickled_code_would_run(tmp_path):
    """Or the test above would show nothing."""
    with pytest.raises(SystemExit, match="this ran"):
        pickle.loads(pickled_code())


def test_a_file_of_version_0_1_says_what_it_is(tmp_path):
    (tmp_path / "old.skops").write_bytes(file_of_version_0_1())
    with pytest.raises(ModelFileError, match=r"old\.skops"):
        load(tmp_path / "old.skops")
