"""A fitted model, and what a user of it has to know, in one file of numbers and text.

The file is a safetensors file. Its tensor "model.json" is a tree of plain values, in which arrays are numbers: those of
the other tensors. Its tensor "checksum" tells whether anything has changed since it was written.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save as save_tensors

from emphatic import check
from emphatic.fields import FieldError, is_fitted
from emphatic.files import write_atomically
from emphatic.persistence.plain import read_plain, write_plain
from emphatic.persistence.saved import COLUMN_KINDS, Saved
from emphatic.persistence.tree import TreeReader, TreeWriter
from emphatic.tables.profile import Profile
from emphatic.version import __version__

FORMAT = 2
TREE, CHECKSUM = "model.json", "checksum"
LARGEST_HEADER = 2**24
"""Bytes that may describe the arrays: what they unpack to is many times as large."""

ZIP = b"PK\x03\x04", b"PK\x05\x06"
"""How zip archives begin. As sizes of headers, which come first in our files, these are larger than any allowed."""

CODES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?"}
DTYPES = {name: np.dtype(code) for name, code in CODES.items()}
"""What an array may hold, by the names of safetensors."""

_PACKAGES = ("scikit-learn", "numpy")


class ModelFileError(ValueError):
    """The file cannot be used as a model; the message says which file and why."""


def save(
    model: Any,
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    training: Mapping[str, Any] | None = None,
    profile: Profile | None = None,
) -> None:
    """Write a fitted model to `path`, whole or not at all.

    `columns`, `training` and `profile` are stored with it, see `Saved`. A model that `load` would refuse is refused
    here.
    """
    for name, value in {"columns": columns, "training": training}.items():
        if value is not None:
            check.instance(name, value, Mapping, '{"age": "number"}')
    if profile is not None:
        check.instance("profile", profile, Profile, "Profile.learn(...)")
    try:
        data = _pack(model, columns or {}, training or {}, profile)
        _unpack(data)
    except FieldError as error:
        raise ModelFileError(f"{type(model).__name__} cannot be saved: {error}") from error
    write_atomically(path, data)


def check_savable(model: Any) -> None:
    """Raise ModelFileError for a model, fitted or not, that holds what cannot be saved: before it is trained."""
    try:
        TreeWriter().write_part(model)
    except FieldError as error:
        raise ModelFileError(f"{type(model).__name__} cannot be saved: {error}") from error


def load(path: str | Path) -> Any:
    """Load the model that `save` wrote to `path`. The file is only data: nothing in it can run."""
    return read(path).model


def read(path: str | Path) -> Saved:
    """Read the model with everything that its file says about it."""
    data = _read_bytes(Path(path))
    try:
        return _unpack(data)
    except ModelFileError as error:
        raise ModelFileError(f"{path} {error}") from None
    except (FieldError, RecursionError, MemoryError) as error:
        raise ModelFileError(f"{path} is refused: {_shorten(error)}") from error


def list_versions() -> dict[str, str]:
    """Return the versions of the packages that a saved model depends on."""
    return {"emphatic": __version__, **{package: metadata.version(package) for package in _PACKAGES}}


def _pack(model: Any, columns: Mapping[str, str], training: Mapping[str, Any], profile: Profile | None) -> bytes:
    writer = TreeWriter()
    content = {
        "format": FORMAT,
        "model": writer.write_part(model),
        "columns": [list(pair) for pair in columns.items()],
        "versions": list_versions(),
        "training": write_plain(dict(training), writer),
    }
    if profile is not None:
        content["profile"] = writer.write_part(profile)
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    arrays = {str(number): array for number, array in enumerate(writer.arrays)}
    return pack_arrays({TREE: np.frombuffer(text.encode(), dtype=np.uint8), **arrays})


def pack_arrays(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Arrays by name as one safetensors file, with their checksum among them."""
    for array in arrays.values():
        if array.dtype.newbyteorder("<") not in DTYPES.values():
            raise FieldError(f"holds an array of {array.dtype}, which cannot be saved: convert it to float64 or int64")
    tensors = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    tensors = {name: array.reshape(arrays[name].shape) for name, array in tensors.items()}  # one number stays one
    return bytes(save_tensors({**tensors, CHECKSUM: compute_checksum(tensors)}, {"made by": f"emphatic {__version__}"}))


