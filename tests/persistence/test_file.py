"""Models as files: every estimator comes back as it was; a file is only data. Hostile files: test_hostile.py."""

import dataclasses
import json
import pickle
from copy import copy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_iris, make_moons
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import emphatic
from emphatic import (
    ClassTreeClassifier,
    EmphaticClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    FuzzyCMeans,
    MultiViewForestClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.auto.candidates.gradient import GradientTrees
from emphatic.base import Emphasis
from emphatic.clustering import (
    EntropyCMeans,
    EvidentialCMeans,
    FuzzyKMedoids,
    GustafsonKessel,
    NoiseCMeans,
    PossibilisticCMeans,
)
from emphatic.emphasis import (
    Annealed,
    Averaged,
    Capped,
    Controlled,
    DynamicMixed,
    FuzzyEntropy,
    Mixed,
    Neighbour,
    PatternType,
    Undersampled,
    Uniform,
)
from emphatic.learners.stored_trees import StoredTrees
from emphatic.persistence import ModelFileError, Saved, check_savable, load, read, save
from emphatic.persistence.classes import CLASSES, FOREIGN, OURS
from emphatic.persistence.file import LARGEST_HEADER, ZIP
from emphatic.tables import TableTransformer, decide_columns
from emphatic.tables.decision import Decision
from emphatic.tables.profile import Differences, Profile
from tests.test_contract import ESTIMATORS, name, problem, seeded

MORE = [
    RealAdaBoostClassifier(
        ParallelPerceptronClassifier(n_epochs=5), PatternType(near_noisy="majority"), n_estimators=3
    ),
    RealAdaBoostClassifier(DecisionTreeClassifier(max_depth=1), FuzzyEntropy(), n_estimators=3, keep_weights=True),
    RealAdaBoostClassifier(emphasis=Neighbour(DynamicMixed()), n_estimators=3),
    *[
        RealAdaBoostClassifier(emphasis=wrapper, n_estimators=3)
        for wrapper in (
            *(Averaged(Mixed(0.3)), Capped(Mixed(0.3), np.inf), Undersampled(Capped(Averaged(Mixed(0.3)), 2.0))),
            Annealed(Uniform(), Controlled(), rounds=2),
        )
    ],
    RealAdaBoostClassifier(emphasis=Controlled(), design_emphasis=Controlled(), n_estimators=3),
    RealAdaBoostClassifier(make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=2)), n_estimators=3),
    FuzzyBoostClassifier(n_estimators=4, n_deflections=1, keep_weights=True),
    FusionClassifier([("a", EmphaticClassifier(), [0, 1]), ("b", LogisticRegression(C=2.0), None)], reliability=0.9),
    ClassTreeClassifier(GaussianNB(), {"a": [0], "b": slice(0, 2)}),
    MultiViewForestClassifier({"a": [0], "b": [1]}, view_sets="all", fusion="product"),
    make_pipeline(MinMaxScaler(), RBFNetworkClassifier(random_state=0)),
    make_pipeline(TableTransformer(nominal="ordinal"), LogisticRegression()),
    RandomForestClassifier(10),
    ExtraTreesClassifier(10),
    ExtraTreeClassifier(),
]


pytestmark = pytest.mark.contract  # on the lowest versions of safetensors and scikit-learn as well

OF_CONTRACT = [one for one in ESTIMATORS if "KNeighbors" not in name(one)]  # whose samples are no fields of ours


def fit(estimator, X, y):
    return (clone(estimator) if hasattr(estimator, "steps") else seeded(estimator)).fit(X, y)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.emphatic"


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(60, noise=0.2, random_state=0)
    return RealAdaBoostClassifier(n_estimators=3, random_state=0).fit(X, y)


