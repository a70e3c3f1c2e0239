"""A list cut into groups by a rule, each group filtered and summarised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, edge_ints, int_test, some_ints
from ocaml_env.problems.generators.small.lists_groups import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Ints = Sequence[int]

_INTS = listing(integer)

_CHUNKS = """\
let chunks k l =
  let add x = function
    | group :: groups when List.length group < k -> (x :: group) :: groups
    | groups -> [ x ] :: groups
  in
  List.rev_map List.rev (List.fold_left (fun groups x -> add x groups) [] l)"""

_WINDOWS = """\
let rec windows k l =
  if List.length l < k then []
  else List.filteri (fun i _ -> i < k) l :: windows k (List.tl l)"""

_JOIN = """\
(* Neighbours are in one group where [together] says so. *)
let rec groups together = function
  | [] -> []
  | [ x ] -> [ [ x ] ]
  | a :: (b :: _ as rest) -> (
    match groups together rest with
    | group :: others when together a b -> (a :: group) :: others
    | others -> [ a ] :: others)"""


@dataclass(frozen=True, slots=True)
class _Survey:
    """The steps on a list; ``order`` and ``last`` may be missing."""

    cut: Op
    keep: Op
    order: Op | None
    summaries: tuple[Op, ...]
    last: Op | None

    def run(self, v: Ints) -> list[tuple[int, ...]]:
        groups: list[Ints] = [group for group in self.cut.run(v) if self.keep.run(group)]
        if self.order:
            groups = [self.order.run(group) for group in groups]
        rows = [tuple([summary.run(group) for summary in self.summaries]) for group in groups]
        return self.last.run(rows) if self.last else rows

    def shown(self, v: Ints) -> str:
        size = len(self.summaries)
        show: Show = pair(*[integer] * size) if size > 1 else lambda row: integer(row[0])
        return listing(show)(self.run(v))


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("summarise", "survey", "condense", "digest", "report_groups"))
    survey = _survey(chance, level)
    row = " * ".join(["int"] * len(survey.summaries))
    return Draft(
        name=name,
        statement=_statement(name, survey),
        signature=f"val {name} : int list -> {f'({row})' if '*' in row else row} list",
        reference=_reference(name, survey),
        cases=_cases(chance, name, survey),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _survey(chance: Chance, level: int) -> _Survey:
    survey = _Survey(
        chance.pick((_cut_chunks, _cut_windows, _cut_runs, _cut_before, _cut_ordered, _cut_near))(chance),
        _keep(chance),
        _order(chance) if level >= 3 else None,
        _summaries(chance, {1: 1, 3: 2, 5: 3}[level]),
        _finish(chance) if level >= 5 else None,
    )
    tried = [[], *(_elements(chance) for _ in range(12))]
    whole = [survey.run(v) for v in tried]
    few = sum(len(rows) < 2 for rows in whole) > len(tried) // 2
    if few or any([faulty.run(v) for v in tried] == whole for faulty in _faulty(survey)):
        raise Unfit
    return survey


def _faulty(survey: _Survey) -> Iterator[_Survey]:
    """The survey with a part left out."""
    yield replace(survey, keep=survey.keep._replace(run=lambda g: True))
    if survey.order:
        yield replace(survey, order=None)
    if survey.last:
        yield replace(survey, last=None)
    for fault in survey.cut.faults:
        yield replace(survey, cut=survey.cut._replace(run=fault))
    for fault in survey.keep.faults:
        yield replace(survey, keep=survey.keep._replace(run=fault))
    for fault in survey.last.faults if survey.last else ():
        yield replace(survey, last=Op("", "", fault))
    for place, summary in enumerate(survey.summaries):
        for fault in summary.faults:
            changed = (*survey.summaries[:place], Op("", "", fault), *survey.summaries[place + 1 :])
            yield replace(survey, summaries=changed)


def _elements(chance: Chance) -> list[int]:
    if chance.happens(0.1):  # one of the numbers is far from the others
        v = some_ints(chance, 8)
        return [*v, chance.between(100, 300), *v[:2]] if chance.happens(0.6) else [v[0], -chance.between(100, 300), *v]
    if chance.happens(0.5):
        return chance.numbers(chance.between(3, 10), -9, 20)
    return some_ints(chance, 10)


def _cases(chance: Chance, name: str, survey: _Survey) -> Iterator[Case]:
    for v in inputs(lambda: _elements(chance), edge_ints(chance)):
        yield case(name, [_INTS(v)], survey.shown(v))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, survey: _Survey) -> str:
    names = [summary.words for summary in survey.summaries]
    made = names[0]
    if len(names) > 1:
        made = f"a {'pair' if len(names) == 2 else 'triple'}, whose parts are: {'; '.join(names)}"
    parts = [survey.cut.words, f"Keep only the groups {survey.keep.words}"]
    parts += [survey.order.words] if survey.order else []
    parts += [f"Replace every group by {made}"]
    parts += [survey.last.words] if survey.last else []
    return paragraphs(
        f"`{name} l` cuts a list of integers into groups and tells something about each. Inside a group the "
        "elements keep their order, and the groups are in the order of the list, unless something else is said.",
        numbered(f"{part}." for part in parts),
        "The result is what is there after the last step. The empty list has no groups.",
    )


def _reference(name: str, survey: _Survey) -> str:
    bodies = [summary.code("g") for summary in survey.summaries]
    made = bodies[0] if len(bodies) == 1 else f"({', '.join(bodies)})"
    steps = ["l", survey.cut.ocaml, f"List.filter (fun g -> {survey.keep.code('g')})"]
    steps += [f"List.map {survey.order.ocaml}"] if survey.order else []
    steps += [f"List.map (fun g -> {made})"]
    steps += [survey.last.ocaml] if survey.last else []
    return module(survey.cut.helpers, survey.keep.helpers, f"let {name} l =\n  " + "\n  |> ".join(steps))


# --- rules for cutting a list -----------------------------------------------------------------------------------------


Together = Callable[[int, int], bool]


def _joined(words: str, ocaml: str, together: Together, helpers: tuple[str, ...] = (), *faults: Together) -> Op:
    def cut(together: Together) -> Callable[[Ints], list[list[int]]]:
        return lambda v: _grouped(together, v)

    return Op(words, f"groups (fun {ocaml})", cut(together), (*helpers, _JOIN), (*map(cut, faults),))


def _grouped(together: Together, v: Ints) -> list[list[int]]:
    made: list[list[int]] = []
    for i, x in enumerate(v):
        if i and together(v[i - 1], x):
            made[-1].append(x)
        else:
            made.append([x])
    return made


def _cut_chunks(chance: Chance) -> Op:
    k = chance.between(2, 4)
    return Op(
        f"Cut the list from the front into groups of {k} elements; the last group may be smaller",
        f"chunks {k}",
        lambda v: [v[i : i + k] for i in range(0, len(v), k)],
        (_CHUNKS,),
        (lambda v: [v[i : i + k] for i in range(0, len(v), k)][::-1],),
    )


def _cut_windows(chance: Chance) -> Op:
    k = chance.between(2, 4)
    return Op(
        f"The groups are all stretches of {k} elements that follow each other directly, one beginning at every "
        f"element that has enough elements behind it (none if the list has fewer than {k})",
        f"windows {k}",
        lambda v: [v[i : i + k] for i in range(len(v) - k + 1)],
        (_WINDOWS,),
    )


def _cut_runs(chance: Chance) -> Op:
    test = int_test(chance)
    return _joined(
        f"Call an element `x` good if {test.say()}. Neighbours belong to the same group if both of them are good, or "
        "neither is",
        f"a b -> ({test.code('a')}) = ({test.code('b')})",
        lambda a, b: bool(test.run(a)) == bool(test.run(b)),
        test.helpers,
        *(lambda a, b, fault=fault: bool(fault(a)) == bool(fault(b)) for fault in test.faults),
    )


def _cut_before(chance: Chance) -> Op:
    test = int_test(chance)
    if chance.happens(0.5):
        return _joined(
            f"A group begins at the first element of the list and at every element `x` for which {test.say()}",
            f"_ b -> {_negated(test, 'b')}",
            lambda a, b: not test.run(b),
            test.helpers,
            *(lambda a, b, fault=fault: not fault(b) for fault in test.faults),
        )
    return _joined(
        f"A group ends at the last element of the list and at every element `x` for which {test.say()}",
        f"a _ -> {_negated(test, 'a')}",
        lambda a, b: not test.run(a),
        test.helpers,
        *(lambda a, b, fault=fault: not fault(a) for fault in test.faults),
    )


def _negated(test: Op, x: str) -> str:
    code = test.code(x)
    return code.removeprefix("not ") if code.startswith("not ") else f"not ({code})"


def _cut_ordered(chance: Chance) -> Op:
    sign, words = chance.pick(
        (
            ("<", "greater than"),
            ("<=", "at least as great as"),
            (">", "less than"),
            (">=", "at most as great as"),
        )
    )
    compare: dict[str, Callable[[int, int], bool]] = {
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        ">": lambda a, b: a > b,
        ">=": lambda a, b: a >= b,
    }
    return _joined(
        f"An element belongs to the same group as the one before it if it is {words} that one; otherwise a new group "
        "begins",
        f"a b -> a {sign} b",
        compare[sign],
    )


def _cut_near(chance: Chance) -> Op:
    k = chance.between(1, 6)
    return _joined(
        f"An element belongs to the same group as the one before it if the two differ by at most {k}; otherwise a new "
        "group begins",
        f"a b -> abs (a - b) <= {k}",
        lambda a, b: abs(a - b) <= k,
        (),
        lambda a, b: a - b <= k,
    )


# --- steps on groups --------------------------------------------------------------------------------------------------


def _keep(chance: Chance) -> Op:
    k = chance.between(2, 3)
    total = chance.between(4, 25)
    test = int_test(chance)
    return chance.pick(
        (
            Op(f"of at least {k} elements", f"List.length {{x}} >= {k}", lambda g: len(g) >= k),
            Op(f"of fewer than {k + 1} elements", f"List.length {{x}} < {k + 1}", lambda g: len(g) < k + 1),
            Op(
                f"whose sum is greater than {total}",
                f"List.fold_left ( + ) 0 {{x}} > {total}",
                lambda g: sum(g) > total,
            ),
            Op(
                f"whose first element `x` is such that {test.say()}",
                f"let x = List.hd {{x}} in {test.code()}",
                lambda g: test.run(g[0]),
                test.helpers,
                tuple(lambda g, fault=fault: fault(g[0]) for fault in test.faults),
            ),
            Op(
                f"with at least one element `x` for which {test.say()}",
                f"List.exists (fun x -> {test.code()}) {{x}}",
                lambda g: any(test.run(x) for x in g),
                test.helpers,
                tuple(lambda g, fault=fault: any(fault(x) for x in g) for fault in test.faults),
            ),
        )
    )


def _order(chance: Chance) -> Op:
    return chance.pick(
        (
            Op("Reverse every group", "List.rev", lambda g: g[::-1]),
            Op("Sort every group in ascending order", "(List.sort compare)", sorted),
            Op(
                "Sort every group in descending order",
                "(List.sort (fun a b -> compare b a))",
                lambda g: sorted(g, reverse=True),
            ),
            Op(
                "Subtract the first element of a group from each of its elements, in every group",
                "(fun g -> List.map (fun x -> x - List.hd g) g)",
                lambda g: [x - g[0] for x in g],
            ),
            Op(
                "Add to each element of a group its position in the group, counted from 0, in every group",
                "(List.mapi (fun i x -> x + i))",
                lambda g: [x + i for i, x in enumerate(g)],
            ),
        )
    )


def _summaries(chance: Chance, count: int) -> tuple[Op, ...]:
    places = chance.sample(range(6), count)
    return tuple(_numbers_of_group(chance.between(2, 9))[place] for place in places)


def _numbers_of_group(k: int) -> tuple[Op, ...]:
    return (
        Op(f"its sum plus {k}", f"List.fold_left ( + ) {k} {{x}}", lambda g: sum(g) + k),
        Op(
            f"its sum minus {k} times its length",
            f"List.fold_left ( + ) 0 {{x}} - ({k} * List.length {{x}})",
            lambda g: sum(g) - k * len(g),
            (),
            (sum, len),
        ),
        Op(
            "its greatest element minus its smallest one",
            "List.fold_left max (List.hd {x}) {x} - List.fold_left min (List.hd {x}) {x}",
            lambda g: max(g) - min(g),
            (),
            (max, min),
        ),
        Op(
            f"{k} times its first element plus its last one",
            f"({k} * List.hd {{x}}) + List.hd (List.rev {{x}})",
            lambda g: k * g[0] + g[-1],
            (),
            (lambda g: k * g[0], lambda g: g[-1], lambda g: (k + 1) * g[0]),
        ),
        Op(
            f"its greatest element plus {k} times its length",
            f"List.fold_left max (List.hd {{x}}) {{x}} + ({k} * List.length {{x}})",
            lambda g: max(g) + k * len(g),
            (),
            (max, lambda g: k * len(g)),
        ),
        Op(
            f"the number that is 0 at first and becomes, for each element in turn, {k} times itself plus the element",
            f"List.fold_left (fun n x -> ({k} * n) + x) 0 {{x}}",
            lambda g: _number(k, g),
        ),
    )


def _number(base: int, digits: Ints) -> int:
    n = 0
    for digit in digits:
        n = base * n + digit
    return n


def _finish(chance: Chance) -> Op:
    k = chance.between(2, 5)
    return chance.pick(
        (
            Op("Reverse the list of results", "List.rev", lambda rows: rows[::-1]),
            Op(
                "Sort the results in ascending order, by the first part, and where that is equal by the next",
                "List.sort compare",
                sorted,
            ),
            Op(
                "Of equal results keep only one, and put them in descending order, by the first part, and where that "
                "is equal by the next",
                "(fun rows -> List.rev (List.sort_uniq compare rows))",
                lambda rows: sorted(set(rows), reverse=True),
                (),
                (lambda rows: sorted(set(rows)), lambda rows: sorted(rows, reverse=True)),
            ),
            Op(
                f"Keep only the last {k} results (all of them if there are fewer)",
                f"(fun rows -> List.filteri (fun i _ -> i >= List.length rows - {k}) rows)",
                lambda rows: rows[-k:],
            ),
        )
    )


FAMILY = Family(
    name="lists.groups",
    topics=("lists", "folds"),
    description="a list cut into groups by a rule, each group filtered and summarised",
    tasks=TASKS,
    make=_problem,
)
