"""Draws generated problems, in several processes if there are many, and keeps them in the cache folder.

    python -m ocaml_env.problems.drawn FAMILY/LEVEL/SEED/FROM-TO ...

draws these problems and prints a line for each: ``load_problems`` starts as many of these processes as there are
processors. A problem is a pure function of its name, the sources, and the problems for evaluation: no training family
draws a solution of one. So the cache folder is named by their digest.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ocaml_env import kills
from ocaml_env.display.progress import Bar
from ocaml_env.engine.toolchain import cache_roots
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.record import problem_from_record, problem_to_record
from ocaml_env.problems import generators
from ocaml_env.problems.generators import Family, Request, families, generate_all
from ocaml_env.problems.generators.family import Drawn, draw
from ocaml_env.problems.generators.held_out import held_out_files

__all__ = ["DrawnBefore", "load_generated", "main"]

_ALONE = 80  # Below this number of problems, starting processes costs more than drawing.
_ROUNDS = 8  # Each round draws in place of the repeats found by the one before.
_PIECE = 8  # A process draws eight problems of a family and level, then of the next.


def load_generated(request: Request) -> Iterator[Problem]:
    """The problems of a request, from the cache if they are there."""
    known = DrawnBefore.of_cache()
    known.prepare(request)
    try:
        yield from generate_all(request, draw=known.draw)
    finally:
        known.save()


class DrawnBefore:
    """The drawn problems, by family, level and seed.

    Args:
        folder: of the files; None keeps nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        # A problem stays a line of its file until it is asked for, because decoding takes milliseconds.
        self._known: dict[str, dict[int, Drawn | str]] = {}
        self._new: dict[str, dict[int, Drawn]] = {}

    @classmethod
    def of_cache(cls) -> DrawnBefore:
        """What the cache folder has of these sources."""
        return cls(_folder())

    def draw(self, family: Family, level: int, seed: int, index: int) -> Drawn:
        """``generators.family.draw``, from the cache if the problem is there."""
        name = f"{family.name}-{level}-{seed}"
        known = self._of(name)
        found = known.get(index)
        if isinstance(found, str):
            found = _decoded(found, name)
        if found is None:
            found = self._new.setdefault(name, {})[index] = draw(family, level, seed, index)
        known[index] = found
        return found

    def prepare(self, request: Request) -> None:
        """Draws missing problems in other processes, if there are many; again for those that are repeats."""
        processors = os.cpu_count() or 1
        for _ in range(_ROUNDS):
            ends = self._ends(request)
            pieces, missing = self._missing(request.seed, ends)
            if self._folder is None or missing < _ALONE or processors == 1:
                return
            _draw_apart(pieces, missing, processors)
            self._known.clear()

    def _ends(self, request: Request) -> dict[tuple[str, int], int]:
        """How many problems of each family and level are needed, if no missing one is a repeat."""
        ends: dict[tuple[str, int], int] = {}

        def known(family: Family, level: int, seed: int, index: int) -> Drawn:
            ends[family.name, level] = index + 1
            if index in self._of(f"{family.name}-{level}-{seed}"):
                return self.draw(family, level, seed, index)
            text = f"{family.name}/{level}/{index}"  # unlike all others
            return Drawn(Problem(id=text, statement=text, kind="program", tests=(Test(stdin=text, stdout=""),)), text)

        for _ in generate_all(request, draw=known):
            pass
        return ends

    def _missing(self, seed: int, ends: Mapping[tuple[str, int], int]) -> tuple[list[str], int]:
        """The pieces to draw, and the number of their problems."""
        pieces = []
        missing = 0
        for (name, level), end in ends.items():
            known = self._of(f"{name}-{level}-{seed}")
            for start in range(0, end, _PIECE):
                wanted = [index for index in range(start, min(start + _PIECE, end)) if index not in known]
                if wanted:
                    pieces.append(f"{name}/{level}/{seed}/{wanted[0]}-{wanted[-1]}")
                    missing += len(wanted)
        return pieces, missing

    def save(self) -> None:
        """Adds the new problems to the files. Ignores a folder that cannot be written."""
        folder = self._folder
        for name, drawn in self._new.items() if folder else ():
            lines = "".join(
                json.dumps({"index": index, "essence": found.essence, "problem": problem_to_record(found.problem)})
                + "\n"
                for index, found in sorted(drawn.items())
            )
            # Write once, at the end of the file: other processes may add to it at the same time.
            with contextlib.suppress(OSError), Path(folder or "", f"{name}.jsonl").open("ab", buffering=0) as file:
                file.write(lines.encode())
        self._new.clear()

    def _of(self, name: str) -> dict[int, Drawn | str]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = dict(self._read(name))
        return known

    def _read(self, name: str) -> Iterator[tuple[int, str]]:
        if self._folder is None:
            return
        try:
            lines = (self._folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        except OSError:
            return
        for line in lines:
            if found := _LINE.fullmatch(line):
                yield int(found[1]), line


_LINE = re.compile(r'\{"index": (\d+), .*\}')


def _decoded(line: str, name: str) -> Drawn | None:
    """The problem of a line; None if it is half a line, as a killed process can leave."""
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        return None
    return Drawn(problem_from_record(found["problem"], where=name), found["essence"])


def _draw_apart(pieces: Sequence[str], count: int, processors: int) -> None:
    """Draws pieces in other processes. If one of them fails, its problems are drawn, or raise, in this process."""
    command = [sys.executable, "-m", "ocaml_env.problems.drawn"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    reading, writing = os.pipe()
    children = []
    with open(reading, encoding="utf-8") as lines, contextlib.ExitStack() as ending:
        with open(writing, "w"):
            for start in range(min(processors, len(pieces))):
                child = subprocess.Popen([*command, *pieces[start::processors]], stdout=writing, env=environment)
                children.append(child)
                ending.callback(child.wait)
                ending.callback(child.kill)  # no effect on an ended process
        with Bar("drawing", count, "problems", passing=True) as bar:
            for _ in lines:
                bar.update()
        for child in children:
            child.wait()


@functools.cache
def _folder() -> Path | None:
    """The folder for these sources, in the first cache folder that can be written; None if there is none."""
    sources = [Path(__file__).parents[1] / "problem"]
    sources += [Path(package.__path__[0]) for package in (kills, generators)]
    digest = hashlib.sha256()
    for path in sorted(path for root in sources for path in root.rglob("*.py")):
        digest.update(path.read_bytes())
    for path in held_out_files():
        digest.update(path.read_bytes())
    for root in cache_roots():
        folder = root / "generated" / digest.hexdigest()[:16]
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            return folder
    return None


def main(pieces: Sequence[str]) -> None:
    """Draws pieces, and prints the place of each problem."""
    known = DrawnBefore.of_cache()
    for piece in pieces:
        name, level, seed, span = piece.split("/")
        first, last = map(int, span.split("-"))
        for index in range(first, last + 1):
            known.draw(families()[name], int(level), int(seed), index)
            sys.stdout.write(f"{name}/{level}/{seed}/{index}\n")
            sys.stdout.flush()
        known.save()


if __name__ == "__main__":
    main(sys.argv[1:])
