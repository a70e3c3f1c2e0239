"""Builds the prompt of a problem, as one text or as chat messages, with solved problems (shots) first if wanted.

Every form holds the statement verbatim, the signature, and the public tests as examples (``brief`` leaves the examples
out). No form ever holds a hidden test, the prelude, or the reference of the problem.

``PromptSpec.revision`` builds the next turn's prompt from an answer's code and the feedback on it. A problem with an
``attempt`` starts with such a prompt. ``extract`` reads answers, and ``feedback`` writes feedback.

Long, because every form of a prompt is made of the same parts.
"""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypedDict

from ocaml_env.errors import ConfigError, import_attribute
from ocaml_env.feedback import feedback as default_feedback
from ocaml_env.feedback import shorten
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.signature import asked_by, opening
from ocaml_env.verdict import Verdict

__all__ = ["Message", "Prompt", "PromptSpec", "PromptStyle", "checked_text", "shorten"]

_LIBRARY = "OCaml 4.13, its standard library and Str only"
_RULES = {
    "function": f"{_LIBRARY}; no files, standard input, `exit`, Unix, Obj, Marshal or `external`.",
    "program": f"{_LIBRARY}; no files, Unix, Obj or `external`.",
}
_SHORT_RULES = f"{_LIBRARY}."  # for a function of a line or two: it needs nothing else
_ANSWER = {
    "function": "Answer with one ```ocaml block.",
    "program": "Answer with the whole program in one ```ocaml block.",
}
# Told to define "everything, types included", a model begins with `type 'a list = ...`, and nothing after it
# typechecks.
_BUILT_IN = re.compile(r"\b(?:list|option|array|result)\b")
_AGAIN = {
    "function": "Answer again with all of the corrected definitions in one ```ocaml block.",
    "program": "Answer again with the whole corrected program in one ```ocaml block.",
}

# With neither this nor a labelled signature, SmolLM2-135M writes Python, or goes on with the signature.
_BRIEF_END = "Solution in OCaml:"

_MAX_QUOTED = 12_000  # characters of an answer quoted in its revision


class PromptStyle(enum.StrEnum):
    """The form of a prompt.

    TEXT is prose for an instruction-following model: it states the rules and the form of the answer. COMPLETION is the
    beginning of an OCaml file for a base model: one comment with ``>>>`` examples. The model continues with the rest of
    the file, definitions included, because a completion is evaluated on its own. BRIEF is the statement, the signature
    and the name of the language, for small models: it ends right before the answer.
    """

    TEXT = "text"
    COMPLETION = "completion"
    BRIEF = "brief"


class Message(TypedDict):
    """One message of a chat, in the form of chat templates and OpenAI-compatible servers."""

    role: Literal["system", "user", "assistant"]
    content: str


