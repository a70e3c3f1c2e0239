"""Evaluates OCaml: processes that typecheck, compile and run candidates. Knows nothing of rewards or Gymnasium.

toolchain        finds OCaml and builds the two programs of ``ocaml/`` once for each version and source digest
protocol         frames and bencode: the encoding of messages
messages         messages to a checker about a problem and a candidate, and its answers
checker_process  one checker process: start, exchange of messages, end
worker           a checker for functions and one for programs, replaced when they can no longer be trusted
pool             several workers, shared between threads and safe across a fork
authoring        questions to the compiler about references, signatures and tests
mutant           a program with one small fault
doctor           the installed engine, and the active layers of the sandbox
"""

from ocaml_env.engine.doctor import EngineReport, doctor
from ocaml_env.engine.messages import Arrangement, Evaluated, ProbeSpec, RunStatus, RunTest, Status
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
    "RunStatus",
    "RunTest",
    "Status",
    "Worker",
    "build_engine",
    "doctor",
    "find_toolchain",
    "sources_digest",
]
