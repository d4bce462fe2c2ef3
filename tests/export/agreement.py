"""What every test of an exported model asserts: it predicts what the model predicts."""

import numpy as np
import onnxruntime

from emphatic.export import make_feed, to_onnx


def open_session(exported):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(exported.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run_exported(exported, X):
    session = open_session(exported)
    assert [one.name for one in session.get_outputs()] == ["label", "probabilities"]
    return session.run(None, make_feed(session, X))


def assert_agrees(model, X, atol=1e-9):
    """Labels on every row, probabilities to `atol`; and the largest probability is that of the label."""
    exported = to_onnx(model)
    label, probabilities = run_exported(exported, X)
    np.testing.assert_array_equal(label, model.predict(X))
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=atol)
    np.testing.assert_array_equal(np.asarray(model.classes_)[probabilities.argmax(axis=1)], label)
    return exported
