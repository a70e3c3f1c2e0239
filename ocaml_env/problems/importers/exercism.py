"""Exercism's OCaml track, from a local clone: each exercise is a row.

    exercises/practice/SLUG/SLUG.mli          the signature
                           /test.ml           cases of OUnit
                           /.docs/instructions.md, or README.md
                           /.meta/example.ml  the reference

Exercises may use a small part of the library Base: ``base_subset.ml`` stands in front of tests and references that open
it. Cases that do not compile with it are left out, and noted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.signature import items_of
from ocaml_env.problems.importers.columns import COMMON
from ocaml_env.problems.importers.fields import (
    check_text,
    id_of,
    label_of,
    make_problem,
    optional_text,
    split_of,
    text_of,
    topics_of,
)
from ocaml_env.problems.importers.ounit import PRELUDE, OUnitFile, read_ounit
from ocaml_env.problems.importers.row import Column, Converted, Format, Part, Reason, Record, Refused, Row
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["EXERCISM", "PREFIX", "exercism_part"]

PREFIX = "exercism:"
_LIBRARIES = {"base", "ounit2", "qcheck", "stdlib"}  # cases that use QCheck itself are left out
_OF_THE_SITE = re.compile(
    r"^## (?:Getting Started|Source|Submitting|Feedback|Track|Running|Exercism Help)", re.MULTILINE
)


# --- rows -------------------------------------------------------------------------------------------------------------


def exercism_part(folder: Path) -> Part:
    """The exercises of a clone, by name.

    Raises:
        ConfigError: the folder holds none.
    """
    tests = sorted((*folder.glob("exercises/practice/*/test.ml"), *folder.glob("exercises/*/test.ml")))
    if not tests:
        raise ConfigError(
            f"{str(folder)!r} holds no exercises/practice/*/test.ml: give a clone of Exercism's OCaml track"
        )
    about = _track(folder)
    rows = (_row(test.parent, about.get(test.parent.name, {})) for test in tests)
    return Part(f"{PREFIX}{folder}", rows)


def _track(folder: Path) -> dict[str, Mapping[str, Any]]:
    """What the track says about its exercises, by their names: difficulty and topics."""
    try:
        exercises = json.loads((folder / "config.json").read_text(encoding="utf-8"))["exercises"]
        listed = exercises.get("practice", []) if isinstance(exercises, dict) else exercises
        return {exercise["slug"]: exercise for exercise in listed}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # a copy of some exercises may lack it


def _row(folder: Path, about: Mapping[str, Any]) -> Row:
    interfaces = sorted(folder.glob("*.mli"))
    texts = {
        "instructions": "\n\n".join(
            filter(None, (_read(folder / ".docs" / f"{name}.md") for name in ("instructions", "instructions.append")))
        )
        or _read(folder / "README.md"),
        "interface": _read(interfaces[0]) if interfaces else "",
        "ounit": _read(folder / "test.ml"),
        "example": _read(folder / ".meta" / "example.ml") or _read(folder / "example.ml"),
        "dune": _read(folder / "dune"),
    }
    difficulty, topics = about.get("difficulty"), about.get("topics") or about.get("practices") or []
    record = {"id": folder.name, **texts, "difficulty": difficulty, "topics": topics}
    failure = None
    if len(interfaces) != 1:
        failure = Refused(Reason.MISSING, f"it has {len(interfaces)} interfaces (.mli), and needs one")
    return Row(number=folder.name, origin="exercism/ocaml", record=record, failure=failure)


def _read(path: Path) -> str:
    """The text of a file; "" if there is none. Bytes that are no UTF-8 become lone surrogates, for ``check_text``."""
    return path.read_bytes().decode("utf-8", "surrogateescape") if path.is_file() else ""


# --- problems ---------------------------------------------------------------------------------------------------------


def _convert(row: Row, verifier: AuthoringVerifier) -> Converted:
    record: Record = row.record or {}
    check_text(record)
    notes: list[str] = []
    if strange := sorted(_libraries(optional_text(record, "dune")) - _LIBRARIES):
        raise Refused(Reason.TESTS, f"it needs the libraries {', '.join(strange)}")
    signature = re.sub(r"^open Base\s*$", "", text_of(record, "interface"), flags=re.MULTILINE).strip()
    read = read_ounit(text_of(record, "ounit"), items_of(signature))
    if not read.cases:
        raise Refused(Reason.TESTS, 'its test.ml has no cases of OUnit, as "name" >:: ...')
    reference = optional_text(record, "example")
    if re.search(r"\bBase\b", reference):
        reference = f"{_base()}\n{reference}"
    statement = _OF_THE_SITE.split(text_of(record, "instructions").replace("\r\n", "\n"))[0].strip()
    problem = make_problem(
        id=id_of(row, notes),
        statement=statement,
        signature=signature,
        tests=[Test(case.code, name=case.name) for case in read.cases],
        prelude=_prelude(read, str(record["id"])),
        reference=reference,
        label=label_of(record),
        topics=topics_of(record),
        split=split_of(row, notes),
        source=row.origin,
    )
    return Converted(problem=_compiling(problem, verifier, notes), notes=tuple(notes))


def _libraries(dune: str) -> set[str]:
    found = re.findall(r"\(libraries([^()]*)\)", dune)
    names = {name.partition(".")[0] for names in found for name in names.split()}
    return {name for name in names if not name.startswith("ppx_")}  # they derive printers and equality


def _prelude(read: OUnitFile, slug: str) -> str:
    """The definitions of a test file, with its modules: the exercise's is the candidate's."""
    own = slug.replace("-", "_").capitalize()
    codes = "\n".join(case.code for case in read.cases)
    parts = [f"{_base()}\nopen Base\nopen Solution"] if read.opens_base else []
    if re.search(rf"\b{own}\b", f"{read.definitions}\n{codes}"):
        parts.append(f"module {own} = Solution")
    if "OUnit2.passes" in codes or "cmp_float" in codes:
        parts.append(PRELUDE)
    return "\n".join([*parts, read.definitions]).strip()


def _compiling(problem: Problem, verifier: AuthoringVerifier, notes: list[str]) -> Problem:
    """The problem without tests that do not compile."""
    found, left_out = problem, list[str]()
    while True:
        try:
            verifier.check(found)
            break
        except ProblemError as error:
            if error.test is None or len(left_out) >= len(found.tests) - 1:  # the rest would say too little
                raise Refused(Reason.TESTS, f"its test.ml needs what is not there: {error}") from None
            left_out.append(error.test)
            found = replace(found, tests=tuple(test for test in found.tests if test.name != error.test))
    if left_out:
        notes.append(f"{len(left_out)} of {len(problem.tests)} cases do not compile, such as {left_out[0]!r}: left out")
    return found


@cache
def _base() -> str:
    return (Path(__file__).parent / "base_subset.ml").read_text(encoding="utf-8").strip()


EXERCISM = Format(
    name="exercism",
    about=f"a clone of Exercism's OCaml track, as {PREFIX}PATH; the columns are files of an exercise",
    columns=(
        Column(("instructions",), ".docs/instructions.md, or README.md", needed=True),
        Column(("interface",), "NAME.mli", needed=True),
        Column(("ounit",), "test.ml: cases become expressions; those of an unknown form run as they are", needed=True),
        Column(("example",), ".meta/example.ml"),
        Column(("dune",), "dune: only ounit2 and base are supplied, Base in a small part"),
        *COMMON,
    ),
    recognises=lambda record: "ounit" in record and "interface" in record,
    convert=_convert,
)
