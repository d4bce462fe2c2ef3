"""What is in a wheel and an sdist: files, sizes, licences; and what must not be."""

import json
import tarfile
import zipfile
from collections import Counter
from email.parser import Parser
from pathlib import Path

LARGEST = 5_000_000  # bytes of a wheel


def find_foreign_tables(sdist: Path, tables: dict) -> list[str]:
    """Tables in an sdist that belong to another package, a sentence each."""
    with tarfile.open(sdist) as file:
        held = {Path(name).name for name in file.getnames()}
    others = {name: entry for name, entry in tables.items() if "package" in entry}
    return [f"{sdist.name} holds {name}" for name, entry in others.items() if Path(entry["file"]).name in held]


class Wheel:
    """An opened wheel."""

    def __init__(self, path: Path):
        self.path = path
        with zipfile.ZipFile(path) as file:
            self.sizes = {one.filename: one.compress_size for one in file.infolist()}
            self.metadata = Parser().parsestr(file.read(self._find(".dist-info/METADATA")).decode("utf-8"))
            catalogues = [name for name in self.sizes if name.endswith("datasets/data/catalogue.json")]
            self.tables = json.loads(file.read(catalogues[0]))["sets"] if catalogues else {}

    def _find(self, end: str) -> str:
        [name] = [name for name in self.sizes if name.endswith(end)]
        return name

    def find_faults(self) -> list[str]:
        """What must not be released, a sentence each."""
        name, size = self.path.name, self.path.stat().st_size
        faults = [f"{name} has {size:,} bytes; at most {LARGEST:,} are allowed"] if size > LARGEST else []
        for file in self.sizes:
            if "__pycache__" in file or file.endswith((".nbi", ".nbc", ".sqlite")) or file.startswith("tests/"):
                faults.append(f"{name} holds {file}")
        here = {Path(file).name for file in self.sizes if "/datasets/data/" in file}
        for table, entry in self.tables.items():
            shipped = entry.get("file") in here
            if shipped != (entry["shipped_in"] == "emphatic" and "file" in entry):
                faults.append(f"{name}: {table} is {'in it' if shipped else 'missing'}, against the catalogue")
            if shipped and entry["redistribution"] != "allowed":
                faults.append(f"{name} holds {table}, whose redistribution is {entry['redistribution']!r}")
        if not self.metadata.get_all("License-File"):
            faults.append(f"{name} holds no licence")
        return faults

    def describe(self) -> str:
        """Size, licence, and which parts take how much."""
        folders = Counter[str]()
        for file, size in self.sizes.items():
            folders["/".join(file.split("/")[: 2 if file.count("/") > 1 else 1])] += size
        parts = [f"{size / 1e3:9.0f} kB  {folder}" for folder, size in folders.most_common(8)]
        licences = ", ".join(self.metadata.get_all("License-File"))
        head = f"{self.path.name}: {self.path.stat().st_size / 1e6:.2f} MB in {len(self.sizes)} files"
        return "\n".join([head, f"  licence: {self.metadata['License-Expression']} ({licences})", *parts])
