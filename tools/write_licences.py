"""Write LICENCES.txt of the bundled data from their catalogue: `python -m tools.write_licences`."""

import textwrap
from typing import Any

from emphatic.datasets.catalogue import catalogue, data_file

HEAD = """\
Licences and citations of the data of emphatic.datasets
=======================================================

The data are not covered by the licence of the code. For each set: where it comes from, its licence, whether it may
be passed on and how we know, and what to cite. Written by tools/write_licences.py from catalogue.json, which also has
the sha256 of each file.

What was changed in all of them: one layout (gzipped CSV with a header, the class last, missing values empty; mfeat is
an npz file), and names of columns where the source has none. Notes in the catalogue say what else, if anything.
"""


def write(found: dict[str, Any]) -> str:
    """All licences, as a text."""
    return "\n".join(
        [HEAD, *(_write_set(name, entry) for name, entry in sorted(found["sets"].items())), _write_keys(found)]
    )


def _write_set(name: str, entry: dict[str, Any]) -> str:
    lines = [
        f"{name} ({entry['shipped_in']}{': ' + entry['file'] if 'file' in entry else ''})",
        f"  Source: {entry['source']}" + (f"; copied from {entry['copied_from']}" if "copied_from" in entry else ""),
        f"  Licence: {entry['licence']}",
        f"  Redistribution: {entry['redistribution']} [{', '.join(entry['evidence'])}]",
        f"  Cite: {entry['citation']}",
    ]
    return "\n".join([*lines, ""])


def _write_keys(found: dict[str, Any]) -> str:
    lines = [textwrap.fill(f"[{key}] {text}", 118, break_on_hyphens=False) for key, text in found["evidence"].items()]
    return "\n".join(["How we know", "-----------", *lines, ""])


def main() -> None:
    with open(str(data_file("LICENCES.txt")), "w", encoding="utf-8", newline="\n") as file:
        file.write(write(catalogue()))


if __name__ == "__main__":
    main()
