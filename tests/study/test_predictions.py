"""Predictions as a fit makes them, as bytes, and as a study keeps and finds them."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC, LinearSVC

from emphatic.study import (
    FailedFitsWarning,
    InnerFolds,
    Limits,
    Method,
    PredefinedOrPartitions,
    Predictions,
    Store,
    StoreError,
    Study,
    TaskKey,
    in_processes,
    run_studies,
)
from emphatic.study.fit import fit_and_score
from emphatic.study.packed import Arrays, Damaged, pack, unpack
from emphatic.study.predictions import predict_rows
from emphatic.study.store import Claim
from emphatic.study.tasks import read_item
from tests.study.fakes import FakeProblem, as_is, build_boosted, build_if_allowed, build_tree, errors, make_study

KEY = TaskKey("t", "p", "m", "{}", "s", 0)
CLASSES = st.one_of(
    st.lists(st.text(max_size=4).filter(lambda text: "\0" not in text), min_size=1, max_size=5, unique=True),
    st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=5, unique=True),
    st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=5, unique=True),
    st.just([False, True]),
)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        yield store


def keeping(**given):
    return replace(make_study(**given), keep_predictions=True)


def contents(study, store):
    """All that is kept, as something that can be compared."""
    return {kept.key: (kept.rows.tobytes(), kept.probabilities.tobytes()) for kept in study.predictions(store)}


@given(CLASSES, st.integers(0, 9), st.integers(0, 99), st.sampled_from(["probabilities", "scores", None]))
def test_predictions_come_back_as_they_were(classes, n, seed, kind):
    rng = np.random.default_rng(seed)
    columns = {"probabilities": len(classes), "scores": 3}
    numbers = {kind: rng.normal(size=(n, columns[kind])).astype(np.float32)} if kind else {}
    given = np.array(classes)
    before = Predictions(KEY, rng.permutation(50)[:n], given, given[rng.integers(len(classes), size=n)], **numbers)
    after = Predictions.unpack(KEY, before.pack())
    assert after.key == KEY
    for name in ("rows", "classes", "labels", "probabilities", "scores"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))
        assert getattr(after, name) is None or getattr(after, name).dtype == getattr(before, name).dtype


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int32])
def test_row_numbers_of_any_type_come_back(dtype):
    labels = np.array([0, 1, 0])
    packed = Predictions(KEY, np.array([200, 3, 100], dtype=dtype), np.array([0, 1]), labels).pack()
    assert Predictions.unpack(KEY, packed).rows.tolist() == [200, 3, 100]


def test_any_changed_byte_is_noticed():
    rng = np.random.default_rng(0)
    found = Predictions(KEY, np.arange(9), np.array([3, 5]), np.repeat([3, 5, 3], 3), rng.random((9, 2)))
    packed = found.pack()
    changed = [packed._replace(n_rows=8), packed._replace(classes="[3, 6]"), packed._replace(kind="scores")]
    changed += [packed._replace(n_columns=1), packed._replace(digest=packed.digest[:-1]), packed._replace(n_rows=None)]
    for place in range(len(packed.content)):
        content = bytearray(packed.content)
        content[place] ^= 1 << rng.integers(8)
        changed.append(packed._replace(content=bytes(content)))
    for one in changed:
        with pytest.raises(Damaged, match="were changed after they were kept"):
            Predictions.unpack(KEY, one)
    with pytest.raises(Damaged, match=r"t, p, m, \{\}, s, 1, "):
        Predictions.unpack(KEY._replace(seed=1), packed)  # those of another fit


@pytest.mark.parametrize(
    ("classes", "kind", "codes", "n_columns"),
    [
        (["a", "b"], "probabilities", [0, 1], 3),
        (["a", "b"], "probabilities", [0, 2], 2),
        (["a", "b"], "probabilities", [0, -1], 2),
        (["a", "b"], "labels", [0, 1], 2),
        (["a", "b"], "scores", [0, 1], 0),
        (["a", "b"], "pickle", [0, 1], 2),
        (["a", 1], "probabilities", [0, 1], 2),
        ([["a"], ["b"]], "probabilities", [0, 1], 2),
        ({"a": 0}, "probabilities", [0, 0], 1),
    ],
)
def test_what_was_written_to_deceive_is_refused(classes, kind, codes, n_columns):
    """With a right digest: it protects from damage, not from somebody who writes a file."""
    arrays = Arrays(np.arange(2), np.array(codes), np.zeros((2, n_columns), dtype=np.float32))
    with pytest.raises(Damaged, match="do not fit their classes"):
        unpack(KEY, pack(KEY, classes, kind, arrays))


@pytest.mark.parametrize(("n_rows", "n_columns"), [(3, 2), (1, 2), (-1, 2), (2, 10**15), (10**18, 2)])
def test_content_of_another_length_is_refused(monkeypatch, n_rows, n_columns):
    monkeypatch.setattr("emphatic.study.packed._digest", lambda *parts: b"")
    arrays = Arrays(np.arange(2), np.zeros(2, dtype=int), np.zeros((2, 2), dtype=np.float32))
    packed = pack(KEY, ["a", "b"], "probabilities", arrays)
    with pytest.raises(Damaged, match="wrong length"):
        unpack(KEY, packed._replace(n_rows=n_rows, n_columns=n_columns))
    with pytest.raises(Damaged, match="cannot be decompressed"):
        unpack(KEY, packed._replace(content=b"no"))


class Bare:
    """Predicts and nothing else, as the contract of a study demands."""

    def predict(self, X):
        return np.where(X[:, 0] > 0, "yes", "no")


def test_what_a_classifier_offers_is_kept():
    problem = FakeProblem()
    X, y, rows = problem.X[:60], problem.y[:60], np.arange(60, 120)
    tests = problem.X[60:]
    tree = build_tree({"depth": 2}, 0).fit(X, y)
    found = predict_rows(tree, tests, KEY, rows)
    np.testing.assert_array_equal(found.probabilities, tree.predict_proba(tests).astype(np.float32))
    np.testing.assert_array_equal(found.labels, tree.predict(tests))
    assert (found.classes.tolist(), found.scores, found.rows is rows) == (["no", "yes"], None, True)
    svc = LinearSVC().fit(X, y)
    found = predict_rows(svc, tests, KEY, rows)
    np.testing.assert_array_equal(found.scores, svc.decision_function(tests).astype(np.float32)[:, None])
    assert found.probabilities is None
    many = SVC(decision_function_shape="ovo").fit(X, np.arange(60) % 4)
    assert predict_rows(many, tests, KEY, rows).scores.shape == (60, 6)
    found = predict_rows(Bare(), tests, KEY, rows)
    assert (found.probabilities, found.scores) == (None, None)
    np.testing.assert_array_equal(Predictions.unpack(KEY, found.pack()).labels, Bare().predict(tests))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros((3, 2)), r"decision_function returned an array of shape \(3, 2\) for 4 rows"),
        (np.zeros((4, 2, 2)), r"returned an array of shape \(4, 2, 2\)"),
        (np.array([0, 1, np.nan, 2]), "NaN or infinity for 1 of 4 rows"),
        (np.array([0, 1, 1e300, 2]), "NaN or infinity for 1 of 4 rows"),  # single precision has no such number
    ],
)
def test_odd_scores_are_refused(answer, message):
    class Odd(Bare):
        classes_ = np.array(["no", "yes"])

        def decision_function(self, X):
            return answer

    with pytest.raises(ValueError, match=message):
        predict_rows(Odd(), np.zeros((4, 1)), KEY, np.arange(4))


def test_what_is_not_allowed_is_said():
    rows, classes, labels = np.arange(2), np.array(["a", "b"]), np.array(["a", "b"])
    with pytest.raises(ValueError, match=r"labels has shape \(2,\): .* must be \(3,\)"):
        Predictions(KEY, np.arange(3), classes, labels)
    with pytest.raises(ValueError, match=r"probabilities has shape \(2, 3\): .* must be \(2, 2\)"):
        Predictions(KEY, rows, classes, labels, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="only one of them"):
        Predictions(KEY, rows, classes, labels, np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="'c' were predicted, but are not among the classes"):
        Predictions(KEY, rows, classes, np.array(["a", "c"])).pack()
    with pytest.raises(TypeError, match="the classes are of type date"):
        Predictions(KEY, rows, np.array(["2026-01-01", "2026-01-02"], "M8[D]"), labels).pack()
    with pytest.raises(ValueError, match="keep_predictions='yes'"):
        replace(make_study(), keep_predictions="yes")


def test_kept_predictions_give_the_errors_of_the_records(store):
    study = keeping(n_runs=3)
    study.run(store, progress=False)
    y = study.problems[0].y
    found = list(study.predictions(store))
    assert [kept.key for kept in found] == [task.key for task in study.tasks()]
    for kept, task in zip(found, study.tasks(), strict=True):
        np.testing.assert_array_equal(kept.rows, task.split.test)
        assert np.mean(kept.labels != y[kept.rows]) == errors(store)[kept.key]["error"]
        np.testing.assert_array_equal(kept.classes[kept.probabilities.argmax(axis=1)], kept.labels)


def test_inner_folds_give_out_of_fold_predictions_of_the_training_part(store):
    study = keeping(depths=(2,), problem=FakeProblem(predefined=True), folds=True, n_runs=1)
    assert isinstance(study.protocol, InnerFolds)
    study.run(store, progress=False)
    rows = np.concatenate([kept.rows for kept in study.predictions(store)])
    np.testing.assert_array_equal(np.sort(rows), np.arange(60))  # each once


def test_records_are_the_same_with_and_without_predictions(store, tmp_path):
    keeping().run(store, progress=False)
    with Store(tmp_path / "other.sqlite") as other:
        make_study().run(other, progress=False)
        assert errors(other) == errors(store)
        assert next(other.records()).predictions is None


@pytest.mark.parametrize("options", [{"n_jobs": 2}, {"limits": Limits(seconds=60)}], ids=["processes", "limits"])
def test_predictions_do_not_depend_on_where_a_fit_runs(store, tmp_path, options):
    study = keeping(n_runs=3)
    study.run(store, progress=False)
    with Store(tmp_path / "other.sqlite") as other:
        study.run(other, progress=False, **options)
        assert contents(study, other) == contents(study, store)


def test_fits_in_step_keep_their_predictions(store):
    method = Method("boosted", build_boosted, [{"rounds": n} for n in (1, 5)], as_is, together=4)
    study = Study("t", [method], [FakeProblem()], PredefinedOrPartitions(3), keep_predictions=True)
    study.run(store, progress=False)
    assert len(contents(study, store)) == 6


def test_a_study_goes_on_and_keeps_what_it_adds(store):
    keeping(n_runs=2).run(store, progress=False)
    more = keeping(n_runs=4)
    assert more.run(store, progress=False).n_done == 6
    assert len(contents(more, store)) == 12


def test_finished_fits_get_predictions_only_if_asked(store, tmp_path):
    make_study(n_runs=2).run(store, progress=False)
    before = errors(store)
    study = keeping(n_runs=3)
    assert study.run(store, progress=False).n_done == 3  # the new run
    assert {key.seed or key.split for key in contents(study, store)} == {"partition-2"}
    assert study.run(store, progress=False, add_predictions=True).n_done == 6
    assert study.run(store, progress=False, add_predictions=True).n_done == 0
    assert len(contents(study, store)) == 9
    assert {key: errors(store)[key] for key in before} == before
    with Store(tmp_path / "other.sqlite") as other:
        study.run(other, progress=False)
        assert contents(study, other) == contents(study, store)


def test_processes_that_add_predictions_share_the_work(store):
    study = keeping(n_runs=2)
    make_study(n_runs=2).run(store, progress=False)
    first, *_, last = tasks = list(study.tasks())
    with Store(store.path) as other:

        def engine(function, items):
            for batch in items:
                if read_item(batch)[0].key == first.key:
                    assert other.claim([first.key], with_predictions=True) is Claim.TAKEN
                    assert other.claim([last.key], with_predictions=True) is Claim.MINE
                    other.append(*fit_and_score([last]))
                yield function(batch)

        assert run_studies([study], store, engine, progress=False, add_predictions=True).n_done == 5
    assert set(contents(study, store)) == {task.key for task in tasks}


def test_a_fit_that_fails_when_it_is_repeated_loses_nothing(store, tmp_path):
    permission = tmp_path / "permission"
    permission.touch()
    build = partial(build_if_allowed, permission=str(permission))
    make_study(build, n_runs=1).run(store, progress=False)
    before = errors(store)
    permission.unlink()
    study = replace(make_study(build, n_runs=1), keep_predictions=True)
    with pytest.warns(FailedFitsWarning, match="1 fit of study"):
        study.run(store, progress=False, add_predictions=True)
    assert errors(store) == before
    assert {kept.key.setting for kept in study.predictions(store)} == {'{"depth":1}', '{"depth":3}'}


def test_adding_needs_a_study_that_keeps(store):
    with pytest.raises(ValueError, match="add_predictions=True needs keep_predictions=True, which fake-1 lacks"):
        run_studies([keeping(), make_study()], store, in_processes(1), add_predictions=True)
    with pytest.raises(ValueError, match="add_predictions=1"):
        keeping().run(store, add_predictions=1)


def test_predictions_are_chosen_by_name(store):
    trees = Method("tree", build_tree, [{"depth": 1}, {"depth": 2}], as_is)
    boosted = Method("boosted", build_boosted, [{"rounds": 3}], as_is)
    problems = [FakeProblem(), FakeProblem("other")]
    study = Study("t", [trees, boosted], problems, PredefinedOrPartitions(2), keep_predictions=True)
    study.run(store, progress=False)

    def n_found(**wanted):
        return len(list(study.predictions(store, **wanted)))

    assert n_found() == 12
    assert n_found(problem="other") == 6
    assert n_found(problem="other", method="tree") == 4
    assert n_found(method="tree", setting={"depth": 2}) == 4
    [one] = study.predictions(store, problem="fake", method="boosted", split="partition-1")
    assert one.key == TaskKey("t", "fake", "boosted", '{"rounds":3}', "partition-1", 0)
    with pytest.raises(ValueError, match="problem='iris' is not allowed: problem must be one of 'fake', 'other'"):
        study.predictions(store, problem="iris")
    with pytest.raises(ValueError, match="setting="):
        study.predictions(store, method="boosted", setting={"depth": 2})  # of the other method
    with pytest.raises(TypeError, match="setting='deep' is not allowed"):
        study.predictions(store, setting="deep")


def test_that_nothing_was_kept_is_said_at_once(store):
    make_study(n_runs=1).run(store, progress=False)
    with pytest.raises(
        StoreError, match=r"s\.sqlite holds no predictions of study fake-1: none were kept\. Run .*True"
    ):
        make_study(n_runs=1).predictions(store)
    keeping(n_runs=2).run(store, progress=False)
    with pytest.raises(StoreError, match="study fake-1, problem fake, split partition-0: none were kept"):
        keeping(n_runs=2).predictions(store, problem="fake", split="partition-0")
