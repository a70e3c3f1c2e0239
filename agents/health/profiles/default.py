"""The corrected rules: what the seed's would have needed to see its own run for what it was.

What differs from ``seed``, and why:

- Windows of 20 logging steps instead of single lines: with four groups a step, frac_zero_std comes in quarters, and one
  line proves nothing. Changes since the start have to exceed their standard error several times.
- Groups of zero variance are split by kind. All failed: the problems are too hard or the start too cold, and no
  temperature helps (the seed's run tried). All passed: too easy. Tied in the middle: the reward is too coarse. One
  text: collapse, the only kind that a higher temperature is for.
- Entropy is compared with the run's own start. Absolute ranges mean nothing across models, and raising the temperature
  raises it mechanically.
- The learning rate is described by what it does. A decay is never called warm-up.
- The coefficient of variation is informational: with a sparse reward it is high when all goes well.
- Many samples at exactly one reward are a sign of hacking: 84% of the seed's completions sat at 0.048, which a marker
  spammed until the token limit was always paid.
- The reward that is judged is that under the final spec, where the log has it; the pass rate is watched apart from it.
- "Gibberish" is two numbers: the share of NO_CODE and SYNTAX_ERROR, and the compression ratio.
- Moments are shares of the run, not epochs: a run of twenty epochs over few problems, or of a tenth of one, has no
  "epoch 0.5" that means the same.
- A red flag stops a run only where no green light that counts speaks against it; divergence always does.

Thresholds without another source are judgement, checked by simulated runs (``tests/health``): each planted pathology
is named, and healthy runs of many seeds give no alarm at any step.
"""

from __future__ import annotations

from agents.health.measure import Band, Measure, Side, Summary
from agents.health.profile import Checkpoint, Clock, Criterion, Phase, Profile, StopRule
from agents.health.rule import Action, Condition, FollowUp, Rule

__all__ = ["DEFAULT"]

_JUDGED = "judgement, checked by simulation"
_SEED_RUN = "the seed's run, by its authors' later reports"

_ZERO = Band(high=0.0)


def _mean(metric: str, *, window: int = 20, least: int = 5) -> Measure:
    return Measure(metric=metric, window=window, least=least)


def _median(metric: str) -> Measure:
    return Measure(metric=metric, summary=Summary.MEDIAN)


def _ratio(metric: str, *, window: int = 20) -> Measure:
    return Measure(metric=metric, summary=Summary.RATIO, window=window)


def _shift(metric: str, *, window: int = 30) -> Measure:
    return Measure(metric=metric, summary=Summary.SHIFT, window=window, least=10)


def _change(metric: str) -> Measure:
    return Measure(metric=metric, summary=Summary.CHANGE, window=30, least=10)


def _trend(metric: str) -> Measure:
    return Measure(metric=metric, summary=Summary.TREND, window=100, least=20)


_LOWER_RATE = Action(
    text="Lower the learning rate",
    why="Steps that are too large leave the region in which their gradient holds.",
    setting="learning_rate",
    factor=0.3,
    low=1e-7,
    priority=1,
)
_CLIP = Action(
    text="Clip gradients harder",
    why="A single batch then cannot throw the policy.",
    setting="max_grad_norm",
    factor=0.5,
    low=0.1,
    priority=1,
)
_LAST_CHECKPOINT = Action(
    text="Go back to the last checkpoint from before", why="Weights that diverged do not recover.", priority=1
)
_WARMER = Action(
    text="Raise the sampling temperature",
    why="Completions of one prompt must differ to be compared.",
    setting="temperature",
    add=0.1,
    high=1.3,
    priority=1,
)
_MORE_GENERATIONS = Action(
    text="More completions a problem",
    why="The more there are, the likelier one differs.",
    setting="num_generations",
    factor=2.0,
    high=32,
    whole=True,
    priority=2,
)
_STAGED = Action(
    text="Pay for partial work",
    why="`staged` pays for types, compilation and each test, so that failures differ.",
    setting="reward",
    to="staged",
    priority=2,
)
_WARM_START = Action(
    text="Start from a model that solves some of it: an SFT stage, a larger model, solved examples in the prompt",
    why="Where nothing is ever solved there is nothing to reinforce.",
    setting="shots",
    add=2,
    high=4,
    whole=True,
    priority=1,
)
_FILTER = Action(
    text="Leave out problems that are never or always solved",
    why="Their groups are tied; the time is better spent on others.",
    setting="solve_rate_filter",
    to="true",
    priority=1,
)
_READ = Action(
    text="Read the completions at that reward in the report", why="A number cannot tell why it pays.", priority=1
)

