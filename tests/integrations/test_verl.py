"""verl: scores, truncation, and infrastructure errors."""

from __future__ import annotations

import pytest

from ocaml_env import ConfigError, EngineError, OCamlEnvError, Problem, Verdict, Verifier
from ocaml_env.integrations import verl
from ocaml_env.integrations.common import Examiner
from ocaml_env.integrations.verl import compute_score, rows


@pytest.mark.usefixtures("verifier")
def test_a_completion_is_paid_and_described() -> None:
    row = rows("bundled:eval")[0]
    problem_id = row["reward_model"]["ground_truth"]
    got = compute_score(row["data_source"], "let x = 1", problem_id, row["extra_info"], problems="bundled:eval")
    assert got["outcome"] == "TYPE_ERROR"
    assert got["acc"] == got["tests_passed"] == 0
    assert got["score"] == pytest.approx(sum(value for name, value in got.items() if name.startswith("part/")))
    assert row["prompt"][-1]["role"] == "user"


@pytest.mark.usefixtures("verifier")
def test_an_agent_loop_may_mark_an_answer_as_truncated() -> None:
    text = "```ocaml\nlet x = 1"
    problem_id = rows()[0]["reward_model"]["ground_truth"]
    whole = compute_score("ocaml_env", text, problem_id)
    cut = compute_score("ocaml_env", text, problem_id, {"truncated": True})
    assert cut["score"] < whole["score"]


@pytest.mark.parametrize(("faults", "raises"), [(1, False), (2, True)])
def test_an_infrastructure_error_is_retried_and_then_raised(
    faults: int, raises: bool, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Flickering(Verifier):
        left = faults

        def verify(self, problem: Problem, code: str) -> Verdict:
            if self.left:
                self.left -= 1
                raise EngineError("the worker went away")
            return super().verify(problem, code)

    with Flickering(workers=1) as flickering:
        examiner = Examiner([add], verifier=flickering)
        monkeypatch.setattr(verl, "shared_examiner", lambda *_, **__: examiner)
        if raises:
            with pytest.raises(OCamlEnvError, match="went away"):
                compute_score("ocaml_env", add.reference, "add")
        else:
            assert compute_score("ocaml_env", add.reference, "add")["acc"] == 1


def test_an_unknown_problem_is_no_reward() -> None:
    with pytest.raises(ConfigError, match="no problem 'nothing'"):
        compute_score("ocaml_env", "let x = 1", "nothing")
