"""The requests of the service: FastAPI checks them, and OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema, model_validator

from ocaml_env.reward import Preset
from ocaml_env.verifiers.remote.wire import MAX_BATCH, MAX_CODE_LENGTH

__all__ = [
    "Check",
    "RewardBatch",
    "RewardOne",
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
    # Not strict, because strict enums refuse their own texts.
    reward: Preset = Field(Preset.STAGED, strict=False, description="A preset of the reward.")


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
