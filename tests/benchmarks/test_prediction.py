"""`python -m benchmarks.prediction`: the forms of a row, and what is said about them."""

import numpy as np
import pandas as pd

from benchmarks.prediction import HEADER, Outcome, list_forms, summarise


def test_a_row_of_numbers_has_all_forms_and_one_with_text_is_no_array():
    numbers = pd.DataFrame({"a": [1], "b": [2.5]})
    assert set(list_forms(numbers)) == {"frame", "list", "array"}
    mixed = list_forms(numbers.assign(c="red"))
    assert mixed["list"] == [[1, 2.5, "red"]]
    assert set(mixed) == {"frame", "list"}
    assert list_forms(np.ones((1, 2)))["list"] == [[1.0, 1.0]]


def test_the_summary_takes_the_slowest_form_of_each_problem():
    found = [
        Outcome("one", {"frame": 0.5, "list": 0.3}, many=50.0, peer=100.0),
        Outcome("two", {"array": 1.5, "list": 0.3}, many=120.0, peer=100.0),
        Outcome("three", {"array": 0.2}, many=90.0, peer=100.0),
    ]
    rows, many = summarise(found).split("\n")
    assert "median 0.50 ms, worst 1.50 ms" in rows
    assert "median 0.90, worst 1.20" in many
    assert "met on 2 of 3 problems" in many
    assert all(len(one.format()) == len(HEADER) for one in found)
