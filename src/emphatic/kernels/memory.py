"""Memory for kernels: aligned to the lines of the cache, and used again."""

import threading
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

LINE = 64
"""Bytes of a cache line, and of the longest vectors."""

LEAST = 2**17
"""Numbers in the smallest scratch memory: 1 MB."""

_buffers = threading.local()


def empty_aligned(shape: tuple[int, ...], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """An array that begins with a cache line: vectors that span two lines take up to half as long again to read."""
    size, width = prod(shape), np.dtype(dtype).itemsize
    memory = np.empty(size + LINE // width, dtype)
    start = -memory.ctypes.data % LINE // width
    return memory[start : start + size].reshape(shape)


def scratch(slot: str, shape: tuple[int, ...], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """An aligned array that belongs to this thread and that the next call for the same slot overwrites.

    Memory that the operating system hands out anew for every network costs several times what the arithmetic does.
    """
    size = prod(shape)
    buffer: NDArray[Any] | None = getattr(_buffers, slot, None)
    if buffer is None or len(buffer) < size or buffer.dtype != dtype:
        buffer = empty_aligned((max(size, LEAST),), dtype)
        setattr(_buffers, slot, buffer)
    return buffer[:size].reshape(shape)
