"""reasoning-gym: endless entries, answers, levels, compositions, and infrastructure errors."""

from __future__ import annotations

from typing import Any

import pytest

from ocaml_env import ConfigError, EngineError, load_problems
from ocaml_env.problems.generators.registry import FAMILIES
from tests.integrations.broken import Broken
from tests.integrations.installed import need

need("reasoning_gym")

import reasoning_gym  # noqa: E402  after the check that it is there
from reasoning_gym.composite import DatasetSpec  # noqa: E402
from reasoning_gym.dataset import ReseedingDataset  # noqa: E402
from reasoning_gym.factory import create_curriculum  # noqa: E402

import ocaml_env.integrations.reasoning_gym  # noqa: E402, F401  registers the data set


def make(**settings: object) -> Any:
    return reasoning_gym.create_dataset("ocaml", **{"seed": 5, "size": 20, **settings})


@pytest.mark.usefixtures("verifier")
def test_the_answer_of_an_entry_earns_all_and_other_text_less() -> None:
    data = make(families="lists", max_level=2)
    for entry in (data[0], data[19]):
        assert data.score_answer(f"It is\n```ocaml\n{entry['answer']}\n```", entry) == pytest.approx(1.0)
        assert data.score_answer("let f x = x", entry) < 0.3
        assert data.score_answer("", entry) == 0
        assert data.score_answer(None, entry) == 0


def test_the_same_seed_and_index_give_the_same_entry() -> None:
    data = make(families="lists,strings", max_level=3)
    assert list(data) == [make(families="lists,strings", max_level=3)[index] for index in range(20)]
    assert data[7] != make(families="lists,strings", max_level=3, seed=6)[7]
    assert len({entry["question"] for entry in data}) == 20


@pytest.mark.usefixtures("verifier")
def test_an_entry_can_be_evaluated_by_another_data_set() -> None:
    entry = make(families="trees", seed=9)[3]
    score = reasoning_gym.get_score_answer_fn("ocaml")
    assert score(entry["answer"], entry) == pytest.approx(1.0)


@pytest.mark.parametrize("split", ["train", "eval"])
def test_training_sees_no_family_of_the_evaluation(split: str) -> None:
    names = {name for name, family in FAMILIES.items() if family.split == split}
    assert {entry["metadata"]["problem_id"].split("/")[2] for entry in make(size=200, split=split)} <= names
    assert make()[0] == make(split="train")[0]


def test_entries_cycle_through_a_problem_set() -> None:
    asked = [problem.id for problem in load_problems("bundled:eval")]
    data = make(problems="bundled:eval", size=2 * len(asked))
    assert [entry["metadata"]["problem_id"] for entry in data] == asked + asked


@pytest.mark.usefixtures("verifier")
def test_it_can_be_mixed_with_others_and_reseeded() -> None:
    spec = DatasetSpec(name="ocaml", weight=1, config={"families": "lists"})
    mixed = reasoning_gym.create_dataset("composite", seed=1, size=3, datasets=[spec])
    for entry in mixed:
        assert mixed.score_answer(entry["answer"], entry) == pytest.approx(1.0)
    endless = iter(ReseedingDataset(make(size=4), chunk_size=4))
    assert len({next(endless)["question"] for _ in range(12)}) == 12


def test_the_curriculum_raises_the_level() -> None:
    curriculum = create_curriculum("ocaml")
    easy = curriculum.generate_configuration({"seed": 1})
    curriculum.increment_attr_level("level")
    curriculum.increment_attr_level("level")
    harder = curriculum.generate_configuration({"seed": 1})
    assert (easy.min_level, easy.max_level) < (harder.min_level, harder.max_level)


def test_bad_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="below min_level"):
        make(min_level=3, max_level=2)
    with pytest.raises(ConfigError, match="level of generated problems"):
        make(max_level=6)
    with pytest.raises(ConfigError, match=r"no family or topic 'list'.*lists"):
        make(families="list")


def test_an_infrastructure_error_raises() -> None:
    data = make()
    with Broken(workers=1) as broken:
        data._examiner = type(data._examiner)(verifier=broken)
        with pytest.raises(EngineError, match="went away"):
            data.score_answer("let fault = 1", data[0])
