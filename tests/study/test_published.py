import math

import pytest

from emphatic.study.published import find, lookup, published_values


def test_all_426_are_there():
    assert len(published_values()) == 426


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
