"""A fitted model, and what a user of it has to know, in one skops file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emphatic.files import write_atomically
from emphatic.names import find_near
from emphatic.persistence.trusted import TRUSTED
from emphatic.version import __version__

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1
_PACKAGES = ("scikit-learn", "numpy", "skops")


class ModelFileError(ValueError):
    """The file cannot be used as a model; the message says which file and why."""


@dataclass(frozen=True)
class Saved:
    """A model with what its file says about it.

    `columns` gives the kind ("numbers" or "text") of every column that `predict` needs, in the order of the training
    table; it is empty for a model that was trained on a table without column names. `versions` are those of the
    packages that wrote the file, `training` is a summary by whoever trained the model.
    """

    model: Any
    columns: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)

    @property
    def classes(self) -> list[Any]:
        """The classes of the model, in the order of its probabilities."""
        return list(self.model.classes_.tolist())

    def arrange_columns(self, X: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
        """Return the columns of the model, by name and in its order, and the names of those that it does not know.

        A ValueError names the columns that are missing, or the first value that should be a number and is not.
        """
        extra = [str(name) for name in X.columns if name not in self.columns]
        missing = [f"{name}{_suggest(name, extra)}" for name in self.columns if name not in X.columns]
        if missing:
            raise ValueError(f"the table lacks columns that the model needs: {', '.join(missing)}")
        for name, kind in self.columns.items():
            if kind == "numbers":
                _check_numbers(X[name])
        return X[list(self.columns)], extra


def _suggest(name: str, others: list[str]) -> str:
    found = find_near(name, others)
    return f" (near: {', '.join(found)})" if found else ""


def _check_numbers(column: pd.Series) -> None:
    import pandas as pd
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    if is_numeric_dtype(column) and not is_bool_dtype(column):
        return
    wrong = pd.to_numeric(column.astype(str), errors="coerce").isna() & column.notna()
    if wrong.any():
        index = int(wrong.to_numpy().argmax())
        raise ValueError(
            f"column {column.name} held numbers in training and now holds {column.iloc[index]!r} at index {index}"
        )


def save(
    model: Any, path: str | Path, *, columns: Mapping[str, str] | None = None, training: Mapping[str, Any] | None = None
) -> None:
    """Write a fitted model to `path`, whole or not at all.

    `columns` and `training` are stored with it, see `Saved`. A model that `load` would refuse is refused here.
    """
    import skops.io as skops

    content = {
        "format": FORMAT,
        "model": model,
        "columns": [list(pair) for pair in (columns or {}).items()],  # pairs: a dictionary may lose its order
        "versions": list_versions(),
        "training": dict(training or {}),
    }
    try:
        data = skops.dumps(content)
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelFileError(f"{type(model).__name__} cannot be saved: {error}") from error
    _check_types(data, f"{type(model).__name__} cannot be saved")
    write_atomically(path, data)


def load(path: str | Path) -> Any:
    """Load the model that `save` wrote to `path`. No code from the file is executed, and unknown types are refused."""
    return read(path).model


def read(path: str | Path) -> Saved:
    """Read the model with everything that its file says about it."""
    import skops.io as skops

    data = _read_bytes(Path(path))
    try:
        _check_types(data, f"{path} is refused")
        content = skops.loads(data, trusted=sorted(TRUSTED))
        if content["format"] > FORMAT:
            raise ModelFileError(f"{path} was written by a newer version of emphatic: update to read this file")
        columns = {str(name): str(kind) for name, kind in content["columns"]}
        saved = Saved(content["model"], columns, content["versions"], content["training"])
        if not hasattr(saved.model, "predict"):
            raise ModelFileError(f"{path} does not hold a classifier")
    except ModelFileError:
        raise
    except Exception as error:  # a damaged or foreign file may break anywhere inside
        raise ModelFileError(f"{path} is not a model that emphatic saved ({_shorten(error)})") from error
    return saved


def list_versions() -> dict[str, str]:
    """Return the versions of the packages that a saved model depends on."""
    return {"emphatic": __version__, **{package: metadata.version(package) for package in _PACKAGES}}


def _read_bytes(path: Path) -> bytes:
    if not path.exists():
        raise ModelFileError(f"there is no file {path}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"cannot read {path}: {error.strerror}") from error


def _check_types(data: bytes, refusal: str) -> None:
    """Refuse a file with types that are not trusted; they are read from its schema, and none of them is imported."""
    import skops.io as skops

    untrusted = sorted(set(skops.get_untrusted_types(data=data)) - TRUSTED)
    if untrusted:
        what, verb = ("types", "are") if len(untrusted) > 1 else ("type", "is")
        raise ModelFileError(f"{refusal}: {what} {', '.join(untrusted)} {verb} not on the list of trusted types")


def _shorten(error: Exception) -> str:
    return re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:200]
