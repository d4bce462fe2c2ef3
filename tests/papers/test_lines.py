import io
import json

import pytest
from rich.console import Console

from emphatic.papers.lines import Line, to_markdown, to_records, to_rich

LINES = [
    Line("ripley", "K 10%, T 100", "RA, λ=0.5", [9.5, 10.5], (9.53, 0.34), note="regularisation 0.01"),
    Line("ripley", "K 10%, T 100", "λ=0.8", [9.0, 9.2], (8.97, 0.2), "oracle", p=0.004, p_published=0.0),
    Line("ripley", "K 10%, T 100", "λ", [9.3, 9.2], None, "cross-validated", p=0.3),
    Line("kwok", "K 2%, T 400", "RA, λ=0.5", [12.0], (12.18, 0.14), stand_in=True),
    Line("image", "K 2%, T 200", "RA, λ=0.5", [], (3.93, 0.32)),
]
GOLDEN = """\
### T

| Problem | Setting | Method | Published | Measured | Diff/std | p published | p | Runs | Note |
|---|---|---|---:|---:|---:|---:|---:|---:|---|
| ripley | K 10%, T 100 | RA, λ=0.5 | 9.53 (0.34) | 10.00 (0.71) | +1.4 |  |  | 2 | regularisation 0.01 |
| ripley | K 10%, T 100 | oracle λ=0.8 | 8.97 (0.20) | 9.10 (0.14) | +0.6 | 0.00 | 0.00 | 2 |  |
| ripley | K 10%, T 100 | cross-validated λ |  | 9.25 (0.07) |  |  | 0.30 | 2 |  |
| kwok | K 2%, T 400 | RA, λ=0.5 | 12.18 (0.14) | 12.00 |  |  |  | 1 | stand-in, not comparable |
| image | K 2%, T 200 | RA, λ=0.5 | 3.93 (0.32) | not finished |  |  |  | 0 |  |

How to read it.
"""


def test_markdown():
    assert to_markdown(LINES, "T", "How to read it.") == GOLDEN


def test_records_are_json_and_hold_every_run():
    records = json.loads(json.dumps(to_records(LINES), allow_nan=False))
    assert records[1]["choice"] == "oracle"
    assert records[1]["values"] == [9.0, 9.2]
    assert records[1]["difference_in_published_std"] == pytest.approx(0.65)
    assert records[3]["stand_in"]
    assert records[3]["difference_in_published_std"] is None
    assert records[4]["measured_mean"] is None


def test_terminal_shows_the_same_cells_once():
    stream = io.StringIO()
    Console(file=stream, width=200).print(to_rich(LINES, "T", "[bold] stays"))
    text = stream.getvalue()
    assert text.count("ripley") == 1
    for cell in ("oracle λ=0.8", "cross-validated λ", "stand-in, not comparable", "+1.4", "not finished"):
        assert cell in text


def test_narrow_terminal_still_marks_stand_ins():
    stream = io.StringIO()
    Console(file=stream, width=80).print(to_rich(LINES, "T", width=80))
    text = " ".join(stream.getvalue().split())
    assert text.count("ripley, K 10%, T 100") == 1
    assert "oracle λ=0.8 8.97 (0.20) 9.10 (0.14) +0.6 0.00 2" in text
    assert "kwok, K 2%, T 400, stand-in, not comparable" in text
