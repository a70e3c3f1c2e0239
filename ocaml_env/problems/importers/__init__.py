"""Other people's problem sets as problems of this package: each row becomes a ``Problem``, or a report of why not.

Nothing is run: only headers and tests are parsed, and examples typed. Whether tests compile and references pass is the
business of the audit.
"""

from ocaml_env.problems.importers.importing import FORMATS, import_problems
from ocaml_env.problems.importers.row import Imported, Reason

__all__ = ["FORMATS", "Imported", "Reason", "import_problems"]
