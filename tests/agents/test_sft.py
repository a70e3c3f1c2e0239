"""A warm start: on references, on repairs, and on a model's own passing answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents import sft
from agents.answers import distinct, normalised, read_answers
from agents.config import Config
from agents.evaluation import evaluate
from agents.grpo import GRPOAgent
from agents.lengths import target
from agents.logs import COMPLETIONS
from agents.sft import references, repeated
from ocaml_env import Completion, ConfigError, Problem, RewardSpec, Verifier, extract, load_problems
from ocaml_env.commands.evaluate import main as evaluate_command
from tests.agents.kept import keep

Make = Callable[..., Config]

SOURCE = "generated:arithmetic.cases?level=1&n=4"
STAGED = RewardSpec.preset("staged")

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")


def log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / sft.LOG).read_text().splitlines()]


class Says:
    def __init__(self, text: str) -> None:
        self.text = text

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion(self.text)] * len(observations)


@pytest.mark.parametrize("style", ["text", "completion", "brief"])
def test_a_warm_start_teaches_answers_that_the_environment_accepts(
    style: str, problems: list[Problem], verifier: Verifier
) -> None:
    problem = problems[0]
    answer = target(problem, style)
    assert extract(answer, kind="function").code is not None
    reached = evaluate(Says(answer), [problem], verifier=verifier, reward=STAGED)
    assert reached.pass_rate == 1.0


def test_a_warm_start_lowers_the_loss_saves_a_model_and_prints_its_progress(
    config: Make, verifier: Verifier, capfd: pytest.CaptureFixture[str]
) -> None:
    made = config(max_steps=12, learning_rate=1e-2, max_completion_length=300, logging_steps=3, eval_steps=6)
    agent = GRPOAgent(config=made, verifier=verifier)
    folder = sft.train(agent)
    lines = log(folder.parent)
    losses = [line["loss"] for line in lines if "loss" in line]
    assert [line["step"] for line in lines if "loss" in line] == [3, 6, 9, 12]
    assert losses[-1] < losses[0]
    assert [line["step"] for line in lines if "eval_pass@1" in line] == [6, 12]
    assert GRPOAgent.load(folder, verifier=verifier).act(["Write f."])
    printed = capfd.readouterr()
    assert f"training: 12 steps; all figures go to {folder.parent / sft.LOG}" in printed.out
    progress = [line for line in printed.err.splitlines() if line.startswith("training: ")]
    assert re.fullmatch(r"training: 1 of 12 steps \(8%\), [\d:]+ gone, about [\d:]+ left", progress[0])
    assert re.fullmatch(r"training: 12 of 12 steps \(100%\), loss [\d.]+, [\d:]+ gone, about 00:00 left", progress[-1])


def test_an_interrupted_warm_start_goes_on_as_if_unbroken(
    config: Make, verifier: Verifier, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = config(max_steps=9, learning_rate=1e-2, max_completion_length=300, save_steps=2, resume="auto")
    whole = sft.train(GRPOAgent(config=replace(made, output_dir=str(tmp_path / "whole")), verifier=verifier))
    assert not list(whole.parent.glob("checkpoint-*"))

    def fall(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    broken = GRPOAgent(config=replace(made, eval_steps=5), verifier=verifier)
    monkeypatch.setattr(broken, "evaluate", fall)
    with pytest.raises(KeyboardInterrupt):
        sft.train(broken)
    folder = Path(made.output_dir)
    with (folder / sft.LOG).open("a") as file:
        file.write('{"step": 6, "lo')  # killed while it wrote
    assert [path.name for path in folder.glob("checkpoint-*")] == ["checkpoint-4"]
    with pytest.raises(ConfigError, match="a run with other answers: choose another output_dir"):
        sft.train(GRPOAgent(config=replace(made, prompt_style="completion"), verifier=verifier))
    with pytest.raises(ConfigError, match="is of a run already"):
        sft.train(GRPOAgent(config=replace(made, resume="never"), verifier=verifier))
    resumed = sft.train(GRPOAgent(config=made, verifier=verifier))

    def losses(model: Path) -> list[tuple[int, float]]:
        return [(line["step"], line["loss"]) for line in log(model.parent) if "loss" in line]

    assert losses(resumed) == losses(whole)
    assert (resumed / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


def test_too_long_answers_are_left_out_and_not_cut(
    config: Make, verifier: Verifier, problems: list[Problem], capsys: pytest.CaptureFixture[str]
) -> None:
    long = replace(problems[0], reference=problems[0].reference + "\n(* " + "word " * 100 + "*)")
    made = config(max_steps=1, max_completion_length=200)
    sft.train(GRPOAgent([long, *problems[1:]], config=made, verifier=verifier))
    printed = capsys.readouterr().out
    assert "23 answers to learn" in printed
    assert "note: 1 of 24 answers are left out: they have more than 200 tokens (max_completion_length)" in printed


def test_a_few_problems_are_enough_and_none_are_refused(
    config: Make, verifier: Verifier, problems: list[Problem]
) -> None:
    made = config(max_steps=1, max_completion_length=300, gradient_accumulation_steps=8)
    assert sft.train(GRPOAgent(problems[:2], config=made, verifier=verifier)).exists()
    with pytest.raises(ConfigError, match="there is nothing to learn from"):
        sft.train(GRPOAgent([replace(problems[0], reference="")], config=made, verifier=verifier))


def test_a_small_source_counts_several_times(problems: list[Problem]) -> None:
    written = replace(problems[0], id="written", source="original")
    lessons = references([written, problems[0]], "brief")
    assert [lesson.problem.id for lesson in repeated(lessons, {"original": 3})] == ["written"] * 3 + [problems[0].id]
    with pytest.raises(ConfigError, match="no problem is of the source 'orignal'.*original"):
        repeated(lessons, {"orignal": 2})
    with pytest.raises(ConfigError, match="from 1, not 0"):
        repeated(lessons, {"original": 0})


def test_repairs_are_learnt_with_the_attempt_and_its_feedback(config: Make, verifier: Verifier) -> None:
    repairs = load_problems("repair:generated:arithmetic.cases?level=1&n=6&seed=3", verifier=verifier)
    made = config(max_steps=2, max_completion_length=300)
    agent = GRPOAgent(list(repairs), config=made, verifier=verifier)
    plan = agent.check(generates=False)
    for lesson in sft.references(plan.problems, made.prompt_style):
        row = sft._row(lesson, plan, made)
        assert row is not None
        asked = [token for token, learnt in zip(row["input_ids"], row["completion_mask"], strict=True) if not learnt]
        answer = [token for token, learnt in zip(row["input_ids"], row["completion_mask"], strict=True) if learnt]
        verdict = lesson.problem.attempt_verdict
        assert verdict is not None
        prompt = plan.tokenizer.decode(asked)
        assert lesson.problem.attempt.strip() in prompt
        assert plan.episodes.prompts.told(lesson.problem, verdict, lesson.problem.attempt) in prompt
        assert lesson.problem.reference.strip() in plan.tokenizer.decode(answer)
    assert sft.train(agent).exists()


# --- own answers ------------------------------------------------------------------------------------------------------


def answers(problems: Sequence[Problem]) -> list[tuple[Problem, str, int]]:
    """Four passing answers to the first problem, two of them alike and one cut off; and a late one to the second."""
    first, second = problems[:2]
    alike = "(* " + "the same" + " *)\n" + first.reference.replace("=", " =\n ", 1)
    return [
        (first, first.reference, 1),
        (first, f"Here it is:\n```ocaml\n{alike}\n```\nDone.", 1),
        (first, Completion(f"```ocaml\n{first.reference}\nlet more = 1\n```\nAnd", truncated=True), 1),
        (first, f"So:\n```ocaml\n{first.reference}\nlet more = 2\n```", 1),
        (second, "no code", 1),
        (second, second.reference, 2),
        (second, "let oops = ", 1),
    ]


def test_own_passing_answers_are_learnt_once_each(
    config: Make, verifier: Verifier, problems: list[Problem], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = answers(problems)
    folder = keep(tmp_path / "kept", config(), samples, verifier)
    kept = read_answers(folder)
    assert [answer.passed for answer in kept.answers] == [True, True, True, True, False, True, False]
    lessons = sft.own_answers(kept)
    assert [lesson.problem for lesson in lessons] == [problems[0], problems[0], problems[1]]
    assert [lesson.answer for lesson in lessons] == [samples[place][1] for place in (0, 3, 5)]
    made = config(max_steps=1, max_completion_length=300)
    (tmp_path / "run.yaml").write_text(made.to_yaml())
    assert sft.main(["--config", str(tmp_path / "run.yaml"), "--from-rollouts", str(folder)]) == 0
    assert "3 answers to learn" in capsys.readouterr().out


def test_answers_of_an_evaluation_are_learnt_too(
    config: Make, verifier: Verifier, problems: list[Problem], tmp_path: Path
) -> None:
    asked = ["--model", "tests.agents.test_sft:Knower", "--problems", SOURCE, "--n", "2"]
    assert evaluate_command([*asked, "--out", str(tmp_path / "out"), "--workers", "1", "--turns", "2"]) == 0
    kept = read_answers(tmp_path / "out")
    assert (kept.asked.prompt_style, kept.asked.problems) == ("text", SOURCE)
    assert {answer.turn for answer in kept.answers} == {1, 2}
    lessons = sft.own_answers(kept)
    assert [lesson.problem for lesson in lessons] == list(load_problems(SOURCE))
    assert all(lesson.answer == lesson.problem.reference for lesson in lessons)


class Knower:
    """Gives a wrong answer, and then the reference."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        known = load_problems(SOURCE)
        return [
            Completion(next(problem.reference for problem in known if problem.statement in prompt))
            if "Your last answer" in prompt
            else Completion("let wrong = 1")
            for prompt in observations
        ]


