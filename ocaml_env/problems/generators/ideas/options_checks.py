"""A record checked by rules, with the first error or with all of them, and lists of such records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_test, telling
from ocaml_env.problems.generators.letters import WORDS, string_test
from ocaml_env.problems.generators.shapes import Shape, some_shape
from ocaml_env.problems.generators.values import Show, atom, integer, listing, text
from ocaml_env.problems.generators.wording import a, module, numbered, paragraphs

__all__ = ["FAMILY"]

Record = tuple[Any, ...]

_LOW, _HIGH = -9, 25  # of the integers in records
_TRIED = 40
_INTS = [(n,) for n in range(_LOW, _HIGH + 1)]
_STRINGS = [(word,) for word in WORDS]


class _Rule(NamedTuple):
    """A requirement on records. A record that breaks it gives an error, which carries the field at ``place``."""

    words: str
    ocaml: str
    run: Callable[[Record], bool]
    error: str
    place: int
    helpers: tuple[str, ...] = ()
    faults: tuple[Callable[[Record], bool], ...] = ()


@dataclass(frozen=True, slots=True)
class _Form:
    """The drawn problem.

    Attributes:
        every: True to report all errors, False for the first one.
        first, second: the fields from which ``good`` makes the result for a record without errors.
        many: the question about lists; empty if there is none.
    """

    shape: Shape
    rules: tuple[_Rule, ...]
    every: bool
    first: int
    second: int
    good: Op
    many: str

    def broken(self, value: Record) -> list[_Rule]:
        return [rule for rule in self.rules if not rule.run(value)]

    def number(self, value: Record) -> int:
        return int(self.good.run(value[self.first], value[self.second]))

    def checked(self, value: Record) -> int | list[_Rule]:
        """The number of a record without errors, or the broken rules to report."""
        broken = self.broken(value)
        return (broken if self.every else broken[:1]) or self.number(value)


def _problem(chance: Chance, level: int) -> Draft:
    form = _draw(chance, level)
    thing = form.shape.name
    errors = " | ".join(f"{rule.error} of {form.shape.fields[rule.place].kind}" for rule in form.rules)
    declared = (form.shape.declaration, f"type error = {errors}")
    result = "(int, error list) result" if form.every else "(int, error) result"
    signature = "\n\n".join([*declared, f"val check : {thing} -> {result}"])
    if form.many:
        signature += f"\nval check_many : {thing} list -> {_MANY[form.many].kind}"
    return Draft(
        name="check",
        statement=_statement(form),
        signature=signature,
        reference=module(*declared, [helper for rule in form.rules for helper in rule.helpers], *_code(form)),
        cases=_cases(chance, form),
        hidden=16 if form.many else 12,
        groups=("check", "check_many") if form.many else (),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Form:
    shape = some_shape(chance, chance.between(1, 2), 2 if level == 1 else 3, 0 if level == 1 else 1)
    owners = [place for place, field in enumerate(shape.fields) if field.kind != "bool"]
    rules = [_own_rule(chance, shape, place) for place in chance.sample(owners, {1: 2, 3: 3, 5: 4}[level])]
    if level > 1:
        free = [place for place in owners if all(rule.place != place for rule in rules)]
        rules.append(_ratio(chance, shape) if chance.happens(0.5) else _condition(chance, shape, free or owners))
    first, second = chance.sample(shape.places("int"), 2)
    form = _Form(
        shape=shape,
        rules=tuple(chance.shuffled(rules)),
        every=level > 1,
        first=first,
        second=second,
        good=Op("", "", lambda x, y: 0),
        many=chance.pick([*_MANY]) if level == 5 else "",
    )
    tried = [_record(chance, form) for _ in range(_TRIED)]
    good = [(value[first], value[second]) for value in tried if not form.broken(value)]
    if not _TRIED // 5 <= len(good) <= _TRIED * 3 // 4:
        raise Unfit
    _check(form, tried)
    return replace(form, good=telling(chance, int_join, good))


def _check(form: _Form, tried: Sequence[Record]) -> None:
    """Raises ``Unfit`` if a part of a rule makes no difference."""
    whole = [form.checked(value) for value in tried]
    for place, rule in enumerate(form.rules):
        for fault in (lambda value: True, *rule.faults):
            faulty = rule._replace(run=fault)
            other = replace(form, rules=(*form.rules[:place], faulty, *form.rules[place + 1 :]))
            errors = [_errors(other.checked(value)) for value in tried]
            if sum(_errors(a) != b for a, b in zip(whole, errors, strict=True)) < 2:
                raise Unfit


def _errors(checked: int | list[_Rule]) -> list[str]:
    return [] if isinstance(checked, int) else [rule.error for rule in checked]


def _record(chance: Chance, form: _Form) -> Record:
    """A record that breaks none of the rules, one or several."""
    return _breaking(chance, form, min(len(form.rules), chance.pick((0, 0, 0, 0, 1, 1, 1, 2, 3))))


def _breaking(chance: Chance, form: _Form, count: int) -> Record:
    """A record that breaks so many rules, if one is easy to find."""
    wrong = [rule.error for rule in chance.sample(form.rules, count)]
    value = [*form.shape.draw(chance, low=_LOW, high=_HIGH)]
    for _ in range(12):
        missed = [rule.place for rule in form.rules if rule.run(tuple(value)) == (rule.error in wrong)]
        if not missed:
            break
        place = chance.pick(missed)
        value[place] = form.shape.draw(chance, low=_LOW, high=_HIGH)[place]
    return tuple(value)


def _cases(chance: Chance, form: _Form) -> Iterator[Case]:
    shape = form.shape
    zeros = {"string": "", "int": 0, "bool": False}
    edges: list[Record] = [tuple(zeros[field.kind] for field in shape.fields)]
    edges += [tuple(99 if field.kind == "int" else zeros[field.kind] for field in shape.fields)]
    edges += [_breaking(chance, form, len(form.rules)) for _ in range(2)]
    for value in inputs(lambda: _record(chance, form), edges):
        yield case("check", [shape.show(value)], _shown(form, value))
        if form.many and chance.happens(0.5):
            values = [_record(chance, form) for _ in range(chance.pick((0, 1, 2, 2, 3, 3, 5)))]
            answer = _MANY[form.many].run(form, values)
            yield case("check_many", [listing(shape.show)(values)], answer)


# --- meaning ----------------------------------------------------------------------------------------------------------


def _shown(form: _Form, value: Record) -> str:
    checked = form.checked(value)
    if isinstance(checked, int):
        return f"Ok {atom(integer(checked))}"
    wrong = [_error(rule, value) for rule in checked]
    return f"Error [{'; '.join(wrong)}]" if form.every else f"Error ({wrong[0]})"


def _error(rule: _Rule, value: Record) -> str:
    part = value[rule.place]
    return f"{rule.error} {atom(text(part) if isinstance(part, str) else integer(part))}"


def _numbers(form: _Form, values: Sequence[Record]) -> list[int]:
    return [form.number(value) for value in values if not form.broken(value)]


def _first_errors(form: _Form, values: Sequence[Record]) -> list[str]:
    return [_error(broken[0], value) for value in values if (broken := form.broken(value))]


def _totals(form: _Form, values: Sequence[Record]) -> str:
    firsts = _first_errors(form, values)
    return f"({integer(sum(_numbers(form, values)))}, [{'; '.join(firsts)}])"


def _counts(form: _Form, values: Sequence[Record]) -> str:
    counts = [f"({place}, {len(form.broken(value))})" for place, value in enumerate(values) if form.broken(value)]
    return f"({_INTEGERS(_numbers(form, values))}, [{'; '.join(counts)}])"


def _all_or_none(form: _Form, values: Sequence[Record]) -> str:
    firsts = _first_errors(form, values)
    if not firsts:
        return f"Ok {_INTEGERS(_numbers(form, values))}"
    return f"Error ({len(firsts)}, {firsts[0]})"


_INTEGERS: Show = listing(integer)


# --- questions about lists --------------------------------------------------------------------------------------------


class _Many(NamedTuple):
    """A function that checks ``records``; ``kind`` is the type of its result."""

    kind: str
    words: str
    ocaml: str
    run: Callable[[_Form, Sequence[Record]], str]


_MANY = {
    "totals": _Many(
        "int * error list",
        "It is a pair: the sum of the numbers of those for which `check` gives `Ok`, and a list with the first error "
        "of each of the others, in the order of the list.",
        """\
