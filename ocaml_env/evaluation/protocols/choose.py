"""The protocols, by name."""

from __future__ import annotations

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.benchmark.tracks import read_track, track_of
from ocaml_env.evaluation.protocols.base import Protocol
from ocaml_env.evaluation.protocols.livecodebench import LiveCodeBench
from ocaml_env.evaluation.protocols.multipl_e import MultiPLE
from ocaml_env.problems import ProblemSet
from ocaml_env.problems.sources import read_sets, spread
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier

__all__ = ["PEERS", "open_protocol", "own_protocol"]

PEERS = (MultiPLE.name, LiveCodeBench.name)
"""Name -> protocol of another benchmark."""


def open_protocol(name: str | None, source: str, limit: int, verifier: AnyVerifier) -> Protocol:
    """Opens the protocol for a set of problems.

    Args:
        name: its name for ``--protocol``; None for ours.
        source: source of the problems, see ``load_problems``; ``+`` joins several; or a track of the benchmark.
        limit: most problems, evenly chosen; 0 takes all.
        verifier: reads the rows of peers.

    Raises:
        ConfigError: if the problems are unreadable, or do not fit this protocol.
    """
    if name == MultiPLE.name:
        return MultiPLE(source, limit, verifier)
    if name == LiveCodeBench.name:
        if not isinstance(verifier, AuthoringVerifier):
            raise ConfigError(f"--protocol {name} compares what programs print, which a service does not tell")
        return LiveCodeBench(source, limit)
    return own_protocol(source, limit, verifier)


def own_protocol(source: str, limit: int, verifier: AnyVerifier | None = None) -> Protocol:
    """Opens our own protocol; reading its problems needs no OCaml, but for repairs.

    Raises:
        ConfigError: if they are unreadable.
    """
    if track_of(source) is not None:
        problems = read_track(source, verifier)
        ids = [problem.id for problem in (*problems, *read_sets("bundled"))]  # a file may answer more than a track asks
    else:
        problems = read_sets(source)
        ids = [problem.id for problem in problems]
    return Protocol(ProblemSet(spread(problems, limit), name=problems.name, note=problems.note), whole=ids)
