"""A function that raises declared exceptions by ordered rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, joined_test, ordered_tests, telling
from ocaml_env.problems.generators.values import atom, integer, listing, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("checked", "guarded", "careful", "strict_sum", "process")
_EXCEPTIONS = ("Forbidden", "Broken", "Unlucky", "Rejected", "Damaged", "Refused", "Spoilt")
_ELEMENTS = range(-9, 31)
_SIDES = {  # of the limit: words and OCaml
    "above": ("a new `t` is greater than {}", "t > {}"),
    "below": ("a new `t` is less than {}", "t < {}"),
    "either": ("the absolute value of a new `t` is greater than {}", "abs t > {}"),
}


class _Guard(NamedTuple):
    """The effect of an element that passes a test: it raises the exception ``name``, or counts as a number.

    Attributes:
        op: the argument of the exception, if it has one, or the number.
        elements: those that pass this test and none before.
    """

    name: str
    test: Op
    op: Op | None
    elements: tuple[int, ...]


class _Limit(NamedTuple):
    """A limit of the total. Beyond it, ``Overflow`` is raised.

    Attributes:
        reached: elements with a total exactly at the limit.
        passed: elements with a total beyond it.
    """

    side: str
    value: int
    reached: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()

    def is_passed_by(self, total: int) -> bool:
        if self.side == "either":
            return abs(total) > self.value
        return total > self.value if self.side == "above" else total < self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """The rules of the function.

    Attributes:
        fine: elements that pass no test; they count as ``otherwise``.
        empty: the exception for the empty list; empty if there is none.
    """

    name: str
    guards: tuple[_Guard, ...]
    fine: tuple[int, ...]
    otherwise: Op
    start: int
    step: Op
    empty: str
    limit: _Limit | None = None

    @property
    def harmless(self) -> list[int]:
        """Elements that raise no exception."""
        return [*self.fine, *(x for guard in self.guards if not guard.name for x in guard.elements)]


def _guards(chance: Chance, level: int) -> Draft:
    rules = _rules(chance, level)
    declared = [f"exception {name}{' of int' if carries else ''}" for name, carries in _declared(rules)]
    helpers = [
        helper for guard in rules.guards for op in (guard.test, guard.op) if op is not None for helper in op.helpers
    ]
    return Draft(
        name=rules.name,
        statement=_statement(rules),
        signature="\n".join([*declared, "", f"val {rules.name} : int list -> int"]),
        reference=module("\n".join(declared), helpers, rules.otherwise.helpers, rules.step.helpers, _code(rules)),
        prelude=_prelude(rules),
        cases=_cases(chance, rules),
        hidden=16 if level == 1 else 20,
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _rules(chance: Chance, level: int) -> _Rules:
    count = {1: 2, 3: 3, 5: 4}[level]
    tests = ordered_tests(lambda: joined_test(chance, level), count, _ELEMENTS, (0.1, 0.7 / count))
    counting = chance.below(count) if level > 3 else -1  # the guard without an exception
    left = list(_ELEMENTS)
    guards = []
    for place, (name, test) in enumerate(zip(chance.sample(_EXCEPTIONS, count), tests, strict=True)):
        found = [x for x in left if test.run(x)]
        left = [x for x in left if not test.run(x)]
        has_op = place == counting or chance.happens(0.75)
        op = telling(chance, int_map, [(x,) for x in found]) if has_op else None
        guards.append(_Guard("" if place == counting else name, test, op, tuple(found)))
    if not _contested(chance, guards):  # their order would make no difference
        raise Unfit
    otherwise = telling(chance, int_map, [(x,) for x in left])
    start = chance.between(0, 9)
    rules = _Rules(
        name=chance.pick(_NAMES),
        guards=tuple(guards),
        fine=tuple(left),
        otherwise=otherwise,
        start=start,
        step=_step(chance, start, [int(otherwise.run(x)) for x in left]),
        empty=chance.pick(("", "Not_found", "Invalid_argument")),
    )
    return replace(rules, limit=_limit(chance, rules)) if level > 1 else rules


def _step(chance: Chance, start: int, amounts: Sequence[int]) -> Op:
    """An operation that changes the total. The start matters, and every part matters for the reached totals."""
    for _ in range(20):
        step = telling(chance, int_join, [(chance.between(-20, 40), chance.pick(amounts)) for _ in range(24)])
        pairs = []
        for _ in range(12):
            total = start
            for amount in (chance.pick(amounts), chance.pick(amounts)):
                pairs.append((total, amount))
                total = step.run(total, amount)
        off = [step.run(total + 1, amount) for total, amount in pairs]
        wrong = [off, *([fault(*each) for each in pairs] for fault in step.faults)]
        right = [step.run(*each) for each in pairs]
        if all(sum(a != b for a, b in zip(right, made, strict=True)) >= 3 for made in wrong):
            return step
    raise Unfit


def _limit(chance: Chance, rules: _Rules) -> _Limit:
    """A limit passed by some lists only. If there are two limits, some lists pass each."""
    reached: list[tuple[int, tuple[int, ...]]] = []
    highs, lows = [], []
    for _ in range(60):
        elements = _elements(chance, rules)
        totals = _totals(rules, elements)
        highs.append(max(totals))
        lows.append(min(totals))
        reached += [(total, tuple(elements[: place + 1])) for place, total in enumerate(totals[1:])]
    highs.sort()
    lows.sort()
    limits = [("above", highs[36]), ("below", lows[24])]
    if (size := min(highs[40], -lows[20])) > 0:
        limits = [("either", size), *limits]
    for side, value in limits if chance.happens(0.5) else limits[::-1]:
        limit = _Limit(side, value)
        least = [elements for total, elements in reached if total == value]
        beyond = [elements for total, elements in reached if limit.is_passed_by(total)]
        if least and len(beyond) >= 10:
            return limit._replace(reached=min(least, key=len), passed=chance.pick(beyond))
    raise Unfit


def _totals(rules: _Rules, elements: Sequence[int]) -> list[int]:
    """The totals of a list, up to the first exception."""
    totals = [rules.start]
    for x in elements:
        amount = _item(rules, x)
        if isinstance(amount, str):
            break
        totals.append(rules.step.run(totals[-1], amount))
    return totals


def _elements(chance: Chance, rules: _Rules) -> list[int]:
    """Elements, most of them harmless."""
    elements = [chance.pick(rules.harmless) for _ in range(chance.between(1, 4))]
    for _ in range(chance.pick((0, 0, 1, 1, 2))):
        elements.insert(chance.between(0, len(elements)), chance.pick(chance.pick(rules.guards).elements))
    return elements


def _asked(chance: Chance, rules: _Rules) -> list[int]:
    """Elements; some lists repeat one element, are long, or have elements far from others."""
    elements = _elements(chance, rules)
    kind = chance.below(20)
    if kind == 0:
        return [chance.pick(rules.harmless)] * chance.between(2, 8)
    if kind < 3:
        return [*_going(chance, rules), *elements]
    if kind < 5:
        elements[chance.below(len(elements))] = chance.pick((-1, 1)) * chance.between(31, 200)
    return elements


def _going(chance: Chance, rules: _Rules) -> list[int]:
    """Many elements without an exception, if that is possible."""
    going: list[int] = []
    total = rules.start
    for _ in range(chance.between(5, 11)):
        for _ in range(8):
            x = chance.pick(rules.harmless)
            amount = _item(rules, x)
            new = rules.step.run(total, amount) if isinstance(amount, int) else total
            if rules.limit is None or not rules.limit.is_passed_by(new):
                going.append(x)
                total = new
                break
    return going


def _cases(chance: Chance, rules: _Rules) -> Iterator[Case]:
    for elements in inputs(lambda: _asked(chance, rules), _edges(chance, rules)):
        answer = _run(rules, elements)
        shown = f"Raised {text(answer)}" if isinstance(answer, str) else f"Value {atom(integer(answer))}"
        yield Case(f"outcome {rules.name} {listing(integer)(elements)}", shown, shown)


def _edges(chance: Chance, rules: _Rules) -> list[list[int]]:
    edges = [[], *([x] for x in _contested(chance, rules.guards)), [chance.pick(rules.fine)]]
    if rules.limit:
        raising = [x for guard in rules.guards if guard.name for x in guard.elements]
        reached, passed = list(rules.limit.reached), list(rules.limit.passed)
        more = [chance.pick(rules.harmless) for _ in range(2)]
        edges += [reached, [*passed, chance.pick(raising)], [*passed, *more], *_close(chance, rules)]
    return edges


def _contested(chance: Chance, guards: Sequence[_Guard]) -> list[int]:
    """For each pair of tests, an element that passes both but no earlier test, if there is one."""
    contested = []
    for first, second in combinations(guards, 2):
        both = [x for x in first.elements if second.test.run(x)]
        if both:
            contested.append(chance.pick(both))
    return contested


def _close(chance: Chance, rules: _Rules) -> list[list[int]]:
    """Lists with a total next to the limit."""
    found: dict[int, list[int]] = {}
    for _ in range(12):
        elements = [chance.pick(rules.harmless) for _ in range(chance.between(0, 3))]
        for x in rules.harmless:
            longer = [*elements, x]
            total = _totals(rules, longer)[-1]
            if rules.limit and abs(abs(total) - abs(rules.limit.value)) == 1:
                found.setdefault(total, longer)
    return [*found.values()]


# --- meaning ----------------------------------------------------------------------------------------------------------


def _item(rules: _Rules, x: int) -> int | str:
    """The number of an element, or the exception that it raises."""
    for guard in rules.guards:
        if guard.test.run(x):
            made = int(guard.op.run(x)) if guard.op else None
            if made is not None and not guard.name:
                return made
            return guard.name if made is None else f"{guard.name} {integer(made)}"
    return int(rules.otherwise.run(x))


def _run(rules: _Rules, elements: Sequence[int]) -> int | str:
    """The result, or the raised exception."""
    if rules.empty and not elements:
        return rules.empty
    total = rules.start
    for x in elements:
        amount = _item(rules, x)
        if isinstance(amount, str):
            return amount
        total = rules.step.run(total, amount)
        if rules.limit and rules.limit.is_passed_by(total):
            return f"Overflow {integer(total)}"
    return total


# --- words ------------------------------------------------------------------------------------------------------------


def _statement(rules: _Rules) -> str:
    lines = []
    for guard in rules.guards:
        if guard.name:
            carried = f", which carries {guard.op.say()}" if guard.op else ""
            lines.append(f"if {guard.test.say()}, the exception `{guard.name}` is raised{carried};")
        elif guard.op:
            lines.append(f"if {guard.test.say()}, the element counts as {guard.op.say()};")
    lines.append(f"otherwise the element counts as {rules.otherwise.say()}.")
    overflow = ""
    if rules.limit:
        when = _SIDES[rules.limit.side][0].format(rules.limit.value)
        overflow = f"If {when}, the exception `Overflow` is raised at once, which carries the new `t`. "
    nothing = f"`{rules.empty}` is raised" if rules.empty else f"the result is {rules.start}"
    message = " (its message is up to you)" if rules.empty == "Invalid_argument" else ""
    return paragraphs(
        f"`{rules.name} l` goes through a list of integers from left to right. For each element `x`, the first of "
        "these rules that fits says what happens:",
        numbered(lines),
        f"A number `t`, at first {rules.start}, is changed after each element: with `u` for what the element counts "
        f"as, the new `t` is {rules.step.say('t', 'u')}. {overflow}The result is the last `t`. For the empty list "
        f"{nothing}{message}.",
        "In the tests `outcome f x` is `Value` of the result, or `Raised` of a string with the name of the exception "
        "that was raised and, if it carries a number, a space and that number.",
    )


# --- OCaml ------------------------------------------------------------------------------------------------------------


def _declared(rules: _Rules) -> list[tuple[str, bool]]:
    """The exceptions to declare, each with True if it carries a number."""
    names = [(guard.name, guard.op is not None) for guard in rules.guards if guard.name]
    return [*names, ("Overflow", True)] if rules.limit else names


def _code(rules: _Rules) -> str:
    lines = ["let item x ="]
    for place, guard in enumerate(rules.guards):
        made = f"({guard.op.code()})" if guard.op else ""
        if guard.name:
            made = f"raise ({guard.name} {made})" if made else f"raise {guard.name}"
        lines.append(f"  {'else ' if place else ''}if {guard.test.code()} then {made}")
    lines += [f"  else {rules.otherwise.code()}", "", f"let {rules.name} l ="]
    if rules.empty:
        made = "raise Not_found" if rules.empty == "Not_found" else f'invalid_arg "{rules.name}"'
        lines.append(f"  if l = [] then {made};")
    lines += ["  let step t x =", "    let u = item x in"]
    total = rules.step.code("t", "u")
    if rules.limit:
        value = rules.limit.value
        passed = _SIDES[rules.limit.side][1].format(f"({value})" if value < 0 else value)
        lines += [f"    let t = {total} in", f"    if {passed} then raise (Overflow t);", "    t"]
    else:
        lines.append(f"    {total}")
    return "\n".join([*lines, "  in", f"  List.fold_left step {rules.start} l"])


def _prelude(rules: _Rules) -> str:
    """A helper for tests: returns the result or the exception as a value."""
    arms = [
        f'  | exception {name} n -> Raised (Printf.sprintf "{name} %d" n)'
        if carries
        else f'  | exception {name} -> Raised "{name}"'
        for name, carries in _declared(rules)
    ]
    return "\n".join(
        [
            "type outcome = Value of int | Raised of string",
            "",
            "let outcome f x =",
            "  match f x with",
            "  | value -> Value value",
            *arms,
            '  | exception Not_found -> Raised "Not_found"',
            '  | exception Invalid_argument _ -> Raised "Invalid_argument"',
        ]
    )


FAMILY = Family(
    name="exceptions.guards",
    topics=("exceptions", "folds"),
    description="a function that raises declared exceptions by ordered rules",
    make=_guards,
)
