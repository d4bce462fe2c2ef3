"""Files that nobody would write on purpose: tables, stores and model files, read by functions and by the command."""

import contextlib
import csv
import io
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from typer.testing import CliRunner

from emphatic import cli
from emphatic.persistence import ModelFileError, load, save
from emphatic.study import Predictions, Record, Store, StoreError, TaskKey
from emphatic.tables import TableTransformer, files
from emphatic.tables.profile import Profile
from tests.fuzz.strategies import UNSET, Place
from tests.fuzz.verdict import attempt, demand, demand_finite, demand_probabilities
from tests.tables.files.corpus import FOLDER

# CSV files, as texts of Latin-1 so that JSON can hold any bytes

CELLS = [
    "1",
    "2.5",
    "-3",
    "red",
    "",
    " ",
    "NA",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e-320",
    '"quoted"',
    '"a,b"',
    '"a\nb"',
    "'",
]
CELLS += ['"', "=1+1", "@x", "true", "2020-01-01", "0x10", "1_000", "9" * 25, "\x00", "\xff", "\xc3\xa9", "a" * 300]
HEADERS = [["a", "b", "y"], ["a", "y"], ["y"], ["a", "a", "y"], ["a", "", "y"], ["b", "a", "y", "d"], ["\xff", "z"], []]


