"""`emphatic export` as a user runs it."""

import json

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from typer.testing import CliRunner

from emphatic import cli
from emphatic.commands import export as export_command  # noqa: F401 - it is found without the command line
from emphatic.export import make_feed
from emphatic.persistence import read, save


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=60), "colour": ["red", "", "blue"] * 20})
    table["y"] = np.where(table["a"] + (table["colour"] == "red") > 0, "yes", "no")
    table.to_csv("data.csv", index=False)
    return lambda *arguments: CliRunner().invoke(cli.build_app(), arguments)


def test_a_fitted_model_becomes_an_onnx_file(run):
    fitted = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--method", "RealAdaBoost of trees")
    assert fitted.exit_code == 0, fitted.output
    done = run("export", "m.emphatic", "m.onnx")
    assert (done.exit_code, done.stdout) == (0, "Inputs: a, colour\nOutputs: label, probabilities\nWrote m.onnx\n")
    session = onnxruntime.InferenceSession("m.onnx", providers=["CPUExecutionProvider"])
    X, saved = pd.read_csv("data.csv").drop(columns="y"), read("m.emphatic")
    label, probabilities = session.run(None, make_feed(session, X))
    np.testing.assert_array_equal(label, saved.model.predict(X))
    np.testing.assert_allclose(probabilities, saved.model.predict_proba(X), rtol=0, atol=1e-9)
    training = json.loads(session.get_modelmeta().custom_metadata_map["emphatic.training"])
    assert (training["target"], training["method"]) == ("y", "RealAdaBoost of trees")


def test_what_cannot_be_exported_is_refused_in_one_line(run, tmp_path):
    save(GaussianNB().fit([[0.0], [1.0]], [0, 1]), "m.emphatic")
    done = run("export", "m.emphatic", "m.onnx")
    assert done.exit_code == 2 and not (tmp_path / "m.onnx").exists()
    assert done.stderr.startswith("emphatic: sklearn's GaussianNB cannot be exported to ONNX")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.emphatic", "m.onnx"), "there is no file none.emphatic"),
        (("data.csv", "data.csv"), "it is already an input"),
        (("data.csv", "none/m.onnx"), "its folder does not exist"),
    ],
)
def test_wrong_files_are_refused_before_any_work(run, arguments, message):
    done = run("export", *arguments)
    assert done.exit_code == 2 and message in done.stderr


def test_without_onnx_the_command_names_the_remedy(run, monkeypatch):
    save(GaussianNB().fit([[0.0], [1.0]], [0, 1]), "m.emphatic")
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    done = run("export", "m.emphatic", "m.onnx")
    assert done.exit_code == 2 and 'pip install "emphatic[onnx]"' in done.stderr
