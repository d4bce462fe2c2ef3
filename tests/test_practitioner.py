"""The whole path of a practitioner with a messy file, in the terminal and in the browser.

Look at the table, fit a model and read its card, find wrong labels and mark them on the audit page, correct them, fit
again, and predict new rows.
"""

import csv

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import cli

selenium = pytest.importorskip("selenium", reason="the package selenium is not installed")
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from tests.browser import Page, needs_browser  # noqa: E402

pytestmark = needs_browser

N_WRONG = 6
NOTES = {
    "gut": ["läuft ruhig und ohne Auffälligkeiten", "alles in Ordnung, nichts zu tun", "sauber und frisch geschmiert"],
    "defekt": ["starkes Klappern am Lager", "riecht verbrannt, Öl tritt aus", "bleibt nach kurzer Zeit stehen"],
}


def make_machines(n, seed):
    """A table as a German Excel writes it, as text, and the true state of each machine."""
    rng = np.random.default_rng(seed)
    state = np.where(rng.random(n) < 0.4, "defekt", "gut")
    heat = np.where(state == "defekt", 78, 55) + 7 * rng.normal(size=n)
    days = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 700, n), "D")
    table = pd.DataFrame(
        {
            "": np.arange(n),  # an index that was saved
            "Maschine": [f"K-{k:05d}" for k in rng.permutation(90_000)[:n]],
            "Temperatur (°C)": [f"{one:.1f}".replace(".", ",") for one in heat],
            "Laufleistung": [f"{one:,}".replace(",", ".") for one in rng.integers(1000, 90_000, n)],
            "Garantie": rng.choice(["TRUE", "FALSE"], n),
            "Prüfdatum": days.strftime("%d.%m.%Y"),
            "Werk": rng.choice(["Köln", "Graz", "Zürich"], n),
            "Notiz": [
                f"{rng.choice(NOTES[one])} (Schicht {rng.integers(1, 4)}, Nr. {k})" for k, one in enumerate(state)
            ],
        }
    )
    table.loc[rng.random(n) < 0.05, "Temperatur (°C)"] = "k. A."
    return table, state


def write(table, path):
    table.to_csv(path, sep=";", index=False, encoding="cp1252", lineterminator="\r\n")


@pytest.fixture
def run(monkeypatch, tmp_path):
    """The command in a folder of its own; it must succeed."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments):
        done = CliRunner().invoke(cli.build_app(), arguments)
        assert done.exit_code == 0, done.output
        return done

    return invoke


def read_error(text):
    """The out-of-fold error that `fit` printed, in percent."""
    return float(text.split("Out-of-fold error ")[1].split("%")[0])


def mark_wrong_labels(browser, path, n):
    """On the audit page, mark the first n samples as wrong and download the marks."""
    browser.get(path.absolute().as_uri())
    page = Page(browser)
    for _ in range(n):
        page.press("w")
    file = browser.downloads / "label-marks.csv"
    file.unlink(missing_ok=True)
    page.click("#download")
    WebDriverWait(browser, 10).until(lambda _: file.exists())
    browser.execute_script("localStorage.clear()")
    with open(file, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_from_a_messy_file_to_predictions(run, browser, tmp_path):
    table, state = make_machines(140, seed=0)
    wrong = np.sort(np.random.default_rng(1).choice(len(table), N_WRONG, replace=False))
    labels = state.copy()
    labels[wrong] = np.where(state[wrong] == "gut", "defekt", "gut")
    write(table.assign(Zustand=labels), "maschinen.csv")

    seen = run("inspect", "maschinen.csv", "--target", "Zustand").stdout
    assert "CSV, separated by semicolons, Windows-1252" in seen
    for column, kind in {
        "Unnamed: 0": "ignored: row numbers",
        "Maschine": "ignored: almost every value is unique",
        "Temperatur (°C)": "number, written with a decimal comma; 'k. A.' for missing values",
        "Laufleistung": "number, written with a decimal comma and a point between thousands",
        "Garantie": "boolean",
        "Prüfdatum": "date, written day, month, year",
        "Werk": "category, 3 values",
        "Notiz": "text",
    }.items():
        (line,) = [one for one in seen.splitlines() if one.strip().startswith(f"{column} ")]
        assert kind in line

    first = run("fit", "maschinen.csv", "--target", "Zustand", "--model", "first.emphatic", "--report", "card.html")
    assert "emphatic audit" in first.stdout  # which is where a person is sent
    browser.get((tmp_path / "card.html").as_uri())
    assert "Zustand" in browser.find_element("css selector", "body").text
    assert browser.get_log("browser") == []

    run("audit", "maschinen.csv", "--target", "Zustand", "--report", "review.html")
    marks = mark_wrong_labels(browser, tmp_path / "review.html", N_WRONG)
    assert sorted(int(one["index"]) for one in marks if one["mark"] == "wrong") == wrong.tolist()

    for one in marks:
        labels[int(one["index"])] = one["suggested"]
    assert (labels == state).all()
    write(table.assign(Zustand=labels), "korrigiert.csv")
    second = run("fit", "korrigiert.csv", "--target", "Zustand", "--model", "second.emphatic")
    assert read_error(second.stdout) < read_error(first.stdout)

    new, truth = make_machines(60, seed=2)
    new.loc[0, "Werk"] = "Brünn"
    write(new[new.columns[::-1]], "neu.csv")
    options = ["--keep", "Maschine,Temperatur (°C)", "--probabilities", "--output", "vorhersagen.csv"]
    done = run("predict", "second.emphatic", "neu.csv", *options)
    assert "categories that the training table does not have: Werk (1 of 60 rows, such as 'Brünn')" in done.stderr
    found = pd.read_csv("vorhersagen.csv", dtype=str, keep_default_na=False)
    assert list(found) == ["Maschine", "Temperatur (°C)", "predicted", "P(defekt)", "P(gut)"]
    assert found["Maschine"].tolist() == new["Maschine"].tolist()
    assert found["Temperatur (°C)"].tolist() == new["Temperatur (°C)"].tolist()
    assert (found["predicted"] == truth).mean() > 0.95
