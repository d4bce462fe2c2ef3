"""Finished fits of peers as a table of text: what takes days is measured a part at a time, on any machine, once.

Ours are not kept: they belong to the code that made them, and take little time.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from benchmarks.peers_automl import find_package, list_automl
from benchmarks.peers_results import METRICS
from emphatic.comparison.contenders import list_contenders
from emphatic.files import write_atomically
from emphatic.study.store import Store
from emphatic.study.tasks import Record, TaskKey, canonical

PLACE = ("method", "problem", "flipped", "split")
VALUES = (*METRICS, "fit_cpu_seconds", "predict_cpu_seconds")
COLUMNS = (*PLACE, *VALUES, "version")
DIGITS = 6
TABLE = "peers"
PEER = "the peer"
"""Under which its version is kept."""


def read_records(path: Path) -> list[Record]:
    """All of a table, none if there is no such file; a ValueError names a line that is not whole."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        lines = csv.DictReader(file)
        if lines.fieldnames is None or tuple(lines.fieldnames) != COLUMNS:
            raise ValueError(f"{path} must have the columns {', '.join(COLUMNS)}")
        return [_read_line(path, number, line) for number, line in enumerate(lines, start=2)]


def _read_line(path: Path, number: int, line: dict[str, str]) -> Record:
    try:
        values = {name: float(line[name]) for name in VALUES}
        setting = canonical({"flipped": float(line["flipped"])})
    except (TypeError, ValueError):
        raise ValueError(f"line {number} of {path} is not whole") from None
    key = TaskKey(TABLE, line["problem"], line["method"], setting, line["split"], 0)
    fit_seconds = values.pop("fit_cpu_seconds")
    return Record(key, "done", values, versions={PEER: line["version"]}, fit_cpu_seconds=fit_seconds)


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Those of peers at their defaults that did what they were asked to, sorted, in place of the table."""
    peers = {name for name, recipe in {**list_contenders(), **list_automl()}.items() if recipe.family == "peer"}
    lines = [
        _make_line(record)
        for record in records
        if record.status == "done" and record.key.method in peers and not _is_special(record)
    ]
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(sorted(lines, key=lambda line: [line[name] for name in PLACE]))
    write_atomically(path, text.getvalue())


def _is_special(record: Record) -> bool:
    """Tuned with the time of ours, or refused and scored as the class frequencies."""
    return set(json.loads(record.key.setting)) != {"flipped"} or "refusal" in record.metrics


def _make_line(record: Record) -> dict[str, str]:
    key, setting = record.key, json.loads(record.key.setting)
    values = {**record.metrics, "fit_cpu_seconds": record.fit_cpu_seconds}
    place = {"method": key.method, "problem": key.problem, "flipped": f"{setting['flipped']:g}", "split": key.split}
    version = record.versions.get(PEER) or find_version(key.method)
    return place | {name: f"{values[name]:.{DIGITS}g}" for name in VALUES} | {"version": version}


@cache
def find_version(method: str) -> str:
    """The distribution that a method is of, and its version here; "unknown" where it is not installed."""
    package = find_package(method) if method in list_automl() else list_contenders()[method].package
    package = package.replace("emphatic", "sklearn")  # a peer that we only wrap
    names = [package] if "." in package else metadata.packages_distributions().get(package, [])
    try:
        return ", ".join(f"{name} {metadata.version(name)}" for name in sorted(set(names))) or "unknown"
    except metadata.PackageNotFoundError:
        return "unknown"


def add_records(store: Store, path: Path) -> None:
    """What the table holds and the store lacks."""
    store.append(*(record for record in read_records(path) if not store.holds(record.key)))
