"""Families about options and results: chains of steps that may fail, and records checked by rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test
from ocaml_env.problems.generators.letters import string_test
from ocaml_env.problems.generators.shapes import Shape, some_shape
from ocaml_env.problems.generators.values import atom, integer, listing, pair, text
from ocaml_env.problems.generators.wording import a, module, numbered, paragraphs

__all__ = ["FAMILIES"]

# --- chains -----------------------------------------------------------------------------------------------------------

Table = Sequence[tuple[int, int]]


class _Failed(NamedTuple):
    why: str


_Value = int | _Failed


class _Link(NamedTuple):
    """A step of a chain; the OCaml is a function, where ``!why`` stands for the failure for this reason."""

    words: str
    ocaml: str
    run: Callable[[_Value, Table, str], _Value]
    helpers: tuple[str, ...] = ()


_NUMBER = """\
let number s =
  let digit c = c >= '0' && c <= '9' in
  if s <> "" && String.length s <= 3 && String.for_all digit s then Some (int_of_string s) else None"""


def _chain(chance: Chance, level: int) -> Draft:
    name = chance.pick(("resolve", "lookup_chain", "derive", "follow", "trace_value"))
    told = level >= 3  # failures tell why
    links = [_link(chance, i) for i in range((3, 3, 4, 4, 5)[level - 1])]
    rescue = _rescue(chance) if level >= 2 else None
    if rescue:
        links.insert(chance.between(1, len(links) - 1), rescue)

    def run(table: Table, key: str) -> _Value:
        value: _Value = _Failed("not a number")
        if key.isdigit() and len(key) <= 3:
            value = int(key)
        for link in links:
            value = link.run(value, table, key)
        return value

    def show(value: _Value) -> str:
        if isinstance(value, _Failed):
            return f'Error "{value.why}"' if told else "None"
        return f"{'Ok' if told else 'Some'} {atom(integer(value))}"

    def draw() -> tuple[list[tuple[int, int]], str]:
        keys = chance.numbers(chance.between(3, 6), 0, 24)
        table = [(k, chance.pick(keys) if chance.happens(0.5) else chance.number(-9, 30)) for k in keys]
        if chance.happens(0.15):
            return table, chance.pick(("", "x7", "-3", "1234", " 5", "4.0", "0x1"))
        return table, str(chance.pick(keys) if chance.happens(0.7) else chance.between(0, 40))

    _check_links(links, [draw() for _ in range(14)], run)
    good, bad = ("Ok", "Error") if told else ("Some", "None")
    failing = "The reason is the one that is given with the step." if told else ""
    result = "(int, string) result" if told else "int option"
    statement = paragraphs(
        f"`{name} table key` computes a number in steps, each of which may fail. After a failure the steps that follow "
        "are skipped, unless they say otherwise.",
        numbered(
            [
                "The value is the number that `key` is written as, if `key` is one to three decimal digits and nothing "
                f"else; otherwise fail{_why('not a number', told)}.",
                *(f"{_spoken(link.words, told)}." for link in links),
            ]
        ),
        f"The result is `{good}` of the value after the last step, or "
        f"{f'`{bad}` of the reason' if told else f'`{bad}`'} "
        f"if the last thing was a failure. {failing}".strip(),
        "Where a key occurs in `table` more than once, its first pair counts.",
    )
    start = '|> Option.to_result ~none:"not a number"' if told else ""
    lines = [f"let {name} table key =", f"  number key {start}".rstrip()]
    lines += [f"  |> {_coded(link.ocaml, told)}" for link in links]
    bind = "let bind f r = Result.bind r f" if told else "let bind f o = Option.bind o f"

    def cases() -> Iterator[Case]:
        edges: list[tuple[list[tuple[int, int]], str]]
        edges = [([], "7"), ([(1, 2)], ""), ([(5, 6), (5, 7), (6, 5)], "5"), ([(0, 0)], "0"), ([(7, 7)], "007")]
        for table, key in inputs(draw, edges):
            yield case(name, [listing(pair(integer, integer))(table), text(key)], show(run(table, key)))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : (int * int) list -> string -> {result}",
        reference=module(_NUMBER, bind, [h for link in links for h in link.helpers], "\n".join(lines)),
        cases=cases(),
        together=2,
    )


def _check_links(
    links: Sequence[_Link], tried: Sequence[tuple[Table, str]], run: Callable[[Table, str], _Value]
) -> None:
    """Raises ``Unfit`` where a step could be left out, or where hardly anything succeeds."""
    answers = [run(table, key) for table, key in tried]
    if not 5 <= sum(isinstance(answer, int) for answer in answers) < len(answers):
        raise Unfit
    for i in range(len(links)):
        shorter = [*links[:i], *links[i + 1 :]]
        for (table, key), answer in zip(tried, answers, strict=True):
            value: _Value = int(key) if key.isdigit() and len(key) <= 3 else _Failed("not a number")
            for link in shorter:
                value = link.run(value, table, key)
            if value != answer:
                break
        else:
            raise Unfit


def _why(reason: str, told: bool) -> str:
    return f' (reason: `"{reason}"`)' if told else ""


def _spoken(words: str, told: bool) -> str:
    before, _, rest = words.partition("!")
    if not rest:
        return words
    reason, _, after = rest.partition("!")
    return f"{before}{_why(reason, told)}{after}"


def _coded(ocaml: str, told: bool) -> str:
    """The failure and the success of one type or of the other."""
    before, _, rest = ocaml.partition("!")
    if rest:
        reason, _, after = rest.partition("!")
        ocaml = before + (f'Error "{reason}"' if told else "None") + after
    ocaml = ocaml.replace("@none", "Error _" if told else "None")
    return ocaml.replace("@some", "Ok" if told else "Some")


def _link(chance: Chance, index: int) -> _Link:
    kinds = (_demand, _demand, _change, _find, _find, _find_or_keep, _divide, _add_found)
    return chance.pick(kinds)(chance, index)


def _on_value(words: str, body: str, run: Callable[[int, Table], _Value], helpers: tuple[str, ...] = ()) -> _Link:
    return _Link(
        words,
        f"bind (fun x -> {body})",
        lambda value, table, key: value if isinstance(value, _Failed) else run(value, table),
        helpers,
    )


def _demand(chance: Chance, index: int) -> _Link:
    test = int_test(chance)
    reason = f"refused {index + 2}"
    return _on_value(
        f"Fail!{reason}! unless the value `x` is such that {test.say()}",
        f"if {test.code()} then @some x else !{reason}!",
        lambda x, table: x if test.run(x) else _Failed(reason),
        test.helpers,
    )


def _change(chance: Chance, index: int) -> _Link:
    op = int_map(chance)
    return _on_value(
        f"Replace the value `x` by {op.say()}", f"@some ({op.code()})", lambda x, table: op.run(x), op.helpers
    )


def _found(table: Table, key: int) -> int | None:
    return next((value for k, value in table if k == key), None)


def _find(chance: Chance, index: int) -> _Link:
    reason = f"missing {index + 2}"

    def run(x: int, table: Table) -> _Value:
        found = _found(table, x)
        return _Failed(reason) if found is None else found

    return _on_value(
        f"Replace the value by the second part of the pair of `table` whose first part it is; fail!{reason}! if there "
        "is none",
        f"match List.assoc_opt x table with Some y -> @some y | None -> !{reason}!",
        run,
    )


def _find_or_keep(chance: Chance, index: int) -> _Link:
    op = int_map(chance)

    def run(x: int, table: Table) -> _Value:
        found = _found(table, x)
        return op.run(x) if found is None else found

    return _on_value(
        "Replace the value `x` by the second part of the pair of `table` whose first part it is; if there is none, by "
        f"{op.say()}",
        f"match List.assoc_opt x table with Some y -> @some y | None -> @some ({op.code()})",
        run,
        op.helpers,
    )


def _add_found(chance: Chance, index: int) -> _Link:
    join = int_join(chance)
    reason = f"alone {index + 2}"

    def run(x: int, table: Table) -> _Value:
        found = _found(table, x)
        return _Failed(reason) if found is None else join.run(x, found)

    return _on_value(
        "With the value `x`, and `y` for the second part of the pair of `table` whose first part is `x`, the new "
        "value "
        f"is {join.say()}; fail!{reason}! if there is no such pair",
        f"match List.assoc_opt x table with Some y -> @some ({join.code()}) | None -> !{reason}!",
        run,
        join.helpers,
    )


def _divide(chance: Chance, index: int) -> _Link:
    k = chance.between(2, 3)
    reason = f"not divisible {index + 2}"
    return _on_value(
        f"Divide the value by {k}; fail!{reason}! if there is a remainder",
        f"if x mod {k} = 0 then @some (x / {k}) else !{reason}!",
        lambda x, table: x // k if x % k == 0 else _Failed(reason),
    )


def _rescue(chance: Chance) -> _Link:
    k = chance.between(-9, 24)
    if chance.happens(0.5):
        return _Link(
            f"If a step before this one has failed, forget the failure and go on with the value {k}",
            f"(function @none -> @some {atom(str(k))} | good -> good)",
            lambda value, table, key: k if isinstance(value, _Failed) else value,
        )
    return _Link(
        "If a step before this one has failed, forget the failure and go on with the number of pairs in `table` as the "
        f"value, plus {abs(k)}",
        f"(function @none -> @some (List.length table + {abs(k)}) | good -> good)",
        lambda value, table, key: len(table) + abs(k) if isinstance(value, _Failed) else value,
    )


# --- checks -----------------------------------------------------------------------------------------------------------


Record = tuple[Any, ...]


class _Rule(NamedTuple):
    """What a record must fulfil, and the error otherwise; the error carries one field."""

    words: str
    ocaml: str
    run: Callable[[Record], bool]
    error: str
    place: int
    helpers: tuple[str, ...]


def _checks(chance: Chance, level: int) -> Draft:
    shape = some_shape(chance, chance.between(1, 2), 2 if level <= 2 else 3)
    thing = shape.name
    every = level >= 3
    places = chance.sample(range(len(shape.fields)), min(len(shape.fields), (2, 3, 3, 4, 4)[level - 1]))
    rules = [_rule(chance, shape, place) for place in places]
    if level >= 4:
        rules.append(_cross_rule(chance, shape))
    rules = chance.shuffled(rules)
    fields = [f"{thing}.{field.name}" for field in shape.fields]
    first, second = shape.places("int")[:2]
    good = int_join(chance)

    def broken(value: Record) -> list[_Rule]:
        return [rule for rule in rules if not rule.run(value)]

    def draw() -> Record:
        for _ in range(5 if chance.happens(0.7) else 0):
            value = shape.draw(chance, high=25)
            if len(broken(value)) <= 1:
                return value
        return shape.draw(chance, high=25)

    tried = [shape.draw(chance, high=25) for _ in range(12)]
    if not all(3 <= sum(rule.run(value) for value in tried) < 12 for rule in rules):
        raise Unfit

    def error(rule: _Rule, value: Record) -> str:
        part = value[rule.place]
        return f"{rule.error} {atom(text(part) if isinstance(part, str) else integer(part))}"

    def run(value: Record) -> str:
        wrong = [error(rule, value) for rule in broken(value)]
        if not wrong:
            return f"Ok {atom(integer(good.run(value[first], value[second])))}"
        return f"Error [{'; '.join(wrong)}]" if every else f"Error ({wrong[0]})"

    kinds = {"string": "string", "int": "int"}
    errors = " | ".join(f"{rule.error} of {kinds[shape.fields[rule.place].kind]}" for rule in rules)
    lines = [
        f"{rule.words}; otherwise the error is `{rule.error}` of its `{shape.fields[rule.place].name}`"
        for rule in rules
    ]
    failed = (
        "`Error` of the errors of all rules that are broken, in the order of the rules"
        if every
        else "`Error` of the error of the first rule, in this order, that is broken"
    )
    result = "(int, error list) result" if every else "(int, error) result"
    value = good.say("x", "y")
    statement = paragraphs(
        f"{a(thing).capitalize()} has to follow these rules:",
        numbered(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
        f"`check {thing}` is {failed}. If no rule is broken it is `Ok` of {value}, where `x` is the "
        f"`{shape.fields[first].name}` and `y` the `{shape.fields[second].name}`.",
        _check_many_words(thing, shape.plural) if level == 5 else "",
    )
    body = [f"let check ({thing} : {thing}) =", "  let wrong = List.filter_map Fun.id"]
    conditions = [f"(if {rule.ocaml} then None else Some ({rule.error} {fields[rule.place]}))" for rule in rules]
    body.append("    [ " + ";\n      ".join(conditions) + " ] in")
    body.append("  match wrong with")
    body.append(f"  | [] -> Ok ({good.code(fields[first], fields[second])})")
    body.append("  | errors -> Error errors" if every else "  | error :: _ -> Error error")
    many = f"""\
