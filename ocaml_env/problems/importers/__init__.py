"""Imports other problem sets: each row becomes a ``Problem``, or a report of the reason against it.

Nothing is run: only headers and tests are parsed, and examples typed. The audit checks that tests compile and
references pass.
"""

from ocaml_env.problems.importers.importing import FORMATS, KNOWN_FORMATS, import_problems
from ocaml_env.problems.importers.row import Imported, Reason

__all__ = ["FORMATS", "KNOWN_FORMATS", "Imported", "Reason", "import_problems"]
