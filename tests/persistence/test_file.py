"""Models as files: every estimator comes back as it was, and a file can do no harm."""

import importlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import skops.io as skops
from sklearn.base import BaseEstimator
from sklearn.datasets import make_moons
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import emphatic
from emphatic import EmphaticClassifier, ParallelPerceptronClassifier, RealAdaBoostClassifier
from emphatic.auto.scikit_learn import GradientTrees
from emphatic.emphasis import Controlled, DynamicMixed, Neighbour, PatternType
from emphatic.persistence import ModelFileError, Saved, load, read, save
from emphatic.persistence.trusted import HELD_FUNCTIONS, OURS, SCIKIT_LEARNS, TRUSTED
from emphatic.tables import TableTransformer, decide_columns
from tests.test_contract import ESTIMATORS, name, problem, seeded

EMPHASES = [
    RealAdaBoostClassifier(ParallelPerceptronClassifier(n_epochs=5), PatternType(), n_estimators=3),
    RealAdaBoostClassifier(emphasis=Neighbour(DynamicMixed()), n_estimators=3),
    RealAdaBoostClassifier(emphasis=Controlled(), design_emphasis=Controlled(), n_estimators=3),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skops"


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(60, noise=0.2, random_state=0)
    return RealAdaBoostClassifier(n_estimators=3, random_state=0).fit(X, y)


@pytest.mark.parametrize("estimator", [*ESTIMATORS, *EMPHASES], ids=name)
def test_every_estimator_comes_back_with_equal_predictions(estimator, path):
    X, y = problem(2)
    fitted = seeded(estimator).fit(X, y)
    save(fitted, path)
    again = load(path)
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert type(again) is type(fitted)


def test_a_blend_with_gradient_boosted_trees_comes_back(path):
    X = np.random.default_rng(0).random((1000, 4))  # from a thousand rows on they are tried, and sharp edges suit them
    y = (X[:, 0] > 0.3) ^ (X[:, 1] > 0.6)
    fitted = EmphaticClassifier(random_state=0).fit(X, y)
    assert any(isinstance(one.candidate, GradientTrees) for one in fitted.best_model_.members)
    save(fitted, path)
    again = load(path)
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert again.explain() == fitted.explain()
    pd.testing.assert_frame_equal(again.search_results_, fitted.search_results_)


def test_a_table_of_text_comes_back(path):
    table = pd.DataFrame({"colour": ["red", "blue", None] * 10, "age": np.arange(30.0)})
    y = np.where(table["age"] > 14, "old", "young")
    fitted = make_pipeline(TableTransformer(), KNeighborsClassifier(3)).fit(table, y)
    save(fitted, path, columns={one.name: one.kind for one in decide_columns(table)}, training={"rows": 30})
    saved = read(path)
    np.testing.assert_array_equal(saved.model.predict_proba(table), fitted.predict_proba(table))
    assert saved.columns == {"colour": "text", "age": "numbers"}
    assert (saved.classes, saved.training) == (["old", "young"], {"rows": 30})
    assert saved.versions["emphatic"] == emphatic.__version__


DANGEROUS = [
    "builtins.eval", "builtins.exec", "builtins.compile", "builtins.getattr", "builtins.__import__", "builtins.open",
    "os.system", "os.popen", "os.remove", "posix.system", "subprocess.Popen", "subprocess.run", "shutil.rmtree",
    "pathlib.PosixPath", "importlib.import_module", "pickle.loads", "marshal.loads", "ctypes.CDLL", "runpy.run_path",
    "types.FunctionType", "types.CodeType", "operator.methodcaller", "operator.attrgetter", "functools.reduce",
    "joblib.load", "numpy.load", "pandas.read_pickle", "sklearn.datasets.fetch_openml", "sklearn.utils.Bunch",
    "emphatic.cli.main", "emphatic.study.store.store.Store", "emphatic.files.write_atomically",
    "emphatic.persistence.file.load",
]  # fmt: skip
"""Functions and classes that do something when they are called or made."""


def find(place):
    module, _, found = place.rpartition(".")
    return module, found, getattr(importlib.import_module(module), found)


@pytest.mark.parametrize("trusted", sorted(TRUSTED - HELD_FUNCTIONS))
def test_trusted_types_are_classes_of_ours_or_of_scikit_learn(trusted):
    module, name_of_class, found = find(trusted)
    assert module.startswith(("emphatic.", "sklearn."))
    assert isinstance(found, type), "a function could be called with arguments from the file"
    assert (found.__module__, found.__qualname__) == (module, name_of_class), (
        "a foreign class that is only imported there"
    )
    assert (trusted in OURS) == module.startswith("emphatic.")


@pytest.mark.parametrize("trusted", sorted(OURS))
def test_our_trusted_types_only_keep_what_they_are_given(trusted):
    own = [base for base in find(trusted)[2].__mro__ if base.__module__.startswith("emphatic")]
    hooks = {"__reduce__", "__reduce_ex__", "__setstate__", "__del__", "__init_subclass__"}
    found = {(base.__name__, hook) for base in own for hook in hooks & set(vars(base))}
    assert found <= {("ClassTreeClassifier", "__setstate__")}, "which makes a dictionary of pairs"
    assert not {"commands", "study", "papers", "files", "cli"} & set(trusted.split("."))


def test_the_list_of_trusted_types_holds_two_functions_and_nothing_dangerous():
    assert HELD_FUNCTIONS == {"functools.partial", "sklearn.utils.validation.check_array"}
    assert TRUSTED == OURS | SCIKIT_LEARNS | HELD_FUNCTIONS
    assert TRUSTED.isdisjoint(DANGEROUS)


class Hostile:
    """On its way out of a pickle it would leave a file."""

    def __reduce__(self):
        return Path.touch, (Path("harmed"),)


def test_a_hostile_type_is_refused_by_name_and_not_made(path, tmp_path, monkeypatch, moons):
    monkeypatch.chdir(tmp_path)
    moons_and_more = {"format": 1, "model": moons, "columns": [], "versions": {}, "training": {"x": Path("harmed")}}
    path.write_bytes(skops.dumps(moons_and_more))
    with pytest.raises(ModelFileError, match=r"refused: type pathlib\.\w*Path is not on the list of trusted types"):
        load(path)
    assert not Path("harmed").exists()


@pytest.mark.parametrize("dangerous", DANGEROUS)
def test_a_schema_that_names_something_dangerous_is_refused(path, moons, dangerous):
    """A file made by hand, in which a class of ours is exchanged for something that acts."""
    save(moons, path)
    with zipfile.ZipFile(path) as whole:
        parts = {part: whole.read(part) for part in whole.namelist()}
    schema = parts["schema.json"].decode()
    assert '"RealAdaBoostClassifier"' in schema
    module, _, called = dangerous.rpartition(".")
    changed = schema.replace('"RealAdaBoostClassifier"', f'"{called}"')
    changed = changed.replace('"emphatic.boosting.real_adaboost"', f'"{module}"')
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for part, content in {**parts, "schema.json": changed.encode()}.items():
            made.writestr(part, content)
    path.write_bytes(buffer.getvalue())
    with pytest.raises(ModelFileError, match=rf"refused: type {module}\.{called} is not on the list of trusted types"):
        load(path)


def test_a_pickle_is_no_model(path, tmp_path, monkeypatch):
    import pickle

    monkeypatch.chdir(tmp_path)
    path.write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(ModelFileError, match="is not a model that emphatic saved"):
        load(path)
    assert not Path("harmed").exists()


class Stranger(BaseEstimator):
    def predict(self, X):
        return X


def test_what_could_not_be_loaded_is_not_saved(path):
    with pytest.raises(ModelFileError, match=r"Stranger cannot be saved: type .*test_file\.Stranger"):
        save(Stranger(), path)
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not a model", "ä".encode()])
def test_damaged_files_say_so(path, content):
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"model\.skops is not a model that emphatic saved"):
        load(path)


