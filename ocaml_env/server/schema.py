"""The requests and answers of the service. FastAPI checks requests by them, and OpenAPI shows them.

``wire`` writes the answers, and they are not checked again: the models of answers are only for OpenAPI.

Long, because it has a class for each request and answer.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema, model_validator

from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Outcome, Stage
from ocaml_env.verifiers.remote.wire import MAX_BATCH, MAX_CODE_LENGTH

__all__ = [
    "Check",
    "Checked",
    "Fault",
    "Health",
    "Info",
    "ProblemPage",
    "Problems",
    "Reward",
    "RewardBatch",
    "RewardOne",
    "Rewards",
    "Verdict",
    "Verdicts",
    "VerifyBatch",
    "VerifyOne",
]


def _code(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("it must be a string")
    if len(value) > MAX_CODE_LENGTH:
        raise ValueError(f"it has {len(value)} characters, and at most {MAX_CODE_LENGTH} are taken")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("it must be a string")
    return value


# pydantic's own strings refuse lone surrogates, but a model may write them, and the engine evaluates them.
Code = Annotated[
    str, PlainValidator(_code), WithJsonSchema({"type": "string", "maxLength": MAX_CODE_LENGTH, "title": "Code"})
]
Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string", "title": "Completion"})]
Name = Annotated[str, Field(min_length=1, max_length=200, description="The id of a problem of this service.")]
Digest = Annotated[
    str,
    Field(
        pattern="^([0-9a-f]{64})?$",
        description="SHA-256 of the problem with the requested limits. If it differs, the answer is 409. Empty: any.",
    ),
]

_MOST_FIELDS = 32

_EXAMPLE: Any = {"problem": "snake_case", "code": "let snake_case = String.lowercase_ascii"}
_COMPLETION: Any = {"problem": "snake_case", "completion": "```ocaml\nlet snake_case = String.lowercase_ascii\n```"}


class _Request(BaseModel):
    # Strict: values of another type are refused, not converted.
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, value: Any) -> Any:
        # Each surplus field has an error of its own: with many, they would be far larger than the request.
        if isinstance(value, dict) and len(value) > _MOST_FIELDS:
            raise ValueError(f"it has {len(value)} fields, and there are {len(cls.model_fields)}")
        return value


class Limits(_Request):
    """Limits for the candidate, in place of the problem's own. A missing one keeps the problem's value."""

    test_cpu_seconds: float | None = Field(None, gt=0, le=3600)
    total_cpu_seconds: float | None = Field(None, gt=0, le=3600)
    memory_mb: int | None = Field(None, gt=0, le=1 << 20)
    output_kb: int | None = Field(None, gt=0, le=1 << 20)


class _Named(_Request):
    problem: Name
    digest: Digest = ""
    limits: Limits | None = None


class _Brings(_Request):
    problems: list[dict[str, Any]] = Field(
        default=[],
        max_length=MAX_BATCH,
        description="Problems that the service lacks, each with the fields of `ocaml_env.Problem`. "
        "Only allowed if the service was started with --allow-inline-problems.",
    )


class VerifyItem(_Named):
    """Code for a problem."""

    code: Code


class VerifyOne(VerifyItem, _Brings):
    """Code for a problem."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})


class VerifyBatch(_Brings):
    """Several candidates."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"items": [_EXAMPLE, _EXAMPLE]}]})
    items: list[VerifyItem] = Field(max_length=MAX_BATCH)


class RewardItem(_Named):
    """A model's completion for a problem, prose and fences included."""

    completion: Text
    truncated: bool = Field(False, description="True if generation hit its budget.")


class _Pays(_Request):
    reward: Literal["staged", "staged-1", "pass-dominant", "binary", "seed-2025-12-10"] = Field(
        "staged", description="A preset of the reward."
    )


class RewardOne(RewardItem, _Brings, _Pays):
    """A model's completion for a problem, prose and fences included."""

    model_config = ConfigDict(json_schema_extra={"examples": [_COMPLETION | {"reward": "staged"}]})


class RewardBatch(_Brings, _Pays):
    """Several completions."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"items": [_COMPLETION], "reward": "staged"}]})
    items: list[RewardItem] = Field(max_length=MAX_BATCH)


class CheckItem(_Named):
    """A problem."""


class Check(_Brings):
    """Problems, to compile their tests."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"items": [{"problem": "snake_case"}]}]})
    items: list[CheckItem] = Field(max_length=MAX_BATCH)


