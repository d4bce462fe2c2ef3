"""What is fine and what is a fault: one call under watch.

A call is fine if it returns, or if it refuses with an error that says what is wrong. It is a fault if it raises
anything else or something obscure, leaks a warning of a library, takes too long, or changes what it was given.
"""

import dis
import inspect
import re
import signal
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import joblib
import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, FitFailedWarning

import emphatic

PACKAGE = str(Path(emphatic.__file__).parent)
"""Where our modules are; a checkout, with its virtual environment, may lie in a folder called emphatic, too."""

SECONDS = 20
"""Of CPU time, after which a call on a table of 60 rows hangs."""

OBSCURE = re.compile(
    r"out of bounds|NoneType|broadcast|unhashable|not subscriptable|object is not (iterable|callable)|has no len|"
    r"unsupported operand|not supported between|operands|ufunc|cannot unpack|not enough values|too many values|"
    r"cannot reshape|truth value|Python int too large|dimensions? mismatch|shapes .* not aligned|attribute|"
    r"invalid literal|codec|not in list|index \d+|zero-size|argmax of an empty|division by zero|numba|jitclass|"
    r"safe casting|Cannot cast|only (length-1|0-dimensional|integer scalar)|at least one array|must be real number|"
    r"must be str|cannot be interpreted as an integer|positional argument|argument of type",
    re.IGNORECASE,
)
"""Words of NumPy, SciPy, pandas and Python about their own business, when our code did not write the message."""

CLEAR = re.compile(
    r"could not convert string to float|float\(\) argument must be|inhomogeneous shape|"
    r"Complex data not supported|setting an array element with a sequence|unexpected keyword argument|"
    r"unique column names|could not be promoted|dtype\(\(numpy.record|"
    r"buffer source array is read-only"  # of scikit-learn's trees, about a single nullable column of pandas
)
"""Messages about the user's values that scikit-learn's checks and learners pass on as they are."""

CHECKERS = ("emphatic.", "sklearn.utils.", "sklearn.base", "sklearn.model_selection.", "sklearn.metrics.", "tests.fuzz")
"""Modules that raise on purpose, and say why."""

EXPECTED = (ConvergenceWarning, DataConversionWarning, FitFailedWarning)
"""Kinds of warnings that scikit-learn's contract knows, and that we pass on or raise on purpose."""

TOLD_BY_SCIKIT_LEARN = re.compile(
    "X (has|does not have valid) feature names|pandas.DataFrame with sparse columns|The number of unique classes|"
    "invalid value encountered in reduce"  # its own sum of a table that holds both infinities
)
"""What scikit-learn tells users of a table itself."""


COUNT = Counter[str]()
"""Of the calls that were judged: a case of an estimator is several, from fit to predict."""


class Fault(AssertionError):
    """The call behaved badly; `place` tells faults with different causes apart."""

    def __init__(self, kind: str, detail: str, place: str = "") -> None:
        super().__init__(f"{kind}: {detail}" + (f" [{place}]" if place else ""))
        self.kind, self.place = kind, place


class Hang(BaseException):
    """Raised by the watchdog; not an Exception, so that nothing on the way swallows it."""


@dataclass
class Outcome:
    """Of a call that was fine: what it returned, or the error with which it refused."""

    answer: Any = None
    refusal: Exception | None = None


def attempt(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    *,
    positional: tuple[Any, ...] = (),
    allowed: tuple[type[Exception], ...] = (),
    known_warnings: str = "",
    names: Iterable[str] = (),
) -> Outcome:
    """Call `function` and judge how it ends; `allowed` are documented errors besides ValueError and TypeError.

    An error that names an argument, or one of `names`, is clear, whoever raised it.
    """
    COUNT["calls"] += 1
    watched = {**arguments, **{f"argument {i}": value for i, value in enumerate(positional)}}
    before = {name: fingerprint(value) for name, value in watched.items()}
    outcome = Outcome()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with watchdog(SECONDS):
                outcome.answer = function(*positional, **arguments)
        except Hang:
            raise Fault("hang", f"more than {SECONDS} s") from None
        except Exception as error:
            judge_error(error, allowed, [*arguments, *names])
            outcome.refusal = error
    for one in caught:
        judge_warning(one, known_warnings)
    for name, value in watched.items():
        if before[name] != fingerprint(value):
            raise Fault("argument changed", name)
    return outcome


