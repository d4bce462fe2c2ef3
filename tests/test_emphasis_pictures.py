"""The pictures of docs/emphases.md: every emphasis that can be drawn has one, and it shows what the weights are now."""

import re
from pathlib import Path

import pytest

pytest.importorskip("plotly")

from tools.draw_emphases import draw_all, list_drawn

FOLDER = Path(__file__).parents[1] / "docs/images/emphases"
PICTURES = draw_all()
NUMBER = re.compile(r"-?\d+\.\d+")


def test_there_is_a_picture_of_every_emphasis_that_can_be_drawn_and_no_other():
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*list_drawn(), "overview"}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_would_be_drawn_now(name):
    """But for the last digits, which depend on the machine."""
    kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert NUMBER.sub("", kept) == NUMBER.sub("", PICTURES[name]), "draw them again: tools/draw_emphases.py"
    numbers = [[float(one) for one in NUMBER.findall(text)] for text in (kept, PICTURES[name])]
    assert numbers[0] == pytest.approx(numbers[1], abs=1e-3), "draw them again: tools/draw_emphases.py"


def test_every_picture_is_on_the_page():
    page = (FOLDER.parents[1] / "emphases.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(images/emphases/(\w+)\.svg\)", page)) == set(PICTURES)