def test_a_truncated_file_and_a_missing_one(path, moons):
    save(moons, path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ModelFileError, match="is not a model"):
        load(path)
    with pytest.raises(ModelFileError, match="there is no file"):
        load(path.with_name("other.skops"))
    with pytest.raises(ModelFileError, match="cannot read"):
        load(path.parent)


def test_a_newer_format_and_a_file_without_classifier(path, moons):
    content = {"model": moons, "columns": [], "versions": {}, "training": {}}
    path.write_bytes(skops.dumps({"format": 2, **content}))
    with pytest.raises(ModelFileError, match="written by a newer version of emphatic"):
        load(path)
    path.write_bytes(skops.dumps({"format": 1, **content, "model": [1, 2]}))
    with pytest.raises(ModelFileError, match="does not hold a classifier"):
        load(path)


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path, moons):
    with pytest.raises(OSError, match="its folder does not exist"):
        save(moons, tmp_path / "missing" / "model.skops")
    assert not list(tmp_path.iterdir())


def test_columns_are_found_by_name():
    saved = Saved(model=None, columns={"age": "numbers", "size": "text"})
    table = pd.DataFrame({"more": [1], "size": ["s"], "age": [3]})
    X, extra = saved.arrange_columns(table)
    assert (list(X.columns), extra) == (["age", "size"], ["more"])
    with pytest.raises(ValueError, match=r"the table lacks columns that the model needs: size \(near: siez\)"):
        saved.arrange_columns(pd.DataFrame({"age": [1], "siez": ["s"]}))
    with pytest.raises(ValueError, match="column age held numbers in training and now holds 'old' at index 1"):
        saved.arrange_columns(pd.DataFrame({"age": ["3", "old"], "size": ["s", "l"]}))


def test_a_saved_model_without_names_has_no_columns():
    assert Saved(model=None).columns == {}
    assert json.dumps(Saved(model=None).training) == "{}"
