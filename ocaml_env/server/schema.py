"""The requests and answers of the service: what FastAPI checks requests by, and what OpenAPI shows.

Answers are written by ``wire`` and not checked again: the models of answers are there for OpenAPI.
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


# pydantic's own strings refuse lone surrogates, which a model may write, and which the engine evaluates.
Code = Annotated[
    str, PlainValidator(_code), WithJsonSchema({"type": "string", "maxLength": MAX_CODE_LENGTH, "title": "Code"})
]
Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string", "title": "Completion"})]
Name = Annotated[str, Field(min_length=1, max_length=200, description="The id of a problem that is served.")]
Digest = Annotated[
    str,
    Field(
        pattern="^([0-9a-f]{64})?$",
        description="SHA-256 of the problem, with the limits that are asked for: where it differs, 409. Empty: any.",
    ),
]

_MOST_FIELDS = 32

_EXAMPLE: Any = {"problem": "snake_case", "code": "let snake_case = String.lowercase_ascii"}
_COMPLETION: Any = {"problem": "snake_case", "completion": "```ocaml\nlet snake_case = String.lowercase_ascii\n```"}


class _Request(BaseModel):
    # Strict: what is of another type is refused, and not turned into what is wanted.
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, value: Any) -> Any:
        # Each field that is too much has an error of its own: of many, they would be far larger than the request.
        if isinstance(value, dict) and len(value) > _MOST_FIELDS:
            raise ValueError(f"it has {len(value)} fields, and there are {len(cls.model_fields)}")
        return value


class Limits(_Request):
    """What a candidate may use, in place of the problem's own; what is missing is the problem's."""

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
        description="Problems that the service has not, each with the fields of `ocaml_env.Problem`. "
        "Only where the service was started with --allow-inline-problems.",
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
    """What a model wrote for a problem, prose and fences included."""

    completion: Text
    truncated: bool = Field(False, description="True where generation hit its budget.")


class _Pays(_Request):
    reward: Literal["staged", "staged-1", "pass-dominant", "binary", "seed-2025-12-10"] = Field(
        "staged", description="A preset of the reward."
    )


class RewardOne(RewardItem, _Brings, _Pays):
    """What a model wrote for a problem, prose and fences included."""

    model_config = ConfigDict(json_schema_extra={"examples": [_COMPLETION | {"reward": "staged"}]})


class RewardBatch(_Brings, _Pays):
    """Several completions."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"items": [_COMPLETION], "reward": "staged"}]})
    items: list[RewardItem] = Field(max_length=MAX_BATCH)


class CheckItem(_Named):
    """A problem."""


class Check(_Brings):
    """Problems whose tests are to be compiled."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"items": [{"problem": "snake_case"}]}]})
    items: list[CheckItem] = Field(max_length=MAX_BATCH)


assert {*RewardSpec.presets()} == {*_Pays.model_fields["reward"].annotation.__args__}  # type: ignore[union-attr]


# --- answers ----------------------------------------------------------------------------------------------------------


class Diagnostic(BaseModel):
    """One message of the compiler about the code."""

    kind: str = Field(examples=["unbound-value"])
    message: str
    line: int = Field(description="From 1; 0 where there is none.")
    column: int = Field(description="From 0, in bytes.")
    name: str
    cascade: bool = Field(description="Whether it only follows from an earlier error; such a one is not counted.")


class TestOutcome(BaseModel):
    """How one test ended."""

    name: str
    public: bool
    outcome: Outcome
    returned: bool = Field(description="Whether it came to an answer, right or wrong, within its limits.")
    detail: str = Field(
        description="Of an example that failed, what came out. Empty for a hidden test: it could hold an input."
    )
    inside: bool = Field(description="Whether it was decided beside the candidate, and not by data.")


class Verdict(BaseModel):
    """What happened to a candidate. Its failures are values: they come with status 200."""

    outcome: Outcome
    stage: Literal["EXTRACT", "PARSE", "TYPECHECK", "COMPILE", "TEST"]
    passed: bool
    tests_passed: int
    tests_passed_inside: int = Field(description="Of them, those that were decided beside the candidate.")
    tests_total: int
    errors: int
    diagnostics: list[Diagnostic]
    tests: list[TestOutcome]
    partial: list[str] = Field(description="The values that were evaluated in spite of type errors.")
    given: list[str] = Field(description="Definitions of the interface that were put in front of the code.")
    ocaml_version: str
    sandbox: list[str]
    cpu_seconds: float


class Error(BaseModel):
    """What went wrong."""

    type: str = Field(
        description="The exception of `ocaml_env.errors` that says so in Python.", examples=["ConfigError"]
    )
    message: str
    problems: list[str] | None = Field(None, description="404 and 409: the problems that are meant.")
    problem_id: str | None = None
    test: str | None = None


class Fault(BaseModel):
    """What went wrong. Never a verdict: no reward follows from it."""

    error: Error


class Verdicts(BaseModel):
    """The verdicts in the order of the items."""

    verdicts: list[Verdict | Fault]


class Reward(BaseModel):
    """What a completion is worth."""

    total: float = Field(description="The reward: the sum of the parts.")
    parts: dict[str, float]
    code: str | None = Field(description="The code that was found in the completion.")
    reason: str = Field(description="Why there is no code; empty where there is some.")
    truncated: bool
    feedback: str = Field(description="What a model should see on its next turn.")
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
    """A part of the problems that meet the conditions."""

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
    """A problem as a model sees it, and its prompt. Hidden tests and references are not given away."""

    statement: str
    signature: str
    attempt: str = Field(description="The answer with a fault that is to be repaired; empty if there is none.")
    limits: dict[str, float]
    examples: list[Example]
    prompt: str
    messages: list[Message]


class Info(BaseModel):
    """What the service is."""

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
    """How the service is."""

    status: str


assert Verdict.model_fields["stage"].annotation.__args__ == tuple(stage.name for stage in Stage)  # type: ignore[union-attr]
