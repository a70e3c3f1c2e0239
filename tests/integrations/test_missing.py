"""An integration needs only its own library, and says how to install it if it is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.integrations.installed import LIBRARIES, ROOT, need

# Libraries that import another library of this list.
BRING = {"gem": ["reasoning_gym"]}

IMPORT = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, path=None, target=None):
        return None if name.split(".")[0] in {absent!r} else self.finder.find_spec(name, path, target)
sys.meta_path[:] = map(Without, sys.meta_path)
import ocaml_env.integrations.{library}
"""


def import_it(library: str, *, absent: list[str]) -> subprocess.CompletedProcess[str]:
    program = IMPORT.format(library=library, absent=absent)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=120)


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_integration_needs_no_other_library(library: str) -> None:
    need(library)
    done = import_it(library, absent=[other for other in LIBRARIES if other not in [library, *BRING.get(library, [])]])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_missing_library_is_an_error_that_names_the_extra(library: str) -> None:
    done = import_it(library, absent=[library])
    if done.returncode:  # an integration that takes only plain values needs no library
        reason = f"ImportError: No module named '{library}"
        assert reason in done.stderr
        assert f"pip install 'ocaml-env[{library.replace('_', '-')}]'" in done.stderr