let check_many records =
  let add (sum, wrong) one =
    match check one with
    | Ok n -> (sum + n, wrong)
    | Error errors -> (sum, wrong @ [ List.hd errors ])
  in
  List.fold_left add (0, []) records""",
        _totals,
    ),
    "counts": _Many(
        "int list * (int * int) list",
        "It is a pair: the list of the numbers of those for which `check` gives `Ok`, and a list with a pair for each "
        "of the others: its position in the list, counted from 0, and how many errors it has. Both are in the order "
        "of the list.",
        """\
let check_many records =
  let checked = List.mapi (fun i one -> (i, check one)) records in
  let bad = function i, Error errors -> Some (i, List.length errors) | _, Ok _ -> None in
  (List.filter_map (fun (_, result) -> Result.to_option result) checked, List.filter_map bad checked)""",
        _counts,
    ),
    "all_or_none": _Many(
        "(int list, int * error) result",
        "If `check` gives `Ok` for all of them, it is `Ok` of the list of their numbers, in the order of the list. "
        "Otherwise it is `Error` of a pair: how many of them have errors, and the first error of the first of these.",
        """\
let check_many records =
  let good, bad = List.partition_map (fun one -> Result.fold ~ok:Either.left ~error:Either.right (check one)) records in
  match bad with
  | [] -> Ok good
  | errors :: _ -> Error (List.length bad, List.hd errors)""",
        _all_or_none,
    ),
}


# --- words and OCaml --------------------------------------------------------------------------------------------------


def _statement(form: _Form) -> str:
    shape, thing = form.shape, form.shape.name
    lines = [
        f"{rule.words}; otherwise the error is `{rule.error}` of its `{shape.fields[rule.place].name}`"
        for rule in form.rules
    ]
    failed = "`Error` of the error of the first rule, in this order, that is broken"
    if form.every:
        failed = "`Error` of the list of the errors of all rules that are broken, in the order of the rules"
    names = [shape.fields[place].name for place in (form.first, form.second)]
    many = ""
    if form.many:
        many = (
            f"`check_many {shape.plural}` checks each {thing} of a list, which may be empty. {_MANY[form.many].words}"
        )
    return paragraphs(
        f"{a(thing).capitalize()} has to follow these rules:",
        numbered(f"{line}{'.' if i == len(lines) else ';'}" for i, line in enumerate(lines, start=1)),
        f"`check {thing}` is {failed}. If no rule is broken it is `Ok` of {form.good.say(*names)}.",
        many,
    )


def _code(form: _Form) -> tuple[Sequence[str], str, str]:
    """The helpers and the functions."""
    thing = form.shape.name
    fields = [f"{thing}.{field.name}" for field in form.shape.fields]
    good = form.good.ocaml.replace("{x}", fields[form.first]).replace("{y}", fields[form.second])
    checks = ";\n".join(f"      need ({rule.ocaml}) ({rule.error} {fields[rule.place]})" for rule in form.rules)
    check = "\n".join(
        [
            f"let check ({thing} : {thing}) =",
            "  let need holds error = if holds then None else Some error in",
            f"  let rules =\n    [\n{checks};\n    ]\n  in",
            "  match List.filter_map Fun.id rules with",
            f"  | [] -> Ok ({good})",
            "  | errors -> Error errors" if form.every else "  | error :: _ -> Error error",
        ]
    )
    many = _MANY[form.many].ocaml.replace("records", form.shape.plural) if form.many else ""
    return form.good.helpers, check, many


# --- rules ------------------------------------------------------------------------------------------------------------


def _test(chance: Chance, kind: str) -> Op:
    return telling(chance, string_test, _STRINGS) if kind == "string" else telling(chance, int_test, _INTS)


def _on_field(place: int, test: Callable[[Any], Any]) -> Callable[[Record], bool]:
    return lambda value: bool(test(value[place]))


def _own_rule(chance: Chance, shape: Shape, place: int) -> _Rule:
    """A rule for one field."""
    field = shape.fields[place]
    test = _test(chance, field.kind)
    word = "Strange" if field.kind == "string" else chance.pick(("Bad", "Odd", "Wrong"))
    return _Rule(
        test.say(field.name),
        test.code(f"{shape.name}.{field.name}"),
        _on_field(place, test.run),
        f"{word}_{field.name}",
        place,
        test.helpers,
        tuple(_on_field(place, fault) for fault in test.faults),
    )


def _ratio(chance: Chance, shape: Shape) -> _Rule:
    """A rule for two integers."""
    a, b = chance.sample(shape.places("int"), 2)
    first, second = shape.fields[a].name, shape.fields[b].name
    k = chance.between(2, 3)
    return _Rule(
        f"`{first}` is at most {k} times `{second}`",
        f"{shape.name}.{first} <= {k} * {shape.name}.{second}",
        lambda value: bool(value[a] <= k * value[b]),
        f"Unfit_{first}",
        a,
        (),
        (lambda value: bool(value[a] <= value[b]), lambda value: bool(value[a] <= k)),
    )


def _condition(chance: Chance, shape: Shape, places: Sequence[int]) -> _Rule:
    """A rule for one field, conditional on a truth value."""
    (flag,) = shape.places("bool")
    place = chance.pick(places)
    field, switch = shape.fields[place], shape.fields[flag].name
    test = _test(chance, field.kind)
    wanted = chance.happens(0.5)
    given = f"{shape.name}.{switch}"

    def when(test: Callable[[Any], Any]) -> Callable[[Record], bool]:
        return lambda value: value[flag] != wanted or bool(test(value[place]))

    return _Rule(
        f"if `{switch}` is {'true' if wanted else 'false'}, {test.say(field.name)}",
        f"{f'not {given}' if wanted else given} || ({test.code(f'{shape.name}.{field.name}')})",
        when(test.run),
        f"Unfit_{field.name}",
        place,
        test.helpers,
        (_on_field(place, test.run), lambda value: value[flag] != wanted, *map(when, test.faults)),
    )


FAMILY = Family(
    name="options.checks",
    topics=("options-results", "variants-records"),
    description="a record checked by rules, with the first error or with all of them",
    make=_problem,
)
