"""Files as people have them, each once misread in silence: now read right, or refused in one line with the remedy."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes
from typer.testing import CliRunner

from emphatic import cli
from emphatic.persistence import read
from emphatic.tables import TableTransformer

FAST = ["--method", "LogisticRegression", "--model", "m.emphatic"]
N = 200
RNG = np.random.default_rng(0)
SIGNAL = RNG.normal(size=N)
LABELS = np.where(SIGNAL + 0.3 * RNG.normal(size=N) > 0, "yes", "no")


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(cli.build_app(), list(map(str, arguments)))


def fit(run, table, *options, target="y", **saving):
    """Write a table, fit it, and return the training record of the model and what was printed."""
    table.to_csv("data.csv", index=False, **saving)
    done = run("fit", "data.csv", "--target", target, *FAST, *options)
    assert done.exit_code == 0, done.output
    return read("m.emphatic"), done


def predict(run, name="data.csv"):
    done = run("predict", "m.emphatic", name)
    assert done.exit_code == 0, done.output
    return done.stdout.split()[1:], done.stderr


def error_of(saved):
    return saved.training["out_of_fold"]["error"]


@pytest.mark.parametrize("command", ["fit", "audit", "compare", "inspect"])
def test_a_regression_target_is_refused_and_cut_when_asked(run, command):
    table, target = load_diabetes(return_X_y=True, as_frame=True)
    table.assign(progression=target).to_csv("data.csv", index=False)
    options = ["data.csv", "--target", "progression", *(FAST if command == "fit" else [])]
    done = run(command, *options)
    assert done.exit_code == 2
    assert re.fullmatch(r"emphatic: column progression holds 214 different numbers .* --bins 4 .*\n", done.stderr)
    if command in ("fit", "inspect"):
        assert run(command, *options, "--bins", 3).exit_code == 0


def test_three_classes_named_by_fractions(run):
    names = np.array(["0.5", "1.5", "2.5"])[np.digitize(SIGNAL, [-0.5, 0.5])]
    saved, _ = fit(run, pd.DataFrame({"a": SIGNAL, "y": names}))
    assert saved.classes == ["0.5", "1.5", "2.5"]
    assert set(predict(run)[0]) == {"0.5", "1.5", "2.5"}


def test_a_saved_index_is_no_feature(run):
    order = np.argsort(LABELS, kind="stable")  # sorted by class: an index would tell it
    table = pd.DataFrame({"a": SIGNAL[order], "y": LABELS[order]})
    table.to_csv("data.csv")
    done = run("fit", "data.csv", "--target", "y", *FAST)
    assert "ignored: row numbers" in done.stdout
    assert read("m.emphatic").columns == {"a": "number"}
    table[["a"]].to_csv("without.csv", index=False)
    assert predict(run, "without.csv")[0] == predict(run)[0]


NUMBERS = {
    "decimal commas": lambda x: f"{x:.3f}".replace(".", ","),
    "thousands": lambda x: f"{1000 * x + 5000:,.1f}",
    "percent": lambda x: f"{x:.2f}%",
    "a minus of typesetters": lambda x: f"{x:.3f}".replace("-", "−"),
    "money": lambda x: f"${x + 9:.2f}",
}


@pytest.mark.parametrize("spell", NUMBERS.values(), ids=NUMBERS)
def test_numbers_in_every_spelling_are_numbers(run, spell):
    plain, _ = fit(run, pd.DataFrame({"price": SIGNAL.round(3), "y": LABELS}))
    saved, _ = fit(run, pd.DataFrame({"price": list(map(spell, SIGNAL)), "y": LABELS}))
    assert saved.columns == {"price": "number"}
    assert error_of(saved) == pytest.approx(error_of(plain), abs=0.011)
    assert np.mean(np.array(predict(run)[0]) != LABELS) < 0.15, "and are read alike by predict"


def test_a_single_question_mark_leaves_a_column_of_numbers(run):
    cells = [f"{x:.3f}" for x in SIGNAL]
    cells[17] = "?"
    saved, done = fit(run, pd.DataFrame({"a": cells, "y": LABELS}))
    assert saved.columns == {"a": "number"} and "'?' for missing values" in done.stdout
    assert len(predict(run)[0]) == N


def test_text_dates_are_dates(run):
    days = pd.date_range("2023-01-01", periods=N)
    weekend = np.where(days.day_of_week > 4, "yes", "no")
    saved, done = fit(run, pd.DataFrame({"day": days.strftime("%d.%m.%Y"), "y": weekend}))
    assert saved.columns == {"day": "date"} and "date, written day, month, year" in done.stdout
    assert error_of(saved) == 0.0


def test_a_table_of_five_columns_does_not_explode(run):
    table = pd.DataFrame({f"c{j}": [f"{j}-{k}" for k in RNG.integers(0, 150, N)] for j in range(5)})
    more = pd.concat([table + end for end in "abcd"])
    few, many = (TableTransformer(columns="useful").fit(one).n_outputs for one in (table, more))
    assert few == many <= 5 * 90, "whatever the number of categories"
    assert TableTransformer().fit(more).n_outputs > 2000


def test_parquet_is_read_and_a_semicolon_is_found_by_predict_too(run):
    table = pd.DataFrame({"a": SIGNAL, "flag": SIGNAL > 1, "y": LABELS})
    fit(run, table)
    plain, _ = predict(run)
    table.to_parquet("data.parquet")
    table.to_csv("data.txt", sep=";", index=False)
    assert predict(run, "data.parquet")[0] == predict(run, "data.txt")[0] == plain
    assert run("fit", "data.parquet", "--target", "y", *FAST).exit_code == 0
    assert predict(run)[0] == plain, "and the other way round"


def test_fit_reports_what_it_knows_out_of_fold(run):
    noise = pd.DataFrame({"a": RNG.normal(size=N), "y": RNG.permutation(LABELS)})
    noise.to_csv("data.csv", index=False)
    done = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--method", "RandomForest")
    assert read("m.emphatic").training["out_of_fold"]["error"] > 0.35, "a forest knows its training rows by heart"
    assert "Out-of-fold error" in done.stdout and "recall" in done.stdout and "Most important columns" in done.stdout


def test_a_class_that_is_never_predicted_is_named(run):
    rare = pd.DataFrame({"a": RNG.normal(size=1000), "y": ["rare" if k % 100 == 0 else "usual" for k in range(1000)]})
    _, done = fit(run, rare)
    assert re.search(r"rare.*never predicted|never predicted.*rare", done.stdout), done.stdout
    assert "classes of y that are rare, and may never be predicted: rare (1.0%)" in done.stdout


def test_truth_values_of_spreadsheets_are_predicted_as_they_were_learnt(run):
    flags = RNG.random(N) > 0.5
    table = pd.DataFrame({"flag": np.where(flags, "TRUE", "FALSE"), "y": np.where(flags, "yes", "no")})
    saved, _ = fit(run, table)
    assert (saved.columns, error_of(saved)) == ({"flag": "boolean"}, 0.0)
    assert predict(run)[0] == table["y"].tolist()
    table.assign(flag=flags).to_parquet("data.parquet")
    assert predict(run, "data.parquet")[0] == table["y"].tolist()


def test_labels_come_back_as_they_were_written(run):
    names = np.array(["1", "01", "2"])[np.digitize(SIGNAL, [-0.5, 0.5])]
    saved, done = fit(run, pd.DataFrame({"a": SIGNAL, "y": names}))
    assert saved.classes == ["01", "1", "2"]
    assert set(predict(run)[0]) == {"01", "1", "2"}
    assert "labels of y that look alike are different classes" in done.stdout


def test_a_row_for_a_row_also_where_the_only_cell_is_empty(run):
    fit(run, pd.DataFrame({"a": SIGNAL, "y": LABELS}))
    with open("one.csv", "w") as file:
        file.write("a\n1\n\n-2\n3\n")
    assert len(predict(run, "one.csv")[0]) == 4


def test_text_whose_every_value_is_new_is_said(run):
    towns = RNG.choice(["Paris", "Rome", "Oslo"], N)
    fit(run, pd.DataFrame({"a": SIGNAL, "town": towns, "y": LABELS}))
    pd.DataFrame({"a": SIGNAL, "town": "Bern"}).to_csv("new.csv", index=False)
    _, said = predict(run, "new.csv")
    assert "town" in said and "Bern" in said


def test_stray_quotes_do_not_merge_rows(run):
    rows = [f'{x:.3f},"note {k}" is short,{y}' if k == 9 else f"{x:.3f},note,{y}"
            for k, (x, y) in enumerate(zip(SIGNAL, LABELS, strict=True))]  # fmt: skip
    rows[3] = rows[3].replace("note", '"note')
    with open("data.csv", "w") as file:
        file.write("a,b,y\n" + "\n".join(rows) + "\n")
    done = run("inspect", "data.csv", "--target", "y", "--json")
    assert done.exit_code == 2 or json.loads(done.stdout)["rows"] == N
    if done.exit_code == 2:
        assert "line" in done.stderr


def test_utf_16_is_read(run):
    towns = RNG.choice(["Zürich", "Köln"], N)
    saved, done = fit(run, pd.DataFrame({"a": SIGNAL, "town": towns, "y": LABELS}), encoding="utf-16")
    assert "UTF-16" in done.stderr and set(saved.columns) == {"a", "town"}
    assert len(predict(run)[0]) == N


def rows(*cells, n=30):
    return "".join(",".join(str(cell(k)) for cell in cells) + "\n" for k in range(n))


def half(k):
    return k / 2


def kind(k):
    return "xz"[k % 2]


REFUSED = {
    "empty": (b"", "data.csv is empty"),
    "header only": (b"a,b,y\n", "data.csv has a header but no rows"),
    "one column": (b"y\nx\nz\nx\n", "the table has no features"),
    "columns that say nothing": (
        "a,b,y\n" + rows(lambda _: 1, lambda _: "", kind), "no column to learn from (a: all values are equal; b: all"
    ),
    "a name twice": ("a,a,y\n" + rows(half, half, kind), "several columns named a"),
    "NUL bytes": ("a,b,y\n" + rows(half, lambda _: "\0", kind), "NUL byte"),
    "ragged rows": ("a,b,y\n1,2,x\n1,2\n1,2,3,z\n", "line 3 of data.csv has 2 cells instead of 3"),
    "a target that is not there": ("a,label\n" + rows(half, kind), "unknown column y; known: a, label"),
    "one class": ("a,y\n" + rows(half, lambda _: "x"), "only one class (x)"),
    "a row per class": ("a,y\n" + rows(half, lambda k: f"c{k}"), "30 different labels in 30 rows"),
    "labels NA": ("a,y\n" + rows(half, lambda k: ["NA", "x", "z"][k % 3]), "no label in 10 of 30 rows"),
    "labels nan": ("a,y\n" + rows(half, lambda k: ["nan", "x", "z"][k % 3]), "no label in 10 of 30 rows"),
    "labels None": ("a,y\n" + rows(half, lambda k: ["None", "x", "z"][k % 3]), "no label in 10 of 30 rows"),
    "damaged Parquet": (b"PAR1" + b"damage" * 30 + b"PAR1", "cannot read data.csv as Parquet"),
    "an image": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "data.csv"),
    "a model": (None, "is a model file, not a table"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("command", ["fit", "audit", "compare"])
def test_what_cannot_be_used_is_refused_in_one_line(run, tmp_path, command, content, message):
    if content is None:
        fit(run, pd.DataFrame({"a": SIGNAL, "y": LABELS}))
        content = (tmp_path / "m.emphatic").read_bytes()
        (tmp_path / "m.emphatic").unlink()
    (tmp_path / "data.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    done = run(command, "data.csv", "--target", "y", *(FAST if command == "fit" else []))
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"], "nothing is left behind"


def test_two_header_lines_and_totals_are_said(run):
    with open("data.csv", "w") as file:
        file.write("size,weight,y\ncm,kg,\n" + rows(half, lambda k: k % 7 + 0.5, kind) + "Total,99,\n")
    found = json.loads(run("inspect", "data.csv", "--target", "y", "--json").stdout)
    assert [one["name"] for one in found["columns"]] == ["size cm", "weight kg"] and found["rows"] == 30
    assert any("--header 1" in one for one in found["remarks"]) and any("--footer 0" in one for one in found["remarks"])


def test_truth_values_are_labels_too(run):
    saved, _ = fit(run, pd.DataFrame({"a": SIGNAL, "y": SIGNAL > 0}))
    assert saved.classes == ["False", "True"] and set(predict(run)[0]) == {"False", "True"}
