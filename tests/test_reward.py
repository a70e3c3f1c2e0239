"""Golden tables of the rewards of each preset and outcome, and making, writing and refusing specs."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from ocaml_env.errors import ConfigError
from ocaml_env.extract import Extraction, Reason
from ocaml_env.reward import Preset, Reward, RewardSpec
from ocaml_env.verdict import Outcome, TestOutcome, Verdict
from tests.strategies import problem_of, untyped, verdict_of

SEED = "seed-2025-12-10"
LONG = "\n".join(f"let x{n} = {n}" for n in range(8))
FOUND = Extraction(code=LONG)
MARKED = Extraction(code=LONG, marker=True)
CUT = Extraction(code=LONG, truncated=True)
NOTHING = Extraction(code=None, reason=Reason.EMPTY)


def suite(hidden: str, public: str = "") -> Verdict:
    """Makes a verdict from one letter a test.

    ``p`` passed, ``f`` failed, ``r`` raised, ``t`` timed out, ``m`` and ``o`` exceeded memory and output.
    """
    outcomes = {
        "p": Outcome.PASSED,
        "f": Outcome.TEST_FAILURE,
        "r": Outcome.RUNTIME_ERROR,
        "t": Outcome.TIMEOUT,
        "m": Outcome.MEMORY_LIMIT,
        "o": Outcome.OUTPUT_LIMIT,
    }
    return verdict_of(
        tuple(
            TestOutcome(
                name=f"test {number}",
                public=number < len(public),
                outcome=outcomes[letter],
                returned=letter in "pf",
            )
            for number, letter in enumerate(public + hidden)
        )
    )


def paid(spec: RewardSpec, extraction: Extraction, verdict: Verdict) -> Reward:
    return spec(problem_of(verdict), extraction, verdict)


def types(errors: int) -> Verdict:
    return untyped(Outcome.TYPE_ERROR, errors)


NO_CODE = untyped(Outcome.NO_CODE)
SYNTAX = untyped(Outcome.SYNTAX_ERROR)
FORBIDDEN = untyped(Outcome.FORBIDDEN)
COMPILE = untyped(Outcome.COMPILE_ERROR)

# Parts: structure, typecheck, compile, tests, penalty.
GOLDEN: list[tuple[str, Extraction, Verdict, tuple[float, float, float, float, float]]] = [
    ("staged", NOTHING, NO_CODE, (0, 0, 0, 0, 0)),
    ("staged", FOUND, NO_CODE, (0, 0, 0, 0, 0)),
    ("staged", FOUND, SYNTAX, (0, 0, 0, 0, 0)),
    ("staged", MARKED, SYNTAX, (0, 0, 0, 0, 0)),
    ("staged", FOUND, FORBIDDEN, (0.05, 0, 0, 0, 0)),
    ("staged", CUT, FORBIDDEN, (0, 0, 0, 0, 0)),
    ("staged", FOUND, types(1), (0.05, 0.17, 0, 0, 0)),
    ("staged", FOUND, types(2), (0.05, 0.14, 0, 0, 0)),
    ("staged", FOUND, types(3), (0.05, 0.11, 0, 0, 0)),
    ("staged", FOUND, types(4), (0.05, 0.08, 0, 0, 0)),
    ("staged", FOUND, types(5), (0.05, 0.05, 0, 0, 0)),
    ("staged", FOUND, types(40), (0.05, 0.05, 0, 0, 0)),
    ("staged", CUT, types(1), (0, 0.17, 0, 0, 0)),
    ("staged", FOUND, COMPILE, (0.05, 0.20, 0, 0, 0)),
    ("staged", FOUND, suite("rrrr"), (0.05, 0.20, 0, 0, 0)),
    ("staged", FOUND, suite("tmor"), (0.05, 0.20, 0, 0, 0)),
    ("staged", FOUND, suite("ffff"), (0.05, 0.20, 0, 0, 0)),
    ("staged", FOUND, suite("pfff"), (0.05, 0.20, 0.025, 0.1625, 0)),
    ("staged", FOUND, suite("pppt"), (0.05, 0.20, 0.075, 0.4875, 0)),
    ("staged", FOUND, suite("pppp"), (0.05, 0.20, 0.10, 0.65, 0)),
    ("staged", CUT, suite("pppp"), (0, 0.20, 0.10, 0.65, 0)),
    ("staged", FOUND, suite("ffff", public="ppp"), (0.05, 0.20, 0, 0, 0)),
    ("staged", FOUND, suite("pp", public="ff"), (0.05, 0.20, 0.05, 0.325, 0)),
    ("staged", FOUND, suite("pp", public="fp"), (0.05, 0.20, 0.066666666667, 0.433333333333, 0)),
    ("staged", FOUND, suite("", public="pf"), (0.05, 0.20, 0.05, 0.325, 0)),
    ("staged-1", NOTHING, NO_CODE, (0, 0, 0, 0, 0)),
    ("staged-1", FOUND, NO_CODE, (0, 0, 0, 0, 0)),
    ("staged-1", FOUND, SYNTAX, (0, 0, 0, 0, 0)),
    ("staged-1", MARKED, SYNTAX, (0, 0, 0, 0, 0)),
    ("staged-1", FOUND, FORBIDDEN, (0.05, 0, 0, 0, 0)),
    ("staged-1", CUT, FORBIDDEN, (0, 0, 0, 0, 0)),
    ("staged-1", FOUND, types(1), (0.05, 0.15, 0, 0, 0)),
    ("staged-1", FOUND, types(2), (0.05, 0.10, 0, 0, 0)),
    ("staged-1", FOUND, types(3), (0.05, 0.06, 0, 0, 0)),
    ("staged-1", FOUND, types(4), (0.05, 0.03, 0, 0, 0)),
    ("staged-1", FOUND, types(5), (0.05, 0.02, 0, 0, 0)),
    ("staged-1", FOUND, types(40), (0.05, 0.02, 0, 0, 0)),
    ("staged-1", CUT, types(1), (0, 0.15, 0, 0, 0)),
    ("staged-1", FOUND, COMPILE, (0.05, 0.20, 0, 0, 0)),
    ("staged-1", FOUND, suite("rrrr"), (0.05, 0.20, 0, 0, 0)),
    ("staged-1", FOUND, suite("tmor"), (0.05, 0.20, 0, 0, 0)),
    ("staged-1", FOUND, suite("ffff"), (0.05, 0.20, 0.10, 0, 0)),
    ("staged-1", FOUND, suite("fr"), (0.05, 0.20, 0.05, 0, 0)),
    ("staged-1", FOUND, suite("pfff"), (0.05, 0.20, 0.10, 0.1625, 0)),
    ("staged-1", FOUND, suite("pppt"), (0.05, 0.20, 0.075, 0.4875, 0)),
    ("staged-1", FOUND, suite("pppp"), (0.05, 0.20, 0.10, 0.65, 0)),
    ("staged-1", CUT, suite("pppp"), (0, 0.20, 0.10, 0.65, 0)),
    ("staged-1", FOUND, suite("ffff", public="ppp"), (0.05, 0.20, 0.10, 0, 0)),
    ("staged-1", FOUND, suite("pp", public="ff"), (0.05, 0.20, 0.10, 0.325, 0)),
    ("staged-1", FOUND, suite("pp", public="fp"), (0.05, 0.20, 0.10, 0.433333333333, 0)),
    ("staged-1", FOUND, suite("", public="pf"), (0.05, 0.20, 0.10, 0.325, 0)),
    (SEED, NOTHING, NO_CODE, (0, 0.15, 0.01, 0, -0.16)),
    (SEED, FOUND, NO_CODE, (0, 0.15, 0.01, 0, 0)),
    (SEED, FOUND, SYNTAX, (0, 0.15, 0.01, 0, 0)),
    (SEED, MARKED, SYNTAX, (0.05, 0.15, 0.01, 0, 0)),
    (SEED, CUT, SYNTAX, (0, 0.15, 0.01, 0, -0.112)),
    (SEED, FOUND, FORBIDDEN, (0, 0.15, 0.01, 0, 0)),
    (SEED, FOUND, types(1), (0, 0.15, 0.01, 0, 0)),
    (SEED, FOUND, types(2), (0, 0.10, 0.01, 0, 0)),
    (SEED, FOUND, types(3), (0, 0.06, 0.01, 0, 0)),
    (SEED, FOUND, types(4), (0, 0.03, 0.01, 0, 0)),
    (SEED, MARKED, types(5), (0.05, 0.02, 0.01, 0, 0)),
    (SEED, MARKED, COMPILE, (0.05, 0.20, 0.05, 0, 0)),
    (SEED, MARKED, suite("rrrr"), (0.05, 0.20, 0.10, 0, 0)),
    (SEED, MARKED, suite("tmo"), (0.05, 0.20, 0.10, 0, 0)),
    (SEED, MARKED, suite("pppf"), (0.05, 0.20, 0.10, 0, 0)),
    (SEED, FOUND, suite("pppp"), (0, 0.20, 0.10, 0.65, 0)),
    (SEED, MARKED, suite("pppp"), (0.05, 0.20, 0.10, 0.65, 0)),
    (SEED, replace(MARKED, truncated=True), suite("pppp"), (0.05, 0.20, 0.10, 0.65, 0)),
    (SEED, CUT, suite("pppp"), (0, 0.20, 0.10, 0.65, -0.665)),
    (SEED, Extraction(code="let x = 1", marker=True), suite("p"), (0.05, 0.20, 0.10, 0.65, -1)),
    ("pass-dominant", NOTHING, NO_CODE, (0, 0, 0, 0, 0)),
    ("pass-dominant", MARKED, SYNTAX, (0, 0, 0, 0, 0)),
    ("pass-dominant", FOUND, FORBIDDEN, (0, 0, 0, 0, 0)),
    ("pass-dominant", FOUND, types(1), (0, 0, 0, 0, 0)),
    ("pass-dominant", FOUND, COMPILE, (0, 0.05, 0, 0, 0)),
    ("pass-dominant", FOUND, suite("rtmo"), (0, 0.05, 0.05, 0, 0)),
    ("pass-dominant", FOUND, suite("ppff"), (0, 0.05, 0.05, 0.05, 0)),
    ("pass-dominant", FOUND, suite("ff", public="pp"), (0, 0.05, 0.05, 0, 0)),
    ("pass-dominant", FOUND, suite("pp", public="ff"), (0, 0.05, 0.05, 0.05, 0)),
    ("pass-dominant", CUT, suite("pppp"), (0, 0.05, 0.05, 0.90, 0)),
    ("binary", NOTHING, NO_CODE, (0, 0, 0, 0, 0)),
    ("binary", MARKED, SYNTAX, (0, 0, 0, 0, 0)),
    ("binary", FOUND, FORBIDDEN, (0, 0, 0, 0, 0)),
    ("binary", FOUND, types(1), (0, 0, 0, 0, 0)),
    ("binary", FOUND, COMPILE, (0, 0, 0, 0, 0)),
    ("binary", FOUND, suite("rtmo"), (0, 0, 0, 0, 0)),
    ("binary", FOUND, suite("pppf"), (0, 0, 0, 0, 0)),
    ("binary", FOUND, suite("pp", public="fp"), (0, 0, 0, 0, 0)),
    ("binary", FOUND, suite("pppp"), (0, 0, 0, 1, 0)),
]


@pytest.mark.parametrize(("preset", "extraction", "verdict", "parts"), GOLDEN, ids=map(str, range(len(GOLDEN))))
def test_each_outcome_is_paid_as_in_the_table(
    preset: str, extraction: Extraction, verdict: Verdict, parts: tuple[float, ...]
) -> None:
    reward = RewardSpec.preset(preset)(problem_of(verdict), extraction, verdict)
    assert tuple(reward.parts) == ("structure", "typecheck", "compile", "tests", "penalty")
    assert tuple(reward.parts.values()) == pytest.approx(parts, abs=1e-12)
    assert reward.total == pytest.approx(sum(parts), abs=1e-12)


def test_the_table_has_every_outcome_for_every_preset() -> None:
    for preset in RewardSpec.presets():
        rows = [verdict for name, _, verdict, _ in GOLDEN if name == preset]
        seen = {verdict.outcome for verdict in rows} | {test.outcome for verdict in rows for test in verdict.tests}
        assert seen == set(Outcome)


def test_a_full_pass_is_worth_exactly_one() -> None:
    for preset in RewardSpec.presets():
        assert paid(RewardSpec.preset(preset), MARKED, suite("pppp", public="pp")).total == 1.0


def test_the_ladder_is_exact_in_decimals() -> None:
    staged = RewardSpec.preset("staged")
    assert [paid(staged, FOUND, types(n)).typecheck for n in range(1, 6)] == [0.17, 0.14, 0.11, 0.08, 0.05]


def test_min_non_empty_lines_ignores_blank_lines_and_comments() -> None:
    spec = RewardSpec.preset(SEED, min_non_empty_lines=3)
    passed = suite("p")
    assert paid(spec, Extraction(code="let a = 1\n\n  \n(* one *)\n  (* two *)\nlet b = 2"), passed).total == 0
    assert paid(spec, Extraction(code="let a = 1\nlet b = 2\nlet c = 3"), passed).total > 0
    assert paid(RewardSpec.preset(SEED, min_non_empty_lines=0), Extraction(code="let a = 1"), passed).total > 0


def test_the_runaway_multiplier_is_the_kept_share() -> None:
    assert paid(RewardSpec.preset(SEED, runaway_penalty_multiplier=0.5), CUT, SYNTAX).total == pytest.approx(0.08)
    assert paid(RewardSpec.preset(SEED, runaway_penalty_multiplier=0), CUT, SYNTAX).total == 0.0
    assert paid(RewardSpec.preset(SEED, runaway_penalty_multiplier=1), CUT, SYNTAX).penalty == 0.0


# --- specs ------------------------------------------------------------------------------------------------------------


def test_an_edition_may_be_asked_for_by_its_name() -> None:
    assert RewardSpec.preset("staged-2") == RewardSpec.preset("staged")
    assert RewardSpec.preset("staged-2").version == "staged-2"


def test_the_default_preset_comes_first() -> None:
    assert RewardSpec.presets()[0] == "staged"


@pytest.mark.parametrize(
    ("name", "nearest"), [("stagged", "staged"), ("Binary", "binary"), ("seed", SEED), ("pass", "pass-dominant")]
)
def test_an_unknown_preset_is_refused_with_the_known_ones(name: str, nearest: str) -> None:
    with pytest.raises(ConfigError, match="no reward preset") as caught:
        RewardSpec.preset(name)
    assert f"did you mean {nearest!r}" in str(caught.value)
    assert all(preset in str(caught.value) for preset in RewardSpec.presets())


@pytest.mark.parametrize("name", [None, 3, ["staged"], ""])
def test_an_invalid_name_of_a_preset_is_refused(name: Any) -> None:
    with pytest.raises(ConfigError, match="no reward preset"):
        RewardSpec.preset(name)


@pytest.mark.parametrize("preset", ["staged", "pass-dominant", "binary"])
@pytest.mark.parametrize("setting", [{"min_non_empty_lines": 8}, {"runaway_penalty_multiplier": 0.3}])
def test_the_seeds_settings_are_refused_elsewhere(preset: str, setting: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=SEED):
        RewardSpec.preset(preset, **setting)
    with pytest.raises(ConfigError, match=SEED):
        replace(RewardSpec.preset(preset), **setting)


def test_the_seeds_settings_have_its_defaults() -> None:
    spec = RewardSpec.preset(SEED)
    assert (spec.min_non_empty_lines, spec.runaway_penalty_multiplier) == (8, 0.3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_lines": 8}, "did you mean 'min_non_empty_lines'"),
        ({"structure": 0.1}, "no reward setting"),
        ({"min_non_empty_lines": -1}, "whole number"),
        ({"min_non_empty_lines": 2.5}, "whole number"),
        ({"min_non_empty_lines": True}, "whole number"),
        ({"runaway_penalty_multiplier": 1.5}, "from 0 to 1"),
        ({"runaway_penalty_multiplier": float("nan")}, "from 0 to 1"),
        ({"runaway_penalty_multiplier": "0.3"}, "from 0 to 1"),
    ],
)
def test_a_bad_setting_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RewardSpec.preset(SEED, **settings)


@pytest.mark.parametrize("tests", [0.5, 0.7, -0.65, float("inf")])
def test_weights_that_do_not_add_up_to_one_are_refused(tests: float) -> None:
    with pytest.raises(ConfigError):
        RewardSpec.preset("staged").reweighted(structure=0.05, typecheck=0.2, compile=0.1, tests=tests)


@pytest.mark.parametrize("preset", RewardSpec.presets())
def test_a_spec_survives_writing_and_pickling(preset: str) -> None:
    spec = RewardSpec.preset(preset)
    assert RewardSpec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(RewardSpec.from_dict(spec.to_dict())) == hash(spec)
    assert type(spec.to_dict()["preset_name"]) is str


def test_different_specs_are_unequal() -> None:
    specs = [RewardSpec.preset(preset) for preset in RewardSpec.presets()]
    assert len({*specs, RewardSpec.preset(SEED, min_non_empty_lines=4)}) == len(specs) + 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tets": 0.65}, "did you mean 'tests'"),
        ({"preset_name": "stage"}, "'staged'"),
        ({"tests": 0.6}, "add up to 1"),
    ],
)
def test_an_invalid_written_spec_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RewardSpec.from_dict(RewardSpec.preset("staged").to_dict() | change)


def test_a_written_spec_with_fields_missing_is_refused() -> None:
    with pytest.raises(ConfigError, match="needs structure, typecheck, compile, tests"):
        RewardSpec.from_dict({"preset_name": "staged"})


def test_a_spec_and_a_reward_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        RewardSpec.preset("staged").tests = 1.0  # type: ignore[misc]
    reward = Reward(structure=0.05)
    reward.parts["structure"] = 1.0
    assert reward.total == 0.05


def test_a_ladder_scales_with_its_weight() -> None:
    spec = RewardSpec.preset("staged").reweighted(structure=0.1, typecheck=0.4, compile=0.3, tests=0.2)
    assert [paid(spec, FOUND, types(n)).typecheck for n in range(1, 6)] == [0.34, 0.28, 0.22, 0.16, 0.10]
    assert paid(spec, FOUND, suite("pf")).parts == {
        "structure": 0.1, "typecheck": 0.4, "compile": 0.15, "tests": 0.1, "penalty": 0.0
    }  # fmt: skip
    assert spec.preset_name is Preset.STAGED
