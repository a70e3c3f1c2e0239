"""Records survive writing and reading, and a broken file names the place of the error."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.errors import ConfigError
from ocaml_env.rollout import SCHEMA_VERSION, Rollout, RolloutWriter, read_rollouts
from ocaml_env.verdict import Diagnostic, Outcome, Stage

SAMPLE = Rollout(
    step=3,
    epoch=0.25,
    problem_id="add",
    group=1,
    turn=1,
    prompt_digest="ab" * 32,
    completion="let add = (+)",
    truncated=False,
    tokens=7,
    outcome=Outcome.TYPE_ERROR,
    errors=1,
    diagnostics=(Diagnostic(kind="missing-item", message="negate is missing", name="negate"),),
    parts={"structure": 0.05, "typecheck": 0.15, "compile": 0.0, "tests": 0.0, "penalty": 0.0},
    total=0.2,
    tests_passed=0,
    tests_total=0,
    passed=False,
)


def record(**changes: Any) -> str:
    return json.dumps(json.loads(SAMPLE.to_json()) | changes)


def as_read_back(text: str) -> str:
    """Joins a high surrogate and the low one after it, as JSON does; everything else is kept."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


numbers = st.floats(allow_nan=False, allow_infinity=False)
counts = st.integers(0, 10**9)
anything = st.text(st.characters(exclude_categories=()))
rollouts = st.builds(
    Rollout,
    step=counts,
    epoch=numbers,
    problem_id=st.just("p"),
    group=counts,
    turn=counts,
    prompt_digest=st.just("d"),
    completion=anything.map(as_read_back),
    truncated=st.booleans(),
    tokens=st.none() | counts,
    thinking=st.none() | counts,
    latency=st.none() | numbers,
    outcome=st.sampled_from(Outcome),
    stage=st.none() | st.sampled_from(Stage),
    errors=counts,
    diagnostics=st.lists(
        st.builds(Diagnostic, kind=st.just("k"), message=anything.map(as_read_back), line=counts), max_size=3
    ).map(tuple),
    parts=st.dictionaries(st.sampled_from(["structure", "tests", "penalty"]), numbers),
    total=numbers,
    tests_passed=counts,
    tests_total=counts,
    passed=st.booleans(),
)


@given(rollout=rollouts)
def test_a_rollout_survives_writing_and_reading(rollout: Rollout) -> None:
    line = rollout.to_json()
    assert "\n" not in line
    assert line.isascii()
    assert Rollout.from_json(line) == rollout


def test_an_older_record_lacks_the_newer_fields() -> None:
    newer = {
        *["problem_digest", "reward", "degenerate"],
        *["stage", "tests_passed_inside", "thinking", "latency"],
    }
    older = {name: value for name, value in SAMPLE.as_dict().items() if name not in newer} | {"schema_version": 1}
    assert Rollout.from_dict(older) == replace(SAMPLE, schema_version=1)


def test_lone_surrogates_survive() -> None:
    rollout = replace(SAMPLE, completion="a\ud800b\udfff")
    assert Rollout.from_json(rollout.to_json()).completion == "a\ud800b\udfff"


def test_a_record_has_the_promised_fields_in_order() -> None:
    assert list(json.loads(SAMPLE.to_json())) == [
        *["schema_version", "step", "epoch", "problem_id", "problem_digest", "group", "turn", "prompt_digest"],
        *["completion", "truncated", "tokens", "thinking", "latency", "outcome", "stage", "errors", "diagnostics"],
        *["reward", "degenerate", "parts", "total", "tests_passed", "tests_passed_inside", "tests_total", "passed"],
    ]


def test_a_number_that_json_cannot_express_is_refused() -> None:
    with pytest.raises(ConfigError, match="problem 'add' cannot be written"):
        replace(SAMPLE, total=math.nan).to_json()


def test_files_are_appended_to_and_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "completions.jsonl"
    for step in (1, 2):
        with RolloutWriter(path) as writer:
            writer.write(replace(SAMPLE, step=step))
    assert [rollout.step for rollout in read_rollouts(path)] == [1, 2]


def test_each_line_is_in_the_file_as_soon_as_it_is_written(tmp_path: Path) -> None:
    with RolloutWriter(tmp_path / "log.jsonl") as writer:
        writer.write(SAMPLE)
        assert list(read_rollouts(writer.path)) == [SAMPLE]


def test_empty_lines_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"\n{SAMPLE.to_json()}\n\n")
    assert list(read_rollouts(path)) == [SAMPLE]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "a rollout is a JSON object, not a list"),
        ("{}", "schema_version is missing"),
        (record(schema_version="1"), "schema_version is missing or not a positive number"),
        (record(schema_version=SCHEMA_VERSION + 1), f"schema_version {SCHEMA_VERSION + 1} is newer"),
        (record(score=1), "unknown field 'score'"),
        (record(step="3"), "step must be int, not '3'"),
        (record(step=True), "step must be int, not True"),
        (record(passed=1), "passed must be bool, not 1"),
        (record(tokens=1.5), "tokens must be int or null, not 1.5"),
        (record(total=math.inf), "total must be a finite number"),
        (record(parts={"tests": "0"}), "the part 'tests' must be int or float"),
        (record(outcome="WON"), "'WON' is not a valid Outcome"),
        (record(stage="LAST"), "'LAST' is not a valid Stage"),
        (record(diagnostics=[{"kind": "k"}]), "message"),
        (record(diagnostics=["k"]), "mapping"),
        ('{"schema_version": 1}', "the field 'step' is missing"),
    ],
)
def test_a_bad_line_is_an_error_that_names_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{SAMPLE.to_json()}\n{line}\n{SAMPLE.to_json()}\n")
    reading = read_rollouts(path)
    assert next(reading) == SAMPLE
    with pytest.raises(ConfigError, match=rf"log\.jsonl:2: .*{message}"):
        next(reading)


def test_a_torn_last_line_is_skipped_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{SAMPLE.to_json()}\n{SAMPLE.to_json()[:40]}")
    with pytest.warns(RuntimeWarning, match=r"log\.jsonl:2: the last line is cut off"):
        assert list(read_rollouts(path)) == [SAMPLE]


@given(cut=st.integers(1, len(SAMPLE.to_json()) - 1))
def test_a_resumed_run_removes_a_torn_line_and_goes_on(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("run") / "log.jsonl"
    path.write_text(f"{SAMPLE.to_json()}\n{SAMPLE.to_json()[:cut]}")
    with pytest.warns(RuntimeWarning, match="half a line at its end was cut off"):
        writer = RolloutWriter(path)
    with writer:
        writer.write(replace(SAMPLE, step=9))
    assert [rollout.step for rollout in read_rollouts(path)] == [3, 9]


def test_a_torn_line_longer_than_a_block_is_removed_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{SAMPLE.to_json()}\n" + '{"completion": "' + "x" * 200_000)
    with pytest.warns(RuntimeWarning, match="cut off"):
        RolloutWriter(path).close()
    assert list(read_rollouts(path)) == [SAMPLE]


def test_a_whole_last_line_that_lacks_its_newline_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(SAMPLE.to_json())
    assert list(read_rollouts(path)) == [SAMPLE]
    with RolloutWriter(path) as writer:
        writer.write(SAMPLE)
    assert list(read_rollouts(path)) == [SAMPLE, SAMPLE]
