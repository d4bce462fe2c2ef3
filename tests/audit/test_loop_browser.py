"""From a page to a better table and back: marks, corrections, estimates and files of marks, as a person uses them."""

import csv
import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from typer.testing import CliRunner

from emphatic import cli
from emphatic.audit import audit_labels, page_data
from emphatic.audit.marks.review import estimate_review
from emphatic.audit.reviewed import settle
from emphatic.report.html import read_part
from emphatic.tables import TableTransformer
from emphatic.tables.files import read_table
from tests.audit.audits import fruits, made_result, marks_file

selenium = pytest.importorskip("selenium", reason="the package selenium is not installed")
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

from tests.browser import needs_browser  # noqa: E402

pytestmark = needs_browser

FOCUS = "document.getElementById('grid').focus()"


def blossoms(n=60, n_classes=3):
    """Samples of decreasing suspicion, from 0.98 to nearly 0; row 3 is suggested its own label."""
    y = np.arange(n) % n_classes
    suspicion = np.round(0.98 * np.exp(-np.arange(n) / 12), 6)
    suggested = np.where(np.arange(n) == 3, y, (y + 1) % n_classes)
    table = pd.DataFrame({"x": np.arange(n) / 4, "colour": np.array(["red", "blue"])[np.arange(n) % 2]})
    names = np.array(["rose", "tulip", "daisy"])
    return made_result(table, names[y], suspicion, names[suggested])


def download(page, browser):
    file = browser.downloads / "label-marks.csv"
    file.unlink(missing_ok=True)
    page.click("#download")
    WebDriverWait(browser, 10).until(lambda _: file.exists() and file.stat().st_size)
    return file


def load(page, path):
    page.run("document.getElementById('file').hidden = false")  # as the dialogue of a button cannot be used here
    page.one("#file").send_keys(str(path))
    WebDriverWait(page.driver, 10).until(lambda _: Path(path).name in page.status)
    return page.status.removeprefix(f"{Path(path).name}: ")


