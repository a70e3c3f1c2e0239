"""Lazy steps on a sequence, which may be endless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, count, cycle, islice, pairwise, takewhile, tee
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, some_ints
from ocaml_env.problems.generators.small.sequences_pipeline import TASKS
from ocaml_env.problems.generators.streams import PATIENCE, PRELUDE, patient
from ocaml_env.problems.generators.values import atom, integer, listing
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_INTS = listing(integer)
_TAKEN = 7  # elements read by a test

_DROP = """\
let rec drop k s () =
  if k = 0 then s ()
  else match s () with Seq.Nil -> Seq.Nil | Seq.Cons (_, rest) -> drop (k - 1) rest ()"""


_FINITE: tuple[list[int], ...] = (
    [],
    [5],
    [0],
    [-4],
    [7, 7],
    [1, 2],
    [2, 1],
    [3, 3, 3, 3, 3],
    [*range(12)],
    [*range(9, -9, -2)],
)


class _Source(NamedTuple):
    """A sequence given by a test."""

    ocaml: str
    values: Iterable[int]


def _source(chance: Chance) -> _Source:
    kind = chance.below(3)
    if kind == 0:
        start = chance.between(-6, 9)
        return _Source(f"(from {atom(str(start))})", count(start))
    values = some_ints(chance, 7)
    if kind == 1:
        return _Source(f"(around {_INTS(values)})", cycle(values))
    return _Source(f"(of_list {_INTS(values)})", values)


def _pipeline(chance: Chance, level: int) -> Draft:
    name = chance.pick(("stream", "filter_stream", "flow", "course", "feed"))
    steps = _steps(chance, {1: 2, 3: 3, 5: 5}[level])
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} s` makes another sequence of integers of the sequence `s`, in these steps; each works on the "
            "result of the one before it. `s` may be finite, empty, or without end, so the result has to be lazy: its "
            "elements are computed when they are asked for. The sequence has no side effects.",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            "In the tests `take n s` is the list of the first `n` elements of a sequence (of all if there are fewer), "
            "`from n` is the sequence `n`, `n + 1`, and so on without end, `around l` repeats the list `l` without "
            "end, and `of_list l` has the elements of `l`.",
        ),
        signature=f"val {name} : int Seq.t -> int Seq.t",
        reference=module(
            [h for step in steps for h in step.helpers],
            f"let {name} s =\n  s\n" + "\n".join(f"  |> {step.ocaml}" for step in steps),
        ),
        prelude=PRELUDE,
        cases=_cases(chance, name, steps),
    )


def _steps(chance: Chance, count: int) -> list[Op]:
    """Steps. Leaving out any part of them makes a difference for some sequence."""
    sources = [[], *([*islice(_source(chance).values, PATIENCE + 2)] for _ in range(12))]
    steps: list[Op] = []
    for kind in chance.shuffled(_STEPS):
        if len(steps) == count:
            return steps
        step = kind(chance)
        if _every_part_matters([*steps, step], sources):
            steps.append(step)
    raise Unfit


def _every_part_matters(steps: Sequence[Op], sources: Sequence[Sequence[int]]) -> bool:
    whole = [_taken(steps, source) for source in sources]
    if whole.count(None) * 3 > len(whole):
        return False
    for i, step in enumerate(steps):
        faulty = [[], *([step._replace(run=fault)] for fault in step.faults)]
        for instead in faulty:
            changed = [*steps[:i], *instead, *steps[i + 1 :]]
            if all(made in (None, _taken(changed, source)) for source, made in zip(sources, whole, strict=True)):
                return False
    return True


def _taken(steps: Sequence[Op], source: Iterable[int]) -> list[int] | None:
    """The first elements of the result; None if the steps read too many for that."""
    stream: Iterable[int] = patient(source)
    for step in steps:
        stream = step.run(stream)
    try:
        return [*islice(stream, _TAKEN)]
    except Unfit:
        return None


def _cases(chance: Chance, name: str, steps: Sequence[Op]) -> Iterator[Case]:
    for source in inputs(lambda: _source(chance), [_Source(f"(of_list {_INTS(v)})", v) for v in _FINITE]):
        values, given = tee(source.values)
        answer = _taken(steps, values)
        if answer is not None:
            same = answer == [*islice(given, _TAKEN)]
            yield Case(f"take {_TAKEN} ({name} {source.ocaml})", _INTS(answer), _INTS(answer), same)


# --- steps ------------------------------------------------------------------------------------------------------------


def _each(faults: Iterable[Callable[..., Any]], run: Callable[..., Iterable[int]]) -> tuple[Callable[..., Any], ...]:
    """Faulty steps: ``run`` with each faulty operation."""
    return tuple(lambda s, fault=fault: run(s, fault) for fault in faults)


def _s_map(chance: Chance) -> Op:
    op = int_map(chance)
    return Op(
        f"replace every element `x` by {op.say()}",
        f"Seq.map (fun x -> {op.code()})",
        lambda s: (op.run(x) for x in s),
        op.helpers,
        _each(op.faults, lambda s, fault: (fault(x) for x in s)),
    )


def _s_filter(chance: Chance) -> Op:
    test = int_test(chance)
    return Op(
        f"keep only the elements `x` for which {test.say()}",
        f"Seq.filter (fun x -> {test.code()})",
        lambda s: (x for x in s if test.run(x)),
        test.helpers,
        _each(test.faults, lambda s, fault: (x for x in s if fault(x))),
    )


def _s_take(chance: Chance) -> Op:
    k = chance.between(4, 8)
    helper = """\
