"""`python -m benchmarks.export [repeats]`: exported models in onnxruntime beside ours, 10,000 rows, one thread."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import onnxruntime

from benchmarks.growth import verdict
from benchmarks.prediction_work import count_prediction
from benchmarks.timing import interleaved
from benchmarks.work import Work, share_of_limit
from emphatic.datasets import load
from emphatic.export import make_feed, to_onnx
from emphatic.inputs import take_rows
from emphatic.recipes import RECIPES
from tools.cpu_code import describe_cpu_code

PROBLEMS = ("waveform", "german", "vowel", "five_gaussians_not_kwok")
"""Numbers; mostly categories; many classes; two columns."""

N_TRAIN, N_ROWS = 1000, 10_000
LARGEST = 1.5


def open_session(exported: object) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(exported.SerializeToString(), options, providers=["CPUExecutionProvider"])


def times(name: str, method: str, repeats: int) -> tuple[dict[str, float], Work | None]:
    """Seconds of both for the same rows, and the work in them.

    The inputs of the exported model are ready, as a program would have them.
    """
    problem, rng = load(name), np.random.default_rng(0)
    rows = rng.permutation(len(problem.y))[:N_TRAIN]
    model = RECIPES[method].build({}, 0).fit(take_rows(problem.X, rows), problem.y[rows])
    asked = take_rows(problem.X, rng.integers(len(problem.y), size=N_ROWS))
    session = open_session(to_onnx(model))
    feed = make_feed(session, asked)
    actions = {"ours": lambda: model.predict_proba(asked), "onnx": lambda: session.run(["probabilities"], feed)}
    return interleaved(actions, repeats), count_prediction(model, N_ROWS)


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    ours = [recipe for recipe in RECIPES.values() if recipe.family == "ours"]
    print(f"{N_ROWS:,} rows{'':>46}{'ours ms':>10}{'onnx ms':>10}{'ratio':>8}{'ours, of limit':>16}")
    for recipe in ours:
        for name in PROBLEMS:
            if not recipe.supports(len(set(load(name).y.tolist()))):
                continue
            taken, work = times(name, recipe.name, repeats)
            ratio = taken["onnx"] / taken["ours"]
            share = "no" if work is None else f"{share_of_limit(work, taken['ours']):.0%}"
            line = f"{recipe.name:>32}{name:>26}{1e3 * taken['ours']:>9.0f}{1e3 * taken['onnx']:>10.0f}{ratio:>8.2f}"
            print(f"{line}{share:>16}  {verdict(ratio <= LARGEST)}", flush=True)
    print("no share of a limit where trees, alone or in a blend, compare rather than compute")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
