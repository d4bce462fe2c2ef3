"""The examples of the README and of the pages run as they stand, block after block of a page in one session."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_examples_run(page, capsys):
    session: dict = {}
    for block in blocks(page):
        exec(compile(block, page.name, "exec"), session)
    promised = re.findall(r"print\(.*\)\s+# ([\d.]+)", "\n".join(blocks(page)))
    printed = capsys.readouterr().out.split()
    assert [float(value) for value in promised] == pytest.approx(
        [float(one) for one in printed[: len(promised)]], abs=1e-3
    )


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