_RULES = (
    Rule(
        name="faults",
        title="Samples that could not be scored",
        measure=_mean("faults"),
        healthy=Band(high=0.01),
        tolerable=Band(high=0.10),
        high="The verifier fails on samples that are not to blame.",
        meaning="They are left out of training, and what is left may be biased.",
        actions=(Action(text="Look for the cause: `ocaml-env doctor`", priority=1),),
        source="a fault scored as 0 poisoned 91.6% of one user's rollouts; ours are left out, and counted",
    ),
    Rule(
        name="diverged",
        title="Diverged",
        measure=Measure(metric="loss", summary=Summary.NOT_FINITE, window=5, least=1),
        healthy=_ZERO,
        tolerable=Band(high=0.3),
        high="The loss is nan or infinite.",
        meaning="The weights are ruined, or about to be.",
        actions=(_LAST_CHECKPOINT, _LOWER_RATE, _CLIP),
        source=f"{_JUDGED}; one such step in five may be mixed precision",
        explained_by=("exploding-gradient",),
    ),
    Rule(
        name="exploding-gradient",
        title="Exploding gradient",
        measure=_ratio("grad_norm", window=10),
        healthy=Band(high=5.0),
        tolerable=Band(high=20.0),
        high="The gradient's norm is many times what it was at the start.",
        meaning="Updates of that size destroy what the model can do.",
        actions=(_LOWER_RATE, _CLIP, _LAST_CHECKPOINT),
        source=f"{_JUDGED}; below a norm of 1, where TRL's default clips, growth is harmless",
        when=(
            Condition(
                measure=Measure(metric="grad_norm", summary=Summary.MEDIAN, window=10), band=Band(low=1.0, strict=True)
            ),
        ),
        follow_up=FollowUp(metric="grad_norm", band=Band(high=1.0), within=100),
    ),
    Rule(
        name="large-gradient",
        title="Large gradient",
        measure=_median("grad_norm"),
        healthy=Band(high=10.0),
        tolerable=Band(high=100.0),
        high="The gradient's norm is large throughout.",
        meaning="Clipping then sets the size of every step, and the learning rate alone its effect.",
        actions=(_LOWER_RATE,),
        source="ten times TRL's default max_grad_norm, and a hundred times",
        explained_by=("exploding-gradient",),
    ),
    Rule(
        name="mode-collapse",
        title="Mode collapse",
        measure=_mean("identical"),
        healthy=Band(high=0.10),
        tolerable=Band(high=0.25),
        high="Groups consist of one text, again and again.",
        meaning="Samples that are the same teach nothing, and what is not sampled is never found again.",
        actions=(_WARMER, _MORE_GENERATIONS),
        source="0.10 and 0.25: the seed's thresholds of frac_zero_std, applied to the groups that they were meant for",
        explained_by=("repetition", "exploding-gradient", "diverged"),
        follow_up=FollowUp(
            metric="zero_variance",
            band=Band(high=0.10, strict=True),
            within=100,
            source="seed, priority 1, expected impact",
        ),
    ),
    Rule(
        name="entropy",
        title="Entropy far from where it began",
        measure=_ratio("entropy"),
        healthy=Band(low=0.35, high=2.5),
        tolerable=Band(low=0.12, high=5.0),
        low="The policy has become much more certain than at the start.",
        high="The policy has become much less certain than at the start: it drifts into noise.",
        meaning="Exploration ends with the entropy; noise never solves a problem.",
        actions=(
            Action(
                text="Raise the upper clip",
                why="It lets unlikely tokens grow, and holds the entropy (DAPO's clip-higher).",
                setting="epsilon_high",
                to="0.28",
                side=Side.LOW,
            ),
            Action(text="Raise the sampling temperature", setting="temperature", add=0.1, high=1.3, side=Side.LOW),
            Action(text="Lower the learning rate", setting="learning_rate", factor=0.5, low=1e-7, side=Side.HIGH),
            Action(text="Hold the policy with a KL term", setting="beta", to="0.01", side=Side.HIGH),
        ),
        source=f"{_JUDGED}; the ranges of the seed (0.10-0.20, 0.15-0.25) are of one model at one temperature",
        explained_by=("exploding-gradient", "diverged", "mode-collapse"),
    ),
    Rule(
        name="reward-hacking",
        title="Reward rises while the pass rate falls",
        measure=_shift("reward"),
        healthy=Band(high=4.0),
        tolerable=Band(high=6.0),
        high="The reward has risen, and fewer samples pass: something pays that is no solution.",
        meaning="The policy optimises what is paid, not what is meant.",
        actions=(
            _READ,
            Action(
                text="Pay for passing",
                why="A dense reward was seen to rise at the cost of passes.",
                setting="reward",
                to="pass-dominant",
                priority=2,
            ),
        ),
        source="a run with dense reward and lr 1e-3, whose reward rose while its pass rate fell",
        when=(
            Condition(measure=_change("reward"), band=Band(low=0.03)),
            Condition(measure=_shift("pass_rate"), band=Band(high=-3.0)),
        ),
        explained_by=("repetition",),
    ),
    Rule(
        name="one-value",
        title="Reward spike at one value: a sign of hacking",
        measure=_mean("one_value"),
        healthy=Band(high=0.55),
        tolerable=Band(high=0.70),
        high="Most samples have exactly the same reward, and it is not that of a pass.",
        meaning="A sum that is always paid, for little, beats trying: samples go where it is.",
        actions=(_READ, _STAGED),
        source=f"{_SEED_RUN}: 83.9% of 2,952 completions had 0.048",
        explained_by=("repetition", "mode-collapse", "all-failed", "exploding-gradient", "diverged"),
    ),
    Rule(
        name="repetition",
        title="Marker spam or repetition",
        measure=_mean("compression_ratio"),
        healthy=Band(high=4.0),
        tolerable=Band(high=6.0),
        high="Completions repeat themselves: a marker, a line or a token, over and over.",
        meaning="The model fills its tokens instead of answering.",
        actions=(
            Action(
                text="Take the reward for markers and for cut-off answers away",
                why="A runaway answer that keeps a share of its credit pays better than trying.",
                setting="reward",
                to="staged",
                priority=1,
            ),
            _READ,
        ),
        source="a healthy step is at 1 to 3, loops at 10 and more",
        when=(Condition(measure=_mean("degenerate"), band=Band(low=0.30)),),
        explained_by=("exploding-gradient", "diverged"),
    ),
    Rule(
        name="truncation",
        title="Completions hit the token limit",
        measure=_mean("truncated"),
        healthy=Band(high=0.30),
        tolerable=Band(high=0.60),
        high="Completions end because their tokens are used up.",
        meaning="An answer that is cut off cannot pass, however good it was.",
        actions=(
            Action(
                text="Allow longer completions",
                why="Where those that end by themselves are close to the limit, it is too low.",
                setting="max_completion_length",
                factor=1.5,
                high=8192,
                whole=True,
                priority=1,
            ),
            Action(
                text="Leave cut-off completions out of the loss",
                why="They punish length, not faults.",
                setting="mask_truncated_completions",
                to="true",
                priority=2,
            ),
        ),
        source=f"{_SEED_RUN}: the limit was hit 100% of the time",
        explained_by=("repetition", "exploding-gradient", "diverged"),
        follow_up=FollowUp(metric="truncated", band=Band(high=0.30), within=100),
    ),
    Rule(
        name="gibberish",
        title="Gibberish",
        measure=_mean("no_code_or_syntax"),
        healthy=Band(high=0.60),
        tolerable=Band(high=0.85),
        high="Most completions hold no code, or code that does not parse.",
        meaning="What does not parse earns nothing, and says nothing about what would.",
        actions=(_WARM_START,),
        source=f"{_JUDGED}; the seed asks for it and gives no number",
        explained_by=("repetition", "truncation", "mode-collapse", "exploding-gradient", "diverged", "all-failed"),
    ),
    Rule(
        name="all-failed",
        title="Groups in which every sample fails",
        measure=_mean("all_failed"),
        healthy=Band(high=0.45),
        tolerable=Band(high=0.70),
        high="In most groups no sample gets anywhere: the problems are too hard for this policy.",
        meaning="There is nothing to compare. A higher temperature does not help; a better start or easier ones do.",
        actions=(_WARM_START, _FILTER, _STAGED),
        source=f"{_SEED_RUN}: with 98% of attempts at 0, temperature, learning rate and KL did not help",
        explained_by=("repetition", "truncation", "exploding-gradient", "diverged"),
        follow_up=FollowUp(metric="all_failed", band=Band(high=0.45), within=100),
    ),
    Rule(
        name="all-passed",
        title="Groups in which every sample passes",
        measure=_mean("all_passed"),
        healthy=Band(high=0.55),
        high="Most groups are solved by every sample: the problems are too easy by now.",
        meaning="Nothing is left to learn from them.",
        actions=(
            _FILTER,
            Action(text="Harder problems", setting="problems", to="generated:all?level=4&seed=1&n=1000"),
        ),
        source=_JUDGED,
    ),
    Rule(
        name="tied",
        title="Groups tied in the middle",
        measure=_mean("tied"),
        healthy=Band(high=0.30),
        tolerable=Band(high=0.55),
        high="Different answers earn the same: the reward is too coarse to tell them apart.",
        meaning="Differences that are not paid are not learned.",
        actions=(_STAGED, _MORE_GENERATIONS),
        source=_JUDGED,
        explained_by=("one-value", "reward-hacking", "repetition", "truncation", "exploding-gradient", "diverged"),
        follow_up=FollowUp(metric="tied", band=Band(high=0.30), within=100),
    ),
    Rule(
        name="tied-groups",
        title="Tied groups of unknown kind",
        measure=_mean("unsplit_zero_variance"),
        healthy=Band(high=0.50),
        tolerable=Band(high=0.75),
        high="Most groups have equal rewards, and the log does not say why.",
        meaning="All failed, all passed, tied and collapsed groups look the same here and ask for different things.",
        actions=(Action(text="Find out which kind they are: log `groups`, or read the completions", priority=1),),
        source="the seed's trajectory begins at 0.50",
        explained_by=("truncation", "exploding-gradient", "diverged"),
        follow_up=FollowUp(metric="zero_variance", band=Band(high=0.10, strict=True), within=100, source="seed"),
    ),
    Rule(
        name="passes-lost",
        title="The pass rate has fallen",
        measure=_shift("pass_rate"),
        healthy=Band(low=-4.0),
        tolerable=Band(low=-6.0),
        low="Fewer samples pass than at the start.",
        meaning="The policy unlearns what it could.",
        actions=(_LAST_CHECKPOINT, _LOWER_RATE),
        source=_JUDGED,
        when=(Condition(measure=_change("pass_rate"), band=Band(high=-0.02)),),
        explained_by=(
            "reward-hacking",
            "mode-collapse",
            "one-value",
            "repetition",
            "truncation",
            "all-failed",
            "gibberish",
            "exploding-gradient",
            "diverged",
        ),
    ),
    Rule(
        name="reward-fell",
        title="The reward has fallen",
        measure=_shift("reward"),
        healthy=Band(low=-4.0),
        tolerable=Band(low=-8.0),
        low="The mean reward is below that of the start.",
        meaning="The policy gets worse at what is paid.",
        actions=(_LAST_CHECKPOINT, _LOWER_RATE),
        source=_JUDGED,
        when=(Condition(measure=_change("reward"), band=Band(high=-0.02)),),
        explained_by=(
            "mode-collapse",
            "one-value",
            "repetition",
            "truncation",
            "all-failed",
            "gibberish",
            "exploding-gradient",
            "diverged",
            "passes-lost",
        ),
    ),
    Rule(
        name="low-reward",
        title="Low reward",
        measure=_mean("reward"),
        healthy=Band(low=0.05),
        tolerable=Band(low=0.01),
        low="Hardly anything is paid.",
        meaning="Under `staged`, 0.05 is code that parses and names something withheld.",
        actions=(_WARM_START, _STAGED),
        source="the lower end of the seed's trajectory",
        explained_by=(
            "mode-collapse",
            "repetition",
            "truncation",
            "all-failed",
            "gibberish",
            "exploding-gradient",
            "diverged",
        ),
    ),
    Rule(
        name="flat-reward",
        title="The reward does not move",
        measure=Measure(metric="reward", summary=Summary.AT_MOST, window=50, least=10),
        healthy=Band(low=0.02),
        low="More than half of the run is done, and the reward is what it was at the start.",
        meaning="Nothing is learned: too small a learning rate, or too few groups that teach.",
        actions=(Action(text="Raise the learning rate", setting="learning_rate", factor=1.6, high=1e-3, priority=2),),
        source="seed, stop criteria: reward trend flat or decreasing",
        after=0.5,
        when=(Condition(measure=_shift("pass_rate", window=50), band=Band(high=1.0)),),
        explained_by=(
            "mode-collapse",
            "one-value",
            "repetition",
            "truncation",
            "all-failed",
            "all-passed",
            "tied",
            "tied-groups",
            "gibberish",
            "exploding-gradient",
            "diverged",
            "reward-fell",
        ),
    ),
    Rule(
        name="kl",
        title="Far from the reference policy",
        measure=_median("kl"),
        healthy=Band(high=1.0),
        tolerable=Band(high=10.0),
        high="The policy has moved far from the one it started as.",
        meaning="What the reference could may be lost.",
        actions=(Action(text="Raise the weight of the KL term", setting="beta", factor=2.0, high=0.2),),
        source=_JUDGED,
        explained_by=("exploding-gradient", "diverged"),
    ),
    Rule(
        name="variation",
        title="Coefficient of variation",
        measure=_mean("variation"),
        healthy=Band(),
        source="seed, appendix: < 0.30; a sparse reward that is learned well is far above",
        informational=True,
    ),
    Rule(
        name="zero-variance",
        title="Groups without variance",
        measure=_mean("zero_variance"),
        healthy=Band(),
        source="seed: < 0.10; judged by kind above",
        informational=True,
    ),
    Rule(
        name="learning-rate",
        title="Learning rate",
        measure=Measure(metric="learning_rate", summary=Summary.LAST, least=1),
        healthy=Band(),
        source="described, not judged",
        informational=True,
    ),
    Rule(
        name="verify-share",
        title="Time in the verifier",
        measure=_median("verify_share"),
        healthy=Band(),
        source="slow rewards that block the trainer are what users complain of most",
        informational=True,
    ),
)

