"""A sequence by a recurrence with cases, or two that depend on each other, and a question about its terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.naturals import natural_test
from ocaml_env.problems.generators.small.recursion_sequence import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, option
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

_USUAL = 40  # the largest argument in most tests
_FEW = 30  # the largest argument if the result is a list
_TRIED = 40  # terms in which every case of the recurrence must occur
_OFTEN = 4  # times at least
_DIFFERENT = 12  # different terms at least among those
_MODULI = (97, 101, 256, 499, 500, 997, 1000, 1009, 9973)
_DRAWS = 40
_AHEAD = 6  # terms to look at

Terms = dict[str, list[int]]  # of each sequence so far, by its name


class _Part(NamedTuple):
    """A summand, or a condition. Its code has calls such as ``t (n - 1)``, and serves as its words, too."""

    code: str
    run: Callable[[Terms, int], int]
    words: str = ""
    faults: tuple[Callable[[Terms, int], int], ...] = ()


class _Rule(NamedTuple):
    """If its test holds, or if it has none, the term is the remainder of the sum of these parts."""

    test: _Part | None
    parts: tuple[_Part, ...]

    @property
    def sum(self) -> str:
        return " + ".join(part.code for part in self.parts)


class _Sequence(NamedTuple):
    name: str
    bases: tuple[int, ...]
    rules: tuple[_Rule, ...]

    def rule(self, terms: Terms, n: int) -> _Rule:
        return next(rule for rule in self.rules if rule.test is None or rule.test.run(terms, n))


@dataclass(frozen=True, slots=True)
class _Recurrence:
    """One sequence, or two; questions are about the first."""

    sequences: tuple[_Sequence, ...]
    modulus: int

    @property
    def depth(self) -> int:
        return len(self.sequences[0].bases)

    def terms(self, largest: int) -> Terms:
        made = {each.name: [*each.bases] for each in self.sequences}
        for n in range(self.depth, largest + 1):
            new = [sum(part.run(made, n) for part in each.rule(made, n).parts) for each in self.sequences]
            for each, value in zip(self.sequences, new, strict=True):
                made[each.name].append(value % self.modulus)
        return made

    def shows_base(self, sequence: _Sequence, place: int, terms: Terms) -> bool:
        """True if another base at this place would change the computed terms."""
        bases = (*sequence.bases[:place], sequence.bases[place] + 1, *sequence.bases[place + 1 :])
        changed = tuple(each._replace(bases=bases) if each is sequence else each for each in self.sequences)
        others = _Recurrence(changed, self.modulus).terms(_USUAL // 2)["t"][self.depth :]
        return others != terms["t"][self.depth : _USUAL // 2 + 1]


class _Question(NamedTuple):
    """A question about the terms; in its OCaml ``terms n`` is the list from ``t 0`` to ``t n``."""

    words: str
    result: str  # its type
    show: Show
    ocaml: str
    run: Callable[..., Any]  # takes all terms, and the arguments
    parameters: str = "n"
    helpers: tuple[str, ...] = ()


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("answer", "ask", "solve", "find", "compute"))
    recurrence = _recurrence(chance, level)
    largest = 60 if level == 1 else 600
    question = _question(chance, level, recurrence)
    arguments = len(question.parameters.split())
    return Draft(
        name=name,
        statement=_statement(name, recurrence, question, largest),
        signature=f"val {name} : {'int -> ' * arguments}{question.result}",
        reference=_reference(name, recurrence, question),
        cases=_cases(chance, name, recurrence, question, largest),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _recurrence(chance: Chance, level: int) -> _Recurrence:
    depth = {1: 2, 3: 3, 5: chance.between(2, 4)}[level]
    names = "tu" if level == 5 and chance.happens(0.5) else "t"
    for _ in range(_DRAWS):
        sequences = tuple(_sequence(chance, own, names, depth, level) for own in names)
        drawn = _Recurrence(sequences, chance.pick(_MODULI))
        if _is_good(drawn):
            return drawn
    raise Unfit


def _is_good(recurrence: _Recurrence) -> bool:
    """True if terms vary, each rule decides some of them, and each base and part makes a difference."""
    terms = recurrence.terms(_TRIED)
    for each in recurrence.sequences:
        if not all(recurrence.shows_base(each, place, terms) for place in range(recurrence.depth)):
            return False
        if len({*terms[each.name]}) < _DIFFERENT:
            return False
        for rule in each.rules:
            places = [n for n in range(recurrence.depth, _TRIED) if each.rule(terms, n) is rule]
            if len(places) < _OFTEN:
                return False
            for part in rule.parts:
                if any(sum(fault(terms, n) != part.run(terms, n) for n in places) < 2 for fault in part.faults):
                    return False
    return True


def _sequence(chance: Chance, own: str, names: str, depth: int, level: int) -> _Sequence:
    count = 1 if level == 1 and chance.happens(0.3) else 3 if level == 5 and len(names) == 1 else 2
    tests = [_test(chance, own, depth) for _ in range(count - 1)]
    rules = [_Rule(test, _sum(chance, own, names, depth, level)) for test in (*tests, None)]
    return _Sequence(own, tuple(chance.ints(depth, 1, 9)), tuple(rules))


def _test(chance: Chance, own: str, depth: int) -> _Part:
    k = chance.between(2, 4)
    last = f"{own} (n - 1)"
    before = chance.between(2, depth)
    return chance.pick(
        (
            _Part(f"n mod {k} = 0", lambda terms, n: n % k == 0, f"`n` is divisible by {k}"),
            _Part(f"{last} mod {k} = 0", lambda terms, n: terms[own][n - 1] % k == 0, f"`{last}` is divisible by {k}"),
            _Part(
                f"{last} < {own} (n - {before})",
                lambda terms, n: terms[own][n - 1] < terms[own][n - before],
                f"`{last}` is less than `{own} (n - {before})`",
            ),
        )
    )


def _sum(chance: Chance, own: str, names: str, depth: int, level: int) -> tuple[_Part, ...]:
    """One or two earlier terms, of both sequences if there are two, and another summand."""
    others = chance.shuffled(names) if len(names) > 1 else [own] * chance.between(1, 2)
    steps = chance.sample(range(1, depth + 1), 2)
    parts = [_earlier(chance, name, k) for name, k in zip(others, steps, strict=False)]
    if len(others) == 1 or (level >= 3 and chance.happens(0.4)):
        parts.append(chance.pick((_half, _look_back, _apart))(chance, own, depth))
    return (*parts, _plain(chance))


def _earlier(chance: Chance, name: str, k: int) -> _Part:
    c = chance.between(1, 5)
    times = "" if c == 1 else f"{c} * "
    return _Part(f"{times}{name} (n - {k})", lambda terms, n: c * terms[name][n - k])


def _half(chance: Chance, own: str, depth: int) -> _Part:
    k = chance.between(2, 3)
    return _Part(f"{own} (n / {k})", lambda terms, n: terms[own][n // k])


def _look_back(chance: Chance, own: str, depth: int) -> _Part:
    return _Part(
        f"{own} (n - 1 - ({own} (n - 1) mod {depth}))",
        lambda terms, n: terms[own][n - 1 - terms[own][n - 1] % depth],
        "",
        (lambda terms, n: terms[own][n - 1],),
    )


def _apart(chance: Chance, own: str, depth: int) -> _Part:
    k = chance.between(2, depth)
    return _Part(
        f"abs ({own} (n - 1) - {own} (n - {k}))",
        lambda terms, n: abs(terms[own][n - 1] - terms[own][n - k]),
        "",
        (lambda terms, n: terms[own][n - 1] - terms[own][n - k],),
    )


def _plain(chance: Chance) -> _Part:
    c = chance.between(2, 9)
    return chance.pick(
        (
            _Part(f"{c}", lambda terms, n: c),
            _Part("n", lambda terms, n: n),
            _Part(f"{c} * n", lambda terms, n: c * n),
            _Part("n * n", lambda terms, n: n * n),
            _Part(f"n / {c}", lambda terms, n: n // c),
            _Part(f"n mod {c}", lambda terms, n: n % c),
        )
    )


def _cases(chance: Chance, name: str, recurrence: _Recurrence, question: _Question, largest: int) -> Iterator[Case]:
    if question.result == "int list":
        largest = _FEW
    terms = recurrence.terms(largest + _AHEAD)["t"]
    usual = min(_USUAL, largest)
    count = len(question.parameters.split())

    def draw() -> tuple[int, ...]:
        high = chance.below(usual + 1 if chance.happens(0.3) else usual // 2)
        return (high,) if count == 1 else (max(0, high + 1 - chance.below(usual // 2)), high)

    edges = [(n // 2, n)[-count:] for n in (largest, largest - 1, largest - 2)]
    edges += [(n,) * count for n in range(recurrence.depth + 2)]
    for arguments in inputs(draw, edges):
        yield case(name, [*map(integer, arguments)], question.show(question.run(terms, *arguments)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, recurrence: _Recurrence, question: _Question, largest: int) -> str:
    divides = any("/" in rule.sum for each in recurrence.sequences for rule in each.rules)
    noun = "`n` is" if question.parameters == "n" else "`low` and `high` are"
    return paragraphs(
        *(_defined(each, recurrence) for each in recurrence.sequences),
        f"`{name} {question.parameters}` is {question.words}",
        f"{noun} from 0 to {_FEW if question.result == 'int list' else largest}. Compute every term only once: a "
        "recursion that computes the same terms again and again takes too long."
        + (" In the formulas `/` is the division of integers, as in OCaml." if divides else ""),
    )


def _defined(sequence: _Sequence, recurrence: _Recurrence) -> str:
    name, rules, m = sequence.name, sequence.rules, recurrence.modulus
    begin = series([f"`{name} {n} = {base}`" for n, base in enumerate(sequence.bases)])
    begin = f"{'A' if name == 't' else 'Another'} sequence of integers, `{name}`, begins with {begin}. "
    begin += f"For every `n` from {len(sequence.bases)} on, `{name} n` is the remainder"
    if len(rules) == 1:
        return f"{begin} of `{rules[0].sum}` divided by {m}."
    lines = [f"if {rule.test.words}: `{rule.sum}`;" if rule.test else f"otherwise: `{rule.sum}`." for rule in rules]
    return f"{begin}, divided by {m}, of the first of these whose condition holds:\n\n{bullets(lines)}"


def _reference(name: str, recurrence: _Recurrence, question: _Question) -> str:
    lines = ["let terms last ="]
    for each in recurrence.sequences:
        bases = "; ".join(map(str, each.bases))
        lines.append(f"  let {each.name} = Array.append [| {bases} |] (Array.make last 0) in")
    lines.append(f"  for n = {recurrence.depth} to last do")
    for each in recurrence.sequences:
        lines += [
            f"    let value ={_chosen(each)}",
            "    in",
            f"    {each.name}.(n) <- value mod {recurrence.modulus};",
        ]
    lines[-1] = lines[-1].rstrip(";")
    lines += ["  done;", "  Array.to_list (Array.sub t 0 (last + 1))"]
    return module(question.helpers, "\n".join(lines), f"let {name} {question.parameters} =\n  {question.ocaml}")


def _chosen(sequence: _Sequence) -> str:
    code = "\n      "
    for rule in sequence.rules:
        code += f"if {rule.test.code} then {rule.sum}\n      else " if rule.test else rule.sum
    return re.sub(r"\b([tu]) \(", r"\1.(", code)


# --- questions --------------------------------------------------------------------------------------------------------


def _question(chance: Chance, level: int, recurrence: _Recurrence) -> _Question:
    kinds = [_term, _total, _list, _counted, _rises]
    if level >= 3:
        kinds += [_total_between, _extreme_between, _next_greater]
    return chance.pick(kinds)(chance, recurrence)


def _term(chance: Chance, recurrence: _Recurrence) -> _Question:
    return _Question("`t n`.", "int", integer, "List.nth (terms n) n", lambda terms, n: terms[n])


def _total(chance: Chance, recurrence: _Recurrence) -> _Question:
    return _Question(
        "the sum of all terms from `t 0` to `t n`, both included.",
        "int",
        integer,
        "List.fold_left ( + ) 0 (terms n)",
        lambda terms, n: sum(terms[: n + 1]),
    )


def _list(chance: Chance, recurrence: _Recurrence) -> _Question:
    if chance.happens(0.5):
        words = "the list of all terms from `t 0` to `t n`, in this order."
        return _Question(words, "int list", listing(integer), "terms n", lambda terms, n: terms[: n + 1])
    words = "the list of all terms from `t n` down to `t 0`, in this order."
    return _Question(words, "int list", listing(integer), "List.rev (terms n)", lambda terms, n: terms[n::-1])


def _counted(chance: Chance, recurrence: _Recurrence) -> _Question:
    test = natural_test(chance, recurrence.terms(_TRIED)["t"])
    return _Question(
        f"the number of terms `x` from `t 0` to `t n`, both included, for which {test.say()}.",
        "int",
        integer,
        f"List.length (List.filter (fun x -> {test.code()}) (terms n))",
        lambda terms, n: sum(bool(test.run(x)) for x in terms[: n + 1]),
        helpers=test.helpers,
    )


def _rises(chance: Chance, recurrence: _Recurrence) -> _Question:
    word, sign = chance.pick((("greater", ">"), ("smaller", "<")))
    helper = f"""\
