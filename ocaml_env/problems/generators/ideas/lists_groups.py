"""A list cut into groups by a rule, each group filtered and summarised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, edge_ints, int_test, some_ints
from ocaml_env.problems.generators.values import integer, listing, pair
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


def _groups(chance: Chance, level: int) -> Draft:
    name = chance.pick(("summarise", "survey", "condense", "digest", "report_groups"))
    cut = chance.pick((_cut_chunks, _cut_windows, _cut_runs, _cut_before, _cut_ordered, _cut_near))(chance)
    order = _order(chance) if level >= 2 else None
    keep = _keep(chance)
    summaries = [_summary(chance) for _ in range((1, 1, 2, 2, 3)[level - 1])]
    if len({summary.ocaml for summary in summaries}) < len(summaries):
        raise Unfit
    last = _finish(chance) if level >= 4 else None

    def run(v: Ints) -> list[tuple[int, ...]]:
        made: list[Ints] = cut.run(v)
        made = [group for group in made if keep.run(group)]
        if order:
            made = [order.run(group) for group in made]
        rows = [tuple(summary.run(group) for summary in summaries) for group in made]
        return last.run(rows) if last else rows

    parts = [f"{cut.words}.", f"Keep only the groups {keep.words}."]
    if order:
        parts.append(f"{order.words}.")
    if len(summaries) == 1:
        parts.append(f"Replace every group by {summaries[0].words}.")
        item, shown = "int", listing(lambda row: integer(row[0]))
    else:
        names = "; ".join(summary.words for summary in summaries)
        size = "pair" if len(summaries) == 2 else "triple"
        parts.append(f"Replace every group by a {size}, whose parts are: {names}.")
        item, shown = " * ".join(["int"] * len(summaries)), listing(pair(*[integer] * len(summaries)))
    if last:
        parts.append(f"{last.words}.")
    bodies = [summary.code("g") for summary in summaries]
    made = bodies[0] if len(bodies) == 1 else "(" + ", ".join(bodies) + ")"
    lines = [f"let {name} l =", "  l", f"  |> {cut.ocaml}", f"  |> List.filter (fun g -> {keep.code('g')})"]
    lines += [f"  |> List.map {order.ocaml}"] if order else []
    lines += [f"  |> List.map (fun g -> {made})"]
    lines += [f"  |> {last.ocaml}"] if last else []
    result = f"({item}) list" if len(summaries) > 1 else "int list"

    def cases() -> Iterator[Case]:
        for value in inputs(lambda: some_ints(chance, 12), edge_ints(chance)):
            yield case(name, [_INTS(value)], shown(run(value)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` cuts a list of integers into groups and tells something about each. Inside a group the "
            "elements keep their order, and the groups are in the order of the list, unless something else is said.",
            numbered(parts),
            "The result is what is there after the last step. The empty list has no groups.",
        ),
        signature=f"val {name} : int list -> {result}",
        reference=module(cut.helpers, keep.helpers, "\n".join(lines)),
        cases=cases(),
    )


def _joined(words: str, ocaml: str, together: Callable[[int, int], bool], helpers: tuple[str, ...] = ()) -> Op:
    def run(v: Ints) -> list[list[int]]:
        made: list[list[int]] = []
        for i, x in enumerate(v):
            if i and together(v[i - 1], x):
                made[-1].append(x)
            else:
                made.append([x])
        return made

    return Op(words, f"groups (fun {ocaml})", run, (*helpers, _JOIN))


def _cut_chunks(chance: Chance) -> Op:
    k = chance.between(2, 4)
    return Op(
        f"Cut the list from the front into groups of {k} elements; the last group may be smaller",
        f"chunks {k}",
        lambda v: [v[i : i + k] for i in range(0, len(v), k)],
        (_CHUNKS,),
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
        f"Neighbours `x` belong to one group as long as the answer to the question whether {test.say()} is the same "
        "for both",
        f"a b -> ({test.code('a')}) = ({test.code('b')})",
        lambda a, b: bool(test.run(a)) == bool(test.run(b)),
        test.helpers,
    )


def _cut_before(chance: Chance) -> Op:
    test = int_test(chance)
    if chance.happens(0.5):
        return _joined(
            f"A group begins at the first element of the list and at every element `x` for which {test.say()}",
            f"_ b -> not ({test.code('b')})",
            lambda a, b: not test.run(b),
            test.helpers,
        )
    return _joined(
        f"A group ends at the last element of the list and at every element `x` for which {test.say()}",
        f"a _ -> not ({test.code('a')})",
        lambda a, b: not test.run(a),
        test.helpers,
    )


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
    )


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
                f"List.exists (fun x -> {test.code()}) [ List.hd {{x}} ]",
                lambda g: test.run(g[0]),
                test.helpers,
            ),
            Op(
                f"with at least one element `x` for which {test.say()}",
                f"List.exists (fun x -> {test.code()}) {{x}}",
                lambda g: any(test.run(x) for x in g),
                test.helpers,
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


def _summary(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return chance.pick(
        (
            Op(f"its sum plus {k}", f"List.fold_left ( + ) {k} {{x}}", lambda g: sum(g) + k),
            Op(
                f"its sum minus {k} times its length",
                f"List.fold_left ( + ) 0 {{x}} - ({k} * List.length {{x}})",
                lambda g: sum(g) - k * len(g),
            ),
            Op(
                "its greatest element minus its smallest one",
                "List.fold_left max (List.hd {x}) {x} - List.fold_left min (List.hd {x}) {x}",
                lambda g: max(g) - min(g),
            ),
            Op(
                f"{k} times its first element plus its last one",
                f"({k} * List.hd {{x}}) + List.hd (List.rev {{x}})",
                lambda g: k * g[0] + g[-1],
            ),
            Op(
                f"its greatest element plus {k} times its length",
                f"List.fold_left max (List.hd {{x}}) {{x}} + ({k} * List.length {{x}})",
                lambda g: max(g) + k * len(g),
            ),
            Op(
                f"the number that its elements make when they are read as digits to the base {k}, the first element "
                f"counting most (0 at the beginning, then for each element {k} times the number so far plus the "
                "element)",
                f"List.fold_left (fun n x -> ({k} * n) + x) 0 {{x}}",
                lambda g: _number(k, g),
            ),
        )
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
    make=_groups,
)
