"""The interface of every evaluated model: requests in, answers out."""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.threads import Threads
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt

__all__ = [
    "NAMED",
    "Answer",
    "Model",
    "Request",
    "Sampling",
    "ThreadModel",
    "seed_of",
    "short_name",
]


NAMED: dict[str, Path] = {}
"""Name -> folder of a model, added by other packages, such as ``tiny`` of the agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One prompt.

    Attributes:
        problem: the problem.
        sample: number of the problem's sample, from 0.
        turn: turn of the episode, from 1.
        prompt: the whole text, with its form as a chat.
        seed: seed of the answer.
    """

    problem: Problem
    sample: int
    turn: int
    prompt: Prompt
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a request, or a fault.

    Attributes:
        completion: the answer; empty after a fault.
        tokens: number of generated tokens; None if unknown.
        thinking: number of them that are thinking; None if unknown.
        latency: seconds of generation, without back-off; a batch shares its seconds evenly. None: not measured.
        fault: the reason why there is no answer; "" if there is one.
    """

    completion: Completion = Completion("")  # noqa: RUF009 - a str: it cannot change
    tokens: int | None = None
    thinking: int | None = None
    latency: float | None = None
    fault: str = ""


class Model(ABC):
    """A model, in this process or behind a server. One event loop makes all calls of ``generate``.

    Attributes:
        batch: samples whose answers it makes together: the size of ``requests``, but for samples that are over.
        at_once: useful number of simultaneous calls.
        address: address of its server, without name, password and query; "" without a server.
        chats: True if prompts become messages of a chat.
        digest: SHA-256, in hexadecimal, of its file of answers; None without such a file.
    """

    batch: int = 1
    at_once: int = 1
    address: str = ""
    chats: bool = False
    digest: str | None = None

    @abstractmethod
    async def generate(self, requests: Sequence[Request]) -> list[Answer]:
        """Returns the answers, in order; an answer may be a fault.

        Raises:
            ConfigError: if every request would fail.
        """

    async def disconnect(self) -> None:  # noqa: B027 - most models have none
        """Closes the connections of the ending loop."""

    def close(self) -> None:  # noqa: B027 - most models have none
        """Releases files and processes."""


class ThreadModel(Model):
    """A model in this process. A thread of its own makes its answers, one call after the other.

    Attributes:
        on_progress: called again and again during a batch, with words on how far it is.
    """

    on_progress: Callable[[str], None] | None = None

    def __init__(self) -> None:
        self._thread = Threads(1)

    @abstractmethod
    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """Returns the answers, in order."""

    async def generate(self, requests: Sequence[Request]) -> list[Answer]:
        return await self._thread.run(self.answer, requests)

    def close(self) -> None:
        self._thread.close()


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Settings of sampling, like ``ocaml_env.evaluation.models.hf.Sampling``, but without torch.

    Attributes:
        temperature: 0 is greedy.
        top_p: share of probability to sample from.
        max_tokens: most tokens of one answer, without its thinking.
        thinking: most tokens of its thinking, in addition.
        continues: True if models continue prompts as plain text, even if they have a chat template.
        stop: texts to end an answer at, if the model continues a text or ``prefills`` is set.
        always_stop: texts to end any answer at.
        prefills: True if prompts include the beginning of the answer.
    """

    temperature: float = 0.8
    top_p: float = 0.95
    max_tokens: int = 2048
    thinking: int = 0
    continues: bool = False
    stop: tuple[str, ...] = ()
    always_stop: tuple[str, ...] = ()
    prefills: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < math.inf:
            raise ConfigError(f"--temperature is a number from 0, not {self.temperature!r}")
        if not 0 < self.top_p <= 1:
            raise ConfigError(f"--top-p is a number above 0 and up to 1, not {self.top_p!r}")
        if "" in self.always_stop:
            raise ConfigError("--stop needs a text")

    @property
    def most_tokens(self) -> int:
        """Most tokens that are generated for one answer."""
        return self.max_tokens + self.thinking

    def is_over(self, tokens: int | None, thinking: int | None) -> bool:
        """True if an answer without its thinking is longer than ``max_tokens``: it used tokens meant for thinking."""
        return self.thinking > 0 and tokens is not None and tokens - (thinking or 0) > self.max_tokens

    def stops(self, *, chats: bool) -> tuple[str, ...]:
        """The texts to end an answer at. An answer of a chat ends by itself, unless its beginning was prefilled."""
        return self.always_stop if chats and not self.prefills else (*self.stop, *self.always_stop)


def short_name(text: str) -> str:
    """Shortens the text of ``--model`` or ``--problems`` for people: each local path to its last part."""
    return "+".join(map(_short, text.split("+")))


def _short(text: str) -> str:
    start = text.find(":") + 1
    name = text[start:].rstrip("/")
    local = name.startswith(("/", ".", "~")) or name.count("/") > 1
    return text[:start] + name.rsplit("/", 1)[-1] if local else text


def seed_of(seed: int, problem_id: str, sample: int, turn: int) -> int:
    """Returns the 31-bit seed of one answer. It depends on the request alone, not on earlier ones."""
    digest = hashlib.blake2b(f"{seed}:{sample}:{turn}:{problem_id}".encode(), digest_size=4).digest()
    return int.from_bytes(digest) & 0x7FFF_FFFF
