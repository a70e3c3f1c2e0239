"""The corrected rules: they judge the seed's own run rightly.

Differences from ``seed``, with their reasons:

- Windows of 20 logging steps instead of single lines: with four groups a step, frac_zero_std comes in quarters, and one
  line proves nothing. In a log of less than 40 steps the window is its later half. Changes since the start have to
  exceed their standard error several times, by Student's distribution: six steps show only a large change.
- A rule is unknown if the log lacks its numbers. A rising reward in a log without pass rates raises no suspicion.
- Groups of zero variance are split by kind. All failed: the problems are too hard or the start too cold, and no
  temperature helps (the seed's run tried). All passed: too easy; that is told, but is no alarm. Tied in the middle: the
  reward is too coarse. One text: collapse, the only kind that calls for a higher temperature.
- Entropy is compared with the run's own start. Absolute ranges mean nothing across models, and a higher temperature
  raises entropy mechanically.
- The reward is compared with the run's own start too. A band of expected rewards, the same for every model, reward and
  set of problems, calls a run that learned nothing "within the band".
- The second half of the log tells a plateau from a reward that still rises. A plateau at a high level is no finding.
- A finished run is not told to continue. The verdict says so if no rise can be shown.
- Gradients have medians, and spikes: every median hides a single norm of 5.5e7.
- Giving up is watched: answers that do no better than a constant, if they are many, or more and more and passes do not
  rise.
- The learning rate is described by its course. A decay is never called warm-up. Advice starts from the log's own rate.
- The coefficient of variation is informational: with a sparse reward it is high even in a healthy run.
- Many samples at exactly one reward are a sign of hacking: 84% of the seed's completions sat at 0.048, the constant pay
  for a marker spammed until the token limit.
- The judged reward is that under the final spec, if the log has it; the pass rate is watched separately.
- "Gibberish" is two numbers: the share of NO_CODE and SYNTAX_ERROR, and the compression ratio.
- Moments are shares of the run, not epochs: "epoch 0.5" differs in meaning between a run of twenty epochs over few
  problems and one of a tenth of an epoch.
- A red flag does not stop a run if a rise outweighs it; divergence always stops it.

Thresholds without another source are judgement. Simulated runs check them (``tests/agents/health``): in runs of 8 to
200 steps each planted pathology is named, and healthy runs raise no alarm at any step. Neither do kept logs of real
runs.

Long, because it is data: a rule, its reason and its actions at a time.
"""

from __future__ import annotations

from agents.health.measure import SHOWN, Band, Measure, Side, Summary
from agents.health.profile import Checkpoint, Clock, Criterion, Profile, StopRule
from agents.health.rule import Action, Condition, FollowUp, Rule

__all__ = ["DEFAULT"]

_JUDGED = "judgement, checked by simulation"
_SEED_RUN = "the seed's run, by its authors' later reports"

_ZERO = Band(high=0.0)
_RUINED = ("exploding-gradient", "diverged")
_WORSE = (
    *("giving-up", "giving-up-rises", "reward-hacking", "mode-collapse", "one-value", "repetition", "truncation"),
    *("all-failed", "gibberish", *_RUINED),
)
"""Findings that explain a lower reward, or fewer passes; each does so alone."""
_SHOWN = Band(low=SHOWN)


_LEAST = 3
"""Least steps on each side of a comparison with the start, six in all. ``SHIFT`` corrects for the small number."""


def _mean(metric: str, *, window: int = 20, least: int = 5) -> Measure:
    return Measure(metric=metric, window=window, least=least, late=True)


def _median(metric: str) -> Measure:
    return Measure(metric=metric, summary=Summary.MEDIAN, late=True)


def _ratio(metric: str, *, window: int = 20) -> Measure:
    return Measure(metric=metric, summary=Summary.RATIO, window=window, least=_LEAST)


def _shift(metric: str, *, window: int = 30) -> Measure:
    return Measure(metric=metric, summary=Summary.SHIFT, window=window, least=_LEAST)


