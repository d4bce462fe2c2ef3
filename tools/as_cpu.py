"""Run a command as an older CPU would: `python tools/as_cpu.py haswell COMMAND ...` (AVX2), or `nehalem` (SSE4.2).

OpenBLAS, numpy and numba each choose code by what the CPU can do, and the order of a sum, hence its last bit, with it.
What a CPU can do may be switched off, never on: where there is nothing to switch off, the command is not run.
"""

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

# How OpenBLAS and numba name the CPU, and what of numpy's code it could run. numba would add the features of the host
# to those of the named CPU: the empty list keeps it from doing so.
KEPT_BY_NUMPY = {"haswell": {"X86_V3", "AVX", "F16C", "FMA3", "AVX2"}, "nehalem": set()}
NEEDED = {"haswell": {"X86_V3", "AVX2"}, "nehalem": {"X86_V3", "AVX", "AVX2"}}
CPU_CODE = Path(__file__).with_name("cpu_code.py")


def main(cpu: str, command: list[str]) -> int:
    found = set(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
    if platform.machine() not in ("x86_64", "AMD64") or not found & NEEDED[cpu]:
        print(f"This {platform.machine()} cannot run as a {cpu}: left out.", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix=f"numba-{cpu}-") as cache:
        settings = {
            "OPENBLAS_CORETYPE": cpu.capitalize(),
            "NPY_DISABLE_CPU_FEATURES": " ".join(sorted(found - KEPT_BY_NUMPY[cpu])),
            "NUMBA_CPU_NAME": cpu,
            "NUMBA_CPU_FEATURES": "",
            "NUMBA_CACHE_DIR": cache,
        }
        environment = {**os.environ, **settings}
        subprocess.run([sys.executable, CPU_CODE], env=environment, check=True)
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in KEPT_BY_NUMPY:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
