"""A table of text, dates and categories, as `TableTransformer(columns="useful")` reads it and files keep it."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from emphatic.export import to_onnx
from emphatic.persistence import load, save
from emphatic.tables import TableTransformer, decide_columns
from emphatic.tables.policy import make_wishes

pytestmark = pytest.mark.contract  # with the oldest versions of other packages, too

N = 120
RNG = np.random.default_rng(0)
WORDS = np.array(["red", "wine", "from", "France", "white", "beer", "Italy", "sweet"])


def make_text():
    """All cells as text, as they come from a CSV file."""
    days = pd.date_range("2023-01-01", periods=N)
    table = pd.DataFrame({
        "row": [str(k) for k in range(N)],
        "price": [f"{x:.2f}".replace(".", ",") for x in RNG.normal(size=N)],
        "flag": np.where(RNG.random(N) > 0.5, "TRUE", "FALSE"),
        "day": days.strftime("%d.%m.%Y"),
        "town": [f"town {k}" for k in RNG.integers(0, 80, N)],
        "note": [" ".join(RNG.choice(WORDS, 4)) for _ in range(N)],
        "size": RNG.choice(["s", "m", None], N),
    })  # fmt: skip
    return table.astype(object)


def make_typed(text):
    """The same with types, as it comes from a Parquet file."""
    return text.assign(
        row=text["row"].astype(int),
        price=text["price"].str.replace(",", ".").astype(float),
        flag=text["flag"] == "TRUE",
        day=pd.to_datetime(text["day"], format="%d.%m.%Y"),
    )


TEXT = make_text()
FITTED = TableTransformer(columns="useful").fit(TEXT)


def test_the_kinds_are_those_of_the_columns():
    kinds = {one.name: one.kind for one in FITTED.columns_}
    assert kinds == {
        "row": "ignore", "price": "number", "flag": "boolean", "day": "date", "town": "category", "note": "text",
        "size": "category",
    }  # fmt: skip
    names = FITTED.get_feature_names_out()
    assert len(names) == FITTED.n_outputs == FITTED.transform(TEXT).shape[1]
    assert {name.split("_")[0] for name in names} == set(kinds) - {"row"}


def test_text_and_types_give_the_same_numbers():
    expected = FITTED.transform(TEXT)
    typed = make_typed(TEXT)
    np.testing.assert_array_equal(FITTED.transform(typed), expected)
    plain = TEXT.assign(price=TEXT["price"].str.replace(",", "."), day=typed["day"].dt.strftime("%Y-%m-%d"))
    of_typed = TableTransformer(columns="useful").fit(typed)
    np.testing.assert_array_equal(of_typed.transform(plain), expected)
    with pytest.raises(ValueError, match=r"column 'price' holds '.*', which is not a number such as -1234\.5"):
        of_typed.transform(TEXT)
    np.testing.assert_array_equal(FITTED.transform(pl.from_pandas(typed.astype({"flag": bool}))), expected)


def test_a_row_does_not_depend_on_its_company():
    whole = FITTED.transform(TEXT)
    for rows in ([5], [7, 5, 7], slice(30, 60)):
        np.testing.assert_array_equal(FITTED.transform(TEXT.iloc[rows]), whole[rows])


def test_what_was_decided_on_all_rows_is_kept_on_some():
    wishes = make_wishes(FITTED.columns_)
    few = TEXT.drop(columns="row").iloc[:15]
    assert decide_columns(few)[4].kind == "category", "too few rows to tell text from categories"
    part = TableTransformer(columns=wishes).fit(few)
    assert [one.kind for one in part.columns_] == [one.kind for one in FITTED.columns_ if not one.left_out]


def test_models_of_text_come_back_from_files(tmp_path):
    y = np.where(TEXT["flag"] == "TRUE", "yes", "no")
    wishes = {"town": "category", "size": "ignore", **make_wishes([FITTED.columns_[1]])}
    for columns in ("useful", wishes):
        model = make_pipeline(TableTransformer(columns=columns), LogisticRegression()).fit(TEXT, y)
        save(model, tmp_path / "m.emphatic")
        again = load(tmp_path / "m.emphatic")
        assert again[0].columns_ == model[0].columns_
        np.testing.assert_array_equal(again.predict_proba(make_typed(TEXT)), model.predict_proba(TEXT))


def test_onnx_names_the_column_that_it_cannot_hold():
    y = TEXT["flag"] == "TRUE"
    for kept, message in {"day": "holds dates", "note": "holds texts", "town": "holds many categories"}.items():
        model = make_pipeline(TableTransformer(columns="useful"), LogisticRegression()).fit(TEXT[["price", kept]], y)
        with pytest.raises(ValueError, match=rf"column '{kept}' {message}.*columns=.*'{kept}': \"ignore\""):
            to_onnx(model)


TIMES = {
    "dates": [datetime.date(2024, 1, 31), None],
    "moments": [datetime.datetime(2024, 1, 31), None],
    "moments of a zone": [
        datetime.datetime(2024, 1, 31, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
        None,
    ],
    "periods": [pd.Period("2024-01-31"), None],
    "numpy": [np.datetime64("2024-01-31"), None],
}


@pytest.mark.parametrize("cells", TIMES.values(), ids=TIMES)
def test_dates_of_every_type_are_seconds(cells):
    for table in (pd.DataFrame({"when": pd.Series(cells, dtype=object)}), pd.DataFrame({"when": cells})):
        (decision,) = decide_columns(pd.concat([table, table], ignore_index=True))
        assert decision.kind == "date"
    late = pd.DataFrame({"when": pd.to_datetime(["2024-01-31 00:00:00.5"]).tz_localize("UTC")})
    assert decide_columns(late, columns={"when": "date"})[0].kind == "date"


def test_durations_are_numbers():
    spans = pd.DataFrame(
        {"span": pd.to_timedelta([1, 2, 4], unit="h"), "time": [datetime.time(1), datetime.time(2), None]}
    )
    assert [one.kind for one in decide_columns(spans)] == ["number", "number"]
    plain = TableTransformer(columns="useful", scale="none").fit_transform(spans)
    np.testing.assert_array_equal(plain, [[3600, 3600], [7200, 7200], [14400, 5400]])


def test_dates_beside_other_values_are_refused():
    with pytest.raises(ValueError, match="column 'x' holds dates or times beside other values"):
        decide_columns(pd.DataFrame({"x": [datetime.date(2024, 1, 31), "soon"]}))
