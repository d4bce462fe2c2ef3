"""Speed and growth, as ratios against peers in one run on one thread. Accuracy is the work of `emphatic.study`."""

import os

# before NumPy is imported: its BLAS reads them once
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
