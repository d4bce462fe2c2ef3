"""The examples of the gallery run as they stand, each in a namespace of its own, and show something."""

import runpy
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("agg")
import matplotlib.pyplot as plt

EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = sorted(EXAMPLES.rglob("*.py"))
QUICK = ("plot_weight_against_margin", "plot_columns_recognised", "plot_rbf_centres", "plot_number_of_clusters")


def name_of(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize(
    "path", [pytest.param(one, marks=[] if one.stem in QUICK else pytest.mark.slow) for one in FILES], ids=name_of
)
def test_examples_run(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    plt.close("all")
    monkeypatch.setattr(plt, "show", lambda: None)
    runpy.run_path(str(path), run_name="__main__")
    drawn = len(plt.get_fignums())
    plt.close("all")
    assert drawn or "plot.emphasis(" in path.read_text() or "plot.boundary(" in path.read_text()
    assert list(tmp_path.iterdir()) == []  # an example leaves nothing behind


def test_the_gallery_has_its_sections_and_titles():
    for folder in [EXAMPLES, *{path.parent for path in FILES}]:
        assert (folder / "README.txt").exists(), f"{folder.name} has no README.txt, so the gallery would leave it out"
    titles = [path.read_text().splitlines()[1] for path in FILES]
    assert len(titles) >= 20 and len(set(titles)) == len(titles)
