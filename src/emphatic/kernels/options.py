"""How kernels are compiled that gain from vectorised sums, or from products that are added without rounding between."""

PLAIN = {"cache": True, "error_model": "numpy", "nogil": True}
"""Every product and sum is rounded, in the order of the code. Other threads may run meanwhile."""

FUSED = {**PLAIN, "fastmath": {"contract"}}
"""Every sum keeps its order; a product is added before it is rounded, where the CPU can (FMA)."""

OPTIONS = {**FUSED, "fastmath": {"reassoc", "contract"}}
"""The order of each sum is the compiler's choice, as in any BLAS; and a division that may raise does not vectorise."""
