"""The starting point of a training: real answers of every kind, their evaluation, and the advice on them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents import check_model, grpo, sft
from agents.check_model import told
from agents.config import Config
from agents.config_sources import read_config
from agents.evaluation import evaluate
from agents.lengths import reference_lengths
from agents.starting_point import Asked, Cause, Look, advice, cause_of, climb
from ocaml_env import Completion, EngineError, Problem, RewardSpec, Verifier, load_problems
from ocaml_env import episode as episodes
from ocaml_env.evaluation.models.hf import load_tokenizer

STAGED = RewardSpec.preset("staged")
LIMIT = 100
CONFIG = Config(model="tiny", prompt_style="brief")

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")

Answer = Callable[[Problem], str | Completion]


def right(problem: Problem) -> str:
    return problem.reference


def cut_off(problem: Problem) -> Completion:
    return Completion("```ocaml\n" + problem.reference[: len(problem.reference) // 2] + " (", truncated=True)


def looping(problem: Problem) -> Completion:
    return Completion("```ocaml\n" + "let rec f x = (" * 40, truncated=True)


def unread(problem: Problem) -> str:
    return "def f(x):\n    return x + 1"


def untyped(problem: Problem) -> str:
    return problem.reference + '\nlet unused : int = "text"'


def rambling(problem: Problem) -> Completion:
    return Completion(f"```ocaml\n{problem.reference}\n```\nThis code " + "works well. " * 40, truncated=True)


def wrong(problem: Problem) -> str:
    return "".join(f"let {name} = fun _ -> raise Not_found\n" for name in problem.wanted)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (cut_off, Cause.CUT_OFF),
        (looping, Cause.LOOPING),
        (unread, Cause.UNREAD),
        (untyped, Cause.UNTYPED),
        (wrong, Cause.WRONG),
    ],
)
def test_an_answer_fails_by_one_cause(
    answer: Answer, cause: Cause, problems: list[Problem], verifier: Verifier
) -> None:
    evaluated = episodes.evaluate(problems[0], answer(problems[0]), verifier=verifier, reward=STAGED)
    assert not evaluated.verdict.passed
    assert cause_of(evaluated) is cause


class Answers:
    """Answers problems in order: some right answers first, and then answers of one other kind."""

    def __init__(self, problems: Sequence[Problem], rights: int, otherwise: Answer) -> None:
        self.answers = [(right if place < rights else otherwise)(problem) for place, problem in enumerate(problems)]

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [answer if isinstance(answer, Completion) else Completion(answer) for answer in self.answers]


@pytest.fixture
def look(problems: list[Problem], verifier: Verifier) -> Callable[..., list[Look]]:
    """Returns a function that looks at levels of five problems with these numbers of right answers."""

    def looked(*rights: int, otherwise: Answer = wrong) -> list[Look]:
        def ask(level: str, asked: Sequence[Problem]) -> Asked:
            agent = Answers(asked, rights[int(level) - 1], otherwise)
            reached = evaluate(agent, asked, verifier=verifier, reward=STAGED, keep=True)
            return Asked(reached=reached, limit=LIMIT, longest_prompt=70)

        return list(climb({str(level): problems[:5] for level, _ in enumerate(rights, start=1)}, ask))

    return looked


Looked = Callable[..., list[Look]]


def test_the_way_up_ends_at_two_hopeless_levels_in_a_row(look: Looked) -> None:
    assert [level_look.passed for level_look in look(5, 0, 1, 0, 0, 5)] == [1.0, 0.0, 0.2, 0.0, 0.0]
    assert [level_look.level for level_look in look(0, 0, 5)] == ["1", "2"]
    (level_look,) = look(2, otherwise=cut_off)
    assert (level_look.problems, level_look.passed, level_look.parsed, level_look.typechecked, level_look.cut_off) == (
        5,
        0.4,
        0.4,
        0.4,
        0.6,
    )
    assert level_look.causes == {Cause.CUT_OFF: 0.6}


class Breaks(Verifier):
    """A real verifier that raises an infrastructure error at one problem."""

    broken = ""

    def verify(self, problem: Problem, code: str) -> Any:
        if problem.id == self.broken:
            raise EngineError("a worker died")
        return super().verify(problem, code)


def test_unevaluated_answers_do_not_count_for_the_model(problems: list[Problem]) -> None:
    def ask(_: str, asked: Sequence[Problem]) -> Asked:
        reached = evaluate(Answers(asked, 5, wrong), asked, verifier=verifier, reward=STAGED, keep=True)
        assert any("not evaluated: infrastructure error" in line for line in told(reached.played))
        return Asked(reached=reached, limit=LIMIT, longest_prompt=70)

    with Breaks(workers=1) as verifier:
        verifier.broken = problems[1].id
        (level_look,) = climb({"1": problems[:5]}, ask)
    assert (level_look.problems, level_look.passed, level_look.causes) == (4, 1.0, {})


@pytest.mark.parametrize(
    ("otherwise", "text"),
    [
        (cut_off, "100% of the answers at level 1: cut off; try a higher limit: --max_completion_length 200"),
        (looping, "repeated until cut off, which no limit cures; try a warm start: python -m agents.sft"),
        (
            unread,
            "no OCaml that parses; try solved problems in the prompt: --shots 3; or a warm start: python -m agents.sft",
        ),
        (untyped, "does not typecheck; try a warm start: python -m agents.sft"),
        (wrong, "typechecks, and is wrong; try easier problems: --problems 'generated:all?level=1&split=train&n=2000'"),
    ],
)
def test_the_first_advice_to_a_model_that_solves_nothing_is_the_cause(
    otherwise: Answer, text: str, look: Looked
) -> None:
    assert text in advice(look(0, 0, otherwise=otherwise), CONFIG)[0]


def test_advice_trains_on_useful_levels_and_names_their_obstacles_first(look: Looked) -> None:
    (train,) = advice(look(5, 3, 2, 0, 0), CONFIG)
    assert train.startswith(
        "train on level 2-3: python -m agents.grpo --model tiny --problems bundled:train --level 2-3 "
    )
    raised, train = advice(look(5, 2, 0, 0, otherwise=cut_off), CONFIG)
    assert raised == "60% of the answers at level 2: cut off; try a higher limit: --max_completion_length 200"
    assert train.endswith("--max_completion_length 200")


def test_advice_sends_a_strong_model_up_and_explains_a_sudden_failure(look: Looked) -> None:
    (up,) = advice(look(5, 5), CONFIG)
    assert "bundled:train?level=3-6" in up
    assert "at level 2: no OCaml" in advice(look(5, 0, 0, otherwise=unread), CONFIG)[0]


def test_a_remedy_for_several_causes_is_given_once(look: Looked) -> None:
    (level_look,) = look(0, otherwise=untyped)
    both = replace(level_look, causes={Cause.UNTYPED: 0.6, Cause.LOOPING: 0.4})
    first, second = advice([both], CONFIG)
    assert "a warm start: python" in first
    assert second == "40% of the answers at level 1: repeated until cut off, which no limit cures; try as above"


def test_commands_of_the_advice_can_be_pasted(look: Looked) -> None:
    lines = [*advice(look(0, 0, otherwise=untyped), CONFIG), *advice(look(3), CONFIG)]
    commands = [line[line.index("python -m") :].split(";")[0] for line in lines]
    for command, module in zip(commands, (sft, grpo), strict=True):
        _, _, name, *options = shlex.split(command)
        assert name == module.__name__
        settings = dict(zip((option.removeprefix("--") for option in options[::2]), options[1::2], strict=True))
        read = read_config(overrides=settings)
        assert (read.level, read.max_prompt_length, read.max_completion_length) == (("1",), 96, 100)


def test_the_command_examines_levels_and_advises(model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--model", str(model_folder), "--n", "2", "--max_completion_length", "8", "--prompt_style", "brief"]
    assert check_model.main(asked) == 1
    shown = capsys.readouterr().out
    assert f"on 4 of the {len(load_problems('bundled:train'))} problems of bundled:train" in shown
    assert [line.split()[:2] for line in shown.splitlines()[3:5]] == [["1", "2"], ["2", "2"]]
    assert "1. 100% of the answers at level 1: cut off; try a higher limit: --max_completion_length 16" in shown
    assert check_model.main([*asked, "--json", "--problems", "bundled:eval?level=1"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (len(record["levels"]), record["enough"], record["levels"][0]["cut_off"]) == (1, False, 1.0)
    assert check_model.main(["--model", "/no/such/model"]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_the_usual_limit_is_twice_the_longest_reference(model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--model", str(model_folder), "--n", "1", "--problems", "generated:arithmetic.cases?level=1&n=4"]
    check_model.main([*asked, "--prompt_style", "brief", "--json"])
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    longest = max(reference_lengths(load_problems(asked[-1]), "brief", load_tokenizer(str(model_folder))))
    assert 2 * longest <= level["limit"] < 2 * longest + 32


def test_evaluation_problems_are_examined_but_never_recommended_for_training(
    model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--model", str(model_folder), "--n", "1", "--max_completion_length", "200", "--problems"]
    check_model.main([*asked, "bundled:eval?level=1"])
    shown = capsys.readouterr().out.split("1. ")[1]
    assert "bundled:eval" not in shown
    assert "agents.sft --model" in shown
    assert "--problems bundled:train --level 1 " in shown
