"""Inspect: the task ``ocaml_env/ocaml_code`` with pass@k, a solver that gives feedback, and the scorer.

    from inspect_ai import eval
    from ocaml_env.integrations.inspect_ai import ocaml_code

    task = ocaml_code("bundled:eval", samples=2, max_turns=2)
    [log] = eval(task, model="openai-api/local/my-model", limit=2)  # at LOCAL_BASE_URL, with LOCAL_API_KEY
    for score in log.results.scores:
        print(score.name, score.reducer, {name: metric.value for name, metric in score.metrics.items()})

On the command line: ``inspect eval ocaml_env/ocaml_code --model MODEL -T problems=bundled:eval -T samples=8``.

A score has ``passed`` and ``reward``, the last answer's total; its metadata has the rest of the verdict. An answer is
truncated if its ``stop_reason`` is ``max_tokens`` or ``model_length``. Keep Inspect's reducers, ``mean`` and
``pass_at_K``, so that ``passed`` is pass@k.

Not scored: the scorer raises, so the sample has an error and no score. Inspect's own settings decide what follows
(``--retry-on-error``, ``--no-fail-on-error``).
"""

from __future__ import annotations

from ocaml_env.env import Sandbox
from ocaml_env.episode import Episode, EpisodeSpec, Evaluation
from ocaml_env.errors import ConfigError
from ocaml_env.extract import Completion
from ocaml_env.integrations.common import Examiner, missing, shared_examiner

try:
    from inspect_ai import Epochs, Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser
    from inspect_ai.scorer import Score, Scorer, Target, accuracy, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
except ImportError as error:
    raise missing("inspect-ai", error) from error

__all__ = ["ocaml_code", "ocaml_solver", "ocaml_verdict"]


@task
def ocaml_code(
    problems: str = "bundled:eval",
    reward: str = "staged",
    max_turns: int = 1,
    samples: int = 1,
    prompt_style: str = "text",
    workers: int | None = None,
    sandbox: Sandbox = "required",
) -> Task:
    """OCaml problems.

    Args:
        problems: a source for ``load_problems``.
        reward: the name of a preset.
        max_turns: the most answers of an episode.
        samples: episodes of each problem; more than one gives pass@``samples``.
        prompt_style: the name of a ``PromptStyle``.
        workers: worker processes of the verifier; by default, one for each CPU.
        sandbox: the sandbox of the verifier.
    """
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
        raise ConfigError(f"samples must be a whole number from 1, not {samples!r}")
    examiner = shared_examiner(problems, reward, prompt_style, workers, sandbox)
    return Task(
        dataset=MemoryDataset(
            [
                Sample(
                    id=problem.id,
                    input=examiner.prompts.text(problem),
                    metadata={"level": problem.level_name, "topics": list(problem.topics), "kind": problem.kind},
                )
                for problem in examiner.problems
            ],
            name=examiner.problems.name,
        ),
        solver=ocaml_solver(problems, reward, max_turns, workers, sandbox),
        scorer=ocaml_verdict(problems, reward, workers, sandbox),
        epochs=Epochs(samples, ["mean"] if samples == 1 else ["mean", f"pass_at_{samples}"]),
    )


@solver
def ocaml_solver(
    problems: str = "bundled:eval",
    reward: str = "staged",
    max_turns: int = 1,
    workers: int | None = None,
    sandbox: Sandbox = "required",
) -> Solver:
    """Answers, and answers again after feedback, until an answer passes or the turns are used up."""
    examiner = shared_examiner(problems, reward, workers=workers, sandbox=sandbox)
    spec = EpisodeSpec(max_turns=max_turns)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = Episode(examiner.problem(str(state.sample_id)), spec)
        while not state.completed:
            state = await generate(state)
            evaluation = await _evaluate(examiner, state)
            if episode.advance(evaluation).terminated:
                break
            told = examiner.prompts.follow_up(episode.problem, evaluation.told(examiner.prompts))
            state.messages.append(ChatMessageUser(content=told))
        return state

    return solve


@scorer(metrics={"passed": [accuracy(), stderr()], "reward": [mean(), stderr()]})
def ocaml_verdict(
    problems: str = "bundled:eval",
    reward: str = "staged",
    workers: int | None = None,
    sandbox: Sandbox = "required",
) -> Scorer:
    """Evaluates the last answer."""
    examiner = shared_examiner(problems, reward, workers=workers, sandbox=sandbox)

    async def score(state: TaskState, _target: Target) -> Score:
        evaluation = await _evaluate(examiner, state)
        verdict = evaluation.verdict
        return Score(
            value={"passed": float(verdict.passed), "reward": evaluation.reward.total},
            answer=evaluation.extraction.code,
            explanation=evaluation.feedback,
            metadata={
                "outcome": verdict.outcome.value,
                "parts": dict(evaluation.reward.parts),
                "tests_passed": verdict.tests_passed,
                "tests_total": verdict.tests_total,
            },
        )

    return score


async def _evaluate(examiner: Examiner, state: TaskState) -> Evaluation:
    from anyio import to_thread  # works on any event loop that Inspect may use

    truncated = bool(state.output.choices) and state.output.stop_reason in ("max_tokens", "model_length")
    completion = Completion(state.output.completion, truncated=truncated)
    evaluation: Evaluation = await to_thread.run_sync(examiner.evaluate, str(state.sample_id), completion)
    return evaluation
