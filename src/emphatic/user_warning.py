"""Warnings that point at the line of the user's code, through whatever libraries it was reached."""

import sys
import warnings

LIBRARIES = ("emphatic", "sklearn", "joblib")
"""Packages whose frames are not the user's: a Pipeline or a search may stand between the user and us."""


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the innermost line that belongs to none of `LIBRARIES`.

    In a worker process there is no such line: the warning then points at the outermost one.
    """
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__", "").partition(".")[0] in LIBRARIES and frame.f_back is not None:
        frame = frame.f_back
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    module = frame.f_globals.get("__name__", "<unknown>")
    warnings.warn_explicit(message, category, frame.f_code.co_filename, frame.f_lineno, module, registry)
