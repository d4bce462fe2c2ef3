from types import SimpleNamespace

import numpy as np
import pytest

from emphatic.randomness import derive_seed
from emphatic.study import InnerFolds, PredefinedOrPartitions, RepeatedKFold
from tests.study.fakes import FakeProblem


def names(protocol, problem):
    return [(split.id, split.seed, split.fold) for split in protocol.splits(problem)]


def test_predefined_split_has_one_seed_per_run():
    splits = list(PredefinedOrPartitions(4).splits(FakeProblem(predefined=True)))
    assert [(split.id, split.seed) for split in splits] == [("predefined", seed) for seed in range(4)]
    assert splits[0].train.tolist() == list(range(60))


def test_fifty_runs_are_ten_partitions_of_five_seeds():
    found = names(PredefinedOrPartitions(50), FakeProblem())
    assert sorted(found) == sorted((f"partition-{p}", seed, "") for p in range(10) for seed in range(5))


def test_few_runs_use_that_many_partitions_and_are_a_subset():
    few, many = (names(PredefinedOrPartitions(n), FakeProblem()) for n in (3, 50))
    assert few == [(f"partition-{p}", 0, "") for p in range(3)]
    assert set(few) < set(many)


def test_partitions_are_stable_and_different():
    first, again = (list(PredefinedOrPartitions(2).splits(FakeProblem())) for _ in range(2))
    assert np.array_equal(first[0].test, again[0].test)
    assert not np.array_equal(first[0].test, first[1].test)


def test_inner_folds_stay_inside_each_training_part():
    problem = FakeProblem()
    outer = {split.id: split for split in PredefinedOrPartitions(6, 3).splits(problem)}
    inner = list(InnerFolds(PredefinedOrPartitions(6, 3), n_folds=5, n_repeats=2).splits(problem))
    assert len(inner) == 3 * 2 * 5
    for part in outer:
        for repeat in range(2):
            folds = [split for split in inner if (split.id, split.seed) == (part, repeat)]
            tested = np.concatenate([split.test for split in folds])
            assert sorted(tested) == sorted(outer[part].train)
            assert all(not set(split.train) & set(split.test) for split in folds)


def test_repeated_folds_test_every_row_once_per_repeat():
    splits = list(RepeatedKFold(n_folds=4, n_repeats=2).splits(FakeProblem()))
    assert len({split.id for split in splits}) == 8
    assert sorted(np.concatenate([split.test for split in splits[:4]])) == list(range(120))


def test_the_papers_protocols_have_as_many_fits_as_printed():
    """000: 50 runs; 001: 5 folds, repeated, then 50 trainings; 002: 10 x 10 folds; 003: 10; 004: 3 x 10."""
    for predefined in (True, False):
        assert len(names(PredefinedOrPartitions(50), FakeProblem(predefined=predefined))) == 50
    one_part = PredefinedOrPartitions(50, 1)
    assert len(names(InnerFolds(one_part, 5, 20), FakeProblem())) == 100
    assert {split for split, *_ in names(one_part, FakeProblem())} == {"partition-0"}
    for n_repeats, n_fits in ((10, 100), (1, 10), (3, 30)):
        assert len(set(names(RepeatedKFold(10, n_repeats), FakeProblem()))) == n_fits


def test_class_smaller_than_the_folds_is_in_every_training_part():
    y = np.array(["rare"] * 2 + ["common"] * 28)
    problem = SimpleNamespace(name="rare", X=np.zeros((30, 1)), y=y, train=None, test=None)
    splits = list(RepeatedKFold(10, 2).splits(problem))  # without a warning, which would be an error
    assert all((y[split.train] == "rare").any() for split in splits)
    assert sum((y[split.test] == "rare").any() for split in splits) == 4


@pytest.mark.parametrize(
    ("protocol", "wrong"),
    [
        (PredefinedOrPartitions, {"n_runs": 0}),
        (PredefinedOrPartitions, {"n_partitions": 0}),
        (RepeatedKFold, {"n_folds": 1}),
        (RepeatedKFold, {"n_repeats": 0}),
        (lambda **wrong: InnerFolds(RepeatedKFold(), **wrong), {"n_folds": 1}),
        (lambda **wrong: InnerFolds(RepeatedKFold(), **wrong), {"n_repeats": 0.5}),
    ],
)
def test_numbers_that_are_not_allowed(protocol, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        protocol(**wrong)


def test_seeds_are_fixed_numbers():
    # Golden: a change here silently orphans every store in the world.
    assert derive_seed("ripley", "predefined", 0, "") == 411785083
    assert derive_seed("a", "bc") != derive_seed("ab", "c")
