"""What pages in one HTML file share: data, style and scripts inside it, and a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any


def read_part(package: str, name: str) -> str:
    """The text of a file in the folder `web` of a package."""
    return resources.files(package).joinpath("web", name).read_text(encoding="utf-8")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """The template with its marks ``{{name}}`` replaced, in one pass: what looks like a mark in a part is text.

    >>> filled("<p>{{a}}</p>", {"a": "{{b}}"})
    '<p>{{b}}</p>'
    """
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], template)


def policy_hash(text: str) -> str:
    """How a content security policy names an inline element.

    >>> policy_hash("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def script_safe_json(data: Any) -> str:
    """JSON that may stand inside an HTML script element: nothing in it can end the element, or a line of it.

    >>> script_safe_json({"name": "</script> & \\u2028"})
    '{"name":"\\\\u003c/script\\\\u003e \\\\u0026 \\\\u2028"}'
    """
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
