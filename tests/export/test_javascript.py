"""The example of docs/export.md in JavaScript predicts what the model of the example in Python predicts."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

PAGE = (Path(__file__).parents[2] / "docs/export.md").read_text(encoding="utf-8")
PACKAGE = "onnxruntime-node"


def find_missing():
    """What the example needs and is not there; NODE_PATH may say where the package is."""
    if shutil.which("node") is None:
        return "node is not installed"
    found = subprocess.run(["node", "-e", f"require('{PACKAGE}')"], capture_output=True, cwd=Path(__file__).parent)
    return "" if found.returncode == 0 else f"node does not find {PACKAGE}: npm install {PACKAGE}, or set NODE_PATH"


def read_blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.skipif(bool(find_missing()), reason=find_missing())
def test_the_example_in_javascript(tmp_path):
    session: dict = {}
    for block in read_blocks("python"):
        exec(compile(block, "export.md", "exec"), session)
    (tmp_path / "model.onnx").write_bytes(session["content"])
    (program,) = read_blocks("javascript")
    package = subprocess.run(
        ["node", "-p", f"require.resolve('{PACKAGE}')"], capture_output=True, text=True, cwd=Path(__file__).parent
    )
    (tmp_path / "example.js").write_text(program.replace(f'"{PACKAGE}"', json.dumps(package.stdout.strip())))
    done = subprocess.run(["node", "example.js"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    table = session["pd"].DataFrame({"colour": ["red", None, "green"], "size": [1.0, None, 7.5]})
    assert shown["label"] == session["model"].predict(table).tolist()
    expected = session["model"].predict_proba(table).ravel()
    np.testing.assert_allclose(shown["probabilities"], expected, rtol=0, atol=1e-5)