def _change(metric: str) -> Measure:
    return Measure(metric=metric, summary=Summary.CHANGE, window=30, least=_LEAST)


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
_BEFORE_IT_ROSE = Action(
    text="Go on from the last checkpoint before the share rose",
    why="A policy that only gives up samples nothing else to learn from.",
    priority=1,
)
_PAY_PASSES = Action(
    text="Pay for passing",
    why="A dense reward was seen to rise at the cost of passes.",
    setting="reward",
    to="pass-dominant",
    priority=2,
)
_READ = Action(
    text="Read the completions at that reward in the report", why="A number cannot tell why it pays.", priority=1
)

_RAISE_RATE = Action(
    text="Raise the learning rate",
    setting="learning_rate",
    factor=1.6,
    high=1e-3,
    priority=2,
)
_LEARNS_NOTHING = (
    *("mode-collapse", "giving-up", "one-value", "repetition", "truncation", "all-failed", "all-passed", "tied"),
    *("tied-groups", "gibberish", *_RUINED),
)
"""Findings that explain a reward without a rise; each does so alone."""

_WHOLE = 1_000_000
"""A window of all steps after the start."""

_LARGEST = Measure(metric="grad_norm", summary=Summary.GREATEST, least=3)
_PASSES_RISE = Condition(measure=_shift("pass_rate"), band=_SHOWN)
_PAID = Condition(measure=_mean("reward"), band=Band(low=0.8))
_SOLVED = (Condition(measure=_mean("pass_rate"), band=Band(low=0.7)), _PAID)
"""Conditions that leave little room for a rise."""

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
        name="gradient-spike",
        title="Gradient spike",
        measure=Measure(metric="grad_norm", summary=Summary.PEAK, least=3),
        healthy=Band(high=200.0),
        tolerable=Band(high=1e5),
        high="At one step or a few the gradient's norm was many times its usual one.",
        meaning="A median does not see it. Clipping bounds that step, not its direction.",
        actions=(
            Action(
                text="Look at the completions and the loss of that step, and at the precision of the computation",
                priority=1,
            ),
            _CLIP,
        ),
        source=f"{_JUDGED}; below a norm of 10, ten times TRL's default max_grad_norm, a spike is clipped to little",
        when=(Condition(measure=_LARGEST, band=Band(low=10.0)),),
        explained_by=_RUINED,
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
        explained_by=("exploding-gradient", "gradient-spike"),
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
        explained_by=("repetition", *_RUINED),
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
        explained_by=("mode-collapse", *_RUINED),
    ),
    Rule(
        name="reward-hacking",
        title="Reward rises while the pass rate falls",
        measure=_shift("reward"),
        healthy=Band(high=4.0),
        tolerable=Band(high=6.0),
        high="The reward has risen, and fewer samples pass: something pays that is no solution.",
        meaning="The policy optimises what is paid, not what is meant.",
        actions=(_READ, _PAY_PASSES),
        source="a run with dense reward and lr 1e-3, whose reward rose while its pass rate fell",
        when=(
            Condition(measure=_change("reward"), band=Band(low=0.03)),
            Condition(measure=_shift("pass_rate"), band=Band(high=-3.0)),
        ),
        explained_by=("repetition",),
    ),
    Rule(
        name="giving-up",
        title="Answers that have given up",
        measure=_mean("degenerate"),
        healthy=Band(high=0.50),
        tolerable=Band(high=0.70),
        high="Most answers run and do no better than a constant, or another answer that ignores the problem.",
        meaning="Giving up is safe and paid a little. Who only gives up never finds what is paid more.",
        actions=(_READ, _BEFORE_IT_ROSE, _PAY_PASSES),
        source="15 runs that learned ended at 15 to 38% (docs/reward-evidence.md), and the bundled demo at 12 to 20%",
        explained_by=("mode-collapse", "repetition", *_RUINED),
        follow_up=FollowUp(metric="degenerate", band=Band(high=0.50), within=100),
    ),
    Rule(
        name="giving-up-rises",
        title="More and more answers give up",
        measure=_shift("degenerate"),
        healthy=Band(high=4.0),
        high="The share of answers that do no better than one that ignores the problem rises, and passes do not.",
        meaning="It rises while answers learn to run. If passes do not follow, the policy learns to give up.",
        actions=(_READ, _BEFORE_IT_ROSE, _PAY_PASSES),
        source=f"{_JUDGED}; in runs that learn it rises by .1 to .2 as answers cease to be syntax errors",
        when=(Condition(measure=_change("degenerate"), band=Band(low=0.15)),),
        unless=(_PASSES_RISE,),
        explained_by=("giving-up", "mode-collapse", "repetition", *_RUINED),
        follow_up=FollowUp(metric="degenerate", band=Band(high=0.50), within=100),
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
        explained_by=(
            "giving-up",
            "giving-up-rises",
            "reward-hacking",
            "repetition",
            "mode-collapse",
            "all-failed",
            *_RUINED,
        ),
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
        when=(Condition(measure=_mean("unusable"), band=Band(low=0.30)),),
        explained_by=_RUINED,
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
        explained_by=("repetition", *_RUINED),
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
        explained_by=("repetition", "truncation", "mode-collapse", "all-failed", *_RUINED),
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
        explained_by=("repetition", "truncation", "giving-up", *_RUINED),
        follow_up=FollowUp(metric="all_failed", band=Band(high=0.45), within=100),
    ),
    Rule(
        name="all-passed",
        title="Groups in which every sample passes",
        measure=_mean("all_passed"),
        healthy=Band(high=0.55),
        high="Most groups are solved by every sample: the problems are too easy by now.",
        meaning="Nothing is left to learn from them.",
        notice=True,
        actions=(
            _FILTER,
            Action(text="Harder problems", setting="problems", to="generated:all?split=train&level=4&seed=1&n=1000"),
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
        explained_by=(
            "giving-up",
            "giving-up-rises",
            "one-value",
            "reward-hacking",
            "repetition",
            "truncation",
            *_RUINED,
        ),
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
        unless=(_PAID,),
        explained_by=("truncation", "giving-up", *_RUINED),
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
        explained_by=_WORSE,
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
        explained_by=(*_WORSE, "passes-lost"),
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
        explained_by=_WORSE,
    ),
    Rule(
        name="flat-reward",
        title="The reward does not move",
        measure=Measure(metric="reward", summary=Summary.AT_MOST, window=_WHOLE, least=10),
        healthy=Band(low=0.05),
        low="More than two thirds of the run are done, and the reward is about what it was at the start.",
        meaning="Nothing is learned: too small a learning rate, or too few groups that teach.",
        actions=(_RAISE_RATE,),
        source="seed, stop criteria: reward trend flat or decreasing; 0.05 is one part in twenty of a full reward",
        after=0.7,
        unless=(_PASSES_RISE, *_SOLVED),
        explained_by=(*_LEARNS_NOTHING, "reward-fell"),
    ),
    Rule(
        name="plateau",
        title="The reward has stopped rising",
        measure=Measure(metric="reward", summary=Summary.LATE_SHARE, least=25),
        healthy=Band(low=0.25),
        low="The reward rose, and stands still in the second half of the log, with most problems still unsolved.",
        meaning="More steps of the same kind will not help: what could be learned from these groups has been.",
        actions=(
            _MORE_GENERATIONS,
            _FILTER,
            Action(text="Other problems: those that are solved at times, by a curriculum", priority=2),
        ),
        source=f"{_JUDGED}; of a steady rise it is 70%, of one that has come to its end by the half none",
        after=0.5,
        when=(Condition(measure=_shift("reward", window=_WHOLE), band=Band(low=3.0)),),
        unless=_SOLVED,
        explained_by=(*_LEARNS_NOTHING, "reward-fell", "passes-lost", "reward-hacking", "giving-up-rises"),
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
        explained_by=_RUINED,
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

_RISING = Criterion(text="the reward has risen since the start", measure=_shift("reward"), band=_SHOWN, excuses=True)
_PASSING = Criterion(text="more samples pass than at the start", measure=_shift("pass_rate"), band=_SHOWN, excuses=True)
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
    contingency=(
        "a start that solves some of it: SFT on solutions, or a larger model",
        "easier problems, or fewer topics at a time",
        "the completions themselves: the report shows groups side by side with what the compiler said",
    ),
)
"""The profile ``default``."""
