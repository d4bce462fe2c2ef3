"""How kernels are compiled that gain from vectorised sums."""

OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True, "fastmath": {"reassoc", "contract"}}
"""The order of each sum is the compiler's choice, as in any BLAS; and a division that may raise does not vectorise."""
