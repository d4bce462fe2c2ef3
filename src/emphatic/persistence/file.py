"""A fitted model and what is to be known of it, in one skops file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from emphatic.files import write_atomically
from emphatic.persistence.trusted import TRUSTED
from emphatic.version import __version__

FORMAT = 1
_PACKAGES = ("scikit-learn", "numpy", "skops")


class ModelFileError(ValueError):
    """The file cannot be used as a model; the message says which file and why."""


@dataclass(frozen=True)
class Saved:
    """A model with what its file says of it.

    `columns` is the kind ("numbers" or "text") of every column that `predict` needs, in the order of the training
    table; it is empty where a model was trained on a table without names. `versions` are those of the packages that
    wrote the file, `training` is the summary of whoever trained the model.
    """

    model: Any
    columns: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)

    @property
    def classes(self) -> list[Any]:
        """The classes that the model tells apart, in the order of its probabilities."""
        found: list[Any] = self.model.classes_.tolist()
        return found


def save(
    model: Any, path: str | Path, *, columns: Mapping[str, str] | None = None, training: Mapping[str, Any] | None = None
) -> None:
    """Write a fitted model to `path`, whole or not at all.

    `columns` and `training` are kept beside it, see `Saved`. A model that `load` would refuse is refused here.
    """
    import skops.io as skops

    content = {
        "format": FORMAT,
        "model": model,
        "columns": [list(pair) for pair in (columns or {}).items()],  # pairs: a dictionary's order may get lost
        "versions": versions(),
        "training": dict(training or {}),
    }
    try:
        data = skops.dumps(content)
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelFileError(f"{type(model).__name__} cannot be saved: {error}") from error
    foreign = _foreign(data)
    if foreign:
        raise ModelFileError(f"{type(model).__name__} cannot be saved: {_refusal(foreign)}")
    write_atomically(path, data)


def load(path: str | Path) -> Any:
    """The model that `save` wrote to `path`. No code from the file is executed, and types not known are refused."""
    return read(path).model


def read(path: str | Path) -> Saved:
    """The model with all that its file says of it."""
    import skops.io as skops

    data = _bytes(Path(path))
    try:
        foreign = _foreign(data)
        if foreign:
            raise ModelFileError(f"{path} is refused: {_refusal(foreign)}")
        content = skops.loads(data, trusted=sorted(TRUSTED))
        if content["format"] > FORMAT:
            raise ModelFileError(f"{path} was written by a newer emphatic: update it to read this file")
        columns = {str(name): str(kind) for name, kind in content["columns"]}
        saved = Saved(content["model"], columns, content["versions"], content["training"])
        if not hasattr(saved.model, "predict"):
            raise ModelFileError(f"{path} holds no classifier")
    except ModelFileError:
        raise
    except Exception as error:  # a damaged or foreign file may break anywhere inside
        raise ModelFileError(f"{path} is not a model that emphatic saved ({_one_line(error)})") from error
    return saved


def versions() -> dict[str, str]:
    """Of the packages that a saved model depends on."""
    return {"emphatic": __version__, **{package: metadata.version(package) for package in _PACKAGES}}


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise ModelFileError(f"there is no file {path}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"cannot read {path}: {error.strerror}") from error


def _foreign(data: bytes) -> list[str]:
    """Types in a file that are not trusted, read from its schema: nothing of them is imported."""
    import skops.io as skops

    return sorted(set(skops.get_untrusted_types(data=data)) - TRUSTED)


def _refusal(foreign: list[str]) -> str:
    types = f"type{'s' if len(foreign) > 1 else ''} {', '.join(foreign)}"
    return f"{types}, of which it is not known that loading does no harm"


def _one_line(error: Exception) -> str:
    return re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:200]