class Prompt(str):
    """A prompt: a ``str`` with its chat messages. It compares and hashes as its text.

    Attributes:
        messages: the same prompt as a chat, with solved problems as turns. The last message is the user's.
        prefill: the beginning of the answer, for the generating code to put first; "" for none.
    """

    messages: tuple[Message, ...]
    prefill: str

    def __new__(cls, text: str = "", messages: Iterable[Message] = (), prefill: str = "") -> Prompt:
        prompt = super().__new__(cls, text)
        prompt.messages = tuple(messages) or ({"role": "user", "content": text},)
        prompt.prefill = prefill
        return prompt

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text, in hexadecimal, for the record of a sample."""
        return hashlib.sha256(self.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def begun(self) -> str:
        """The text followed by the beginning of the answer, for a model that continues a text."""
        return f"{self}{'' if self.endswith(chr(10)) else chr(10) * 2}{self.prefill}" if self.prefill else str(self)


@dataclass(frozen=True, kw_only=True)
class PromptSpec:
    """The form of the prompts.

    Attributes:
        style: a ``PromptStyle``, or its name.
        shots: solved problems shown first, each with its public tests and its reference. A shot with the same tests as
            the problem is left out: it is that problem, or one of the two is a repair of the other.
        system: the content of a system message, "" for none. Only ``messages`` contains it.
        instruction: a further demand on the answer, added to the end of the question; "" for none.
        prefill: begin the answer with a fence, and with ``let rec f a b =`` if the problem asks for one function. It
            helps base models and small ones. The generating code must support it: see ``Prompt.prefill``.
        ask: your own function from a problem to its question, in place of the style.
        feedback: your own function from ``(problem, verdict, code, reason)`` to the feedback. If there was no code,
            ``code`` is None and ``reason`` says why.

    Raises:
        ConfigError: if the style is unknown, or a shot has no reference.
    """

    style: PromptStyle | str = PromptStyle.TEXT
    shots: tuple[Problem, ...] = ()
    system: str = ""
    instruction: str = ""
    prefill: bool = False
    ask: Callable[[Problem], str] | None = None
    feedback: Callable[..., str] | None = None

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "style", PromptStyle(self.style))
        except ValueError:
            known = ", ".join(repr(style.value) for style in PromptStyle)
            raise ConfigError(f"there is no prompt style {self.style!r}; known are {known}") from None
        object.__setattr__(self, "shots", tuple(self.shots))
        for shot in self.shots:
            if not shot.reference.strip():
                raise ConfigError(f"problem {shot.id!r} has no reference, so it cannot be shown as a solved example")

    @classmethod
    def of(
        cls,
        style: str | PromptSpec = PromptStyle.TEXT,
        *,
        prompt: str | Callable[[Problem], str] | None = None,
        feedback: str | Callable[..., str] | None = None,
    ) -> PromptSpec:
        """Makes a spec from settings: a style or a spec, and your own functions or their ``module:attribute``.

        Raises:
            ConfigError: if a setting cannot be used.
        """
        spec = style if isinstance(style, PromptSpec) else cls(style=style)
        if prompt:
            spec = replace(spec, ask=_function("prompt", prompt))
        if feedback:
            spec = replace(spec, feedback=_function("feedback", feedback))
        return spec

    @property
    def stop(self) -> tuple[str, ...]:
        """Texts that end the answer, for a model that continues a text and never stops by itself."""
        if self.style is PromptStyle.COMPLETION:
            return ("\n(*\n", "\n```", "\n#")
        # Without prefill, "\n```" would match the opening fence, too; code follows that fence without a blank line.
        return ("\n```",) if self.prefill else ("\n```\n\n",)

    def text(self, problem: Problem) -> Prompt:
        """The whole prompt as one text, shots and an attempt included."""
        question = self.question(problem)
        if problem.attempt_verdict is None:
            return question
        told = self.told(problem, problem.attempt_verdict, problem.attempt)
        return self.revision(problem, question, problem.attempt, told)

    def question(self, problem: Problem) -> Prompt:
        """The prompt without the attempt."""
        ask, shots = self._ask(problem), self._shots(problem)
        solved = [f"{self._ask(shot)}\n\n{self._answer(shot)}" for shot in shots]
        if solved and self.style is PromptStyle.TEXT:
            first = "Here is a solved problem, then one to solve." if len(shots) == 1 else None
            solved.insert(0, first or f"Here are {len(shots)} solved problems, then one to solve.")
        return Prompt("\n\n".join([*solved, ask]), self._chat(shots, ask), self._prefill(problem))

    def messages(self, problem: Problem) -> list[Message]:
        """The prompt as chat messages: each shot is a question and its answer."""
        return list(self.text(problem).messages)

    def told(self, problem: Problem, verdict: Verdict, code: str | None, reason: str = "") -> str:
        """The feedback on an answer, from the user's own function if there is one."""
        if self.feedback is None:
            return default_feedback(problem, verdict, code=code, reason=reason)
        return checked_text("feedback", self.feedback(problem, verdict, code, reason))

    def revision(self, problem: Problem, prompt: str, code: str | None, feedback: str, *, last: bool = False) -> Prompt:
        """Builds the prompt of the next turn: the first prompt, the answer's code (None: no code), and the feedback.

        It repeats the prompt, so the latest observation is all a policy needs. A policy that keeps a chat appends
        ``follow_up`` instead. After the ``last`` turn it does not ask for another answer.
        """

        def revised(prompt: str) -> str:
            if self.style is PromptStyle.COMPLETION:
                end = "*)\n" if last else "\nThe whole corrected file:\n*)\n"
                return f"{prompt}{code or ''}\n(*\n{feedback}\n{end}"
            quoted = [] if code is None else ["Your last answer:", _fenced("ocaml", code)]
            return "\n\n".join([prompt, *quoted, feedback if last else self.follow_up(problem, feedback)])

        if code is not None:
            code = shorten(code, _MAX_QUOTED)
        *shots, asked = prompt.messages if isinstance(prompt, Prompt) else Prompt(prompt).messages
        text = revised(prompt)
        content = revised(asked["content"]) if shots else text
        return Prompt(text, [*shots, Message(role="user", content=content)], self._prefill(problem))

    def follow_up(self, problem: Problem, feedback: str) -> str:
        """The feedback as the next message of a chat, after the prompt and the last answer."""
        return f"{feedback}\n\n{_AGAIN[problem.kind]}"

    def _shots(self, problem: Problem) -> list[Problem]:
        """The shots that reveal no answer: a repair of a problem has the same tests under another id."""
        return [shot for shot in self.shots if problem.tests_digest != shot.tests_digest]

    def _chat(self, shots: Sequence[Problem], ask: str) -> Iterator[Message]:
        if self.system:
            yield {"role": "system", "content": self.system}
        for shot in shots:
            yield {"role": "user", "content": self._ask(shot)}
            yield {"role": "assistant", "content": self._answer(shot)}
        yield {"role": "user", "content": ask}

    def _prefill(self, problem: Problem) -> str:
        if not self.prefill:
            return ""
        begins = opening(problem.signature, problem.statement) if problem.kind == "function" else ""
        return begins if self.style is PromptStyle.COMPLETION else f"```ocaml\n{begins}"

    def _answer(self, shot: Problem) -> str:
        return shot.reference if self.style is PromptStyle.COMPLETION else _fenced("ocaml", shot.reference)

    def _ask(self, problem: Problem) -> str:
        if self.ask is not None:
            return checked_text("prompt", self.ask(problem))
        if self.style is PromptStyle.COMPLETION:
            return _file_head(problem, self.instruction)
        if self.style is PromptStyle.BRIEF:
            interface = problem.signature and _fenced("ocaml", problem.signature)
            return "\n\n".join(filter(None, (problem.statement, interface, self.instruction, _BRIEF_END)))
        if problem.kind == "program":
            task = "Write this OCaml program, from standard input to standard output."
            parts = [task, problem.statement, *_program_examples(problem.public_tests)]
        else:
            interface = _fenced("ocaml", problem.signature)
            examples = _function_examples(problem.public_tests)
            parts = [problem.statement, interface, *examples]
        rules = " ".join([*_about(problem.signature), _ANSWER[problem.kind], _rules(problem)])
        return "\n\n".join(filter(None, [*parts, rules, self.instruction]))