def judge_error(error: Exception, allowed: tuple[type[Exception], ...], names: list[str]) -> None:
    """Raise a Fault unless the error is of a kind that callers expect, and clear."""
    text, place = str(error), describe_place(error)
    line = f"{type(error).__name__}: {text[:300]}"
    if isinstance(error, allowed):
        return
    if not isinstance(error, (ValueError, TypeError)) or isinstance(error, (UnicodeError, np.linalg.LinAlgError)):
        raise Fault("wrong type of error", line, place) from error
    if not text.strip():
        raise Fault("error without a message", line, place) from error
    module, on_purpose = origin(error)
    if on_purpose and module.startswith(CHECKERS):
        return
    if CLEAR.search(text) or any(re.search(rf"\b{re.escape(name)}\b", text) for name in names):
        return
    if OBSCURE.search(text) or not on_purpose or not module.startswith(CHECKERS):
        raise Fault("obscure error", line, place) from error


def origin(error: BaseException) -> tuple[str, bool]:
    """The module in which the error arose, and whether by a `raise` of that module rather than by what it called."""
    innermost = _last(error)
    frame = innermost.tb_frame
    opcode = dis.opname[frame.f_code.co_code[innermost.tb_lasti]]
    return frame.f_globals.get("__name__", "") + ".", opcode in ("RAISE_VARARGS", "RERAISE")


def describe_place(error: BaseException) -> str:
    """The innermost line of the package, which tells faults apart, and the line that raised."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if one.filename.startswith(PACKAGE)]
    shown = [*ours[-1:], frames[-1]] if ours else frames[-1:]
    return " <- ".join(dict.fromkeys(f"{short(one.filename)}:{one.lineno} {one.name}" for one in reversed(shown)))


def short(filename: str) -> str:
    return "/".join(filename.split("/")[-3:])


def _last(error: BaseException) -> TracebackType:
    step = error.__traceback__
    assert step is not None
    while step.tb_next is not None:
        step = step.tb_next
    return step


def judge_warning(caught: warnings.WarningMessage, known: str) -> None:
    """Fine are warnings of ours, which point at the line of the user (here: at this package), and documented ones."""
    text = str(caught.message)
    if issubclass(caught.category, EXPECTED) or TOLD_BY_SCIKIT_LEARN.match(text):
        return
    if known and re.search(known, text) and not caught.filename.startswith(PACKAGE):
        return
    if issubclass(caught.category, UserWarning) and "/tests/fuzz/" in caught.filename:
        return
    line = f"{caught.category.__name__}: {text[:200]}"
    raise Fault("warning leaked", line, f"{short(caught.filename)}:{caught.lineno}")


def fingerprint(value: Any) -> Any:
    """Equal before and after a call that leaves `value` alone; None for what cannot be compared (an iterator)."""
    if inspect.isgenerator(value) or hasattr(value, "__next__") or isinstance(value, np.random.Generator):
        return None
    if isinstance(value, np.random.RandomState):
        return None
    if isinstance(value, (pd.DataFrame, pd.Series)):  # which keep caches, so that their bytes differ
        return repr((value.to_numpy().tolist(), value.index.tolist(), str(value.dtypes)))
    try:
        return joblib.hash((value, getattr(value, "flags", None) and str(value.flags)))
    except Exception:
        return None


@contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """Raise Hang after so many seconds of CPU time: a busy machine must not end what does not hang."""

    def bark(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGPROF, bark)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def demand(true: bool, kind: str, detail: str) -> None:
    if not true:
        raise Fault(kind, detail)


def demand_finite(name: str, value: Any) -> None:
    """Every number in `value` (arrays, tables, tuples and lists of them) is finite."""
    if isinstance(value, pd.DataFrame):
        value = value.select_dtypes("number").to_numpy()
    if isinstance(value, (tuple, list)):
        for one in value:
            demand_finite(name, one)
    elif isinstance(value, Mapping):
        demand_finite(name, list(value.values()))
    elif isinstance(value, (float, np.ndarray, np.generic)) and np.asarray(value).dtype.kind in "fc":
        demand(bool(np.isfinite(np.asarray(value)).all()), "not finite", f"{name} returned {np.asarray(value)!r}"[:300])


def demand_probabilities(name: str, value: np.ndarray, shape: tuple[int, ...]) -> None:
    """Rows of probabilities: of this shape, finite, in [0, 1], each of sum 1."""
    demand(isinstance(value, np.ndarray) and value.shape == shape, "wrong shape", f"{name}: {np.shape(value)}, {shape}")
    demand_finite(name, value)
    demand(
        bool((value >= 0).all() and (value <= 1).all()), "not a probability", f"{name}: {value.min()}, {value.max()}"
    )
    worst = float(np.abs(value.sum(axis=-1) - 1).max(initial=0))
    demand(worst < 1e-9, "rows do not sum to 1", f"{name}: by {worst:g}")
