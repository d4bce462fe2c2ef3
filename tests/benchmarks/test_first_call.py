"""`python -m benchmarks.first_call`: which estimators it times, and what a line says."""

import pytest

import emphatic
from benchmarks import first_call
from benchmarks.first_call import Call, Line


def test_every_public_estimator_is_timed():
    places = first_call.list_estimators()
    assert set(emphatic.__all__) - {"__version__"} <= set(places)
    assert places["GustafsonKessel"] == "emphatic.clustering"


@pytest.mark.slow
def test_a_process_of_its_own_compiles_into_the_given_folder(tmp_path):
    empty, filled = (first_call.call_elsewhere("emphatic", "RBFNetworkClassifier", 40, str(tmp_path)) for _ in range(2))
    assert any(tmp_path.rglob("*.nbi"))
    assert filled.first < empty.first


def test_a_line_says_what_the_first_call_adds_where_all_is_compiled():
    line = Line("One", Call(1.0, 4.0, 0.5, 0.1), Call(1.0, 0.4, 0.05, 0.1))
    assert line.format().split() == ["One", "1.00", "4.00", "0.50", "0.40", "0.10", "0.30"]
    assert len(line.format()) == len(first_call.HEADER)
