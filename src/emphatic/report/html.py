"""What self-contained pages share: data, style and scripts in one HTML file, and a policy that allows nothing else."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any


def read_part(package: str, name: str) -> str:
    """Read a file from the folder `web` of a package."""
    return resources.files(package).joinpath("web", name).read_text(encoding="utf-8")


def fill_template(template: str, parts: Mapping[str, str]) -> str:
    """Replace the marks ``{{name}}`` of a template, in one pass: what looks like a mark in a part stays text.

    >>> fill_template("<p>{{a}}</p>", {"a": "{{b}}"})
    '<p>{{b}}</p>'
    """
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], template)


def hash_for_policy(text: str) -> str:
    """Hash an inline element as a content security policy names it.

    >>> hash_for_policy("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def make_policy(styles: str, *scripts: str) -> str:
    """A content security policy: the rules for `styles`, these scripts, pictures in the page itself, and nothing else.

    No element may give links another base, and no form may be sent anywhere.
    """
    hashes = " ".join(map(hash_for_policy, scripts))
    return f"default-src 'none'; {styles}; script-src {hashes}; img-src data:; base-uri 'none'; form-action 'none'"


def dump_for_script(data: Any) -> str:
    """Write JSON that is safe inside an HTML script element: nothing in it can end the element, or a line of it.

    >>> dump_for_script({"name": "</script> & \\u2028"})
    '{"name":"\\\\u003c/script\\\\u003e \\\\u0026 \\\\u2028"}'
    """
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