let rec rises = function
  | a :: (b :: _ as rest) -> (if b {sign} a then 1 else 0) + rises rest
  | _ -> 0"""
    return _Question(
        f"how many of the terms from `t 1` to `t n`, both included, are {word} than the term before them (0 if `n` is "
        "0).",
        "int",
        integer,
        "rises (terms n)",
        lambda terms, n: sum(b > a if sign == ">" else b < a for a, b in pairwise(terms[: n + 1])),
        helpers=(helper,),
    )


def _total_between(chance: Chance, recurrence: _Recurrence) -> _Question:
    return _Question(
        "the sum of all terms from `t low` to `t high`, both included, or 0 if `low` is greater than `high`.",
        "int",
        integer,
        "List.fold_left ( + ) 0 (List.filteri (fun i _ -> i >= low) (terms high))",
        lambda terms, low, high: sum(terms[low : high + 1]),
        parameters="low high",
    )


def _extreme_between(chance: Chance, recurrence: _Recurrence) -> _Question:
    word, function, extreme = chance.pick((("greatest", "max", max), ("smallest", "min", min)))
    choose: Callable[[Sequence[int]], int] = extreme
    helper = f"""\
let extreme = function
  | [] -> None
  | x :: rest -> Some (List.fold_left {function} x rest)"""
    return _Question(
        f"`Some` of the {word} of all terms from `t low` to `t high`, both included, or `None` if `low` is greater than "
        "`high`.",
        "int option",
        option(integer),
        "extreme (List.filteri (fun i _ -> i >= low) (terms high))",
        lambda terms, low, high: choose(terms[low : high + 1]) if low <= high else None,
        parameters="low high",
        helpers=(helper,),
    )


def _next_greater(chance: Chance, recurrence: _Recurrence) -> _Question:
    word, sign = chance.pick((("greater", ">"), ("smaller", "<")))
    helper = """\
let rec find holds i = function
  | [] -> None
  | x :: rest -> if holds i x then Some i else find holds (i + 1) rest"""
    return _Question(
        f"`Some` of the least `i` that is greater than `n` and at most `n + {_AHEAD}` such that `t i` is {word} than "
        "`t n`, or `None` if there is no such `i`.",
        "int option",
        option(integer),
        f"let all = terms (n + {_AHEAD}) in\n  find (fun i x -> i > n && x {sign} List.nth all n) 0 all",
        lambda terms, n: next(
            (n + i for i, x in enumerate(terms[n : n + _AHEAD + 1]) if (x > terms[n] if sign == ">" else x < terms[n])),
            None,
        ),
        helpers=(helper,),
    )


FAMILY = Family(
    name="recursion.sequence",
    topics=("recursion", "arithmetic"),
    description="a sequence by a recurrence with cases, or two that depend on each other, and a question about it",
    tasks=TASKS,
    make=_problem,
)
