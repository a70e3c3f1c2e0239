"""Reads requests for repair problems, such as ``repair:bundled:train?fault=type&seed=1&n=500``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import nearest
from ocaml_env.problems.repair.kinds import FAULTS, KINDS, Kind

__all__ = ["MAX_ATTEMPT", "USUAL_COUNT", "Request", "parse_source"]

MAX_ATTEMPT = 4000
"""Characters of an attempt at most. A prompt is then at most its question, this, the feedback and some words."""

USUAL_COUNT = 100  # problems, if no number is given

_PREFIX = "repair:"
_OWN = ("fault", "seed", "n", "max")
_SHARED = ("seed", "n")  # with generated problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The number of problems, their kinds of faults, and the seed.

    Attributes:
        source: of the problems to plant faults in, as for ``load_problems``.
        kinds: of faults.
        seed: from 0.
        n: number of problems; None for ``USUAL_COUNT``, or as many as there are.
        max_attempt: characters of an attempt at most.
    """

    source: str
    kinds: tuple[Kind, ...]
    seed: int
    n: int | None
    max_attempt: int


def parse_source(text: str) -> Request:
    """Reads ``repair:SOURCE?fault=FAULTS&seed=S&n=N&max=M``.

    Faults are ``type``, ``value``, ``syntax`` and names of kinds, with commas between them; all by default. If SOURCE
    has parameters of its own, they may stand among these: ``repair:bundled?level=1-2&n=50``. Generated problems have
    ``seed`` and ``n`` too: given once, they count for both. A second question mark begins those of the repair:
    ``repair:generated:lists?level=2&seed=3&n=20?seed=1&n=50``.

    Raises:
        ConfigError: the text says something else; the message tells what.
    """
    name, *queries = text.removeprefix(_PREFIX).split("?")
    if not name or name.startswith(_PREFIX) or len(queries) > 2:
        raise ConfigError(f"{text!r}: repair problems are named repair:SOURCE?fault=type,value,syntax&seed=1&n=500")
    parameters = [part for part in queries[-1].split("&") if part] if queries else []
    own = {}
    theirs = []
    for part in parameters:
        key, equals, value = part.partition("=")
        if key in _OWN:
            if not equals or key in own:
                raise ConfigError(f"{text!r}: give {key} once, and as {key}=...")
            own[key] = value
        elif len(queries) == 2:
            raise ConfigError(f"{text!r}: repair problems have no parameter {key!r}{nearest(key, _OWN)}")
        else:
            theirs.append(part)
    if len(queries) == 2:
        theirs = [queries[0]] if queries[0] else []
    elif name.startswith("generated:"):
        theirs += [f"{key}={own[key]}" for key in _SHARED if key in own]
    return Request(
        source="?".join([name, "&".join(theirs)] if theirs else [name]),
        kinds=_kinds(text, own.get("fault", ",".join(FAULTS))),
        seed=_whole(text, "seed", own.get("seed", "0"), least=0),
        n=_whole(text, "n", own["n"], least=1) if "n" in own else None,
        max_attempt=min(_whole(text, "max", own.get("max", str(MAX_ATTEMPT)), least=1), MAX_ATTEMPT),
    )


def _kinds(text: str, faults: str) -> tuple[Kind, ...]:
    names = [name.strip() for name in faults.split(",")]
    for name in names:
        if name not in FAULTS and name not in KINDS:
            hint = nearest(name, [*FAULTS, *KINDS]) or f"; known are {', '.join(FAULTS)}, and kinds of them"
            raise ConfigError(f"{text!r}: there is no fault {name!r}{hint}")
    return tuple(kind for kind in KINDS.values() if kind.name in names or kind.fault in names)


def _whole(text: str, name: str, value: str, *, least: int) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", value, re.ASCII) or int(value) < least:
        raise ConfigError(f"{text!r}: {name} must be a whole number from {least}, not {value!r}")
    return int(value)
