"""The API reference lists all that is public, and nothing else; docs/stability.md says which modules are."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

import emphatic

DOCS = Path(__file__).parents[1] / "docs"
MODULES = dict(
    re.findall(
        r"^\| `(emphatic[\w.]*)` \| (all|what) ", (DOCS / "stability.md").read_text(encoding="utf-8"), re.MULTILINE
    )
)
WHOLE = [module for module, share in MODULES.items() if share == "all"]


def read_reference():
    """The dotted names of docs/api.md: the lines of its autosummaries."""
    module, listing = "", False
    for line in (DOCS / "api.md").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\.\. currentmodule:: (\S+)", line):
            module = found[1]
        elif line.startswith(".. autosummary::"):
            listing = True
        elif listing and (found := re.match(r"\s+(\w[\w.]*)$", line)):
            yield f"{module}.{found[1]}"
        elif listing and line and not line.startswith(" "):
            listing = False


def resolve(name):
    """The module of a dotted name, and its name there, which is empty for a module."""
    module, _, last = name.rpartition(".")
    if inspect.ismodule(getattr(importlib.import_module(module), last, None)):
        return name, ""
    return module, last


def list_objects(name):
    """What a dotted name stands for: itself, or all that a module shows."""
    module, last = resolve(name)
    if last:
        return [getattr(importlib.import_module(module), last)]
    shown = importlib.import_module(module)
    return [getattr(shown, one) for one in getattr(shown, "__all__", vars(shown)) if not one.startswith("_")]


REFERENCE = sorted(read_reference())


def test_the_pages_are_read():
    assert len(REFERENCE) > 100 and len(MODULES) > 20


@pytest.mark.parametrize("module", WHOLE)
def test_all_that_is_public_is_in_the_reference(module):
    listed = {id(one) for name in REFERENCE for one in list_objects(name)}
    shown = importlib.import_module(module)
    public = {name: getattr(shown, name) for name in shown.__all__}
    assert [name for name, value in public.items() if callable(value) and id(value) not in listed] == []


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_lists_nothing_else(name):
    module, last = resolve(name)
    assert module in MODULES
    assert not last or module not in WHOLE or last in importlib.import_module(module).__all__
    assert all(inspect.getdoc(one) for one in list_objects(name) if callable(one))


@pytest.mark.parametrize("module", [module for module in MODULES if module.count(".") == 1])
def test_public_packages_are_attributes_of_the_package(module):
    assert getattr(emphatic, module.removeprefix("emphatic.")) is importlib.import_module(module)
    assert module.removeprefix("emphatic.") in dir(emphatic)


SHOWN_ELSEWHERE = {
    *("Lesson", "Growth", "Design", "ImageView"),  # by the examples of what receives them, and of `grow`
    *("Split", "InnerFolds", "PredefinedOrPartitions", "TaskKey", "Record", "Summary"),  # by those of `Study`
}


@pytest.mark.parametrize("name", [name for name in REFERENCE if resolve(name)[1] not in SHOWN_ELSEWHERE])
def test_every_public_class_has_an_example(name):
    classes = [one for one in list_objects(name) if inspect.isclass(one) and not issubclass(one, Exception)]
    assert [one.__name__ for one in classes if ">>>" not in inspect.getdoc(one)] == []