assert {*RewardSpec.presets()} == {*_Pays.model_fields["reward"].annotation.__args__}  # type: ignore[union-attr]


# --- answers ----------------------------------------------------------------------------------------------------------


class Diagnostic(BaseModel):
    """One message of the compiler about the code."""

    kind: str = Field(examples=["unbound-value"])
    message: str
    line: int = Field(description="From 1; 0 if there is none.")
    column: int = Field(description="From 0, in bytes.")
    name: str
    cascade: bool = Field(description="True if it only follows from an earlier error; then it is not counted.")


class TestOutcome(BaseModel):
    """How one test ended."""

    name: str
    public: bool
    outcome: Outcome
    returned: bool = Field(description="True if it gave an answer, right or wrong, within its limits.")
    detail: str = Field(
        description="The actual result of a failed example. Empty for a hidden test: it could reveal an input."
    )
    inside: bool = Field(description="True if its result was computed in the candidate's process, not from data.")


class Verdict(BaseModel):
    """The result of a candidate. Its failures are values: they come with status 200."""

    outcome: Outcome
    stage: Literal["EXTRACT", "PARSE", "TYPECHECK", "COMPILE", "TEST"]
    passed: bool
    tests_passed: int
    tests_passed_inside: int = Field(description="Passed tests whose result was computed in the candidate's process.")
    tests_total: int
    errors: int
    diagnostics: list[Diagnostic]
    tests: list[TestOutcome]
    partial: list[str] = Field(description="The values evaluated in spite of type errors.")
    given: list[str] = Field(description="Definitions of the interface that the service put in front of the code.")
    ocaml_version: str
    sandbox: list[str]
    cpu_seconds: float


class Error(BaseModel):
    """An error."""

    type: str = Field(description="The name of the exception in `ocaml_env.errors`.", examples=["ConfigError"])
    message: str
    problems: list[str] | None = Field(None, description="404 and 409: the problems in question.")
    problem_id: str | None = None
    test: str | None = None


class Fault(BaseModel):
    """An error in place of an answer. Never a verdict: no reward follows from it."""

    error: Error


class Verdicts(BaseModel):
    """The verdicts in the order of the items."""

    verdicts: list[Verdict | Fault]


class Reward(BaseModel):
    """The reward of a completion."""

    total: float = Field(description="The reward: the sum of the parts.")
    parts: dict[str, float]
    code: str | None = Field(description="The code found in the completion.")
    reason: str = Field(description="The reason for a missing code; empty if there is code.")
    truncated: bool
    feedback: str = Field(description="The text for the model's next turn.")
    verdict: Verdict


class Rewards(BaseModel):
    """The rewards in the order of the items."""

    rewards: list[Reward | Fault]


class CheckedProblem(BaseModel):
    """A problem that can be evaluated."""

    problem: str
    digest: str


class Checked(BaseModel):
    """Problems whose tests compile."""

    problems: list[CheckedProblem]


class ProblemSummary(BaseModel):
    """A problem of a list."""

    id: str
    digest: str
    split: str
    level: int | None
    label: str
    kind: str
    topics: list[str]
    tests: int
    hidden_tests: int


class Problems(BaseModel):
    """A page of the problems that meet the conditions."""

    total: int = Field(description="Problems that meet the conditions.")
    problems: list[ProblemSummary]


class Message(BaseModel):
    """A message of a chat."""

    role: str
    content: str


class Example(BaseModel):
    """A public test."""

    name: str
    code: str
    stdin: str | None
    stdout: str | None


class ProblemPage(ProblemSummary):
    """A problem as a model sees it, and its prompt, without hidden tests and reference."""

    statement: str
    signature: str
    attempt: str = Field(description="The faulty answer to repair; empty if there is none.")
    limits: dict[str, float]
    examples: list[Example]
    prompt: str
    messages: list[Message]


class Info(BaseModel):
    """A description of the service."""

    version: str
    ocaml_version: str
    workers: int
    problems: int
    inline_problems: bool
    max_batch: int
    max_body: int
    max_code_length: int
    rewards: list[str]


class Health(BaseModel):
    """The state of the service."""

    status: str


assert Verdict.model_fields["stage"].annotation.__args__ == tuple(stage.name for stage in Stage)  # type: ignore[union-attr]