def assert_same_predictions(again, fitted, X):
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert again.predict(X).dtype == fitted.predict(X).dtype


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("estimator", [*OF_CONTRACT, *MORE], ids=name)
def test_every_estimator_comes_back_with_equal_predictions(estimator, n_classes, path):
    if n_classes > 2 and isinstance(getattr(estimator, "emphasis", None), PatternType):
        pytest.skip("PatternType is for two classes")
    X, y = problem(n_classes)
    fitted = fit(estimator, X, y)
    save(fitted, path)
    again = load(path)
    assert_same_predictions(again, fitted, X)
    trees = DecisionTreeClassifier, RandomForestClassifier, ExtraTreesClassifier
    assert type(again) is (StoredTrees if isinstance(fitted, trees) else type(fitted))


@pytest.mark.parametrize("estimator", [*OF_CONTRACT, *MORE], ids=name)
def test_what_came_back_can_be_saved_again_and_gives_the_same_file(estimator, path):
    X, y = problem(2)
    save(fit(estimator, X, y), path)
    first = path.read_bytes()
    save(load(path), path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("estimator", OF_CONTRACT, ids=name)
def test_public_attributes_and_parameters_come_back(estimator, path):
    X, y = problem(2)
    fitted = seeded(estimator).fit(pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])]), y)
    save(fitted, path)
    vars(fitted).pop("out_of_fold_", None)  # of the last fit, in memory only
    again = load(path)
    assert {key for key in vars(fitted) if key.endswith("_")} <= {*vars(again), "best_model_"}
    assert repr(again) == repr(fitted)
    for key, value in vars(fitted).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(again, key), value)


@pytest.mark.parametrize("estimator", [MORE[1], FuzzyBoostClassifier(n_estimators=3), RBFNetworkClassifier()], ids=name)
def test_a_loaded_model_can_be_trained_again(estimator, path):
    X, y = problem(2)
    fitted = fit(estimator, X, y)
    save(fitted, path)
    np.testing.assert_array_equal(load(path).fit(X, y).predict_proba(X), fitted.predict_proba(X))


def test_clusters_come_back(path):
    X, _ = load_iris(return_X_y=True)
    for table in (X, X.astype(np.float32)):
        fitted = FuzzyCMeans(3, random_state=0).fit(table)
        save(fitted, path)
        np.testing.assert_array_equal(load(path).predict_membership(table), fitted.predict_membership(table))


@pytest.mark.parametrize(
    "model",
    [
        EntropyCMeans(3),
        EvidentialCMeans(3, noise_distance=np.inf),
        FuzzyKMedoids(3),
        FuzzyKMedoids(3, metric="precomputed"),
        GustafsonKessel(3),
        NoiseCMeans(3, noise_distance=np.inf),
        PossibilisticCMeans(3),
    ],
    ids=name,
)
def test_clusters_of_every_kind_come_back(model, path):
    X, _ = load_iris(return_X_y=True)
    if getattr(model, "metric", "") == "precomputed":
        X = cdist(X, X)
    fitted = seeded(model).fit(X)
    save(fitted, path)
    np.testing.assert_array_equal(load(path).predict_membership(X), fitted.predict_membership(X))
    np.testing.assert_array_equal(load(path).predict(X), fitted.labels_)


@pytest.mark.parametrize("labels", [[False, True], [-1, 1], [1.0, 2.0], ["no", "yes"],
                                    np.array(["ä", "ß"], dtype=object)], ids=str)  # fmt: skip
def test_labels_of_every_type_come_back(labels, path):
    X, y = make_moons(40, random_state=0)
    fitted = RBFNetworkClassifier(random_state=0).fit(X, np.asarray(labels)[y])
    save(fitted, path)
    assert load(path).classes_.dtype == fitted.classes_.dtype
    assert_same_predictions(load(path), fitted, X)


def test_trees_with_missing_values_come_back(path):
    X, y = make_moons(200, noise=0.3, random_state=0)
    X = X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
    save(fitted, path)
    assert_same_predictions(load(path), fitted, X)
    with pytest.raises(ValueError, match="come from a file and cannot be trained"):
        load(path).fit(X, y)


