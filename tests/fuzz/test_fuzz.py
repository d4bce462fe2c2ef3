"""The corpus again, and some seconds of new calls; `make fuzz HOURS=2` tries for longer."""

import pytest

import emphatic
import emphatic.audit
import emphatic.card
import emphatic.clustering
import emphatic.datasets
import emphatic.diversity
import emphatic.emphasis
import emphatic.fusion
import emphatic.fusion.evidence
import emphatic.learners
import emphatic.multiview
import emphatic.multiview.views
import emphatic.plot
import emphatic.selection
import emphatic.study.statistics
import emphatic.tables
import emphatic.votes
from emphatic import cli
from tests.fuzz.corpus import read_all, run, show
from tests.fuzz.engine import Tally, fuzz, reduce_all
from tests.fuzz.targets import TARGETS

SEED = 0  # the same calls in every run of the tests; `make fuzz` makes new ones
CORPUS = read_all()


PLACES = [
    *(emphatic, emphatic.audit, emphatic.clustering, emphatic.datasets, emphatic.diversity, emphatic.emphasis),
    *(emphatic.fusion, emphatic.fusion.evidence, emphatic.learners, emphatic.multiview, emphatic.multiview.views),
    emphatic.selection,
    *(emphatic.study.statistics, emphatic.tables, emphatic.card, emphatic.plot, emphatic.votes),
]
NO_CALLS = {
    *("__version__", "LARGEST_FUZZINESS", "PAPER_001_GRID", "ROUNDING"),  # values
    *("AnnotatorAudit", "AuditResult", "Card", "ClusterSelection", "Correction", "Evaluation", "Finding"),  # answers
    *("Friedman", "KappaErrorPoints", "Posterior", "Problem", "Review", "Troubles"),
    *("Masses", "broadcast_reliability", "simple_masses"),  # the target Masses.of_supports calls them
    *("summarise", "write_card"),  # of a card: the target describe_model calls them
    *("Design", "ImageView"),  # abstract
}


@pytest.mark.parametrize("place", PLACES, ids=lambda one: one.__name__)
def test_everything_public_is_fuzzed(place):
    assert set(place.__all__) - set(TARGETS) - NO_CALLS == set()


def test_the_commands_are_fuzzed():
    commands = {command.name or command.callback.__name__ for command in cli.build_app().registered_commands}
    assert {f"emphatic {one}" for one in commands} <= set(TARGETS)


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