def test_the_whole_loop(visit, browser, tmp_path, monkeypatch):
    """Audit a file, mark, download, apply, load the marks again, and audit with what is known."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    true = np.where(np.arange(60) % 2, "yes", "no")
    given = np.where(np.arange(60) % 12 == 0, "yes", true)
    pd.DataFrame({"a": rng.normal(size=60) + 4.0 * (true == "yes"), "y": given}).to_csv("data.csv", index=False)
    table = read_table(Path("data.csv")).table
    model = make_pipeline(TableTransformer(columns="useful"), LogisticRegression())
    audit = audit_labels(table[["a"]], table["y"].to_numpy(), model)
    page = visit(audit, source="data.csv", target="y")
    page.click("#clear")
    page.run(FOCUS)
    for _ in range(22):
        i = int(page.title.removeprefix("Sample "))
        page.press("r" if given[i] == true[i] else "w")
    assert "5 marked wrong, 17 right" in page.progress
    assert page.one("#estimate").text.startswith("5 of 22 marked labels were wrong (23%; 10% to 43%).")
    file = download(page, browser)

    done = CliRunner().invoke(
        cli.build_app(), ["audit", "apply", "data.csv", str(file), "--target", "y", "--output", "clean.csv"]
    )
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("corrected: 5, right: 17")
    assert read_table(Path("clean.csv")).table["y"].tolist() == true.tolist()

    page.run("localStorage.clear()")
    assert page.remembers(lambda: "0 marked wrong" in page.progress)
    assert load(page, file) == "22 marks loaded."
    assert "5 marked wrong, 17 right" in page.progress

    updated = audit.update(file)
    assert (updated.correct({}).labels == true).all()
    page.run("localStorage.clear()")
    page = visit(updated)
    assert "5 marked wrong, 17 right" in page.progress  # without any storage
    assert page.one("#estimate").text == updated.review.describe()


def review_in(page):
    """The figures that the scripts of the page compute from its data and the marks in the browser."""
    scripts = "".join(read_part("emphatic.audit", f"{name}.js") for name in ("elements", "data", "marks", "estimate"))
    return page.run(f"{scripts}\nloadMarks();\nreturn estimateReview();")


@pytest.mark.parametrize("n_marks", [1, 19, 20, 33, 60])
def test_the_page_estimates_what_python_does(visit, n_marks):
    result = blossoms()
    page = visit(result)
    page.click("#clear")
    page.run(FOCUS)
    keys = ["w" if i % 3 else "r" for i in range(n_marks)]
    page.press(*keys)
    known = result.read_marks({i: "wrong" if key == "w" else "right" for i, key in enumerate(keys)})
    review = estimate_review(result.suspicion, known)
    found = review_in(page)
    names = {"marked": "n_marked", "wrong": "n_wrong", "unmarked": "n_unmarked", "enough": "enough"}
    assert {name: found[name] for name in names} == {name: getattr(review, own) for name, own in names.items()}
    figures = {
        "shift": review.shift,
        "remaining": review.remaining,
        "precision": review.precision,
        **dict(zip(("low", "high"), review.precision_interval)),
        **dict(zip(("fewest", "most"), review.remaining_interval)),
        "next": review.next_suspicion,
    }
    assert {name: found[name] for name in figures} == pytest.approx(figures, abs=1e-9)
    assert page.one("#estimate").text == review.describe()
    green = "enough" in page.one("#estimate").get_attribute("class")
    assert green == review.enough


def test_the_right_label_can_be_chosen_left_open_and_undone(visit, browser):
    page = visit(blossoms())
    assert Select(page.one("#correct")).first_selected_option.text == "tulip"  # the suggested one
    page.press("w")
    Select(page.one("#correct")).select_by_visible_text("not known")
    assert page.title == "Sample 1"  # stays
    assert page.status == "Sample 1 marked wrong, right label not known."
    Select(page.one("#correct")).select_by_visible_text("rose")
    page.run(FOCUS)
    page.press("n")
    assert page.title == "Sample 2"
    Select(page.one("#correct")).select_by_visible_text("not known")
    page.press("n", "n")
    page.run(FOCUS)
    page.press("n")
    assert page.title == "Sample 3"
    assert Select(page.one("#correct")).first_selected_option.text == "not known"  # its own label is suggested
    own = [option.text for option in Select(page.one("#correct")).options if not option.is_enabled()]
    assert own == ["rose"]
    page.press("r", "w", "u")
    with open(download(page, browser), encoding="utf-8", newline="") as lines:
        found = [(row["index"], row["mark"], row["correct"]) for row in csv.DictReader(lines)]
    assert found == [("0", "wrong", "tulip"), ("1", "wrong", "rose"), ("2", "wrong", ""), ("3", "right", "rose")]
    assert page.remembers(lambda: "3 marked wrong, 1 right" in page.progress)
    page.all("#rows tr[data-sample]")[1].click()
    assert Select(page.one("#correct")).first_selected_option.text == "rose"


def test_it_starts_with_what_deserves_a_look(visit):
    page = visit(blossoms())
    assert page.one("#worth").is_selected()
    assert page.one("#worth-count").text == "20"  # only 9 are rather wrong than right
    assert page.progress.startswith("20 of 60 samples")
    page.click("#clear")
    assert page.progress.startswith("60 samples")
    suspicion = np.r_[np.full(30, 0.5), np.full(30, 0.49)]
    page = visit(made_result(pd.DataFrame({"x": range(60)}), [0, 1] * 30, suspicion, [1, 0] * 30))
    assert page.progress.startswith("30 of 60 samples")
    assert not visit(fruits()).one("#worth").is_enabled()  # so few that all are listed


def test_file_target_date_and_counts_are_shown(visit):
    page = visit(fruits(), source="fruits.csv", target="kind")
    today = datetime.date.today()
    assert page.one("#about").text == f"fruits.csv · labels in kind · {today} · 2 features"
    assert page.one("#summary").text.startswith("6 samples, 2 classes: 4 redundant, 1 borderline, 1 noisy.")
    assert page.driver.title == "Label audit: fruits.csv"


REFUSALS = [
    (lambda file: file.drop(columns=["row", "table"]), "No mark was loaded: it has no column row, table."),
    (
        lambda file: file.assign(row="row-0"),
        "No mark was loaded: index 11: it is not in this table, or its cells or its",
    ),
    (lambda file: file.assign(mark=["wrong", "maybe", ""]), "1 mark loaded, 1 refused; index 13: its mark maybe is"),
    (lambda file: file.assign(correct=["pear", "", "grape"]), "2 marks loaded, 1 refused; index 11: there is no label"),
    (lambda file: file.assign(correct=["apple", "", "grape"]), "2 marks loaded, 1 refused; index 11: its mark contra"),
    (
        lambda file: pd.concat([file, file.assign(correct="")]),
        "3 marks loaded, 2 refused; index 11: its marks contradict",
    ),
]


@pytest.mark.parametrize(("change", "message"), REFUSALS)
def test_what_a_file_of_marks_is_refused_for(visit, tmp_path, change, message):
    page = visit(fruits())
    page.click("#right")
    file = marks_file(fruits(), {1: ("wrong", "grape"), 3: ("wrong", None), 4: ("right", "grape")})
    change(file).to_csv(tmp_path / "marks.csv", index=False)
    assert load(page, tmp_path / "marks.csv").startswith(message)
    if message.startswith("No mark"):
        assert "0 marked wrong, 1 right" in page.progress  # what was there stays


def test_loaded_marks_are_found_as_python_finds_them_and_undone_at_once(visit, tmp_path):
    """As a spreadsheet saves them, of a table whose rows were in another order, with labels that look like formulas."""
    y = np.array(["=1", "'=1", "=1", "a;b", 'say "x"', "=1"])
    table = pd.DataFrame({"x": [1, 1, 2, 3, 4, 4], "text": ["u", "u", "v", "w", None, None]})
    turned = [5, 4, 3, 2, 1, 0]
    before = made_result(table.iloc[turned], y[turned], [0.5] * 6, y[turned], index=np.arange(6))
    marks = {5: ("wrong", "a;b"), 4: ("right", "'=1"), 2: ("wrong", None), 1: ("wrong", "=1")}
    file = marks_file(before, marks)
    escaped = file.replace({"=1": "'=1", "'=1": "''=1"})
    escaped.to_csv(tmp_path / "marks.csv", sep=";", index=False, encoding="utf-8-sig", lineterminator="\r\n")
    now = made_result(table, y, np.linspace(0.9, 0.4, 6), y)
    known = now.read_marks(tmp_path / "marks.csv")
    assert (known.rows.tolist(), known.wrong.tolist()) == ([0, 1, 3, 4], [True, False, True, True])
    page = visit(now)
    assert load(page, tmp_path / "marks.csv") == "4 marks loaded."
    assert page.listed(1) == ["✗", "✓", "", "✗", "✗", ""]
    said = page.run("return [...document.querySelectorAll('#rows td:first-child span')].map((each) => each.title)")
    assert said[0] == "wrong, right label a;b" and said[3] == "wrong, right label not known"
    page.run(FOCUS)
    page.press("u")
    assert page.status == "4 marks undone." and "0 marked wrong, 0 right" in page.progress


def test_marks_that_the_audit_knew_can_be_removed(visit):
    result = blossoms()
    known = result.read_marks({0: "wrong", 1: "right"})
    page = visit(settle(result, known))
    assert "1 marked wrong, 1 right" in page.progress
    page.run(FOCUS)
    page.press("w")
    assert "0 marked wrong, 1 right" in page.progress
    assert page.remembers(lambda: "0 marked wrong, 1 right" in page.progress)


def test_a_large_table_shows_the_cells_of_what_matters(visit, monkeypatch):
    monkeypatch.setattr(page_data, "MOST_LETTERS", 2000)
    result = blossoms(120)
    shown = page_data.collect_data(result)["detailed"]
    assert 10 < len(shown) < 60 and {0, 1, 2} <= set(shown)
    page = visit(result)
    assert "All 120 samples are listed." in page.one("#partial").text
    assert f"it holds the cells of {len(shown)}: the most suspicious ones and" in page.one("#partial").text
    assert page.texts("#features tbody th") == ["x", "colour"]
    page.click("#clear")
    assert page.progress.startswith("120 samples")
    page.sort_by_head("suspicion")
    assert page.listed()[0] == "119" and page.listed(7)[0] == ""
    assert "The cells of this sample are not on this page" in page.one("#agreement").text
    page.run(FOCUS)
    page.press("w")
    assert "1 marked wrong" in page.progress
    page.one("#text").send_keys("missing")
    assert page.listed() == []  # what is not on the page is not missing
    page.one("#text").clear()
    page.sort_by_head("x")
    assert page.listed(7)[0] == str(max(shown) / 4).removesuffix(".0")


@pytest.mark.slow
def test_a_hundred_thousand_rows_of_twenty_columns(visit, tmp_path):
    rng = np.random.default_rng(0)
    n = 100_000
    y, suspicion = rng.integers(3, size=n), rng.beta(0.2, 2.0, size=n)
    page = visit(made_result(rng.normal(size=(n, 20)), y, suspicion, (y + 1) % 3, n_neighbours=10))
    assert (tmp_path / "page.html").stat().st_size < 30_000_000
    assert page.progress.split(" samples")[0].endswith("100,000")
    page.run(FOCUS)
    page.press("w", "r")
    assert "1 marked wrong, 1 right" in page.progress