def test_a_blend_with_gradient_boosted_trees_comes_back(path):
    X = np.random.default_rng(0).random((1000, 4))  # from a thousand rows on they are tried, and sharp edges suit them
    y = (X[:, 0] > 0.3) ^ (X[:, 1] > 0.6)
    fitted = EmphaticClassifier(random_state=0).fit(X, y)
    assert any(isinstance(one.candidate, GradientTrees) for one in fitted.best_model_.members)
    save(fitted, path)
    again = load(path)
    assert_same_predictions(again, fitted, X)
    assert again.explain() == fitted.explain()
    assert list(map(str, again.best_model_.members)) == list(map(str, fitted.best_model_.members))
    pd.testing.assert_frame_equal(again.search_results_, fitted.search_results_)


def test_a_table_of_text_comes_back(path):
    table = pd.DataFrame({"colour": ["red", "blue", None] * 10, "age": np.arange(30.0) ** 2, "none": [np.nan] * 30})
    y = np.where(table["age"] > 200, "old", "young")
    fitted = make_pipeline(TableTransformer(), LogisticRegression()).fit(table, y)
    kinds = {one.name: one.kind for one in decide_columns(table) if not one.left_out}
    save(fitted, path, columns=kinds, training={"rows": 30})
    saved = read(path)
    np.testing.assert_array_equal(saved.model.predict_proba(table), fitted.predict_proba(table))
    assert saved.columns == {"colour": "category", "age": "number"}
    assert (saved.classes, saved.training) == (["old", "young"], {"rows": 30})
    assert saved.versions["emphatic"] == emphatic.__version__


def test_a_profile_comes_back_and_says_the_same(path):
    """Its decisions are those of the model, and are written once."""
    table = pd.DataFrame(
        {"age": np.arange(30.0) ** 2, "paid": ["TRUE", "FALSE"] * 15, "colour": ["red", "blue", "green"] * 10}
    ).assign(note="some words, the same", day=pd.date_range("2024-01-31", periods=30))
    decisions = decide_columns(table, columns={"note": "text"})
    pipeline = make_pipeline(TableTransformer(columns={one.name: one for one in decisions}), LogisticRegression())
    fitted = pipeline.fit(table, np.arange(30) % 2)
    profile = Profile.learn(table, fitted[0].columns_)
    save(fitted, path, columns={one.name: one.kind for one in decisions}, profile=profile)
    saved = read(path)
    for one, other in zip(saved.profile.columns, profile.columns, strict=True):
        assert (type(one), one.name, one.kind) == (type(other), other.name, other.kind)
        np.testing.assert_array_equal(one.counts, other.counts)
    other = table.assign(age=-1.0, paid="maybe", colour=None, note="else", day=pd.Timestamp("2025-01-01"))
    remarks = []
    for each in (profile, saved.profile):
        differences = Differences(each)
        differences.add(other)
        remarks.append(differences.list_remarks())
    assert remarks[0] == remarks[1]
    assert len(remarks[0]) == 6
    assert read_parts(path)["model.json"].tobytes().count(b'"class":"Decision"') == 5


def test_a_profile_that_is_none_is_refused(path, moons):
    with pytest.raises(TypeError, match="profile must be a Profile"):
        save(moons, path, profile={"age": 3})
    profile = Profile.learn(pd.DataFrame({"age": [1, 2]}), [Decision("age", "number")])
    with pytest.raises(ModelFileError, match="the profile is about columns that the model does not have"):
        save(moons, path, columns={"aeg": "number"}, profile=profile)


@pytest.mark.parametrize("value", [None, True, -3, 0.1, float("inf"), "text", [1, [2]], (1, "a"), {"a": (1,), 2: None},
                                   slice(1, None), {"empty": {}}], ids=str)  # fmt: skip
def test_plain_values_come_back(value, path, moons):
    save(moons, path, training={"value": value})
    again = read(path).training["value"]
    assert (again, type(again)) == (value, type(value))


