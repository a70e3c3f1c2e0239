"""The fuzzer: a short run with a fixed seed finds nothing, and planted failures of each kind are found."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.stress import fuzz as command
from benchmarks.stress.fuzz import Fuzz, Sources, replay
from benchmarks.stress.mutations import mutated
from benchmarks.stress.testsuite import phrases
from ocaml_env import ConfigError, Problem, Verdict, Verifier, WorkerCrashed
from ocaml_env.verdict import Diagnostic, Outcome, Stage, TestOutcome

pytestmark = pytest.mark.usefixtures("verifier")

# A replacement for OCaml's own testsuite, which must be downloaded.
TESTSUITE = Path(__file__).parents[1] / "engine"
CODE = "let witness = 0"


@pytest.fixture(scope="module")
def sources() -> Sources:
    return Sources.load(TESTSUITE)


@pytest.fixture
def fuzz(sources: Sources) -> Iterator[Fuzz]:
    fuzz = Fuzz(sources, seed=1, workers=2)
    yield fuzz
    fuzz.close()


def test_a_short_run_finds_nothing(fuzz: Fuzz) -> None:
    fuzz.run(programs=1200, seconds=600)
    assert [failure.reason for failure in fuzz.failures] == []
    assert fuzz.outcomes.total() >= 1200
    assert {Outcome.SYNTAX_ERROR, Outcome.TYPE_ERROR, Outcome.TEST_FAILURE} <= fuzz.outcomes.keys()


def test_the_same_seed_makes_the_same_programs(sources: Sources) -> None:
    donors = [code for _, code in sources.answers]
    first, second = (
        [mutated(code, donors, random.Random(f"7/{n}")) for n, code in enumerate(donors[:50])] for _ in "ab"
    )
    assert first == second
    assert first != donors[:50]


# --- planted failures ---


def verdict(**changes: object) -> Verdict:
    return Verdict(**{"outcome": Outcome.TEST_FAILURE, "stage": Stage.TEST, **changes})  # type: ignore[arg-type]


CRASHED = TestOutcome(
    name="t", public=False, outcome=Outcome.RUNTIME_ERROR, returned=False, detail="the process died of signal 11"
)
RAISED = Diagnostic(kind="compiler", message="OCaml's own compiler fails on this code: Not_found")


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (WorkerCrashed("two died"), "WorkerCrashed: two died"),
        (verdict(outcome=Outcome.PASSED), "passed"),
        (verdict(tests=(CRASHED,)), "signal 11"),
        (
            verdict(diagnostics=(Diagnostic(kind="checker-limit", message="the checker crashed on this code"),)),
            "crashed",
        ),
        (verdict(outcome=Outcome.TYPE_ERROR, stage=Stage.TYPECHECK, diagnostics=(RAISED,)), "ocamlc accepts it"),
        (verdict(outcome=Outcome.TYPE_ERROR, stage=Stage.TYPECHECK), "another verdict"),
    ],
    ids=["infrastructure", "pass", "signal", "crash", "compiler", "another"],
)
def test_a_planted_failure_is_found(
    seen: Verdict | Exception, reason: str, fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def verify(self: Verifier, problem: Problem, code: str) -> Verdict:
        if self is fuzz._steady:
            return real(self, problem, code)
        if isinstance(seen, Exception):
            raise seen
        return seen

    real = Verifier.verify
    problem = command._witness_problem(0)
    monkeypatch.setattr(Verifier, "verify", verify)
    fuzz.evaluate(problem, CODE, again=True)
    monkeypatch.setattr(Verifier, "verify", real)
    [failure] = fuzz.failures
    assert reason in failure.reason
    path = failure.write(tmp_path)
    assert path.read_text() == CODE
    assert list(replay(tmp_path)) == [(path, "")]  # without the planted failure nothing is wrong


def test_an_exception_of_the_compiler_is_no_failure_if_ocamlc_refuses_the_code(fuzz: Fuzz) -> None:
    code = (TESTSUITE / "compiler_raises" / "escape.ml").read_text()
    fuzz.evaluate(command._witness_problem(0), code)
    assert fuzz.failures == []


# --- the command ---


def test_the_command_runs_and_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = str(TESTSUITE / "compiler_raises")
    arguments = ["--programs", "60", "--testsuite", suite, "--out", str(tmp_path / "out"), "--workers", "1"]
    assert command.main(arguments) == 0
    assert "no program failed" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()
    assert command.main(["--replay", str(tmp_path)]) == 0


def test_an_empty_folder_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--testsuite", str(tmp_path)]) == 2
    assert "no program of OCaml" in capsys.readouterr().err


def test_phrases_come_without_the_toplevels_expected_answers() -> None:
    header, expected = "(* TEST\n * expect\n*)\n", "[%%expect{|\nval x : int = 1\n|}];;\n"
    principal = "[%%expect{|\n|}, Principal{|\n|}]"
    text = f"{header}let x = 1;;\n{expected}let y = {{|a|}};;\n{principal}"
    assert phrases(text) == ["let x = 1", "let y = {|a|}"]
    assert phrases("let x = 1\n\nlet y = 2\n") == ["let x = 1", "let y = 2"]


def test_without_debian_a_folder_must_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.stress import testsuite

    monkeypatch.setattr(testsuite, "_KEYRING", tmp_path / "none")
    with pytest.raises(ConfigError, match="--testsuite"):
        testsuite.fetch(tmp_path)
