"""The corpus again, and some seconds of new calls; `make fuzz HOURS=2` tries for longer."""

import os
import random

import pytest

from tests.fuzz.corpus import read_all, run, show
from tests.fuzz.engine import Tally, fuzz, reduce_all
from tests.fuzz.targets import TARGETS

SEED = 0 if "CI" in os.environ else random.randrange(2**32)
CORPUS = read_all()


def try_target(name: str, calls: int, seconds: float) -> None:
    tally = Tally()
    fuzz(name, SEED, calls=calls, seconds=seconds, tally=tally)
    reduce_all(tally)
    shown = "\n".join(f"{text}\n    {show(case)}" for case, text in tally.faults.values())
    assert not tally.faults, f"seed {SEED}: {len(tally.faults)} faults\n{shown}"
    assert tally.calls > 0


@pytest.mark.parametrize("name", list(CORPUS))
def test_what_once_failed_does_not_fail_again(name):
    run(CORPUS[name])


@pytest.mark.parametrize("name", list(TARGETS))
def test_a_few_odd_calls(name):
    try_target(name, calls=15, seconds=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(TARGETS))
def test_many_odd_calls(name):
    try_target(name, calls=500, seconds=10)
