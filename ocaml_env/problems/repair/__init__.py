"""Repair problems: each shows an answer with a fault and the feedback on it, and asks for a right one.

The fault is planted in the reference of another problem, by a rule (``syntax_faults``, ``word_faults``,
``call_faults``) or as a mutant. It is kept if the engine sees it fail in the intended way. ``docs/repair.md`` shows all
kinds.
"""

from ocaml_env.problems.repair.draw import EDITION, load_repairs, repair_of_id
from ocaml_env.problems.repair.kinds import FAULTS, KINDS, Fault, Kind
from ocaml_env.problems.repair.request import MAX_ATTEMPT

__all__ = ["EDITION", "FAULTS", "KINDS", "MAX_ATTEMPT", "Fault", "Kind", "load_repairs", "repair_of_id"]
