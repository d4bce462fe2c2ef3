"""`python tools/cpu_code.py`: which of their code OpenBLAS, NumPy and numba run on this CPU.

Where it differs, times do not compare, and sums differ in their last bits.
"""

import llvmlite.binding
import numba
import numpy as np
import scipy.linalg  # noqa: F401 (it has an OpenBLAS of its own, which is found once it is loaded)
from threadpoolctl import threadpool_info


def describe_cpu_code() -> str:
    """One line: the core whose code OpenBLAS runs, the features that NumPy uses, the CPU that numba compiles for."""
    cores = {str(one.get("architecture")) for one in threadpool_info() if one["internal_api"] == "openblas"}
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    blas = " and ".join(sorted(cores)) or "not there"
    cpu = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    return f"OpenBLAS: {blas}; NumPy: {' '.join(found) or 'its baseline'}; numba: {cpu}"


if __name__ == "__main__":
    print(describe_cpu_code())
