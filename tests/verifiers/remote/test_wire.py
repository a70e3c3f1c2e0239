"""Values survive the way over the network."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env import errors
from ocaml_env.errors import OCamlEnvError, ProblemError, ProtocolError
from ocaml_env.verdict import Diagnostic, Outcome, Stage, Verdict
from ocaml_env.verifiers.remote import answers, wire
from tests.strategies import verdicts


@given(verdicts())
def test_a_verdict_survives_encoding(verdict: Verdict) -> None:
    back = wire.verdict_from_json(wire.decode(wire.encode(answers.Verdict.of(verdict))))
    assert back == verdict
    assert back.cpu_seconds == verdict.cpu_seconds
    assert hash(back) == hash(verdict)


@given(st.text(st.characters(blacklist_categories=()), max_size=20).filter(lambda text: _survives(text)))
def test_any_text_of_a_diagnostic_survives_encoding(text: str) -> None:
    diagnostic = Diagnostic(kind="type", message=text, line=1, column=2, name=text, cascade=True)
    verdict = Verdict(outcome=Outcome.TYPE_ERROR, stage=Stage.TYPECHECK, diagnostics=(diagnostic,), errors=1)
    assert wire.verdict_from_json(wire.decode(wire.encode(answers.Verdict.of(verdict)))) == verdict


def _survives(text: str) -> bool:
    """Says if JSON keeps a text. It joins two lone surrogates that make one character."""
    return bool(json.loads(json.dumps(text)) == text)


@pytest.mark.parametrize("name", sorted(set(errors.__all__) - {"ProblemError"}))
def test_an_infrastructure_error_comes_back_as_the_same_exception(name: str) -> None:
    fault = getattr(errors, name)("it failed")
    back = wire.fault_from_json(wire.decode(wire.encode(wire.fault_to_json(fault))))
    assert type(back) is type(fault)
    assert str(back) == "it failed"


def test_a_problem_error_comes_back_with_its_problem_and_test() -> None:
    back = wire.fault_from_json(wire.fault_to_json(ProblemError("no", problem_id="add", test="test 2")))
    assert isinstance(back, ProblemError)
    assert (back.problem_id, back.test) == ("add", "test 2")


def test_an_exception_of_a_subclass_comes_back_as_its_public_base() -> None:
    class Special(errors.SandboxUnavailable):
        pass

    assert type(wire.fault_from_json(wire.fault_to_json(Special("no")))) is errors.SandboxUnavailable


@pytest.mark.parametrize("value", [None, [], {}, {"error": "no"}, {"verdicts": []}])
def test_a_value_without_an_error_gives_none(value: object) -> None:
    assert wire.fault_from_json(value) is None


@pytest.mark.parametrize("name", ["NoSuchError", "OSError", "__all__", None, 3])
def test_an_unknown_error_becomes_an_engine_error(name: object) -> None:
    fault = wire.fault_from_json({"error": {"type": name, "message": "what"}})
    assert type(fault) is errors.EngineError
    assert isinstance(fault, OCamlEnvError)


@pytest.mark.parametrize("value", [None, [], {}, {"outcome": "PASSED"}, {"outcome": "GREAT", "stage": "TEST"}])
def test_an_invalid_verdict_is_a_protocol_error(value: object) -> None:
    with pytest.raises(ProtocolError):
        wire.verdict_from_json(value)


def test_too_deeply_nested_json_is_refused() -> None:
    with pytest.raises(ValueError, match="too deeply"):
        wire.decode(b"[" * 100_000)
