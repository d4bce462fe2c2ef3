"""Settings of all tests."""

import os

from hypothesis import settings

# The first example of a kernel includes its compilation: a deadline would fail by luck. CI tries the same examples
# every time, so that a red run is about the change; on a developer's machine new ones are tried.
settings.register_profile("emphatic", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("emphatic")
