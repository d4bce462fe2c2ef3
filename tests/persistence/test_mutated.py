"""Thousands of good files, changed at random: each is refused or predicts, quickly, and none ends the process."""

import os
import random

import numpy as np
import pytest

from tests.persistence.isolated import open_judge
from tests.persistence.models import MODELS, assert_predicts, close_file, good_file, open_file
from tests.persistence.mutants import mutate

SEED = 0 if "CI" in os.environ else random.randrange(2**32)


@pytest.fixture(scope="module")
def judge():
    with open_judge() as one:
        yield one


def try_many(judge, name, n):
    ends = {"loaded": 0, "refused": 0}
    for number in range(n):
        verdict = judge(name, mutate(good_file(name), np.random.default_rng([SEED, number])))
        try:
            verdict.demand()
        except AssertionError as error:
            raise AssertionError(f"mutant {number} of {name!r}, seed {SEED}: {error}") from None
        ends[verdict.end] += 1
    return ends


@pytest.mark.parametrize("name", list(MODELS))
def test_a_file_that_is_opened_and_closed_again_is_the_same_model(name, tmp_path):
    from emphatic.persistence import load

    (tmp_path / "model").write_bytes(close_file(*open_file(good_file(name))))
    assert_predicts(load(tmp_path / "model"), name)


@pytest.mark.parametrize("name", list(MODELS))
def test_an_array_in_another_precision_compiles_no_kernel(name, judge):
    other = {np.dtype(np.float64): np.float32, np.dtype(np.float32): np.float64}
    tree, arrays = open_file(good_file(name))
    for number, array in enumerate(arrays):
        if array.dtype in other:
            with np.errstate(over="ignore"):
                changed = [*arrays[:number], array.astype(other[array.dtype]), *arrays[number + 1 :]]
            judge(name, close_file(tree, changed)).demand()


@pytest.mark.parametrize("name", list(MODELS))
def test_some_mutants(name, judge):
    ends = try_many(judge, name, 30)
    assert ends["refused"] > 10  # or the changes change nothing


@pytest.mark.slow
@pytest.mark.parametrize("name", list(MODELS))
def test_many_mutants(name, judge):
    try_many(judge, name, 500)
