"""Check what no other tool reads here: workflows and forms of GitHub, and CITATION.cff, against their schemas.

The schemas come with check-jsonschema, so nothing is downloaded. zizmor then looks for what a schema cannot see:
permissions that are too wide, credentials that stay behind, text of strangers in commands.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCHEMAS = {
    "vendor.github-workflows": ".github/workflows/*.yml",
    "custom.github-workflows-require-timeout": ".github/workflows/*.yml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/*.yml",
    "vendor.github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "vendor.dependabot": ".github/dependabot.yml",
    "vendor.citation-file-format": "CITATION.cff",
}


def find_files(pattern: str) -> list[str]:
    """The files that a schema is for; config.yml lies among the forms, and is none."""
    files = [path for path in ROOT.glob(pattern) if path.name != "config.yml" or pattern.endswith("config.yml")]
    if not files:
        sys.exit(f"tools/check_forms.py: there is no {pattern}")
    return sorted(str(path.relative_to(ROOT)) for path in files)


def run(program: str, *arguments: str) -> bool:
    """Whether a program of this virtual environment succeeds; what it prints is shown only if it does not."""
    command = [str(Path(sys.executable).with_name(program)), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        print(program, *arguments, "\n", done.stdout, done.stderr, file=sys.stderr)
    return done.returncode == 0


def main() -> int:
    right = [
        run("check-jsonschema", "--builtin-schema", schema, "--default-filetype", "yaml", *find_files(pattern))
        for schema, pattern in SCHEMAS.items()
    ]
    right.append(run("zizmor", "--offline", "--quiet", ".github"))
    if all(right):
        print(f"Forms: {len(SCHEMAS)} schemas kept, workflows are safe")
    return not all(right)


if __name__ == "__main__":
    sys.exit(main())
