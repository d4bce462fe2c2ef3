"""Numbers as people write them: read exactly, told apart from codes, and never guessed in silence."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables.repeated import Repeated
from emphatic.tables.spelling import NumberSpelling
from emphatic.tables.spelling.numbers import READINGS

READ = {
    "plain": (["1.5", "-2", "3e5", "+.5", "7."], [1.5, -2, 3e5, 0.5, 7]),
    "decimal comma": (["1,5", "-2", "0,123"], [1.5, -2, 0.123]),
    "thousands": (["1,234.50", "12,345,678", "9"], [1234.5, 12345678, 9]),
    "thousands, the other way": (["1.234,50", "12.345.678", "9"], [1234.5, 12345678, 9]),
    "spaces between thousands": (["1 234,5", "12\u00a0345", "1\u202f000\u202f000"], [1234.5, 12345, 1e6]),
    "apostrophes": (["1'234.5", "2’000"], [1234.5, 2000]),
    "percent": (["5%", "12.5 %", "0"], [5, 12.5, 0]),
    "money": (["$1,234.50", "$ 3", "-$5"], [1234.5, 3, -5]),
    "money behind": (["1.234,50 €", "3 €"], [1234.5, 3]),
    "a minus of typesetters": (["−1.5", "–2", "3"], [-1.5, -2, 3]),
    "missing": (["1", "NA", "?", "", " n/a ", "-", "#N/A", None, "2"], [1, *[np.nan] * 7, 2]),
}


@pytest.mark.parametrize(("texts", "numbers"), READ.values(), ids=READ)
def test_what_is_read(texts, numbers):
    spelling = NumberSpelling.learn(texts)
    np.testing.assert_array_equal(spelling.read(texts), np.array(numbers, dtype=float))


CODES = {
    "leading zeros": ["01067", "80331"],
    "more digits than a float64 has": ["1234567890123456", "1"],
    "words": ["red", "blue"],
    "some with a unit": ["5%", "0.05"],
    "two currencies": ["$5", "€5"],
    "dates": ["2024-01-31"],
    "versions": ["1.2.3", "1.2.4"],
    "Python's underscores": ["1_000"],
    "hexadecimal": ["0x10"],
    "a word among few numbers": ["1", "2", "other"],
    "nothing": [None, "", "NA"],
    "wrong groups": ["1,23,456", "1"],
}


@pytest.mark.parametrize("texts", CODES.values(), ids=CODES)
def test_what_is_no_number(texts):
    assert NumberSpelling.learn(texts) is None


def test_a_word_among_many_numbers_marks_missing_values():
    texts = [*map(str, range(30)), "unknown", "unknown", "?"]
    spelling = NumberSpelling.learn(texts)
    assert spelling.marks == ("unknown", "?")
    assert np.isnan(spelling.read(["unknown", "?", "7"])).tolist() == [True, True, False]
    assert spelling.describe() == "'unknown', '?' for missing values"


def test_what_leaves_two_readings_is_said_or_decided():
    spelling = NumberSpelling.learn(["1,234", "999"])
    assert (spelling.decimal, spelling.thousands) == (".", ",")
    assert spelling.doubt == "1,234 is read as 1234; it could also be 1.234"
    assert NumberSpelling.learn(["1.234", "5.678"]).doubt == "1.234 is read as 1.234; it could also be 1234"
    decided = NumberSpelling.learn(["1,234", "999"], decimal=",")
    assert (decided.decimal, decided.thousands, decided.doubt) == (",", "", "")
    for clear in (["0,123", "1,234"], ["1,234", "1,5"], ["1,234,567"], ["1,234.5"], ["12,34"], ["1234,567"]):
        assert NumberSpelling.learn(clear).doubt == "", clear


def test_another_spelling_later_is_an_error_that_names_the_cell():
    with pytest.raises(ValueError, match=r"holds '1,5', which is not a number such as -1234\.5"):
        NumberSpelling.learn(["1.5", "2"]).read(["3", "1,5"])
    with pytest.raises(ValueError, match=r"holds '1\.5', which is not a number written with a decimal comma"):
        NumberSpelling.learn(["1,5", "2"]).read(["1.5"])


def spell(number, decimal, thousands):
    whole, _, part = f"{number:.3f}".partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    groups = []
    while len(digits) > 3:
        digits, group = digits[:-3], digits[-3:]
        groups.insert(0, group)
    return sign + thousands.join([digits, *groups]) + decimal + part


@given(
    st.lists(st.integers(-(10**11), 10**11).map(lambda n: n / 1000), min_size=1, max_size=20),
    st.sampled_from(READINGS),
)
def test_numbers_come_back_in_every_spelling(numbers, reading):
    """Whatever the signs, one reading that is found reads the numbers back, or the doubt is said."""
    texts = [spell(number, *reading) for number in numbers]
    spelling = NumberSpelling.learn(texts)
    found = spelling.read(texts)
    assert np.array_equal(found, numbers) or spelling.doubt
    np.testing.assert_array_equal(NumberSpelling.learn(texts, decimal=reading[0]).read(texts), numbers)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_floats_as_python_writes_them_come_back(numbers):
    texts = list(map(repr, numbers))
    spelling = NumberSpelling.learn(texts)
    if spelling is None:  # whole numbers of 16 digits and more are codes
        assert any(math.log10(max(abs(number), 1)) >= 14 for number in numbers)
    else:
        assert np.array_equal(spelling.read(texts), numbers) or spelling.doubt


@given(st.lists(st.text(max_size=12) | st.none(), min_size=1))
def test_any_text_is_read_or_left(texts):
    spelling = NumberSpelling.learn(texts)
    if spelling is not None:
        assert len(spelling.read(texts)) == len(texts)
        assert isinstance(spelling.describe() + spelling.doubt, str)


@given(st.lists(st.sampled_from(["1,5", "2", "1.234", "n/a", "?", "low", " ", None]), min_size=1, max_size=40))
def test_cells_that_repeat_are_spelled_like_the_list_that_they_were_made_of(texts):
    assert NumberSpelling.learn(Repeated.of(texts)) == NumberSpelling.learn(texts)