def test_problems_of_an_evaluation_are_never_learnt(
    config: Make, verifier: Verifier, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held_out = load_problems("bundled:eval?level=1")[0]
    folder = keep(
        tmp_path / "kept", config(problems="bundled:eval?level=1"), [(held_out, held_out.reference, 1)], verifier
    )
    with pytest.raises(ConfigError, match=rf"answers to 1 problems of an evaluation, such as '{held_out.id}'"):
        read_answers(folder)
    (tmp_path / "run.yaml").write_text(config(max_completion_length=300).to_yaml())
    learn = ["--config", str(tmp_path / "run.yaml")]
    assert sft.main([*learn, "--from-rollouts", str(folder)]) == 2
    assert "of an evaluation" in capsys.readouterr().err
    for source in ("bundled:eval?level=1", "generated:all?split=eval&level=1&n=8", "repair:bundled:eval?level=1&n=2"):
        assert sft.main([*learn, "--problems", source]) == 2
        assert "problems of the training set belong to an evaluation" in capsys.readouterr().err


def test_answers_to_changed_problems_are_left_out_and_counted(
    config: Make, verifier: Verifier, problems: list[Problem], tmp_path: Path
) -> None:
    changed = replace(problems[1], tests=problems[1].tests[:-1])
    gone = Problem(id="gone", statement="Write f.", signature="val f : int", tests=("f = 1",), reference="let f = 1")
    samples = [(problem, problem.reference, 1) for problem in (problems[0], changed, gone)]
    kept = read_answers(keep(tmp_path / "kept", config(), samples, verifier))
    assert [answer.problem for answer in kept.answers] == [problems[0]]
    assert [note.split(": ")[1] for note in kept.notes] == [
        "their problem is another one by now",
        "their problem is not there",
    ]
    with pytest.raises(ConfigError, match="no answer that can be used; 1 answers of .* not there"):
        read_answers(keep(tmp_path / "none", config(), samples[2:], verifier))
    with pytest.raises(ConfigError, match="neither reward_logs/completions.jsonl of a run"):
        read_answers(tmp_path)


def test_problems_outside_a_runs_source_are_found_by_their_ids(
    config: Make, verifier: Verifier, tmp_path: Path
) -> None:
    bundled, repair = load_problems("bundled:train?level=1")[0], load_problems("repair:bundled:train?level=1&n=1")[0]
    samples = [(problem, problem.reference, 1) for problem in (bundled, repair)]
    kept = read_answers(keep(tmp_path / "kept", config(), samples, verifier))
    assert [answer.problem for answer in kept.answers] == [bundled, repair]


def test_layout_and_comments_do_not_change_an_answer() -> None:
    assert normalised("let f x = x + 1") == normalised("(* adds (* one *) *)\nlet f x =\n  x + 1\n")
    assert normalised("let f x = x + 1") != normalised("let f x = x + 2")
    assert normalised('let f = "a  b"') != normalised('let f = "a b"')


def test_the_first_of_equal_answers_is_kept(
    config: Make, verifier: Verifier, problems: list[Problem], tmp_path: Path
) -> None:
    kept = read_answers(keep(tmp_path / "kept", config(), answers(problems), verifier))
    assert list(distinct(kept.answers)) == [kept.answers[place] for place in (0, 2, 3, 4, 5, 6)]
    assert (tmp_path / "kept" / COMPLETIONS).exists()