@st.composite
def csv_texts(draw: st.DrawFn) -> str:
    """A table with a column y, mostly well formed, some cells and some structure odd."""
    separator = draw(st.sampled_from([",", ",", ",", ";", "\t", "|"]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    header = draw(st.sampled_from([HEADERS[0]] * 6 + HEADERS))
    n = draw(st.sampled_from([0, 1, 2, 6, 12, 20]))
    odd = draw(st.dictionaries(st.tuples(st.integers(0, 20), st.integers(0, 3)), st.sampled_from(CELLS), max_size=4))
    labels = draw(st.sampled_from([["no", "yes"], ["0", "1"], ["a"], ["1", "x"], ["", "yes"]]))
    rows = [[*(str((i * 7 + j) % 11) for j in range(len(header) - 1)), labels[i % len(labels)]] for i in range(n)]
    for (i, j), cell in odd.items():
        if i < n and j < len(rows[i]):
            rows[i][j] = cell
        elif i < n:
            rows[i].append(cell)
    start = draw(st.sampled_from(["", "", "", "\xef\xbb\xbf", "\xff\xfe", "\n", "#\n"]))
    stop = draw(st.sampled_from([end, end, "", end * 3, '"', "\x1a"]))
    return start + end.join(separator.join(row) for row in [header, *rows]) + stop


anything = st.binary(max_size=80).map(lambda some: some.decode("latin-1"))


@dataclass
class FileTarget:
    """A reader of files; `read` gets the path, and the case."""

    name: str
    read: Callable[[Path, dict[str, Any]], Any]
    given: dict[str, Place]
    suffix: str
    write: Callable[[dict[str, Any]], bytes]
    allowed: tuple[type[Exception], ...] = ()

    def places(self) -> dict[str, Place]:
        return self.given

    def run(self, case: dict[str, Any]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"file{self.suffix}")
            path.write_bytes(self.write(case))
            done = attempt(self.read, {}, positional=(path, case), allowed=self.allowed)
        if done.refusal is not None:
            demand(bool(str(done.refusal).strip()), "error without a message", repr(done.refusal))
            return "refused"
        return "answered"


def _read_any(path: Path, case: dict[str, Any]) -> Any:
    """Whole, in chunks and as a sample: the same rows, or the same refusal."""
    options = files.Options(**{name: case[name] for name in _OPTIONS if name in case})
    whole = files.read_table(path, options)
    layout, chunks = files.iterate_table(path, options, rows=3)
    pieces = pd.concat(chunks)
    demand(layout == whole.layout, "layout", f"{layout} and {whole.layout}")
    demand("\n" not in layout.describe(), "several lines", layout.describe())
    demand(len(pieces) == len(whole.table) == whole.n_rows, "rows", f"{len(pieces)} and {len(whole.table)}")
    if layout.format == "csv":
        demand(pieces.equals(whole.table), "chunks", f"{pieces} and {whole.table}")
        kept = [cell for cells in whole.table.to_numpy().tolist() for cell in cells]
        demand(all(cell is None or (isinstance(cell, str) and cell) for cell in kept), "cells", repr(kept[:20]))
    demand(len(files.read_table(path, options, max_rows=2).table) == min(2, whole.n_rows), "sample", "its size")
    return whole


# damaged files: edits of a good one


@st.composite
def damages(draw: st.DrawFn) -> list[list[Any]]:
    """A few edits, each at a place given as a share of the file."""
    place = st.floats(0, 1) | st.floats(0, 0.02)
    edit = st.one_of(
        st.tuples(st.just("flip"), place, st.integers(1, 255)),
        st.tuples(st.just("cut"), place, st.integers(1, 64)),
        st.tuples(st.just("end"), place, st.just(0)),
        st.tuples(st.just("insert"), place, st.integers(0, 255)),
        st.tuples(st.just("zero"), place, st.integers(1, 64)),
        st.tuples(st.just("copy"), place, st.integers(1, 64)),
    )
    return [list(one) for one in draw(st.lists(edit, min_size=1, max_size=4))]


def damage(good: bytes, edits: list[list[Any]]) -> bytes:
    """The file with these edits made, one after another."""
    data = bytearray(good)
    for what, share, amount in edits:
        at = min(int(share * len(data)), max(len(data) - 1, 0))
        if what == "flip" and data:
            data[at] ^= amount
        elif what == "cut":
            del data[at : at + amount]
        elif what == "end":
            del data[at:]
        elif what == "insert":
            data[at:at] = bytes([amount])
        elif what == "zero":
            data[at : at + amount] = bytes(len(data[at : at + amount]))
        elif what == "copy":
            data[at:at] = data[:amount]
    return bytes(data)


@cache
def good_store() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "study.sqlite")
        with Store(path) as store:
            for i in range(12):
                key = TaskKey("t", "problem", f"method {i % 3}", "{}", str(i), i)
                kept = Predictions(key, np.arange(2), np.arange(2), np.arange(2), probabilities=np.eye(2)).pack()
                record = Record(key, "done" if i % 4 else "failed", {"error": i / 12}, 0.5, {"emphatic": "0.2"})
                store.append(replace(record, predictions=kept))
        return path.read_bytes()


def _read_store(path: Path, case: dict[str, Any]) -> Any:
    with Store(path) as store:
        records = list(store.records()) + list(store.records(status="failed"))
        for kept in store.predictions(store.keys_of_predictions(["t"])):
            demand(kept.probabilities.tolist() == [[1, 0], [0, 1]], "wrong predictions", f"{kept}"[:200])
        return len(store), store.versions(["t"]), store.finished(["t"]), records


@cache
def good_model() -> bytes:
    from emphatic import RealAdaBoostClassifier

    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        fitted = RealAdaBoostClassifier(n_estimators=3, random_state=0).fit(X, X["a"] > 0)
        save(fitted, path, columns={"a": "number", "b": "number"})
        return path.read_bytes()


@cache
def good_table_model() -> bytes:
    """A model that reads text, with a profile of its training table."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": [f"{one:.2f}" for one in rng.normal(size=40)], "b": ["x", "y"] * 20})
    fitted = make_pipeline(TableTransformer(columns="useful"), LogisticRegression()).fit(X, rng.random(40) < 0.5)
    decisions = fitted[0].columns_
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        kinds = {one.name: one.kind for one in decisions}
        save(fitted, path, columns=kinds, profile=Profile.learn(X, decisions))
        return path.read_bytes()


def _read_model(path: Path, case: dict[str, Any]) -> Any:
    model = load(path)
    X = pd.DataFrame(np.random.default_rng(1).normal(size=(5, 2)), columns=["a", "b"])
    demand_probabilities("predict_proba", model.predict_proba(X), (5, len(model.classes_)))
    return model


_EDITS = {"edits": Place(damages(), damages())}
_OPTIONS = {
    "separator": [UNSET, UNSET, UNSET, ",", ";", "tab", "space", " ", "||", "", "\n", '"', "é", "\x00"],
    "quote": [UNSET, UNSET, UNSET, '"', "'", "none", "", '""', "\n", ","],
    "encoding": [UNSET, UNSET, UNSET, "utf-8", "utf-16", "cp1252", "latin-1", "utf-7", "idna", "hex", "nonsense", ""],
    "skip": [UNSET, UNSET, UNSET, 0, 1, 3, 99, -1, "a"],
    "header": [UNSET, UNSET, UNSET, 0, 1, 2, 3, True],
    "footer": [UNSET, UNSET, UNSET, 0, 1, 99, None, 0.5],
    "sheet": [UNSET, UNSET, "a", ""],
    "format": [UNSET, UNSET, UNSET, UNSET, "csv", "jsonl", "excel", "parquet", "arrow", "word"],
}
_ANY = {name: Place(st.sampled_from(values), st.sampled_from(values)) for name, values in _OPTIONS.items()}
_JSON = st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from([1, 2.5, None, True, "x", "", 10**30, [1]])))
_LINES = _JSON.map(lambda records: "".join(json.dumps(one) + "\n" for one in records))
_KINDS = ["table.parquet", "table.feather", "table.arrows", "sheet.xlsx", "gzip.csv.gz", "zstd.csv.zst"]
_KINDS += ["xz.csv.xz", "utf16_le.csv", "quoted_all.csv", "lines.jsonl"]

READERS = [
    FileTarget(
        "files.read_table",
        _read_any,
        {"text": Place(csv_texts(), csv_texts() | anything | _LINES), **_ANY},
        ".csv",
        lambda case: case["text"].encode("latin-1"),
    ),
    FileTarget(
        "files.iterate_table",
        _read_any,
        {**_EDITS, "kind": Place(st.sampled_from(_KINDS), st.sampled_from(_KINDS))},
        ".csv",
        lambda case: damage((FOLDER / case["kind"]).read_bytes(), case["edits"]),
    ),
    FileTarget(
        "Store", _read_store, _EDITS, ".sqlite", lambda case: damage(good_store(), case["edits"]), allowed=(StoreError,)
    ),
    FileTarget(
        "persistence.load",
        _read_model,
        _EDITS,
        ".emphatic",
        lambda case: damage(good_model(), case["edits"]),
        allowed=(ModelFileError,),
    ),
]


# the command, in this process


@dataclass
class CommandTarget:
    """`emphatic` with odd arguments on odd files: it ends with 0, 1 or 2, and one line says why."""

    name: str
    options: st.SearchStrategy[list[str]]

    def places(self) -> dict[str, Place]:
        text = csv_texts()
        return {"text": Place(text, text | anything), "options": Place(self.options, self.options)}

    def run(self, case: dict[str, Any]) -> str:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            Path("data.csv").write_bytes(case["text"].encode("latin-1"))
            Path("model").write_bytes(good_model())
            Path("table").write_bytes(good_table_model())
            Path("marks.csv").write_text("index,label,mark,correct\n0,x,wrong,\n1,0,right,0\n")
            Path("broken").write_bytes(good_model()[:200])
            os.mkdir("folder")
            before = sorted(os.listdir())
            command = [*self.name.removeprefix("emphatic ").split(), *case["options"]]
            done = attempt(CliRunner().invoke, {}, positional=(cli.build_app(), command)).answer
            text = done.output
            demand(done.exit_code in (0, 1, 2), "exit code", f"{done.exit_code}: {text[-200:]}")
            if done.exception is not None and not isinstance(done.exception, SystemExit):
                raise done.exception
            demand("Traceback" not in text, "traceback", text[-300:])
            if done.exit_code:
                demand(bool(done.stderr.strip()), "silent failure", str(done.exit_code))
                left = sorted(name for name in os.listdir() if not name.startswith("emphatic-compare"))
                demand(left == before, "files left behind", f"{left}")
                return "refused"
            if "--json" in case["options"]:
                json.loads(done.stdout)
            elif self.name == "emphatic predict" and "--probabilities" in case["options"]:
                rows = list(csv.reader(io.StringIO(done.stdout, newline="")))
                places = [place for place, name in enumerate(rows[0]) if name.startswith("P(")] if rows else []
                demand_finite("predict", [float(row[place]) for row in rows[1:] for place in places])
            return "answered"


def _options(*choices: list[list[str]]) -> st.SearchStrategy[list[str]]:
    return st.tuples(*(st.sampled_from(one) for one in choices)).map(
        lambda parts: [word for part in parts for word in part]
    )


_DATA = [["data.csv"], ["data.csv"], ["data.csv"], ["missing.csv"], ["folder"], [""], ["model"], ["."]]
_CSV_OPTIONS = [[], [], [], ["--separator", ";"], ["--separator", "\\t"], ["--separator", ""], ["--separator", "ab"]]
_TARGETS = [["--target", "y"], ["--target", "y"], ["--target", "y"], ["--target", "a"], ["--target", ""], []]
_OUTPUT = [[], ["--quiet"], ["--json"], ["--json", "--quiet"]]
_SEEDS = [[], [], ["--seed", "1"], ["--seed", "-1"], ["--seed", "x"], ["--seed", "99999999999999999999"]]
_METHODS = [
    ["--method", "RealAdaBoost of RBF networks"],
    ["--method", "realadaboost of trees"],
    ["--method", "Parallel perceptrons"],
    ["--method", "unheard of"],
]
_MODELS = [
    ["model"],
    ["model"],
    ["table"],
    ["table"],
    ["table"],
    ["broken"],
    ["missing"],
    ["folder"],
    ["data.csv"],
    [""],
]

_COLUMNS = [
    *[[]] * 9,
    ["--column", "a=category"],
    ["--column", "a=text", "--column", "b=ignore"],
    ["--column", "unheard of=text"],
    ["--column", "a"],
    ["--decimal", ","],
    ["--dates", "dmy"],
    ["--dates", "x"],
]
_LABELS = [*[[]] * 6, ["--bins", "3"], ["--bins", "1"]]
_LABELS += [["--missing-labels", one] for one in ("drop", "class", "x")]

COMMANDS = [
    CommandTarget(
        "emphatic inspect",
        _options(_DATA, [*_TARGETS, []], _CSV_OPTIONS, _COLUMNS, _LABELS, [*[[]] * 5, ["--json"], ["--quiet"]]),
    ),
    CommandTarget(
        "emphatic fit",
        _options(
            _DATA,
            _TARGETS,
            [
                ["--model", "new"],
                ["--model", "new"],
                ["--model", "missing/new"],
                ["--model", "folder"],
                ["--model", ""],
                [],
            ],
            _METHODS,
            [*[[]] * 6, ["--decision", "f1"], ["--decision", "x"], ["--costs", "missing"], ["--costs", "folder"]],
            _CSV_OPTIONS,
            _COLUMNS,
            _LABELS,
            [[], [], ["--report", "out.html"], ["--report", "folder"]],
            [[], [], ["--max-rows", "5"], ["--max-rows", "0"], ["--max-rows", "-3"], ["--max-rows", "1"]],
            _SEEDS,
            _OUTPUT,
        ),
    ),
    CommandTarget(
        "emphatic predict",
        _options(
            [*_MODELS, *_MODELS[:5] * 3],
            [*_DATA, *_DATA[:3] * 5],
            [
                *[[]] * 12,
                ["--output", "out.csv"],
                ["--output", "out.csv.gz"],
                ["--output", "out.parquet"],
                ["--output", "out.xlsx"],
                ["--output", "missing/out.csv"],
                ["--output", "folder"],
                ["--output", ""],
            ],
            [[], ["--probabilities"]],
            [*[[]] * 9, ["--keep", "a"], ["--keep", "b,y,a"], ["--keep", "unheard of"], ["--keep", ",,"]],
            [*[[]] * 19, ["--positive", "True"], ["--threshold", "0.3"]],
            [*[[]] * 9, *(["--threshold", one, "--positive", "True"] for one in ("0.3", "0", "nan", "-1", "inf", "x"))],
            _CSV_OPTIONS,
            [[], ["--quiet"]],
        ),
    ),
    CommandTarget(
        "emphatic audit",
        _options(
            _DATA,
            _TARGETS,
            [["--folds", "2"], ["--folds", "1"], ["--folds", "9"]],
            [[], ["--top", "0"], ["--top", "-1"]],
            [[], ["--csv", "out.csv"], ["--csv", "folder"], ["--report", "out.html"]],
            _SEEDS,
            _OUTPUT,
        ),
    ),
    CommandTarget(
        "emphatic audit apply",
        _options(
            _DATA,
            [["marks.csv"], ["marks.csv"], ["data.csv"], ["missing.csv"], ["folder"], ["model"]],
            _TARGETS,
            [["--output", "out.csv"], ["--output", "out.parquet"], ["--output", "out"], ["--output", "folder"], []],
            [[], ["--force"], ["--force", "--drop-unknown"], ["--log", "log.csv"], ["--log", "folder"]],
            _CSV_OPTIONS,
            _OUTPUT,
        ),
    ),
    CommandTarget(
        "emphatic compare",
        _options(
            _DATA,
            _TARGETS,
            [
                ["--methods", "LogisticRegression"],
                ["--methods", "unheard of"],
                ["--methods", "AdaBoost, LogisticRegression"],
            ],
            [["--quick"], ["--folds", "2", "--repeats", "1"], ["--folds", "1"], ["--repeats", "0"]],
            [
                [],
                [],
                ["--group", "a"],
                ["--time", "a"],
                ["--group", "y"],
                ["--time", ""],
                ["--group", "a", "--time", "a"],
            ],
            [[], ["--jobs", "0"], ["--jobs", "-2"]],
            _SEEDS,
            _OUTPUT,
        ),
    ),
    CommandTarget(
        "emphatic export",
        _options(_MODELS, [["model.onnx"], ["missing/model.onnx"], ["folder"], ["model"], [""]], [[], ["--quiet"]]),
    ),
    CommandTarget(
        "emphatic reproduce",  # only what it refuses, or answers without a study
        _options(
            [["nonsense"], ["--list"], ["--list", "--json"], [], ["000-II", "--jobs", "0"], ["000-II", "--runs", "0"]],
            [[], ["--budget", "-1"], ["--budget", "nan"], ["--solver", "magic"], ["--store", "folder"]],
        ).filter(lambda words: words[:1] != ["000-II"] or len(words) > 3),
    ),
    CommandTarget(
        "emphatic datasets", _options([[], ["--json"], ["--paper", "000"], ["--paper", "x"], ["--nonsense"]])
    ),
]
