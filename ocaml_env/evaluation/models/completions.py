"""A file of completions as a model."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.models.base import Answer, Model, Request
from ocaml_env.extract import Completion
from ocaml_env.problem.record import nearest
from ocaml_env.problems import ProblemSet

__all__ = ["Completions", "find_completion"]


class Completions(Model):
    """Answers from a file: for each problem in the order of the file. Keeps only offsets in memory.

    Args:
        path: path of the file.
        problems: problems of the run; answers to others of the whole set are skipped.
        whole: ids of the whole set.

    Attributes:
        counts: problem id -> number of completions.

    Raises:
        ConfigError: if a line is no completion, names a problem outside the set, or the file has no completion.
    """

    def __init__(self, path: str, problems: ProblemSet, whole: Collection[str]) -> None:
        self._offsets: dict[str, array[int]] = {}
        try:
            self._file = Path(path).expanduser().open("rb")
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        try:
            self._index(path, problems, whole)
        except BaseException:
            self._file.close()
            raise
        self.counts = {name: len(offsets) for name, offsets in self._offsets.items()}

    def _index(self, path: str, problems: ProblemSet, whole: Collection[str]) -> None:
        offset = 0
        digest = hashlib.sha256()
        for number, line in enumerate(self._file, start=1):
            digest.update(line)
            if line.strip():
                name = self._name(line, f"{path}:{number}")
                if name not in whole:
                    raise ConfigError(f"{path}:{number}: {problems.name} has no problem {name!r}{nearest(name, whole)}")
                if name in problems.by_id:
                    self._offsets.setdefault(name, array("Q")).append(offset)
            offset += len(line)
        if not self._offsets:
            raise ConfigError(f"{path}: there are no completions in it of problems that are asked")
        self.digest = digest.hexdigest()

    async def generate(self, requests: Sequence[Request]) -> list[Answer]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        if request.turn > 1:
            raise ConfigError("a file of completions has one turn: --turns must be 1")
        self._file.seek(self._offsets[request.problem.id][request.sample])
        record = json.loads(self._file.readline())
        return Answer(completion=Completion(record["completion"], truncated=bool(record.get("truncated", False))))

    def close(self) -> None:
        self._file.close()

    @staticmethod
    def _name(line: bytes, where: str) -> str:
        try:
            record = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"{where}: not JSON: {error}") from None
        if not isinstance(record, dict) or not isinstance(record.get("completion"), str):
            raise ConfigError(f"{where}: needs a `completion`, a text")
        name = record.get("task_id", record.get("problem_id"))
        if not isinstance(name, str):
            raise ConfigError(f"{where}: needs a `task_id` or a `problem_id`, a text")
        return name


def find_completion(path: str, problem_id: str, number: int) -> Completion:
    """Finds an answer to the problem in a file of samples, rollouts or completions, by its number from 0.

    Raises:
        ConfigError: if there is none of that number.
        OSError: if the file cannot be read.
    """
    found: list[dict[str, Any]] = []
    with Path(path).open("rb") as file:
        for place, line in enumerate(file, start=1):
            try:
                record = json.loads(line)
                if record.get("problem_id", record.get("task_id")) == problem_id:
                    found.append(record)
            except (ValueError, AttributeError):
                raise ConfigError(f"{path}:{place}: not a JSON object") from None
    found.sort(key=lambda record: record.get("sample", 0))  # an evaluation writes samples as they end
    if number >= len(found):
        raise ConfigError(f"{path}: there is no --sample {number}; it answers {problem_id} {len(found)} times")
    completion = found[number].get("completion")
    if not isinstance(completion, str):
        raise ConfigError(f"{path}: sample {number} of {problem_id} has no completion: {found[number].get('fault')}")
    return Completion(completion, truncated=bool(found[number].get("truncated")))
