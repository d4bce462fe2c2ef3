"""Good files changed at random: bytes, or, with the checksum made right again, the tree and the arrays."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.persistence.models import close_file, open_file

ODD_VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3,
    7,
    99,
    2**31,
    2**63,
    10**40,
    -(10**40),
    0.5,
    -0.5,
    1e-320,
    1e308,
    "",
    "text",
]
ODD_VALUES += [[], {}, [0], [[]], {"same": 0}, {"array": 0}, {"tuple": []}, {"number": "nan"}, {"number": "inf"}]
ODD_VALUES += [{"class": "Mixed", "parameters": {}}, {"class": "Pipeline"}, "__class__", "dempster_shafer", "x" * 5000]
ODD_NUMBERS = [0, 1, -1, 2, 1e300, -1e300, 1e-300, 5e-324, np.nan, np.inf, -np.inf, 1e99, 1e16, -0.0, 2**31 - 1]


def mutate(good: bytes, rng: np.random.Generator) -> bytes:
    """The file with one to three changes, all of one of the three kinds."""
    kind, n = rng.choice(["bytes", "tree", "tree", "arrays", "arrays"]), int(rng.integers(1, 4))
    if kind == "bytes":
        return change_bytes(good, rng, n)
    tree, arrays = open_file(good)
    if kind == "tree":
        for _ in range(n):
            change_tree(tree, rng)
    else:
        for _ in range(n):
            change_arrays(arrays, rng)
    return close_file(tree, arrays)


def change_bytes(good: bytes, rng: np.random.Generator, n: int) -> bytes:
    """Bytes flipped, cut, inserted, repeated or swapped, half of the time in the header."""
    data = bytearray(good)
    for _ in range(n):
        end = len(data) if rng.random() < 0.5 else min(len(data), 2000)
        at, length = int(rng.integers(max(end, 1))), int(rng.integers(1, 65))
        match rng.integers(6):
            case 0:
                data[at : at + 1] = bytes([int(rng.integers(256))])
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = rng.bytes(length)
            case 3:
                data[at:at] = data[at : at + length]
            case 4:
                other = int(rng.integers(max(end, 1)))
                data[at : at + 1], data[other : other + 1] = data[other : other + 1], data[at : at + 1]
            case 5:
                del data[at:]
    return bytes(data)


def list_places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a tree."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield node, key
        yield from list_places(value)


def change_tree(tree: dict[str, Any], rng: np.random.Generator) -> None:
    """One value replaced by an odd one or by another of the tree; or a key or item removed, repeated or renamed."""
    places = list(list_places(tree))
    if not places:
        return
    holder, key = places[rng.integers(len(places))]
    other_holder, other_key = places[rng.integers(len(places))]
    value, other = holder[key], json.loads(json.dumps(other_holder[other_key]))
    match rng.integers(7):
        case 0 | 1:
            holder[key] = ODD_VALUES[rng.integers(len(ODD_VALUES))]
        case 2:
            holder[key] = other
        case 3 if isinstance(value, int | float) and not isinstance(value, bool):
            holder[key] = value + [-1, 1, 0.5, 1e10][rng.integers(4)]
        case 4:
            del holder[key]
        case 5 if isinstance(holder, list):
            holder.insert(key, other)
        case _ if isinstance(holder, dict):
            holder[str(other_key)] = holder.pop(key)
        case _:
            holder.append(other)


def change_arrays(arrays: list[np.ndarray], rng: np.random.Generator) -> None:
    """One array with other values, bytes, shape, size or type; or in the place of another."""
    if not arrays:
        return
    at = int(rng.integers(len(arrays)))
    array = arrays[at].copy()
    match rng.integers(8):
        case 0 | 1 | 2 if array.size:
            number = ODD_NUMBERS[rng.integers(len(ODD_NUMBERS))]
            with np.errstate(all="ignore"):
                array.flat[rng.integers(array.size)] = np.array(number).astype(array.dtype)
        case 3 if array.size:
            raw = bytearray(array.tobytes())
            raw[rng.integers(len(raw))] ^= int(rng.integers(1, 256))
            if array.dtype != bool:
                array = np.frombuffer(bytes(raw), dtype=array.dtype).reshape(array.shape)
        case 4:
            array = arrays[rng.integers(len(arrays))]
        case 5:
            array = [array.ravel(), array[None], array.T.copy(), array[:-1] if array.ndim else array][rng.integers(4)]
        case 6:
            kind = [np.float64, np.float32, np.int64, np.int32, np.uint8, np.bool_][rng.integers(6)]
            with np.errstate(all="ignore"):
                array = array.astype(kind)
        case _ if array.ndim:
            array = np.concatenate([array, array[-1:]]) if rng.random() < 0.5 else array[::-1].copy()
    arrays[at] = array