let rec first k s () =
  if k = 0 then Seq.Nil
  else match s () with Seq.Nil -> Seq.Nil | Seq.Cons (x, rest) -> Seq.Cons (x, first (k - 1) rest)"""
    return Op(f"end the sequence after {k} elements, if it has more", f"first {k}", lambda s: islice(s, k), (helper,))


def _s_drop(chance: Chance) -> Op:
    k = chance.between(1, 4)
    noun = "element" if k == 1 else f"{k} elements"
    return Op(
        f"leave out the first {noun} (whatever is there if there are fewer)",
        f"drop {k}",
        lambda s: islice(s, k, None),
        (_DROP,),
    )


def _s_while(chance: Chance) -> Op:
    test = int_test(chance)
    helper = """\
let rec while_true p s () =
  match s () with
  | Seq.Cons (x, rest) when p x -> Seq.Cons (x, while_true p rest)
  | _ -> Seq.Nil"""

    return Op(
        f"end the sequence before the first element `x` for which it is not true that {test.say()}, if there is one",
        f"while_true (fun x -> {test.code()})",
        lambda s: takewhile(test.run, s),
        (*test.helpers, helper),
        _each(test.faults, lambda s, fault: takewhile(fault, s)),
    )


def _s_scan(chance: Chance) -> Op:
    start, op = chance.between(0, 9), int_join(chance)
    helper = """\
let rec scan f state s () =
  match s () with
  | Seq.Nil -> Seq.Nil
  | Seq.Cons (x, rest) ->
    let state = f state x in
    Seq.Cons (state, scan f state rest)"""

    def scan(s: Iterable[int], run: Callable[[int, int], int]) -> Iterator[int]:
        return islice(accumulate(s, run, initial=start), 1, None)

    return Op(
        f"keep a number `x`, at first {start}, and replace every element `y` in turn by the new `x`, which is "
        f"{op.say()}",
        f"scan (fun x y -> {op.code()}) {start}",
        lambda s: scan(s, op.run),
        (*op.helpers, helper),
        _each(op.faults, scan),
    )


def _s_pairs(chance: Chance) -> Op:
    op = int_join(chance)
    helper = """\
let rec neighbours f s () =
  match s () with
  | Seq.Nil -> Seq.Nil
  | Seq.Cons (x, rest) -> (
    match rest () with
    | Seq.Nil -> Seq.Nil
    | Seq.Cons (y, _) -> Seq.Cons (f x y, neighbours f rest))"""

    return Op(
        f"replace the sequence by what each two neighbours `x` and, directly after it, `y` make: {op.say()} (nothing "
        "is left of a sequence with fewer than two elements)",
        f"neighbours (fun x y -> {op.code()})",
        lambda s: (op.run(x, y) for x, y in pairwise(s)),
        (*op.helpers, helper),
        _each(op.faults, lambda s, fault: (fault(x, y) for x, y in pairwise(s))),
    )


def _s_every(chance: Chance) -> Op:
    k = chance.between(2, 3)
    r = chance.below(k)
    helper = """\
let rec every gap s () =
  match s () with
  | Seq.Nil -> Seq.Nil
  | Seq.Cons (x, rest) -> Seq.Cons (x, every gap (drop gap rest))"""
    return Op(
        f"keep only the elements at positions {r}, {r + k}, {r + 2 * k} and so on, counted from 0",
        f"drop {r} |> every {k - 1}" if r else f"every {k - 1}",
        lambda s: islice(s, r, None, k),
        (_DROP, helper),
        (lambda s: islice(s, 0, None, k),) if r else (),
    )


def _s_squeeze(chance: Chance) -> Op:
    helper = """\
let rec squeeze before s () =
  match s () with
  | Seq.Nil -> Seq.Nil
  | Seq.Cons (x, rest) -> if before = Some x then squeeze before rest () else Seq.Cons (x, squeeze (Some x) rest)"""

    def run(s: Iterable[int]) -> Iterator[int]:
        before: int | None = None
        for x in s:
            if x != before:
                yield x
            before = x

    return Op("of equal elements that follow each other directly, keep only one", "squeeze None", run, (helper,))


def _s_repeat(chance: Chance) -> Op:
    test, op = int_test(chance), int_map(chance)
    return Op(
        f"put {op.say()} behind every element `x` for which {test.say()}",
        f"Seq.flat_map (fun x -> if {test.code()} then List.to_seq [ x; {op.code()} ] else Seq.return x)",
        lambda s: (y for x in s for y in ([x, op.run(x)] if test.run(x) else [x])),
        test.helpers + op.helpers,
        (
            *_each(test.faults, lambda s, fault: (y for x in s for y in ([x, op.run(x)] if fault(x) else [x]))),
            *_each(op.faults, lambda s, fault: (y for x in s for y in ([x, fault(x)] if test.run(x) else [x]))),
            lambda s: (y for x in s for y in (x, op.run(x))),
        ),
    )


def _s_between(chance: Chance) -> Op:
    k = chance.between(0, 99)
    return Op(
        f"put {k} in front of every element",
        f"Seq.flat_map (fun x -> List.to_seq [ {k}; x ])",
        lambda s: (y for x in s for y in (k, x)),
    )


_STEPS = (
    _s_map,
    _s_map,
    _s_filter,
    _s_filter,
    _s_take,
    _s_drop,
    _s_while,
    _s_scan,
    _s_pairs,
    _s_every,
    _s_squeeze,
    _s_repeat,
    _s_between,
)


FAMILY = Family(
    name="sequences.pipeline",
    topics=("laziness-seq", "higher-order"),
    description="lazy steps on a sequence that may have no end",
    tasks=TASKS,
    make=_pipeline,
)
