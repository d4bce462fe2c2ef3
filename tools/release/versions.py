"""Whether all that names a version names the same one."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def read_version() -> str:
    """The version of the package: the one that is to be released."""
    text = (ROOT / "src/emphatic/version.py").read_text(encoding="utf-8")
    return re.findall(r'__version__ = "(.+)"', text)[0]


def read_changelog_head() -> tuple[str, str]:
    """The newest version of the changelog, and its date or "unreleased"."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.findall(r"^## \[(.+)\] - (.+)$", text, re.MULTILINE)[0]


def find_disagreements(tag: str | None = None) -> list[str]:
    """What does not agree with the version of the package, a sentence each; a tag also wants a dated changelog."""
    version = read_version()
    newest, date = read_changelog_head()
    named = {
        "CHANGELOG.md": newest,
        "CITATION.cff": str(yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"]),
        "recipe/recipe.yaml": yaml.safe_load((ROOT / "recipe/recipe.yaml").read_text(encoding="utf-8"))["context"][
            "version"
        ],
    }
    found = [f"{place} names {other}, the package is {version}" for place, other in named.items() if other != version]
    if tag is not None and tag != f"v{version}":
        found.append(f"the tag is {tag}, the package is {version}")
    if tag is not None and not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        found.append(f"the changelog dates {newest} as {date!r}: a release has a day")
    return found
