"""What is released agrees with itself: versions, requirements, addresses, the names of extras."""

import re
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from tools.release.contents import Wheel, find_foreign_tables
from tools.release.versions import find_disagreements

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
RECIPE = yaml.safe_load((ROOT / "recipe/recipe.yaml").read_text(encoding="utf-8"))
FOR_USERS = {"all", "cli", "dask", "imbalance", "onnx", "papers", "plot", "search", "tables"}


def expand(lines):
    """Requirements, with those of the extras of our own that they name."""
    for requirement in map(Requirement, lines):
        if requirement.name == PROJECT["name"]:
            for extra in requirement.extras:
                yield from expand(EXTRAS[extra])
        else:
            yield str(requirement).replace(" ", "")


def test_every_version_is_that_of_the_package():
    assert find_disagreements() == []


def test_a_tag_wants_its_own_version_and_a_dated_changelog():
    found = find_disagreements("v9.9")
    assert found[0].startswith("the tag is v9.9, the package is ")


def test_the_recipe_requires_what_the_library_and_its_command_require():
    required = {line.replace(" ", "") for line in RECIPE["requirements"]["run"] if not line.startswith("python")}
    assert required == set(expand([*PROJECT["dependencies"], "emphatic[cli]"]))
    assert f">={RECIPE['context']['python_min']}" == PROJECT["requires-python"]
    assert RECIPE["about"]["license"] == PROJECT["license"]
    assert RECIPE["about"]["license_file"] == PROJECT["license-files"]
    assert [f"{name} = {place}" for name, place in PROJECT["scripts"].items()] == RECIPE["build"]["python"][
        "entry_points"
    ]


def test_all_places_name_the_same_home():
    home = PROJECT["urls"]["Repository"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["repository-code"] == home
    assert RECIPE["about"]["repository"] == RECIPE["about"]["homepage"] == home
    assert RECIPE["about"]["documentation"] == PROJECT["urls"]["Documentation"]


def test_the_workflow_tests_the_versions_that_are_claimed():
    workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    claimed = [text.split(" :: ")[-1] for text in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", text)]
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == claimed
    assert claimed[0] == PROJECT["requires-python"].removeprefix(">=")


def named_extras():
    """Where an extra is named: `emphatic[name]`, in code and pages."""
    files = [ROOT / "README.md", *(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md")]
    for file in files:
        for names in re.findall(r"emphatic\[([\w,]+)\]", file.read_text(encoding="utf-8")):
            for name in names.split(","):
                yield file.relative_to(ROOT).as_posix(), name


def test_every_extra_that_is_named_exists_and_is_for_users():
    found = list(named_extras())
    assert len(found) > 20
    assert [one for one in found if one[1] not in FOR_USERS | {"peers"}] == []
    assert set(EXTRAS) >= FOR_USERS


def test_extras_of_our_own_exist():
    assert {extra for lines in EXTRAS.values() for line in lines for extra in _own(line)} <= set(EXTRAS)


def _own(line):
    requirement = Requirement(line)
    return requirement.extras if requirement.name == PROJECT["name"] else ()


def test_all_is_what_users_need_and_nothing_under_the_gpl():
    wanted = FOR_USERS - {"all", "papers"}
    assert set(expand(EXTRAS["all"])) == {one for extra in wanted for one in expand(EXTRAS[extra])}
    assert not set(expand(EXTRAS["all"])) & set(expand(EXTRAS["papers"]))


def make_wheel(folder, tables, files):
    path = folder / "emphatic-0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("emphatic-0.dist-info/METADATA", "Name: emphatic\nLicense-File: LICENSE\n")
        wheel.writestr("emphatic/datasets/data/catalogue.json", str({"sets": tables}).replace("'", '"'))
        for file in files:
            wheel.writestr(file, "")
    return Wheel(path)


@pytest.mark.parametrize(
    ("redistribution", "shipped_in", "files", "fault"),
    [
        ("allowed", "emphatic", ["emphatic/datasets/data/a.csv"], None),
        ("in doubt", "emphatic", ["emphatic/datasets/data/a.csv"], "whose redistribution is 'in doubt'"),
        ("allowed", "another", ["emphatic/datasets/data/a.csv"], "a is in it"),
        ("allowed", "emphatic", [], "a is missing"),
        ("allowed", "emphatic", ["emphatic/datasets/data/a.csv", "tests/b.py"], "holds tests/b.py"),
    ],
)
def test_faults_of_a_wheel_are_found(tmp_path, redistribution, shipped_in, files, fault):
    tables = {"a": {"file": "a.csv", "redistribution": redistribution, "shipped_in": shipped_in}}
    faults = make_wheel(tmp_path, tables, files).find_faults()
    assert (faults == []) if fault is None else (len(faults) == 1 and fault in faults[0])


def test_tables_of_another_package_are_found_in_an_sdist(tmp_path):
    tables = {
        "a": {"file": "a.csv"},
        "b": {"file": "b.csv", "package": "other"},
        "c": {"file": "c.csv", "package": "other"},
    }
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).touch()
    with tarfile.open(tmp_path / "emphatic.tar.gz", "w:gz") as file:
        file.add(tmp_path / "a.csv", "emphatic/a.csv")
        file.add(tmp_path / "b.csv", "emphatic/packages/b.csv")
    assert find_foreign_tables(tmp_path / "emphatic.tar.gz", tables) == ["emphatic.tar.gz holds b"]
