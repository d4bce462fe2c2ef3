"""Files that earlier versions wrote are read as they are, and predict what they predicted then."""

import json
from pathlib import Path

import numpy as np
import pytest

from emphatic.persistence import load, read
from tools.keep_models import make_table

KEPT = sorted(Path("tests/data/models").glob("format-*/*.emphatic"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_kept_file_predicts_what_it_predicted(path):
    expected = json.loads((path.parent / "expected.json").read_text())[path.stem]
    X, y = make_table(path.stem)
    model = load(path)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-6)  # other CPUs round otherwise
    assert read(path).training == {"rows": len(y)}
    assert (model.predict(X) == model.classes_[np.argmax(expected, axis=1)]).all()


def test_there_are_kept_files_of_every_family():
    assert {path.stem for path in KEPT} >= {
        "rbf",
        "mlp",
        "boosted_trees",
        "fuzzy_boost",
        "forest",
        "fusion",
        "emphatic",
    }


def test_a_kept_file_says_which_versions_wrote_it():
    assert all({"emphatic", "numpy", "scikit-learn"} <= set(read(path).versions) for path in KEPT)
