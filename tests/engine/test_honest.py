"""Honest programs, one a file in ``honest/``: every engine must accept and pass all of them.

The whole file is the candidate, with its first comment. That comment has a title and then either the signature and
tests, one a line, or ``kind: program`` and pairs of ``stdin:`` and ``stdout:``. Text below a heading is indented two
columns deeper than the heading.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ocaml_env.problem import Limits, Problem, Test

if TYPE_CHECKING:
    from ocaml_env.verifiers.local import Verifier

HONEST = sorted((Path(__file__).parent / "honest").glob("*.ml"))

# Some programs are long on purpose, and a limit should be 20 times the time of an honest solution.
LIMITS = Limits(test_cpu_seconds=5.0, total_cpu_seconds=10.0)

_HEADER = re.compile(r"\(\* (?P<title>.+?)\n(?P<body>.*?)^\*\)$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^   (signature|tests|kind|stdin|stdout):(.*)\n", re.MULTILINE)


def read_candidate(path: Path) -> str:
    """Returns the program byte for byte as it is on disk: one of the files tests line endings."""
    return path.read_bytes().decode("utf-8")


def read_problem(path: Path) -> Problem:
    """Reads the problem from the first comment of a file."""
    header = _HEADER.match(read_candidate(path))
    assert header, f"{path.name}: it does not begin with a comment that ends in '*)' on a line of its own"
    title, *parts = _HEADING.split(header["body"])
    sections: dict[str, list[str]] = {}
    for name, inline, block in zip(parts[0::3], parts[1::3], parts[2::3], strict=True):
        sections.setdefault(name, []).append(inline.strip() or textwrap.dedent(block))
    statement = f"{header['title']} {title}".strip()
    if sections.pop("kind", None) == ["program"]:
        pairs = zip(sections.pop("stdin"), sections.pop("stdout"), strict=True)
        assert not sections, f"{path.name}: a program has no {sorted(sections)}"
        tests = [Test(stdin=stdin, stdout=stdout) for stdin, stdout in pairs]
        return Problem(id=path.stem, statement=statement, kind="program", tests=tests, limits=LIMITS)
    (signature,), (lines,) = sections.pop("signature"), sections.pop("tests")
    assert not sections, f"{path.name}: a function problem has no {sorted(sections)}"
    return Problem(id=path.stem, statement=statement, signature=signature, tests=lines.splitlines(), limits=LIMITS)


def test_there_are_enough_honest_programs() -> None:
    assert len(HONEST) >= 70
    kinds = [read_problem(path).kind for path in HONEST]
    assert kinds.count("program") >= 10


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_an_honest_program_passes(path: Path, verifier: Verifier) -> None:
    verdict = verifier.verify(read_problem(path), read_candidate(path))
    assert verdict.passed, "\n".join(
        [f"{path.name}: {verdict.outcome}, {verdict.errors} errors"]
        + [
            f"{path.name}:{diagnostic.line}: {diagnostic.kind}: {diagnostic.message}"
            for diagnostic in verdict.diagnostics
        ]
        + [f"{test.name}: {test.outcome} {test.detail}" for test in verdict.tests if not test.passed]
    )