def _rules(problem: Problem) -> str:
    is_small = problem.level is not None and problem.level <= 2 and len(problem.wanted) == 1
    return _SHORT_RULES if is_small else _RULES[problem.kind]


def _about(signature: str) -> Iterator[str]:
    """The applicable sentences about the interface."""
    asked = asked_by(signature)
    if asked.own:
        yield f"Define all of the interface, {_listed(asked.own)} included."
    if asked.given:
        yield f"The {_listed(asked.given)} of the interface are there already."
    if _BUILT_IN.search(signature):
        yield "Keep the built-in types."


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _function(setting: str, value: str | Callable[..., str]) -> Callable[..., str]:
    found = import_attribute(value) if isinstance(value, str) else value
    if not callable(found):
        raise ConfigError(f"the {setting} {value!r} is no function: it is of type {type(found).__name__}")
    return found


def checked_text(setting: str, found: object) -> str:
    """Checks that the result of a user's own function is a ``str``, and returns it.

    Raises:
        ConfigError: if it is not.
    """
    if not isinstance(found, str):
        raise ConfigError(f"the {setting} function returned {found!r:.80}, which is no text")
    return found


def _function_examples(tests: Iterable[Test]) -> list[str]:
    code = "\n".join(test.code for test in tests)
    return ["Examples, each true:", _fenced("ocaml", code)] if code else []


def _program_examples(tests: Iterable[Test]) -> list[str]:
    parts = []
    for test in tests:
        parts += [
            "Example input:",
            _fenced("text", test.stdin or ""),
            "and its output:",
            _fenced("text", test.stdout or ""),
        ]
    return parts


def _file_head(problem: Problem, instruction: str) -> str:
    """A comment for a solution to follow. The statement is kept verbatim: ``*)`` in it ends the comment early, but
    nothing compiles this text.
    """
    parts = [problem.statement]
    if problem.signature:
        parts.append(f"Interface:\n\n{problem.signature}")
    for test in problem.public_tests:
        if problem.kind == "program":
            parts.append(f"Example input:\n{test.stdin}\nIts output:\n{test.stdout}".rstrip("\n"))
        else:
            parts.append(">>> " + test.code.replace("\n", "\n... ") + "\ntrue")
    return "(*\n" + "\n\n".join(filter(None, [*parts, _rules(problem), instruction])) + "\n*)\n"


def _fenced(label: str, text: str) -> str:
    """A Markdown code block, fenced by more backticks than any run of them inside."""
    longest = max(map(len, re.findall("`{3,}", text))) if "```" in text else 2
    ticks = "`" * (longest + 1)
    return f"{ticks}{label}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{ticks}"