def test_a_classifier_that_trees_share_is_stored_once(path):
    X, y = load_iris(return_X_y=True)
    forest = MultiViewForestClassifier({"a": [0, 1], "b": [2, 3]}, view_sets="all", dedupe=False, random_state=0)
    forest.fit(X, y)
    save(forest, path)
    trees = load(path).estimators_
    shared = [id(one) for tree in trees for one in tree.classifiers_.values()]
    assert len(set(shared)) < len(shared)


class Stranger(BaseEstimator):
    def predict(self, X):
        return X


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Stranger(), "Stranger cannot be saved: is of the class Stranger, which cannot be saved as data: use learners"),
        (RealAdaBoostClassifier(KNeighborsClassifier()), r"estimator is of the class KNeighborsClassifier"),
        (make_pipeline(FunctionTransformer(), RBFNetworkClassifier()), r"steps\[0\]\[1\] is of the class FunctionTra"),
        (FusionClassifier([("a", GaussianNB(), lambda X: [0])]), r"members\[0\]\[2\] is a function, which is code"),
        (type("RBFNetworkClassifier", (Stranger,), {})(), "is of the class RBFNetworkClassifier, which cannot be"),
    ],
)
def test_what_could_not_be_loaded_is_not_saved(path, model, message):
    with pytest.raises(ModelFileError, match=message):
        check_savable(model)
    with pytest.raises(ModelFileError, match=message):
        save(model, path)
    assert not path.exists()


class OwnEmphasis(Emphasis):
    def update(self, stage):
        return stage.weights


def test_an_ensemble_with_an_emphasis_of_ones_own_is_saved_without_it(path):
    X, y = problem(2)
    model = RealAdaBoostClassifier(emphasis=OwnEmphasis(), n_estimators=3, random_state=0).fit(X, y)
    with pytest.raises(ModelFileError, match=r"emphasis is of the class OwnEmphasis, .* this parameter is None"):
        save(model, path)
    save(copy(model).set_params(emphasis=None), path)
    assert_same_predictions(load(path), model, X)


def test_a_search_names_what_to_save_instead(path):
    X, y = problem(2)
    search = GridSearchCV(RBFNetworkClassifier(random_state=0), {"regularisation": [1e-4, 1e-2]}, cv=2).fit(X, y)
    with pytest.raises(ModelFileError, match="is a GridSearchCV, which cannot be saved: save its best_estimator_"):
        save(search, path)
    save(search.best_estimator_, path)


def test_a_model_with_an_array_of_another_type_is_refused(path, moons):
    with pytest.raises(ModelFileError, match="holds an array of complex128, which cannot be saved"):
        save(moons, path, training={"values": np.zeros(2, dtype=complex)})


@pytest.mark.parametrize("known", OURS, ids=lambda known: known.__name__)
def test_our_classes_only_keep_what_they_are_given(known):
    """No hook of a class of ours could act while a file is read; what is not an estimator has only declared fields."""
    own = [base for base in known.__mro__ if base.__module__.startswith("emphatic")]
    hooks = {"__reduce__", "__reduce_ex__", "__setstate__", "__del__", "__init_subclass__", "__setattr__"}
    found = {hook for base in own for hook in hooks & set(vars(base))}
    assert found <= {"__setattr__"}, "which frozen dataclasses have"
    if not hasattr(known, "get_params") and not hasattr(known, "from_saved"):
        named = known._fields if hasattr(known, "_fields") else [one.name for one in dataclasses.fields(known)]
        assert list(known.saved_fields) == list(named)


def test_fields_do_not_hide_methods():
    """A field of the name of a method would replace it: what a file says must never be called."""
    for known in CLASSES.values():
        fields = FOREIGN[known].fields if known in FOREIGN else getattr(known, "saved_fields", {})
        for field in fields:
            assert not callable(getattr(known, field, None)), (known, field)


def read_parts(path):
    return load_tensors(path.read_bytes())


