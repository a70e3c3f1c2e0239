"""CPU limits grow to fit the reference when problems are written to a file."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.audit.limits import TIMES_REFERENCE, _rounded_up, fit_limits
from ocaml_env.commands.cli import main
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.problem.record import problem_to_record
from ocaml_env.problems.load import load_problems
from ocaml_env.verifiers.base import Probe
from ocaml_env.verifiers.local import Verifier

SLOW = Problem(
    id="slow_double",
    statement="Write `double`, which doubles a whole number, and takes the time that it needs to do so.",
    signature="val double : int -> int",
    tests=tuple(f"double {n} = {2 * n}" for n in (1, 2, 3, 17)),
    reference="let double n =\n  for _ = 1 to 30_000_000 do ignore (Sys.opaque_identity n) done;\n  n + n",
)
QUICK = Problem(
    id="quick_last",
    statement="Write `last`, the element at the end of a list that has at least one; an empty list has none.",
    signature="val last : int list -> int option",
    tests=("last [] = None", "last [1] = Some 1", "last [3; 2] = Some 2", "last [4; 9; 5] = Some 5"),
    reference="let rec last = function [] -> None | [ x ] -> Some x | _ :: rest -> last rest",
)


def test_a_quick_reference_leaves_the_limits_as_they_are(verifier: Verifier) -> None:
    assert fit_limits(QUICK, verifier).limits == Limits()
    assert fit_limits(replace(SLOW, reference=""), verifier).limits == Limits()


def test_a_slow_reference_gets_twenty_times_its_own_time(verifier: Verifier) -> None:
    fitting = fit_limits(SLOW, verifier)
    assert fitting.probe is not None
    grown = fitting.limits
    assert grown.test_cpu_seconds >= TIMES_REFERENCE * fitting.probe.slowest_seconds
    assert grown.test_cpu_seconds > Limits().test_cpu_seconds
    assert grown.total_cpu_seconds >= 4 * grown.test_cpu_seconds
    assert replace(grown, test_cpu_seconds=0.25, total_cpu_seconds=1) == Limits()


def test_a_busy_machine_does_not_make_a_quick_reference_slow(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe, runs = verifier.probe, itertools.count()

    def slow_at_first(*arguments: Any, **settings: Any) -> list[Probe]:
        busy = next(runs) < 4
        found = probe(*arguments, **settings)
        return [replace(result, slowest_seconds=result.slowest_seconds + 0.02) for result in found] if busy else found

    monkeypatch.setattr(verifier, "probe", slow_at_first)
    assert fit_limits(QUICK, verifier).limits == Limits()
    assert next(runs) == 5


def test_limits_never_shrink(verifier: Verifier) -> None:
    generous = Limits(test_cpu_seconds=50, total_cpu_seconds=70)
    assert fit_limits(replace(SLOW, limits=generous), verifier).limits == generous


@pytest.mark.parametrize(
    "reference", ["let double n = n", "let double n = n + x", "let double n = while true do () done; n"]
)
def test_a_reference_that_does_not_pass_changes_nothing(
    verifier: Verifier, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ocaml_env.audit.limits._PATIENT_TEST", 0.5)  # an endless reference is ended at its limit
    assert fit_limits(replace(SLOW, reference=reference, tests=SLOW.tests[:1]), verifier).limits == Limits()


def test_tests_that_do_not_compile_change_nothing(verifier: Verifier) -> None:
    assert fit_limits(replace(SLOW, tests=(Test("double 1 = true"),)), verifier).limits == Limits()


@given(st.floats(1e-9, 1e6))
def test_seconds_are_rounded_up_to_two_digits(seconds: float) -> None:
    rounded = _rounded_up(seconds)
    assert seconds * (1 - 1e-6) <= rounded <= seconds * 1.1001
    assert float(f"{rounded:.2g}") == pytest.approx(rounded)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(problem_to_record(problem)) + "\n" for problem in (SLOW, QUICK)))
    return path


def limits_of(path: Path) -> dict[str, Limits]:
    return {problem.id: problem.limits for problem in load_problems(str(path))}


def test_reading_measures_nothing(rows: Path) -> None:
    assert set(limits_of(rows).values()) == {Limits()}


@pytest.mark.usefixtures("verifier")
def test_the_importer_writes_the_limits_that_fit(rows: Path, tmp_path: Path) -> None:
    written = tmp_path / "written.jsonl"
    assert main(["import", str(rows), "--to", str(written)]) == 0
    limits = limits_of(written)
    assert limits["quick_last"] == Limits()
    assert limits["slow_double"].test_cpu_seconds > Limits().test_cpu_seconds


@pytest.mark.usefixtures("verifier")
def test_the_audit_writes_the_limits_that_fit(rows: Path, tmp_path: Path) -> None:
    written = tmp_path / "written.jsonl"
    main(["audit", str(rows), "--no-mutation", "--workers", "1", "--write", str(written)])
    limits = limits_of(written)
    assert limits["slow_double"].test_cpu_seconds > Limits().test_cpu_seconds
    again = tmp_path / "again.jsonl"
    main(["audit", str(written), "--no-mutation", "--workers", "1", "--write", str(again)])
    assert set(limits_of(again)) >= {"slow_double"}
