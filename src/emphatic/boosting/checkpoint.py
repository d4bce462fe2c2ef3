"""Learners kept in a folder as they are trained, so that a fit that was interrupted need not begin anew."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from emphatic.base import Lesson
from emphatic.boosting.training import Trained, Training, train_all
from emphatic.deferred import evaluate
from emphatic.files import write_atomically

DESCRIPTION, RESPONSE = "fit.json", "mean output"
FREE = ("checkpoint", "n_estimators")
"""Parameters that may differ from those of the fit that is continued: with more rounds it grows further."""


class Checkpoint:
    """The trained learners of one fit, in a folder.

    A fit that is continued goes through all its rounds in the same loop; learners that are in the folder are read
    instead of trained. Weights and votes are computed anew from what these learners say, and so need no place here.

    Parameters
    ----------
    folder : path
        It is made if need be. One that holds the learners of another fit is refused.
    ensemble : the estimator that is fitted; it and its table must be those of the fit that is continued
    lesson : what it learns from
    """

    def __init__(self, folder: str | Path, ensemble: Any, lesson: Lesson) -> None:
        self.folder = Path(folder)
        # by name: it lists the classes of all learners, and so lies above them
        self._files = import_module("emphatic.persistence")
        self._files.check_savable(ensemble._member())
        self._open(describe_fit(ensemble, lesson))

    def train(self, trainings: Sequence[Training]) -> list[Trained]:
        """`train_all`, but for trainings whose learners are in the folder."""
        paths = [self._name(training, number) for number, training in enumerate(trainings)]
        if all(path.exists() for path in paths):
            return [self._recall(training, path) for training, path in zip(trainings, paths, strict=True)]
        trained = train_all(trainings)
        for training, one, path in zip(trainings, trained, paths, strict=True):
            self._files.save(one.learner, path, training={RESPONSE: measure_response(training, one)})
        return trained

    def _recall(self, training: Training, path: Path) -> Trained:
        kept = self._files.read(path)
        found = training.trainer.recall(kept.model)
        response = kept.training.get(RESPONSE)
        if not (isinstance(response, float) and np.isclose(measure_response(training, found), response, rtol=1e-6)):
            raise ValueError(
                f"checkpoint={str(self.folder)!r} holds another fit: {path.name} answers otherwise to these rows. Use "
                "another folder, or delete this one."
            )
        return found

    def _name(self, training: Training, number: int) -> Path:
        """Of the file of a learner: the round, the attempt, and the number of the distribution it is trained under."""
        round_number, attempt = training.key
        return self.folder / f"round-{round_number:05}-{attempt}-{number}.emphatic"

    def _open(self, description: dict[str, str]) -> None:
        path = self.folder / DESCRIPTION
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                write_atomically(path, json.dumps(description, indent=1))
                return
            kept = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(f"checkpoint={str(self.folder)!r} cannot be used: {error}") from error
        if not isinstance(kept, dict):
            raise ValueError(f"checkpoint={str(self.folder)!r} cannot be used: {DESCRIPTION} describes no fit.")
        for name in sorted({*kept, *description}):
            if kept.get(name) != description.get(name):
                raise ValueError(
                    f"checkpoint={str(self.folder)!r} holds another fit: {name} was {kept.get(name)} and is "
                    f"{description.get(name)}. Use another folder, or delete this one."
                )


def measure_response(training: Training, trained: Trained) -> float:
    """The mean output of a learner under the distribution that it was trained under: another table has another."""
    output = trained.output if trained.output.ndim == 1 else trained.output[:, 0]
    (response,) = evaluate((training.weights * output).sum())
    return float(response)


def describe_fit(ensemble: Any, lesson: Lesson) -> dict[str, str]:
    """What two runs of the same fit have in common."""
    parameters = {name: repr(value) for name, value in ensemble.get_params().items() if name not in FREE}
    table = {"number of rows": len(lesson.y), "number of columns": ensemble.n_features_in_}
    return {
        **parameters,
        **{name: str(number) for name, number in table.items()},
        "classes": repr(ensemble.classes_.tolist()),
    }
