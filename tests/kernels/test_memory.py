"""Memory that begins with a cache line, and scratch memory that is used again."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from emphatic.kernels.memory import LINE, empty_aligned, scratch


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1,), (3, 5), (2, 3, 128)])
@pytest.mark.parametrize("make", [empty_aligned, lambda *wanted: scratch("test", *wanted)], ids=["new", "scratch"])
def test_arrays_begin_with_a_cache_line(make, shape, dtype):
    for _ in range(5):
        array = make(shape, dtype)
        assert array.ctypes.data % LINE == 0
        assert array.shape == shape and array.dtype == dtype and array.flags.c_contiguous


def test_scratch_memory_is_used_again_by_its_slot_and_thread_only():
    first = scratch("test", (4,))
    assert np.shares_memory(first, scratch("test", (2, 3)))
    assert not np.shares_memory(first, scratch("another", (4,)))
    with ThreadPoolExecutor(1) as pool:
        assert not np.shares_memory(first, pool.submit(scratch, "test", (4,)).result())
