"""The examples of the README, of the pages and of the tutorials run as they stand, block after block in one session."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NOTEBOOKS = sorted((ROOT / "docs/tutorials").glob("*.ipynb"))


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def keep_promise(value, promised):
    assert float(value) == pytest.approx(promised, abs=1e-3)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_examples_run(page):
    session: dict = {"keep_promise": keep_promise}
    for block in blocks(page):
        checked = re.sub(
            r"^(\s*)print\((.*)\)\s+# ([\d.]+)(?![\d.]).*$", r"\1keep_promise(\2, \3)", block, flags=re.MULTILINE
        )
        exec(compile(checked, page.name, "exec"), session)


def cells(notebook):
    """The code of a notebook, cell by cell."""
    found = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_tutorials_run(notebook, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    session: dict = {"__name__": "__main__"}
    for number, cell in enumerate(cells(notebook)):
        exec(compile(cell, f"{notebook.name}, cell {number}", "exec"), session)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_tutorials_are_kept_without_outputs(notebook):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        assert cell.get("outputs", []) == [] and cell.get("execution_count") is None


def test_every_page_of_the_docs_is_in_a_table_of_contents():
    listed = set()
    for page in (ROOT / "docs").rglob("*.md"):
        for toctree in re.findall(
            r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        ):
            entries = [line for line in toctree.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / re.sub(r".*<(.*)>", r"\1", entry)).resolve() for entry in entries}
    pages = {
        page.with_suffix("").resolve()
        for page in [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/papers").glob("*.md"), *NOTEBOOKS]
    }
    assert pages - listed == {ROOT / "docs/index"}


def test_links_between_the_pages_lead_somewhere():
    for page in [*PAGES, *sorted((ROOT / "docs/papers").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+\.md)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_promise_names_a_test_that_exists():
    text = (ROOT / "docs/security.md").read_text()
    named = re.findall(r"::(test_\w+)`", text)
    existing = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 8
    assert [one for one in named if f"def {one}(" not in existing] == []
