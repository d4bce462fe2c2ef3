"""`python -m benchmarks.model_files [repeats]`: model files beside joblib's pickles, of models fitted to 1,000 rows."""

from __future__ import annotations

import io
import sys
import tempfile
import warnings
from pathlib import Path

import joblib
import numpy as np

from benchmarks.timing import interleaved
from benchmarks.work import Work, share_of_limit
from emphatic import EmphaticClassifier
from emphatic.datasets import load as load_problem
from emphatic.inputs import take_rows
from emphatic.persistence import load, save
from tools.cpu_code import describe_cpu_code

PROBLEMS = ("german", "car", "image", "ripley", "vehicle", "thyroid")
N_TRAIN = 1000


def compare(name: str, folder: Path, repeats: int) -> str:
    problem = load_problem(name)
    rows = np.random.default_rng(0).permutation(len(problem.y))[:N_TRAIN]
    model = EmphaticClassifier(random_state=0).fit(take_rows(problem.X, rows), problem.y[rows])
    path, pickled = folder / "m.emphatic", io.BytesIO()
    save(model, path)
    joblib.dump(model, pickled)

    def load_pickle() -> None:
        pickled.seek(0)
        joblib.load(pickled)

    taken = interleaved({"ours": lambda: load(path), "joblib": load_pickle}, repeats)
    sizes = path.stat().st_size, len(pickled.getvalue())
    ratios = sizes[0] / sizes[1], taken["ours"] / taken["joblib"]
    share = share_of_limit(Work(bytes=2 * sizes[0]), taken["ours"])  # each byte is read once, and written once
    found = f"{sizes[0] / 1e3:>12.0f}{ratios[0]:>8.2f}{1e3 * taken['ours']:>14.2f}{ratios[1]:>8.2f}"
    return f"{name:>10}{found}{share:>10.2%}"


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    print(f"{'':>10}{'size, kB':>12}{'ratio':>8}{'loading, ms':>14}{'ratio':>8}{'of limit':>10}   (ours / joblib)")
    with tempfile.TemporaryDirectory() as folder:
        for name in PROBLEMS:
            print(compare(name, Path(folder), repeats), flush=True)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
