import math
from collections import Counter

import pytest

from emphatic.papers.published import find, lookup, published_values


def test_all_426_are_there():
    assert len(published_values()) == 426


def test_each_table_is_whole():
    """Rows times columns, as printed. In the sum a row that is missing and one that is doubled would not be seen."""
    values = published_values()
    assert Counter((value.paper, value.table) for value in values) == {
        ("000", "I"): 6 * 5,  # problems: samples of either class for training and for testing, dimension
        ("000", "II"): 12 * 3,  # rows: Real AdaBoost, best lambda, p
        ("000", "III"): 12 * 3,
        ("000", "IV"): 2 * 2,
        ("000", "text/Fig2"): 2,
        ("001", "1"): 12 * 7,  # problems: the same as Table I of 000, and the sums of the classes
        ("002", "2"): 7 * (2 * 4 + 1),  # problems: four measures of two methods, and the share of positives
        ("002", "3"): 7 * 4 * 3,  # problems, policies, measures
        ("002", "4"): 7 * 5,
        ("003", "2"): 10,
        ("003", "3"): 21,
        ("004", "results"): 7 * 3,  # rivals: wins, losses, draws
    }
    named = [(v.paper, v.table, v.dataset, v.method, v.metric, tuple(v.setting.items())) for v in values]
    assert len(set(named)) == len(named)
    assert all(math.isfinite(value.mean) and (value.std is None or value.std >= 0) for value in values)


def test_lookup():
    assert lookup("000", "III", "Ionosphere", "RA (lambda=0.5)", "test_error_%", {"K%": "10"}) == (3.48, 1.54)
    assert lookup("003", "3", "digits10k", "MVF_single Prod", "accuracy_%") == (97.71, 0.47)


@pytest.mark.parametrize("dataset", ["Ripley", "Nowhere"])
def test_lookup_wants_exactly_one(dataset):
    with pytest.raises(KeyError, match=f"published values, not one.*{dataset}"):
        lookup("000", "II", dataset, "RA (lambda=0.5)", "test_error_%")


def test_geometric_means_of_002_follow_from_its_accuracies():
    """Identity 29: g of Table 4 is sqrt(a+ a-) of Table 3 within rounding, but for one misprint."""
    misprints = []
    for value in find("002", "4", metric="g_%"):
        if value.method == "std. boostMLP":  # its accuracies are in Table 2
            continue
        positive, negative = (lookup("002", "3", value.dataset, value.method, name)[0] for name in ("a+_%", "a-_%"))
        if abs(math.sqrt(positive * negative) - value.mean) > 0.0501:
            misprints.append((value.dataset, value.method))
    assert misprints == [("Vowel", "neg. boostPP")]


def test_win_lose_draw_of_004_sum_to_20():
    """Identity 30."""
    counts = {}
    for value in find("004", "results"):
        counts[value.method] = counts.get(value.method, 0) + value.mean
    assert len(counts) == 7
    assert set(counts.values()) == {20}
