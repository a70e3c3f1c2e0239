"""A chain of steps that may fail, and be rescued; from level 3 on failures tell why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test
from ocaml_env.problems.generators.values import atom, integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

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
        f"`{name} table key` computes a number in steps, each of which may fail. After a failure the steps that "
        "follow are skipped, unless they say otherwise.",
        numbered(
            [
                "The value is the number that `key` is written as, if `key` is one to three decimal digits and "
                f"nothing else; otherwise fail{_why('not a number', told)}.",
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
        f"value is {join.say()}; fail!{reason}! if there is no such pair",
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
        "If a step before this one has failed, forget the failure and go on with the number of pairs in `table` as "
        f"the value, plus {abs(k)}",
        f"(function @none -> @some (List.length table + {abs(k)}) | good -> good)",
        lambda value, table, key: len(table) + abs(k) if isinstance(value, _Failed) else value,
    )


FAMILY = Family(
    name="options.chain",
    topics=("options-results", "lists"),
    description="a chain of steps that may fail, and be rescued; from level 3 on failures tell why",
    make=_chain,
)