let check_many {shape.plural} =
  let add (sum, bad) {thing} =
    match check {thing} with Ok n -> (sum + n, bad) | Error errors -> (sum, bad @ [ List.hd errors ])
  in
  List.fold_left add (0, []) {shape.plural}"""

    def run_many(values: Sequence[Record]) -> str:
        total = sum(good.run(value[first], value[second]) for value in values if not broken(value))
        firsts = [error(broken(value)[0], value) for value in values if broken(value)]
        return f"({integer(total)}, [{'; '.join(firsts)}])"

    def cases() -> Iterator[Case]:
        edges: list[Record] = [tuple("" if f.kind == "string" else n for f in shape.fields) for n in (0, 99)]
        for value in inputs(draw, edges):
            yield case("check", [shape.show(value)], run(value))
            if level == 5 and chance.happens(0.4):
                values = [draw() for _ in range(chance.between(0, 3))]
                yield case("check_many", [listing(shape.show)(values)], run_many(values))

    signature = f"{shape.declaration}\n\ntype error = {errors}\n\nval check : {thing} -> {result}"
    if level == 5:
        signature += f"\nval check_many : {thing} list -> int * error list"
    return Draft(
        name="check",
        statement=statement,
        signature=signature,
        reference=module(
            shape.declaration,
            f"type error = {errors}",
            [helper for rule in rules for helper in rule.helpers],
            good.helpers,
            "\n".join(body),
            many if level == 5 else "",
        ),
        cases=cases(),
        hidden=16 if level == 5 else 12,
        groups=("check", "check_many") if level == 5 else (),
    )


def _check_many_words(thing: str, plural: str) -> str:
    return (
        f"`check_many {plural}` checks each {thing} of a list, which may be empty. It is a pair: the sum of what `Ok` "
        "holds where `check` gives `Ok`, and a list with the first error of each of the others, in the order of the "
        "list."
    )


def _rule(chance: Chance, shape: Shape, place: int) -> _Rule:
    field = shape.fields[place]
    op = string_test(chance) if field.kind == "string" else int_test(chance)
    word = "Strange" if field.kind == "string" else chance.pick(("Bad", "Odd", "Wrong"))
    return _Rule(
        f"its `{field.name}` is such that {op.say(field.name)}",
        op.code(f"{shape.name}.{field.name}"),
        lambda value: bool(op.run(value[place])),
        f"{word}_{field.name}",
        place,
        op.helpers,
    )


def _cross_rule(chance: Chance, shape: Shape) -> _Rule:
    a, b = chance.sample(shape.places("int"), 2)
    first, second = shape.fields[a].name, shape.fields[b].name
    k = chance.between(2, 3)
    return _Rule(
        f"its `{first}` is at most {k} times its `{second}`",
        f"{shape.name}.{first} <= {k} * {shape.name}.{second}",
        lambda value: bool(value[a] <= k * value[b]),
        f"Unfit_{first}",
        a,
        (),
    )


FAMILIES = (
    Family(
        name="options.chain",
        topics=("options-results", "lists"),
        description="a chain of steps that may fail, and be rescued; from level 3 on failures tell why",
        make=_chain,
    ),
    Family(
        name="options.checks",
        topics=("options-results", "variants-records"),
        description="a record checked by rules, with the first error or with all of them",
        make=_checks,
    ),
)
