"""`python -m benchmarks.columns`: tables that are drawn alike every time, and the columns as they were used before."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import columns, columns_drawn
from benchmarks.columns_tables import DEVELOPMENT, REPORT, Table

DRAWN = [columns_drawn.jobs, columns_drawn.sales, columns_drawn.products, columns_drawn.tickets]
DRAWN += [columns_drawn.postal_codes]


def test_twelve_tables_are_reported_and_none_of_them_was_chosen_on():
    assert len(REPORT) == 12
    assert not set(REPORT) & set(DEVELOPMENT)


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_tables_are_drawn_alike_and_every_class_is_frequent(draw):
    X, y = draw(200)
    again, labels = draw(200)
    pd.testing.assert_frame_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert len(X) == 200
    assert np.unique(y, return_counts=True)[1].min() > 30


def test_before_dates_and_unique_text_were_left_out_and_fifty_values_had_indicators():
    n = 300
    X = pd.DataFrame(
        {
            "note": [f"note {i}" for i in range(n)],
            "town": [f"town {i % 20 if i < 200 else i % 100}" for i in range(n)],
            "size": np.arange(n) % 7,
        }
    )
    before = columns.Before().fit(X, np.array(["a", "b", "c"])[X["size"] % 3])
    used = before.prepare(X)
    assert list(used) == ["town", "size"]
    assert used["town"].nunique() == 51
    np.testing.assert_allclose(before.predict_proba(X).sum(axis=1), 1)


def test_a_run_on_drawn_tables_prints_what_is_met(monkeypatch, capsys):
    class Frequencies:
        def __init__(self, y):
            self.classes_, self.counts = np.unique(y, return_counts=True)

        def predict_proba(self, X):
            return np.tile(self.counts / self.counts.sum(), (len(X), 1))

    monkeypatch.setattr(columns, "METHODS", {name: lambda X, y: Frequencies(y) for name in ("before", "now", "peer")})
    columns.print_tables({"drawn_sales": lambda: Table(*columns_drawn.sales(100))}, 2)
    printed = capsys.readouterr().out
    assert printed.count("| drawn_sales | 100 |") == 1
    assert "below the error before on 0 of 1: missed" in printed
    assert "largest increase 0.0 points: met" in printed
    assert "below peer on 0 of 1" in printed
