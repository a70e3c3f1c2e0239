"""How OCaml is evaluated: processes that typecheck, compile and run candidates. Knows nothing of rewards or of
Gymnasium.

toolchain        finds OCaml and builds the two programs of ``ocaml/`` once for each version and source digest
protocol         frames and bencode: how messages travel
messages         what is said to a checker about a problem and a candidate, and what it answers
checker_process  one checker: started, spoken to and ended
worker           a checker for functions and one for programs, thrown away when they are not trusted any more
pool             several workers, shared between threads and safe across a fork
authoring        what the compiler knows of references, signatures and tests
mutant           a program with one small fault
doctor           what is installed here, and which layers of the sandbox hold
"""

from ocaml_env.engine.doctor import EngineReport, doctor
from ocaml_env.engine.messages import Arrangement, Evaluated, ProbeSpec
from ocaml_env.engine.mutant import Mutant
from ocaml_env.engine.pool import Pool
from ocaml_env.engine.toolchain import Engine, build_engine, find_toolchain, sources_digest
from ocaml_env.engine.worker import Worker

__all__ = [
    "Arrangement",
    "Engine",
    "EngineReport",
    "Evaluated",
    "Mutant",
    "Pool",
    "ProbeSpec",
    "Worker",
    "build_engine",
    "doctor",
    "find_toolchain",
    "sources_digest",
]
