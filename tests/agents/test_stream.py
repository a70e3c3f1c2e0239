"""The problems of a run by cells: what is named, then new ones."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.curriculum import Cell, Ladder, cell_of
from agents.endless import endless_sources
from agents.sampler import CurriculumSampler
from agents.stream import ProblemStream
from ocaml_env import ConfigError, Problem, Verifier, load_problems
from ocaml_env.problems.repair import repair_of_id

CASES, SEQUENCE = Cell("arithmetic.cases", "1"), Cell("recursion.sequence", "1")
SOURCE = "generated:arithmetic.cases,recursion.sequence?level=1&n=6"


@pytest.fixture(scope="session")
def named() -> list[Problem]:
    return list(load_problems(SOURCE))


def take(stream: ProblemStream, cell: Cell, count: int) -> list[str]:
    problems = [stream.next(cell) for _ in range(count)]
    assert all(problem is not None and cell_of(problem) == cell for problem in problems)
    return [problem.id for problem in problems if problem is not None]


def stream_of(source: str, named: list[Problem], verifier: Verifier, seed: int = 0) -> ProblemStream:
    return ProblemStream(named, endless_sources(source, seed=seed, verifier=verifier), seed=seed)


def test_named_problems_come_first_and_then_new_ones(named: list[Problem], verifier: Verifier) -> None:
    stream = stream_of(SOURCE, named, verifier)
    assert stream.cells == (CASES, SEQUENCE)
    drawn = take(stream, CASES, 8)
    assert sorted(drawn[:3]) == [problem.id for problem in named if cell_of(problem) == CASES]
    assert len(set(drawn)) == 8
    stream.close()


def test_problems_of_no_endless_source_are_passed_over_again_in_another_order() -> None:
    bundled = load_problems("bundled:train?level=1-2")
    cell = max(map(cell_of, bundled), key=[cell_of(problem) for problem in bundled].count)
    mine = sorted(problem.id for problem in bundled if cell_of(problem) == cell)
    stream = ProblemStream(bundled, seed=3)
    passes = [take(stream, cell, len(mine)) for _ in range(4)]
    assert all(sorted(names) == mine for names in passes)
    assert len(set(map(tuple, passes))) > 1
    stream.close()


def test_no_problem_comes_again_before_all_of_its_level_came() -> None:
    bundled = [problem for problem in load_problems("bundled:train?level=1-2") if problem.topics[0] < "f"]
    stream, chance = ProblemStream(bundled, seed=3), random.Random(0)
    asked: dict[str, list[str]] = {"1": [], "2": []}
    for _ in range(3 * len(bundled)):
        cell = chance.choice(stream.cells)
        problem = stream.next(cell)
        assert problem is not None
        asked[cell.level].append(problem.id)
    for level, drawn in asked.items():
        there = sorted(problem.id for problem in bundled if problem.level_name == level)
        for start in range(0, len(drawn) - len(there) + 1, len(there)):
            assert sorted(drawn[start : start + len(there)]) == there
    stream.close()


def test_a_cell_that_is_used_up_takes_its_turn_with_the_others(named: list[Problem], verifier: Verifier) -> None:
    bundled = [problem for problem in load_problems("bundled:train?level=1") if problem.topics[0] < "c"]
    named = [problem for problem in named if cell_of(problem) == CASES]
    sources = endless_sources(SOURCE, seed=0, verifier=verifier)
    stream = ProblemStream([*bundled, *named], sources, seed=0, admits=lambda _: False)
    asked: list[str] = []
    chance = random.Random(1)
    while len(asked) < 3 * len(bundled) + 9:
        problem = stream.next(chance.choice(stream.cells))
        asked += [problem.id] if problem is not None else []
    counts = [asked.count(problem.id) for problem in [*bundled, *named]]
    assert max(counts) - min(counts) <= 1
    stream.close()


def test_a_run_of_another_seed_draws_other_problems(named: list[Problem], verifier: Verifier) -> None:
    one, other = stream_of(SOURCE, [], verifier, seed=1), stream_of(SOURCE, [], verifier, seed=2)
    assert not set(take(one, CASES, 3)) & set(take(other, CASES, 3))
    one.close()
    other.close()


@settings(max_examples=4, deadline=None)
@given(st.lists(st.sampled_from([CASES, SEQUENCE]), max_size=12), st.integers(0, 12))
def test_a_stream_that_is_restored_goes_on_as_the_other_one_would_have(
    named: list[Problem], verifier: Verifier, cells: list[Cell], stop: int
) -> None:
    whole, first, second = (stream_of(SOURCE, named, verifier) for _ in range(3))
    everything = [take(whole, cell, 1) for cell in cells]
    begun = [take(first, cell, 1) for cell in cells[:stop]]
    second.restore(json.loads(json.dumps(first.state())))
    assert begun + [take(second, cell, 1) for cell in cells[stop:]] == everything
    for stream in (whole, first, second):
        stream.close()


def test_what_a_run_may_not_train_on_is_left_out_and_counted(named: list[Problem], verifier: Verifier) -> None:
    sources = endless_sources(SOURCE, seed=0, verifier=verifier)
    plain = ProblemStream([], sources, seed=0)
    second = take(plain, CASES, 2)[1]
    picky = ProblemStream([], sources, seed=0, admits=lambda problem: problem.id == second)
    assert take(picky, CASES, 1) == [second]
    assert picky.left_out == 1
    assert picky.next(CASES) is None  # of 16 in a row none may be trained on
    assert picky.cells == (SEQUENCE,)
    restored = ProblemStream([], sources, seed=0)
    restored.restore(json.loads(json.dumps(picky.state())))
    assert (restored.cells, restored.left_out) == ((SEQUENCE,), 17)
    sampler = CurriculumSampler(picky, Ladder(0), kind="ladder")
    with pytest.raises(ConfigError, match="no problems are left to train on: 33 were drawn and left out"):
        sampler.next(1)
    barren = ProblemStream(named, sources, seed=0, admits=lambda _: False)
    asked = take(barren, CASES, 7)  # three are named
    assert len(set(asked)) == 3
    assert barren.left_out == 16
    for stream in (plain, picky, restored, barren):
        stream.close()


def test_levels_that_a_run_does_not_train_on_have_no_cells(verifier: Verifier) -> None:
    sources = endless_sources("generated:arithmetic.cases?level=1-2", seed=0, verifier=verifier)
    stream = ProblemStream([], sources, seed=0, levels={"2"})
    assert stream.cells == (Cell("arithmetic.cases", "2"),)
    stream.close()


def test_families_of_the_evaluation_split_have_no_cells(verifier: Verifier) -> None:
    from ocaml_env.problems.generators import families

    names = {cell.name for source in endless_sources("generated:all?level=1-5", seed=0, verifier=verifier)
             for cell in source.cells}  # fmt: skip
    assert names == {family.name for family in families().values() if family.split == "train"}


@pytest.mark.parametrize("source", ["generated:arithmetic.cases?level=1", "bundled:train?level=1"])
def test_new_faults_are_planted_in_the_problems_of_a_source(source: str, verifier: Verifier) -> None:
    text = f"repair:{source}&fault=type,value"
    first, again = (stream_of(text, [], verifier, seed=5) for _ in range(2))
    cell = first.cells[0]
    problems = [first.next(cell) for _ in range(4)]
    assert problems == [again.next(cell) for _ in range(4)]
    assert len({(problem.id, problem.attempt) for problem in problems if problem}) == 4
    for problem in problems:
        assert problem is not None
        assert cell_of(problem) == cell
        assert problem.attempt
        assert not verifier.verify(problem, problem.attempt).passed
        assert verifier.verify(problem, problem.reference).passed
    first.close()
    again.close()


def test_a_repair_problem_that_was_drawn_can_be_had_by_its_id(verifier: Verifier) -> None:
    stream = stream_of("repair:bundled:train?level=1", [], verifier)
    problem = stream.next(stream.cells[0])
    assert problem is not None
    assert repair_of_id(problem.id, load_problems("bundled").get, verifier) == problem
    stream.close()


def test_sources_that_share_a_cell_take_turns(verifier: Verifier) -> None:
    text = "generated:arithmetic.cases?level=1&seed=1+generated:arithmetic.cases?level=1&seed=2"
    stream = stream_of(text, [], verifier)
    seeds = [name.split("/")[4][-1] for name in take(stream, CASES, 4)]
    assert seeds == ["1", "2", "1", "2"]
    stream.close()


def test_problems_that_are_named_but_were_changed_stay_as_they_are(named: list[Problem]) -> None:
    mine = [replace(problem, statement=problem.statement + " Please.") for problem in named]
    stream = ProblemStream(mine, seed=0)
    assert stream.next(CASES) in mine
    stream.close()
