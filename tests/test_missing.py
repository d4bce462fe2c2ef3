"""What is missing, in whatever way tables say so."""

import numpy as np
import pandas as pd
import pytest

from emphatic.missing import is_missing


@pytest.mark.parametrize("value", [None, np.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")], ids=repr)
def test_missing(value):
    assert is_missing(value) is True


@pytest.mark.parametrize("value", ["", "nan", 0, 0.0, False, np.inf, np.datetime64("2024-05-31"), ()], ids=repr)
def test_present(value):
    assert is_missing(value) is False
