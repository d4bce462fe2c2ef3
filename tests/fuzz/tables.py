"""Odd but possible tables, labels, weights and matrices, made from a few words."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

# What is done to the numbers of a table.


def _put(value: Any, where: Any = (0, 0)) -> Callable[[np.ndarray], np.ndarray]:
    def put(X: np.ndarray) -> np.ndarray:
        if X.size:
            X[where] = value
        return X

    return put


TWISTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": lambda X: X,
    "NaN": _put(np.nan),
    "infinity": _put(np.inf),
    "-infinity": _put(-np.inf),
    "NaN row": _put(np.nan, 0),
    "NaN column": _put(np.nan, (slice(None), 0)),
    "all NaN": _put(np.nan, slice(None)),
    "one huge": _put(1e300),
    "one large": _put(1e99),
    "one largest": _put(np.finfo(float).max),
    "huge": lambda X: X * 1e99,
    "large": lambda X: X * 1e30,
    "tiny": lambda X: X * 1e-150,
    "denormal": lambda X: X * 1e-310,
    "mixed scales": lambda X: X * 10.0 ** (np.arange(X.shape[1]) * 40 - 60),
    "far": lambda X: X + 1e12,
    "near equal": lambda X: 1.0 + X * 1e-16,
    "constant": lambda X: np.full_like(X, 3.0),
    "zeros": lambda X: X * 0.0,
    "constant column": _put(-7.0, (slice(None), 0)),
    "equal rows": lambda X: X[np.zeros(len(X), dtype=int)] if len(X) else X,
    "equal pairs": lambda X: X[np.arange(len(X)) // 2 * 2],
    "equal columns": lambda X: X[:, np.zeros(X.shape[1], dtype=int)],
    "integers": np.round,
    "two values": lambda X: np.sign(X),
    "outlier": _put(1e8),
    "sorted": lambda X: np.sort(X, axis=0),
}

# In what a table is handed over.


def _frame(X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])


def _with_column(make: Callable[[int], Any]) -> Callable[[np.ndarray], pd.DataFrame]:
    return lambda X: _frame(X).assign(odd=make(len(X)))


def _objects(values: list[Any]) -> Callable[[int], Any]:
    def make(n: int) -> Any:
        column = np.empty(n, dtype=object)
        for i in range(n):
            column[i] = values[i % len(values)]
        return column

    return make


def _rename(X: np.ndarray, make: Callable[[int], Any]) -> pd.DataFrame:
    frame = _frame(X)
    frame.columns = [make(j) for j in range(X.shape[1])]
    return frame


def _odd_cell(value: Any) -> Callable[[np.ndarray], np.ndarray]:
    return lambda X: _put(value)(X.astype(object))


def _read_only(X: np.ndarray) -> np.ndarray:
    X.flags.writeable = False
    return X


def _whole(kind: str) -> Callable[[np.ndarray], np.ndarray]:
    return lambda X: np.nan_to_num(np.clip(X, 0, 100)).astype(kind)


def _matrix(X: np.ndarray) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # of NumPy, about the class itself
        return np.asmatrix(X)


CONTAINERS: dict[str, Callable[[np.ndarray], Any]] = {
    "array": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "float16": lambda X: X.astype(np.float16),
    "longdouble": lambda X: X.astype(np.longdouble),
    "int64": _whole("i8"),
    "uint8": _whole("u1"),
    "bool": lambda X: X > 0,
    "Fortran order": np.asfortranarray,
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2],
    "backwards": lambda X: X[::-1, ::-1],
    "read-only": _read_only,
    "big-endian": lambda X: X.astype(">f8"),
    "list": lambda X: X.tolist(),
    "tuple": lambda X: tuple(map(tuple, X.tolist())),
    "ragged": lambda X: [row[: max(1, len(row) - i % 2)] for i, row in enumerate(X.tolist())],
    "objects": lambda X: X.astype(object),
    "texts of numbers": lambda X: X.astype(str),
    "text cell": _odd_cell("word"),
    "None cell": _odd_cell(None),
    "list cell": lambda X: [[[1.0, 2.0], *row[1:]] for row in X.tolist()],
    "complex": lambda X: X.astype(complex),
    "dates": lambda X: _whole("i8")(X).astype("M8[D]"),
    "times": lambda X: _whole("i8")(X).astype("m8[s]"),
    "matrix": _matrix,
    "masked": lambda X: np.ma.masked_invalid(X),
    "one dimension": lambda X: X.ravel(),
    "three dimensions": lambda X: X[:, :, None],
    "number": lambda X: 3.0,
    "None": lambda X: None,
    "text": lambda X: "a table",
    "dict": lambda X: {"a": X},
    "sparse": sparse.csr_matrix,
    "sparse array": sparse.coo_array,
    "records": lambda X: _frame(X).to_records(index=False) if X.size else X,
    "memoryview": lambda X: memoryview(np.ascontiguousarray(X)) if X.size else X,
    "pandas": _frame,
    "pandas series": lambda X: pd.Series(X.ravel()),
    "pandas index": lambda X: _frame(X).set_index(np.arange(len(X))[::-1] * 3),
    "pandas text": _with_column(_objects(["red", "blue", "", None])),
    "pandas bool": _with_column(lambda n: np.arange(n) % 2 == 0),
    "pandas category": _with_column(lambda n: pd.Categorical(np.array(["x", "y", "z"])[np.arange(n) % 3])),
    "pandas mixed": _with_column(_objects([1, "one", None, 2.5, True])),
    "pandas nullable": lambda X: _frame(X).convert_dtypes(),
    "pandas NA": _with_column(lambda n: pd.array([None, 1, 2] * n, dtype="Int64")[:n]),
    "pandas string": _with_column(lambda n: pd.array(["a", None, "b"] * n, dtype="string")[:n]),
    "pandas dates": _with_column(lambda n: pd.date_range("2020-01-01", periods=n)),
    "pandas zones": _with_column(lambda n: pd.date_range("2020-01-01", periods=n, tz="UTC")),
    "pandas times": _with_column(lambda n: pd.to_timedelta(np.arange(n), unit="s")),
    "pandas tuples": _with_column(_objects([(1, 2), (3,)])),
    "pandas lists": _with_column(_objects([[1, 2], [3]])),
    "pandas dicts": _with_column(_objects([{"a": 1}])),
    "pandas bytes": _with_column(_objects([b"a", b"b"])),
    "pandas intervals": _with_column(lambda n: pd.interval_range(0, n)),
    "pandas periods": _with_column(lambda n: pd.period_range("2020-01", periods=n, freq="M")),
    "pandas complex": _with_column(lambda n: np.arange(n) * 1j),
    "pandas sparse": _with_column(lambda n: pd.arrays.SparseArray(np.arange(n) % 2)),
    "pandas big integers": _with_column(_objects([2**70, 1])),
    "pandas numbers as names": lambda X: pd.DataFrame(X),
    "pandas mixed names": lambda X: _rename(X, lambda j: j if j % 2 else f"c{j}"),
    "pandas equal names": lambda X: _rename(X, lambda j: "same"),
    "pandas None as name": lambda X: _rename(X, lambda j: None if j == 0 else f"c{j}"),
    "pandas two levels": lambda X: _rename(X, lambda j: ("top", j)),
    "polars": lambda X: pl.DataFrame(X, schema=[f"c{j}" for j in range(X.shape[1])]),
    "polars text": lambda X: CONTAINERS["polars"](X).with_columns(odd=pl.Series(["a", None] * len(X))[: len(X)]),
    "polars category": lambda X: CONTAINERS["polars"](X).with_columns(
        odd=pl.Series(["a", "b"] * len(X), dtype=pl.Categorical)[: len(X)]
    ),
    "polars lazy": lambda X: CONTAINERS["polars"](X).lazy(),
    "polars lists": lambda X: CONTAINERS["polars"](X).with_columns(odd=pl.Series([[1], [2, 3]] * len(X))[: len(X)]),
    "polars structs": lambda X: CONTAINERS["polars"](X).with_columns(odd=pl.Series([{"a": 1}] * len(X))[: len(X)]),
    "polars dates": lambda X: CONTAINERS["polars"](X).with_columns(
        odd=pl.Series([0] * len(X), dtype=pl.Int32).cast(pl.Date)
    ),
}


def make_table(rows: int, columns: int = 2, *, twist: str = "none", seed: int = 0, **rest: str) -> Any:
    """`rows` of which the first column follows the class of `make_labels`; `as` names a container."""
    X = np.random.default_rng(seed).normal(size=(rows, columns))
    if columns:
        X[:, 0] += 2.0 * (np.arange(rows) % 3)
    with np.errstate(all="ignore"):
        return CONTAINERS[rest.get("as", "array")](TWISTS[twist](X))


TEXTS = np.array(["no", "yes", "maybe", "é", "", " yes", "10", "9"])

LABELS: dict[str, Callable[[np.ndarray], Any]] = {
    "integers": lambda codes: codes,
    "negative": lambda codes: codes * -3 - 1,
    "texts": lambda codes: TEXTS[codes % 8],
    "booleans": lambda codes: codes == 0,
    "floats": lambda codes: codes.astype(float),
    "float32": lambda codes: codes.astype(np.float32),
    "objects": lambda codes: TEXTS[codes % 8].astype(object),
    "uint8": lambda codes: codes.astype(np.uint8),
    "huge integers": lambda codes: codes + 2**62,
    "bytes": lambda codes: codes.astype("S1"),
    "list": lambda codes: codes.tolist(),
    "tuple": lambda codes: tuple(TEXTS[codes % 8].tolist()),
    "pandas": lambda codes: pd.Series(codes, index=codes + 5),
    "pandas category": lambda codes: pd.Series(TEXTS[codes % 8], dtype="category"),
    "pandas string": lambda codes: pd.Series(TEXTS[codes % 8], dtype="string"),
    "pandas Int64": lambda codes: pd.Series(codes, dtype="Int64"),
    "pandas NA": lambda codes: pd.Series([None, *codes.tolist()[1:]], dtype="Int64"),
    "pandas missing category": lambda codes: pd.Series([None, *TEXTS[codes % 8].tolist()[1:]], dtype="category"),
    "polars": lambda codes: pl.Series(codes),
    "polars texts": lambda codes: pl.Series(TEXTS[codes % 8].tolist()),
    "polars missing": lambda codes: pl.Series([None, *codes.tolist()[1:]]),
    "read-only": _read_only,
    "strided": lambda codes: np.repeat(codes, 2)[::2],
    "column": lambda codes: codes[:, None],
    "frame": lambda codes: pd.DataFrame({"y": codes}),
    "two columns": lambda codes: np.column_stack([codes, codes]),
    "row": lambda codes: codes[None, :],
    "number": lambda codes: 1,
    "None": lambda codes: None,
    "text": lambda codes: "labels",
    "dict": lambda codes: dict(enumerate(codes.tolist())),
    "set": lambda codes: set(codes.tolist()),
    "iterator": lambda codes: iter(codes.tolist()),
    "one class": lambda codes: codes * 0,
    "rare": lambda codes: (np.arange(len(codes)) == 0).astype(int),
    "each its own": lambda codes: np.arange(len(codes)),
    "too few": lambda codes: codes[:-1],
    "too many": lambda codes: np.append(codes, codes[:1]),
    "none": lambda codes: codes[:0],
    "NaN": lambda codes: np.where(np.arange(len(codes)) == 0, np.nan, codes),
    "infinity": lambda codes: np.where(np.arange(len(codes)) == 0, np.inf, codes),
    "all NaN": lambda codes: np.full(len(codes), np.nan),
    "halves": lambda codes: codes + 0.5,
    "measurements": lambda codes: np.linspace(0, 1, len(codes)),
    "complex": lambda codes: codes * 1j,
    "mixed": lambda codes: np.array([1, "a", *codes.tolist()[2:]], dtype=object),
    "None inside": lambda codes: np.array([None, *TEXTS[codes % 8].tolist()[1:]], dtype=object),
    "NaN inside texts": lambda codes: np.array([np.nan, *TEXTS[codes % 8].tolist()[1:]], dtype=object),
    "tuples": lambda codes: _objects([(0, 1), (1, 2)])(len(codes)),
    "lists": lambda codes: [[int(code)] for code in codes],
    "sets": lambda codes: _objects([{0}, {1}])(len(codes)),
    "dates": lambda codes: codes.astype("M8[D]"),
    "fractions": lambda codes: codes / 10,
}


def make_labels(rows: int, classes: int = 2, *, kind: str = "integers") -> Any:
    """Labels of `rows` samples; they follow the first column of `make_table`."""
    return LABELS[kind](np.arange(rows) % 3 % max(classes, 1) if classes <= 3 else np.arange(rows) % classes)


WEIGHTS: dict[str, Callable[[int], Any]] = {
    "ones": np.ones,
    "random": lambda n: np.random.default_rng(n).random(n),
    "None": lambda n: None,
    "integers": lambda n: np.arange(n) + 1,
    "booleans": lambda n: np.arange(n) % 4 > 0,
    "float32": lambda n: np.random.default_rng(n).random(n).astype(np.float32),
    "list": lambda n: [1.0] * n,
    "pandas": lambda n: pd.Series(np.ones(n), index=np.arange(n) + 3),
    "polars": lambda n: pl.Series(np.ones(n)),
    "read-only": lambda n: _read_only(np.random.default_rng(n).random(n)),
    "strided": lambda n: np.random.default_rng(n).random(2 * n)[::2],
    "a number": lambda n: 2.0,
    "zeros": np.zeros,
    "one zero": lambda n: (np.arange(n) > 0) * 1.0,
    "one only": lambda n: (np.arange(n) == 0) * 1.0,
    "two only": lambda n: (np.arange(n) < 2) * 1.0,
    "one class": lambda n: (np.arange(n) % 3 == 0) * 1.0,
    "negative": lambda n: np.where(np.arange(n) == 0, -1.0, 1.0),
    "all negative": lambda n: -np.ones(n),
    "NaN": lambda n: np.where(np.arange(n) == 0, np.nan, 1.0),
    "infinity": lambda n: np.where(np.arange(n) == 0, np.inf, 1.0),
    "huge": lambda n: np.full(n, 1e308),
    "one huge": lambda n: np.where(np.arange(n) == 0, 1e308, 1.0),
    "tiny": lambda n: np.full(n, 1e-100),
    "one tiny": lambda n: np.where(np.arange(n) == 0, 1e-300, 1.0),
    "all but one tiny": lambda n: np.where(np.arange(n) == 0, 1.0, 1e-100),
    "denormal": lambda n: np.full(n, 5e-324),
    "one denormal": lambda n: np.where(np.arange(n) == 0, 5e-324, 1.0),
    "spread": lambda n: 10.0 ** np.linspace(-300, 0, n),
    "complex": lambda n: np.ones(n) * 1j,
    "texts": lambda n: ["1"] * n,
    "words": lambda n: ["heavy"] * n,
    "objects": lambda n: np.ones(n, dtype=object),
    "None inside": lambda n: [None] + [1.0] * max(n - 1, 0),
    "too few": lambda n: np.ones(max(n - 1, 0)),
    "too many": lambda n: np.ones(n + 1),
    "column": lambda n: np.ones((n, 1)),
    "dict": lambda n: {0: 1.0, 1: 2.0},
    "dates": lambda n: np.arange(n).astype("M8[D]"),
}


def make_weights(rows: int, *, kind: str = "ones") -> Any:
    return WEIGHTS[kind](rows)


def make_matrix(shape: list[int], *, fill: str = "random", twist: str = "none", seed: int = 0, **rest: str) -> Any:
    """An array of any rank for functions of numbers; `fill`: random, shares (rows that sum to 1), codes, normal."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape) if fill == "normal" else rng.random(shape)
    if fill == "shares" and X.ndim:
        X = X / X.sum(axis=-1, keepdims=True)
    if fill == "codes":
        X = np.floor(3 * X)
    with np.errstate(all="ignore"):
        if X.ndim != 2 or not X.size:
            X = X if twist == "none" else _flat_twist(X, twist)
            return X.astype(int) if fill == "codes" and twist == "none" else X
        X = TWISTS[twist](X)
        return X.astype(int) if fill == "codes" and twist == "none" else CONTAINERS[rest.get("as", "array")](X)


def _flat_twist(X: np.ndarray, twist: str) -> np.ndarray:
    return TWISTS[twist](X.reshape(len(X) if X.ndim else 1, -1)).reshape(X.shape) if X.size else X
