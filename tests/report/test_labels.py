"""Names beside marks: on the mark's own side of others, as far as there is room."""

from hypothesis import given
from hypothesis import strategies as st

from emphatic.report.labels import place_labels

SIDES = {"middle right", "middle left", "top center", "bottom center"}


def test_a_mark_with_room_has_its_name_on_the_right():
    assert place_labels([0.0, 0.5], [0.0, 1.0], ["forest", "tree"]) == ["middle right", "middle right"]


def test_marks_at_one_place_have_their_names_on_different_sides():
    assert set(place_labels([1.0] * 4, [2.0] * 4, ["forest"] * 4)) == SIDES


def test_a_long_name_at_the_edge_goes_inwards():
    assert place_labels([0.0, 1.0], [0.0, 1.0], ["RealAdaBoost of RBF networks"] * 2) == ["middle right", "middle left"]


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(0, 100)), min_size=1, max_size=30))
def test_every_mark_has_a_side(points):
    x, y = zip(*points, strict=True)
    found = place_labels(x, y, [f"method {number}" for number in range(len(points))])
    assert len(found) == len(points) and set(found) <= SIDES
