"""Lazy steps on a sequence that may have no end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, cycle, islice, tee
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, some_ints
from ocaml_env.problems.generators.streams import PRELUDE, patient
from ocaml_env.problems.generators.values import atom, integer, listing
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_INTS = listing(integer)


class _Source(NamedTuple):
    """A sequence that a test gives."""

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
    steps = [kind(chance) for kind in chance.sample(_STEPS, (2, 2, 3, 4, 5)[level - 1])]
    taken = 7

    def run(used: Sequence[Op], values: Iterable[int]) -> list[int]:
        stream: Iterable[int] = patient(values)
        for step in used:
            stream = step.run(stream)
        return [*islice(stream, taken)]

    starts = [[*islice(_source(chance).values, 40)] for _ in range(6)]
    whole = [run(steps, values) for values in starts]
    for i in range(len(steps)):
        if all(run([*steps[:i], *steps[i + 1 :]], v) == w for v, w in zip(starts, whole, strict=True)):
            raise Unfit

    def cases() -> Iterator[Case]:
        for source in inputs(lambda: _source(chance), [_Source("(of_list [])", []), _Source("(of_list [5])", [5])]):
            values, given = tee(source.values)
            try:
                answer = run(steps, values)
            except Unfit:
                continue
            same = answer == [*islice(given, taken)]
            yield Case(f"take {taken} ({name} {source.ocaml})", _INTS(answer), _INTS(answer), same)

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
        cases=cases(),
    )


def _s_map(chance: Chance) -> Op:
    op = int_map(chance)
    return Op(
        f"replace every element `x` by {op.say()}",
        f"Seq.map (fun x -> {op.code()})",
        lambda s: (op.run(x) for x in s),
        op.helpers,
    )


def _s_filter(chance: Chance) -> Op:
    test = int_test(chance)
    return Op(
        f"keep only the elements `x` for which {test.say()}",
        f"Seq.filter (fun x -> {test.code()})",
        lambda s: (x for x in s if test.run(x)),
        test.helpers,
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
    helper = """\
let rec drop k s () =
  if k = 0 then s ()
  else match s () with Seq.Nil -> Seq.Nil | Seq.Cons (_, rest) -> drop (k - 1) rest ()"""
    noun = "element" if k == 1 else f"{k} elements"
    return Op(
        f"leave out the first {noun} (whatever is there if there are fewer)",
        f"drop {k}",
        lambda s: islice(s, k, None),
        (helper,),
    )


def _s_while(chance: Chance) -> Op:
    test = int_test(chance)
    helper = """\
let rec while_true p s () =
  match s () with
  | Seq.Cons (x, rest) when p x -> Seq.Cons (x, while_true p rest)
  | _ -> Seq.Nil"""

    def run(s: Iterable[int]) -> Iterator[int]:
        for x in s:
            if not test.run(x):
                return
            yield x

    return Op(
        f"end the sequence before the first element `x` for which it is not true that {test.say()}, if there is one",
        f"while_true (fun x -> {test.code()})",
        run,
        (*test.helpers, helper),
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

    def run(s: Iterable[int]) -> Iterator[int]:
        state = start
        for y in s:
            state = op.run(state, y)
            yield state

    return Op(
        f"keep a number `x`, at first {start}, and replace every element `y` in turn by the new `x`, which is "
        f"{op.say()}",
        f"scan (fun x y -> {op.code()}) {start}",
        run,
        (*op.helpers, helper),
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

    def run(s: Iterable[int]) -> Iterator[int]:
        before: int | None = None
        for y in s:
            if before is not None:
                yield op.run(before, y)
            before = y

    return Op(
        f"replace the sequence by what each two neighbours `x` and, directly after it, `y` make: {op.say()} (nothing "
        "is left of a sequence with fewer than two elements)",
        f"neighbours (fun x y -> {op.code()})",
        run,
        (*op.helpers, helper),
    )


def _s_every(chance: Chance) -> Op:
    k = chance.between(2, 3)
    r = chance.below(k)
    helper = """\
let rec every k r i s () =
  match s () with
  | Seq.Nil -> Seq.Nil
  | Seq.Cons (x, rest) ->
    if i mod k = r then Seq.Cons (x, every k r (i + 1) rest) else every k r (i + 1) rest ()"""
    return Op(
        f"keep only the elements at positions {r}, {r + k}, {r + 2 * k} and so on, counted from 0",
        f"every {k} {r} 0",
        lambda s: islice(s, r, None, k),
        (helper,),
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
    make=_pipeline,
)