_RISING = Criterion(
    text="the reward has risen since the start", measure=_shift("reward"), band=Band(low=2.0), excuses=True
)
_PASSING = Criterion(
    text="more samples pass than at the start", measure=_shift("pass_rate"), band=Band(low=2.0), excuses=True
)
_SOME_PASS = Criterion(text="some samples pass", measure=_mean("pass_rate"), band=Band(low=0.0, strict=True))
_TEACHING = Criterion(text="most groups teach something", measure=_mean("zero_variance"), band=Band(high=0.5))
_CODE = Criterion(text="most completions parse", measure=_mean("no_code_or_syntax"), band=Band(high=0.5))

DEFAULT = Profile(
    name="default",
    title="the seed's rules, corrected",
    clock=Clock.PROGRESS,
    rules=_RULES,
    vital=(_mean("reward"), _mean("zero_variance"), _mean("pass_rate")),
    checkpoints=(
        Checkpoint(at=0.5, criteria=(_TEACHING, _SOME_PASS, _RISING, _CODE)),
        Checkpoint(at=1.0, criteria=(_PASSING, _RISING, _TEACHING)),
    ),
    stop_rules=(
        StopRule(
            name="diverged",
            text="the loss is nan or infinite, step after step",
            measure=Measure(metric="loss", summary=Summary.NOT_FINITE, window=5, least=5),
            tolerable=Band(high=0.5),
            at=0.0,
            source=_JUDGED,
            absolute=True,
        ),
        StopRule(
            name="faults",
            text="most samples cannot be scored",
            measure=_mean("faults"),
            tolerable=Band(high=0.5),
            at=0.0,
            source=_JUDGED,
            absolute=True,
        ),
        StopRule(
            name="gradient",
            text="the gradient's norm is a hundred times that of the start",
            measure=_ratio("grad_norm", window=10),
            tolerable=Band(high=100.0),
            at=0.0,
            when=(
                Condition(
                    measure=Measure(metric="grad_norm", summary=Summary.MEDIAN, window=10),
                    band=Band(low=10.0),
                ),
            ),
            source=_JUDGED,
            absolute=True,
        ),
        StopRule(
            name="all-failed",
            text="in nine groups of ten every sample fails",
            measure=_mean("all_failed", window=50, least=20),
            tolerable=Band(high=0.9),
            at=0.3,
            source=_JUDGED,
        ),
        StopRule(
            name="no-passes",
            text="no sample has passed for 50 logging steps",
            measure=_mean("pass_rate", window=50, least=20),
            tolerable=Band(low=0.0, strict=True),
            at=0.5,
            source="seed, stop criteria: no test passes observed",
        ),
        StopRule(
            name="passes-lost",
            text="the pass rate is far below that of the start",
            measure=_shift("pass_rate", window=50),
            tolerable=Band(low=-8.0),
            at=0.3,
            source=_JUDGED,
            absolute=True,
        ),
        StopRule(
            name="gibberish",
            text="nine completions of ten have no code, or code that does not parse",
            measure=_mean("no_code_or_syntax", window=50, least=20),
            tolerable=Band(high=0.9),
            at=0.5,
            source="seed, stop criteria: completions are gibberish",
        ),
    ),
    green_lights=(_RISING, _PASSING, _SOME_PASS, _TEACHING, _CODE),
    stops_despite_green=False,
    trajectory=(
        Phase(begins=0.0, ends=0.3, low=0.05, high=0.15, learns="form: code that parses"),
        Phase(begins=0.3, ends=0.6, low=0.15, high=0.35, learns="types, some compilations"),
        Phase(begins=0.6, ends=1.0, low=0.35, high=0.55, learns="the problems' own logic"),
    ),
    contingency=(
        "a start that solves some of it: SFT on solutions, or a larger model",
        "easier problems, or fewer topics at a time",
        "the completions themselves: the report shows groups side by side with what the compiler said",
    ),
)
"""The profile ``default``."""
