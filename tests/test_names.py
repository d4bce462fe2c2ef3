"""Names that users type: what is suggested is what they may have meant."""

import pkgutil
import subprocess
import sys

import pytest

import emphatic
from emphatic.comparison.contenders import list_contenders
from emphatic.names import find_near, unknown
from emphatic.recipes import RECIPES


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("LogisticRegresion", "LogisticRegression"),
        ("emphatic", "EmphaticClassifier"),
        ("lightgmb", "LightGBM"),
        ("adabost", "AdaBoost"),
        ("trees", "RealAdaBoost of trees"),
        ("randomforest", "RandomForest"),
    ],
)
def test_a_slip_or_a_part_of_a_name_finds_it(typed, meant):
    assert meant in find_near(typed, list_contenders())


@pytest.mark.parametrize("typed", ["foo", "x", "", "neural nets", "qwertz"])
def test_a_far_name_finds_nothing_and_the_message_lists_what_is_known(typed):
    assert find_near(typed, RECIPES) == []
    assert f"unknown method {typed}; known: " in str(unknown("method", typed, RECIPES))


def test_a_name_may_hold_any_character():
    assert find_near("a+b(", ["a+b(c", "xyz"]) == ["a+b(c"]


def test_submodules_are_there_without_an_import_and_are_listed():
    program = (
        "import emphatic, sys\n"
        "assert {'audit', 'study', 'datasets', 'EmphaticClassifier'} <= set(dir(emphatic))\n"
        "assert not {'sklearn', 'numpy', 'emphatic.audit'} & set(sys.modules)\n"
        "print(emphatic.audit.audit_labels.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "audit_labels\n"


def test_every_package_is_listed_but_those_that_only_others_use():
    packages = {each.name for each in pkgutil.iter_modules(emphatic.__path__) if each.ispkg}
    assert packages - set(dir(emphatic)) <= {"blending", "commands", "kernels"}


@pytest.mark.parametrize("name", emphatic._SUBMODULES)
def test_every_listed_submodule_can_be_imported(name):
    assert getattr(emphatic, name).__name__ == f"emphatic.{name}"


def test_an_unknown_attribute_is_refused_with_what_there_is():
    with pytest.raises(AttributeError, match=r"no attribute 'Forest'; public names: .*EmphaticClassifier.*, audit"):
        emphatic.Forest  # noqa: B018
