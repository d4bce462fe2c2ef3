"""Where scikit-learn documents its public names, found out from the package that is installed: nothing is fetched."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import zlib
from pathlib import Path

import sklearn

PAGE = "modules/generated/{name}.html#$"  # Sphinx puts the name for $: the address of every public object there


def write_inventory(path: Path) -> str:
    """Write an inventory as Sphinx reads them, and return where it is."""
    lines = [f"{name} py:{kind} 1 {PAGE.format(name=name)} -" for name, kind in sorted(find_names().items())]
    head = f"# Sphinx inventory version 2\n# Project: scikit-learn\n# Version: {sklearn.__version__}\n"
    head += "# The remainder of this file is compressed using zlib.\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head.encode() + zlib.compress("\n".join([*lines, ""]).encode()))
    return str(path)


def find_names() -> dict[str, str]:
    """Classes and functions of the public modules, and whether they are one or the other."""
    names = {}
    for module in map(importlib.import_module, find_modules()):
        for name in getattr(module, "__all__", ()):
            found = vars(module).get(name)  # an experimental name is not there before it is enabled
            if inspect.isclass(found) or inspect.isroutine(found):
                names[f"{module.__name__}.{name}"] = "class" if inspect.isclass(found) else "function"
    return names


def find_modules() -> list[str]:
    """The packages of one level, as in `sklearn.ensemble`, and `sklearn` itself."""
    public = [one.name for one in pkgutil.iter_modules(sklearn.__path__) if not one.name.startswith("_")]
    left_out = {"tests", "conftest", "externals", "experimental"}
    return ["sklearn", *(f"sklearn.{name}" for name in public if name not in left_out)]