def test_the_file_is_a_safetensors_file_with_a_tree_of_json(path, moons):
    save(moons, path)
    parts = read_parts(path)
    tree = json.loads(parts["model.json"].tobytes())
    assert set(tree) == {"format", "model", "columns", "versions", "training"}
    assert tree["model"]["class"] == "RealAdaBoostClassifier"
    assert set(parts) == {"model.json", "checksum", *map(str, range(len(parts) - 2))}
    assert parts[str(tree["model"]["fields"]["alphas_"])].tolist() == moons.alphas_.tolist()


@pytest.mark.parametrize("content", [b"", b"{}", b"not a model, but text of some length", "ä".encode(), bytes(64),
                                     save_tensors({"x": np.zeros(3)}), pickle.dumps(Path("x"))])  # fmt: skip
def test_other_files_are_no_models(path, content):
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"model\.emphatic is (not a model|a safetensors file, but not a model)"):
        load(path)


def test_files_of_an_earlier_version_are_refused_in_one_sentence(path):
    path.write_bytes(b"PK\x03\x04" + bytes(50))
    with pytest.raises(ModelFileError, match=r"is a zip archive, such as emphatic 0\.1 wrote .* save the model again"):
        load(path)


def test_a_header_whose_size_looks_like_the_beginning_of_an_archive_is_none(path, moons):
    """Its size comes first: 0x4B50 bytes would begin with the letters PK."""
    save(moons, path, training={"padding": [np.zeros(1) for _ in range(200)]})
    header = int.from_bytes(path.read_bytes()[:8], "little")
    text = path.read_bytes()[8 : 8 + header].rstrip()
    assert len(text) <= 0x4B50
    path.write_bytes((0x4B50).to_bytes(8, "little") + text.ljust(0x4B50) + path.read_bytes()[8 + header :])
    assert path.read_bytes()[:2] == b"PK"
    assert len(load(path).estimators_) == 3
    assert all(int.from_bytes(begin, "little") > LARGEST_HEADER for begin in ZIP)


def test_a_truncated_file_a_missing_one_and_a_folder(path, moons):
    save(moons, path)
    whole = path.read_bytes()
    for size in (1, 9, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ModelFileError, match="is not a model that emphatic saved"):
            load(path)
    with pytest.raises(ModelFileError, match="there is no file"):
        load(path.with_name("other.emphatic"))
    with pytest.raises(ModelFileError, match=r"cannot read .* it is a folder"):
        load(path.parent)


def test_a_newer_format(path, moons, monkeypatch):
    monkeypatch.setattr("emphatic.persistence.file.FORMAT", 3)
    save(moons, path)
    monkeypatch.undo()
    with pytest.raises(ModelFileError, match="was written by a newer version of emphatic: update"):
        load(path)


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path, moons):
    with pytest.raises(OSError, match="its folder does not exist"):
        save(moons, tmp_path / "missing" / "model.emphatic")
    assert not list(tmp_path.iterdir())


def test_columns_are_found_by_name():
    """And text is read as numbers for a model that cannot do so itself."""
    saved = Saved(model=None, columns={"age": "numbers", "size": "text"})
    table = pd.DataFrame({"more": [1], "size": ["s"], "age": [3]})
    X, extra = saved.arrange_columns(table)
    assert (list(X.columns), extra) == (["age", "size"], ["more"])
    X, _ = saved.arrange_columns(pd.DataFrame({"age": ["3", "NA", None], "size": ["1", "2", "NA"]}))
    np.testing.assert_array_equal(X["age"], [3.0, np.nan, np.nan])
    assert X["size"].tolist() == ["1", "2", "NA"]
    with pytest.raises(ValueError, match=r"the table lacks columns that the model needs: size \(near: siez\)"):
        saved.arrange_columns(pd.DataFrame({"age": [1], "siez": ["s"]}))
    with pytest.raises(ValueError, match="column 'age' holds 'old', which is not a number"):
        saved.arrange_columns(pd.DataFrame({"age": ["3", "old"], "size": ["s", "l"]}))


def test_a_saved_model_without_names_has_no_columns():
    assert Saved(model=None).columns == {}
    assert json.dumps(Saved(model=None).training) == "{}"
