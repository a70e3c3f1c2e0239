"""The metrics of a logging step: each with its definition and the function that reads it from a record.

A metric absent from a record is None: unknown, never healthy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agents.health.records import GroupKind, Record, bounded

__all__ = ["METRICS", "Metric"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One number of a logging step.

    Attributes:
        name: its name in rules.
        title: its name for people.
        definition: the exact quantity and its unit.
        of: reads it from a record; None if it was not measured.
        form: format of its values.
    """

    name: str
    title: str
    definition: str
    of: Callable[[Record], float | None]
    form: str = "{:.3f}"

    def show(self, value: float | None) -> str:
        """Formats a value for people; "-" if it is unknown."""
        return "-" if value is None else self.form.format(value)


def _number(*names: str) -> Callable[[Record], float | None]:
    """Reads the first number present under these names."""

    def of(record: Record) -> float | None:
        return next((record.numbers[name] for name in names if name in record.numbers), None)

    return of


def _kind(kind: GroupKind) -> Callable[[Record], float | None]:
    def of(record: Record) -> float | None:
        groups = sum(record.groups.values())
        return record.groups.get(kind, 0) / groups if groups else None

    return of


def _zero_variance(record: Record) -> float | None:
    groups = sum(record.groups.values())
    if groups:
        return 1 - record.groups.get(GroupKind.VARIED, 0) / groups
    return record.numbers.get("frac_reward_zero_std")


def _unexplained_ties(record: Record) -> float | None:
    """The share of tied groups; None if the record has the more precise counts by kind."""
    return None if record.groups else record.numbers.get("frac_reward_zero_std")


def _variation(record: Record) -> float | None:
    mean, deviation = record.numbers.get("reward"), record.numbers.get("reward_std")
    if mean is None or deviation is None:
        return None
    return bounded(deviation / abs(mean)) if mean else float("inf") if deviation else 0.0


def _pass_rate(record: Record) -> float | None:
    samples = sum(record.outcomes.values())
    given = record.numbers.get("pass_rate")
    return given if given is not None else record.outcomes.get("PASSED", 0) / samples if samples else None


def _no_code_or_syntax(record: Record) -> float | None:
    samples = sum(record.outcomes.values())
    given = record.numbers.get("no_code_or_syntax")
    if given is not None or not samples:
        return given
    return (record.outcomes.get("NO_CODE", 0) + record.outcomes.get("SYNTAX_ERROR", 0)) / samples


def _unusable(record: Record) -> float | None:
    known = [share for share in (_truncated(record), _no_code_or_syntax(record)) if share is not None]
    return max(known, default=None)


_truncated = _number("truncated", "completions/clipped_ratio")


def _one_value(record: Record) -> float | None:
    share, value = record.numbers.get("top_reward_share"), record.numbers.get("top_reward")
    if share is None:
        return None
    passed = _pass_rate(record)
    if value is not None and value >= 0.999:  # the reward of a pass: only samples beyond the passes are suspicious
        return None if passed is None else max(0.0, share - passed)
    return share


def _faults(record: Record) -> float | None:
    faults = record.numbers.get("faults")
    samples = sum(record.outcomes.values())
    return None if faults is None or not faults + samples else faults / (faults + samples)


def _share_of_step(record: Record) -> float | None:
    verify, step = record.numbers.get("seconds/verify"), record.numbers.get("seconds/step")
    return bounded(verify / step) if verify is not None and step else None


_SHARE = "{:.0%}"

METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            name="loss",
            title="Loss",
            definition="loss of the policy gradient; it oscillates around 0 and says little but that it is finite",
            of=_number("loss"),
            form="{:.4f}",
        ),
        Metric(
            name="grad_norm",
            title="Gradient norm",
            definition="norm of the gradient before it is clipped",
            of=_number("grad_norm"),
            form="{:.4g}",
        ),
        Metric(
            name="learning_rate",
            title="Learning rate",
            definition="of the optimiser at this step",
            of=_number("learning_rate"),
            form="{:.2e}",
        ),
        Metric(
            name="reward",
            title="Reward (mean)",
            definition="mean total of the samples; under the final reward spec where the log has that",
            of=_number("final_reward", "reward"),
        ),
        Metric(
            name="variation",
            title="Reward (std / mean)",
            definition="coefficient of variation: deviation of the rewards of the batch over their mean",
            of=_variation,
            form="{:.2f}",
        ),
        Metric(
            name="entropy",
            title="Entropy",
            definition="mean entropy of the next-token distribution, in nats, at the sampling temperature",
            of=_number("entropy"),
        ),
        Metric(
            name="zero_variance",
            title="frac_zero_std",
            definition="share of groups whose rewards are all equal, which have no advantage and teach nothing",
            of=_zero_variance,
            form="{:.2f}",
        ),
        Metric(
            name="unsplit_zero_variance",
            title="Tied groups, kind unknown",
            definition="share of groups whose rewards are all equal, where the log does not say of which kind they are",
            of=_unexplained_ties,
            form="{:.2f}",
        ),
        Metric(
            name="all_failed",
            title="Groups all failed",
            definition="share of groups with equal rewards of which no sample got anywhere",
            of=_kind(GroupKind.ALL_FAILED),
            form=_SHARE,
        ),
        Metric(
            name="all_passed",
            title="Groups all passed",
            definition="share of groups of which every sample passed",
            of=_kind(GroupKind.ALL_PASSED),
            form=_SHARE,
        ),
        Metric(
            name="tied",
            title="Groups tied in the middle",
            definition="share of groups with equal rewards, different texts, neither all passed nor all failed",
            of=_kind(GroupKind.TIED),
            form=_SHARE,
        ),
        Metric(
            name="identical",
            title="Groups of one text",
            definition="share of groups whose completions are the same text",
            of=_kind(GroupKind.IDENTICAL),
            form=_SHARE,
        ),
        Metric(
            name="pass_rate",
            title="Pass rate",
            definition="share of samples that passed every test",
            of=_pass_rate,
            form="{:.1%}",
        ),
        Metric(
            name="no_code_or_syntax",
            title="Gibberish",
            definition="share of samples that are NO_CODE or SYNTAX_ERROR",
            of=_no_code_or_syntax,
            form=_SHARE,
        ),
        Metric(
            name="compression_ratio",
            title="Compression ratio",
            definition="bytes of completions over those of zlib, each by itself: 1 to 3 for code, 10 up for loops",
            of=_number("compression_ratio"),
            form="{:.1f}",
        ),
        Metric(
            name="unusable",
            title="Truncated or without code",
            definition="the larger of the share that was truncated and the share of NO_CODE and SYNTAX_ERROR",
            of=_unusable,
            form=_SHARE,
        ),
        Metric(
            name="truncated",
            title="Truncated",
            definition="share of completions that used up their tokens",
            of=_truncated,
            form=_SHARE,
        ),
        Metric(
            name="one_value",
            title="Samples at one reward",
            definition="share of samples at exactly the commonest reward above 0; full rewards of passes do not count",
            of=_one_value,
            form=_SHARE,
        ),
        Metric(
            name="kl",
            title="KL",
            definition="estimated divergence from the reference policy, in nats a token; logged where beta is above 0",
            of=_number("kl"),
            form="{:.3g}",
        ),
        Metric(
            name="faults",
            title="Faults of ours",
            definition="share of samples that could not be scored, by an infrastructure error",
            of=_faults,
            form="{:.1%}",
        ),
        Metric(
            name="degenerate",
            title="Degenerate answers",
            definition="share of answers that ran and do no better, in any group of tests, than one that has given up",
            of=_number("degenerate"),
            form=_SHARE,
        ),
        Metric(
            name="compiler_raised",
            title="OCaml's compiler failed",
            definition="completions on which OCaml's own compiler fails, which is a type error of one item",
            of=_number("compiler_raised"),
            form="{:.0f}",
        ),
        Metric(
            name="verify_share",
            title="Time in the verifier",
            definition="seconds of verification over seconds of the step",
            of=_share_of_step,
            form=_SHARE,
        ),
    )
}
"""Every metric, by name."""
