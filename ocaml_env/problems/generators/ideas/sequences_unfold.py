"""A lazy sequence unfolded from a state, which changes by rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import (
    Op,
    int_join,
    int_map,
    int_test,
    joined_test,
    ordered_tests,
    remainder,
)
from ocaml_env.problems.generators.small.sequences_unfold import TASKS
from ocaml_env.problems.generators.streams import PRELUDE
from ocaml_env.problems.generators.values import atom, integer, listing
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

State = tuple[int, int]

_INTS = listing(integer)
_TAKE = PRELUDE.split("\n\n")[0]
_TAKEN = 6  # elements read by a test
_TYPICAL = range(-20, 41)  # numbers of a state
_TRIES = 10
_FAR = 0.15  # the share of states with large numbers
_MOST = 30  # states to go through for these elements


class _Next(NamedTuple):
    """The new state: ``first`` of both numbers, in this order or ``turned``, and ``second`` of the first one."""

    first: Op
    second: Op
    turned: bool

    def words(self) -> str:
        names = ("b", "a") if self.turned else ("a", "b")
        return f"`a` becomes {self.first.say(*names)}, and `b` becomes {self.second.say('a')}"

    def ocaml(self) -> str:
        names = ("b", "a") if self.turned else ("a", "b")
        return f"({self.first.code(*names)}, {self.second.code('a')})"

    def run(self, a: int, b: int) -> State:
        return self.first.run(b, a) if self.turned else self.first.run(a, b), self.second.run(a)


class _Rule(NamedTuple):
    """The next state if ``test`` is true of the first number; the last rule has no question."""

    test: Op | None
    next: _Next


class _Stop(NamedTuple):
    """The sequence ends if the first number is greater than ``limit`` and ``test`` is true of the second."""

    limit: int
    test: Op


@dataclass(frozen=True, slots=True)
class _Unfolding:
    """``element`` is made from both numbers, and left out if ``keep`` is false for it."""

    element: Op
    rules: tuple[_Rule, ...]
    modulus: int
    stop: _Stop | None
    keep: Op | None

    def elements(self, a: int, b: int) -> Iterator[int]:
        for _ in range(_MOST):
            if self.stop and a > self.stop.limit and self.stop.test.run(b):
                return
            element = self.element.run(a, b)
            if not self.keep or self.keep.run(element):
                yield element
            rule = next(rule for rule in self.rules if not rule.test or rule.test.run(a))
            a, b = rule.next.run(a, b)
            if self.modulus:
                a, b = remainder(a, self.modulus), remainder(b, self.modulus)
        raise Unfit

    def taken(self, state: State) -> list[int] | None:
        """The first elements; None if many states give hardly any, or if numbers become too large."""
        try:
            return [*islice(self.elements(*state), _TAKEN)]
        except Unfit:
            return None


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("generate", "produce", "emit", "unroll", "spin"))
    unfolding = _unfolding(chance, level)
    return Draft(
        name=name,
        statement=_statement(name, unfolding),
        signature=f"val {name} : int -> int -> int Seq.t",
        reference=_reference(name, unfolding),
        prelude=_TAKE,
        cases=_cases(chance, name, unfolding),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _unfolding(chance: Chance, level: int) -> _Unfolding:
    tests = ordered_tests(lambda: joined_test(chance, level), 1 if level == 1 else 2, _TYPICAL, (0.2, 0.6))
    rules = [_Rule(test, _Next(int_join(chance), int_map(chance), chance.happens(0.5))) for test in (*tests, None)]
    plain = _Unfolding(int_join(chance), tuple(rules), chance.pick((50, 60, 80, 100)), None, None)
    tried = [_state(chance) for _ in range(16)]
    if not _every_part_matters(plain, tried):
        raise Unfit
    made = plain
    if level >= 5 or (level >= 3 and chance.happens(0.5)):
        stops = (_Stop(chance.between(10, 30), _balanced_test(chance)) for _ in range(_TRIES))
        made = _first_good((replace(made, stop=stop) for stop in stops), tried)
    if level >= 5:
        made = _first_good((replace(made, keep=_balanced_test(chance)) for _ in range(_TRIES)), tried)
    return made


def _first_good(unfoldings: Iterator[_Unfolding], tried: Sequence[State]) -> _Unfolding:
    for unfolding in unfoldings:
        if _every_part_matters(unfolding, tried):
            return unfolding
    raise Unfit


def _every_part_matters(unfolding: _Unfolding, tried: Sequence[State]) -> bool:
    """True if the sequences vary, and each fault shows in one of them."""
    whole = [unfolding.taken(state) for state in tried]
    varied = sum(made is not None and len({*made}) > 3 for made in whole)
    return varied >= 10 and all(_is_shown(faulty, tried, whole) for faulty in _faulty(unfolding))


def _balanced_test(chance: Chance) -> Op:
    return ordered_tests(lambda: int_test(chance), 1, _TYPICAL, (0.3, 0.7))[0]


def _is_shown(faulty: _Unfolding, tried: Sequence[State], whole: Sequence[list[int] | None]) -> bool:
    return any(made is not None and faulty.taken(state) != made for state, made in zip(tried, whole, strict=True))


def _faulty(unfolding: _Unfolding) -> Iterator[_Unfolding]:
    """The sequence with a part left out."""
    yield replace(unfolding, modulus=0)
    for fault in unfolding.element.faults:
        yield replace(unfolding, element=unfolding.element._replace(run=fault))
    if unfolding.keep:
        yield replace(unfolding, keep=None)
        for fault in unfolding.keep.faults:
            yield replace(unfolding, keep=unfolding.keep._replace(run=fault))
    if unfolding.stop:
        limit, test = unfolding.stop
        yield replace(unfolding, stop=None)
        for ending in (_Stop(-1 << 50, test), *(_Stop(limit, test._replace(run=fault)) for fault in test.faults)):
            yield replace(unfolding, stop=ending)
    rules = unfolding.rules
    for place, rule in enumerate(rules):
        for instead in _faulty_rules(rule):
            yield replace(unfolding, rules=(*rules[:place], *instead, *rules[place + 1 :]))


def _faulty_rules(rule: _Rule) -> Iterator[tuple[_Rule, ...]]:
    first, second, turned = rule.next
    if rule.test:
        yield ()
        for fault in rule.test.faults:
            yield (_Rule(rule.test._replace(run=fault), rule.next),)
    for fault in first.faults:
        yield (_Rule(rule.test, _Next(first._replace(run=fault), second, turned)),)
    for fault in second.faults:
        yield (_Rule(rule.test, _Next(first, second._replace(run=fault), turned)),)


def _state(chance: Chance) -> State:
    if chance.happens(_FAR):  # the first state is used as it is, even beyond all remainders
        return chance.between(-400, 400), chance.between(-400, 400)
    return chance.number(-20, 30), chance.number(-20, 30)


def _cases(chance: Chance, name: str, unfolding: _Unfolding) -> Iterator[Case]:
    edges = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    if unfolding.stop:
        edges += [(unfolding.stop.limit + more, b) for more in (0, 1) for b in range(-3, 4)]
    for state in inputs(lambda: _state(chance), edges):
        made = unfolding.taken(state)
        if made is not None:
            asked = " ".join(atom(str(number)) for number in state)
            yield Case(f"take {_TAKEN} ({name} {asked})", _INTS(made), _INTS(made))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, unfolding: _Unfolding) -> str:
    element, rules, modulus, stop, keep = (getattr(unfolding, field) for field in _Unfolding.__slots__)
    lines = [f"if {rule.test.say('a')}: {rule.next.words()};" for rule in rules if rule.test]
    given = f"Every state gives one element: {element.say('a', 'b')}."
    if keep:
        given = (
            f"Every state makes a number `x`: {element.say('a', 'b')}. It is an element of the sequence if "
            f"{keep.say()}, and is left out otherwise."
        )
    ending = "The sequence has no end."
    if stop:
        ending = (
            f"The sequence ends at the first state in which `a` is greater than {stop.limit} and {stop.test.say('b')}; "
            "that state gives no element."
        )
    return paragraphs(
        f"`{name} a b` is a lazy sequence of integers. It has a state of two numbers, at first `a` and `b`. {given}",
        "Then the state changes, by the first of these rules that fits, where `a` and `b` on the right are the old "
        "values:",
        bullets([*lines, f"otherwise: {rules[-1].next.words()}."]),
        f"Of both new values only the remainder when divided by {modulus} is kept, as `mod` gives it: negative if the "
        f"value is negative. {ending}",
        "In the tests `take n s` is the list of the first `n` elements of a sequence (of all if there are fewer).",
    )


def _reference(name: str, unfolding: _Unfolding) -> str:
    element, rules, modulus, stop, keep = (getattr(unfolding, field) for field in _Unfolding.__slots__)
    arms = [f"if {rule.test.code('a')} then {rule.next.ocaml()}" for rule in rules if rule.test]
    lines = [f"let {name} a b =", "  let rec go a b () ="]
    lines += [f"    if a > {stop.limit} && ({stop.test.code('b')}) then Seq.Nil else"] if stop else []
    lines += [
        f"    let x = {element.code('a', 'b')} in",
        "    let a, b =",
        *(f"      {'else ' if place else ''}{arm}" for place, arm in enumerate(arms)),
        f"      else {rules[-1].next.ocaml()}",
        "    in",
        f"    let rest = go (a mod {modulus}) (b mod {modulus}) in",
        f"    if {keep.code()} then Seq.Cons (x, rest) else rest ()" if keep else "    Seq.Cons (x, rest)",
        "  in",
        "  go a b",
    ]
    ops = [op for rule in rules for op in (rule.test, rule.next.first, rule.next.second)]
    ops += [element, stop and stop.test, keep]
    return module([helper for op in ops if op for helper in op.helpers], "\n".join(lines))


FAMILY = Family(
    name="sequences.unfold",
    topics=("laziness-seq", "recursion"),
    description="a lazy sequence unfolded from a state that changes by rules",
    tasks=TASKS,
    make=_problem,
)