def compute_checksum(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """32 bytes that depend on the name, type, shape and every byte of all arrays but the checksum itself."""
    digest = hashlib.sha256()
    for name in sorted(set(arrays) - {CHECKSUM}):
        array = arrays[name]
        digest.update(json.dumps([name, array.dtype.str, array.shape]).encode())
        digest.update(array.tobytes())
    return np.frombuffer(digest.digest(), dtype=np.uint8)


def _unpack(data: bytes) -> Saved:
    arrays = unpack_arrays(data)
    del arrays[CHECKSUM]
    content = _parse(arrays.pop(TREE))
    if sorted(arrays) != sorted(map(str, range(len(arrays)))):
        raise FieldError("the arrays must be numbered")
    return _build([arrays[str(number)] for number in range(len(arrays))], content)


def unpack_arrays(data: bytes) -> dict[str, np.ndarray]:
    """The arrays of a safetensors file by name, if it is one of ours and whole."""
    if data[:4] in ZIP:
        raise ModelFileError(
            "is a zip archive, such as emphatic 0.1 wrote (skops): these files are no longer read, because code can "
            "hide in them; fit and save the model again"
        )
    header = int.from_bytes(data[:8], "little")
    if len(data) < 16 or header > len(data) - 8 or data[8:9] != b"{":
        raise ModelFileError("is not a model that emphatic saved, or its end is missing")
    if header > LARGEST_HEADER:
        raise FieldError(f"{header:,} bytes describe the arrays, and {LARGEST_HEADER:,} are allowed")
    try:
        tensors = dict(deserialize(data))
    except SafetensorError as error:
        raise ModelFileError(f"is not a model that emphatic saved ({_shorten(error)})") from error
    if not {TREE, CHECKSUM} <= set(tensors):
        raise ModelFileError("is a safetensors file, but not a model that emphatic saved")
    arrays = {name: _as_array(name, tensor) for name, tensor in tensors.items()}
    if arrays[CHECKSUM].tobytes() != compute_checksum(arrays).tobytes():
        raise ModelFileError("was changed after it was written, or is damaged: its checksum is wrong")
    return arrays


def _as_array(name: str, tensor: dict[str, Any]) -> np.ndarray:
    dtype = DTYPES.get(tensor["dtype"])
    if dtype is None:
        raise FieldError(f"array {name} has the type {tensor['dtype']}: {', '.join(DTYPES)} are allowed")
    array = np.frombuffer(tensor["data"], dtype=dtype).reshape(tensor["shape"])
    if dtype == np.bool_ and array.size and array.view(np.uint8).max() > 1:
        raise FieldError(f"array {name} holds a truth value that is neither 0 nor 1")
    # aligned and writable: for other arrays numba would compile all kernels anew
    return np.require(array, dtype=dtype.newbyteorder("="), requirements=["C", "A", "W"])


def _parse(tree: np.ndarray) -> dict[str, Any]:
    """The tree of plain values; JSON in which no key comes twice, and without its extensions NaN and Infinity."""
    try:
        text = tree.tobytes().decode()
        content = json.loads(text, object_pairs_hook=_refuse_repeats, parse_constant=_refuse_constant)
        if "\\ud" in text.lower():  # halves of characters, which cannot be written
            json.dumps(content, ensure_ascii=False).encode()
    except FieldError:
        raise
    except ValueError as error:
        raise FieldError(f"{TREE} is no JSON ({_shorten(error)})") from error
    if not isinstance(content, dict) or type(content.get("format")) is not int:
        raise FieldError(f"{TREE} does not say which format it has")
    if content["format"] > FORMAT:
        raise ModelFileError("was written by a newer version of emphatic: update emphatic to read it")
    if content["format"] != FORMAT:
        raise FieldError(f"{TREE} has a format that never was")
    return content


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise FieldError(f"{TREE} has a key twice in one object")
    return found


def _refuse_constant(constant: str) -> None:
    raise FieldError(f"{TREE} holds {constant}")


def _build(arrays: list[np.ndarray], content: dict[str, Any]) -> Saved:
    if set(content) - {"profile"} != {"format", "model", "columns", "versions", "training"}:
        raise FieldError(f"{TREE} must have a format, a model, columns, versions and training")
    reader = TreeReader(arrays)
    model = reader.read_part(content["model"])
    if not hasattr(model, "fit"):
        raise FieldError(f"a {type(model).__name__} is no model")
    if not is_fitted(model):
        raise FieldError("it is not fitted")
    columns, versions = content["columns"], content["versions"]
    pairs = isinstance(columns, list) and all(isinstance(one, list) and len(one) == 2 for one in columns)
    if not pairs or not all(isinstance(name, str) and kind in COLUMN_KINDS for name, kind in columns):
        raise FieldError("columns must be pairs of a name and a kind")
    if not isinstance(versions, dict) or not all(isinstance(one, str) for one in versions.values()):
        raise FieldError("versions must be text")
    training = read_plain(content["training"], reader)
    if not isinstance(training, dict):
        raise FieldError("training must be a dictionary")
    profile = reader.read_part(content["profile"]) if "profile" in content else None
    if not isinstance(profile, Profile | None):
        raise FieldError(f"a {type(profile).__name__} is no profile")
    if profile is not None and not {one.name for one in profile.columns} <= {name for name, _ in columns}:
        raise FieldError("the profile is about columns that the model does not have")
    if len(reader.used) < len(arrays):
        raise FieldError(f"{len(arrays) - len(reader.used)} arrays belong to nothing")
    return Saved(model, dict(columns), versions, training, profile)


def _read_bytes(path: Path) -> bytes:
    if not path.exists():
        raise ModelFileError(f"there is no file {path}")
    if path.is_dir():
        raise ModelFileError(f"cannot read {path}: it is a folder")
    if not path.is_file():  # a pipe could keep us waiting, a device never ends
        raise ModelFileError(f"cannot read {path}: it is not a regular file")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"cannot read {path}: {error.strerror}") from error


def _shorten(error: BaseException) -> str:
    text = re.sub(r"\s+", " ", str(error)) or type(error).__name__
    return text if len(text) <= 300 else text[:297] + "..."
