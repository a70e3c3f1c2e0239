"""A chain of steps that may fail. From level 4 on, failures have reasons, and a step may rescue them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.values import atom, integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("resolve", "lookup_chain", "derive", "follow", "trace_value")
_LINKS = {1: 3, 3: 4, 5: 5}
_LOW, _HIGH = -9, 30  # of the numbers in tables
_LARGEST = 3_000  # of the intermediate numbers
_TRIED = 36
_NO_NUMBER = "not a number"
_STRANGE = (  # keys that are no numbers, and plausible misreadings
    *(("", 0), ("x7", 7), ("-3", -3), (" 5", 5), ("7 ", 7), ("4.0", 4)),
    *(("0b1", 1), ("+4", 4), ("2a", 2), ("0x1", 1), ("1_0", 10), ("1/", 1), ("9:", 9)),
)

_OPERANDS = [(x,) for x in range(_LOW, _HIGH + 1)]
_PAIRS = [(x, y) for x in range(_LOW, _HIGH, 4) for y in range(_LOW, _HIGH, 5)]


class _Failed(NamedTuple):
    why: str


_Value = int | _Failed


class _Entry(NamedTuple):
    """The arguments of a call."""

    table: Sequence[tuple[int, int]]
    key: str

    def found(self, x: int) -> int | None:
        return next((b for a, b in self.table if a == x), None)

    def found_back(self, x: int) -> int | None:
        return next((a for a, b in self.table if b == x), None)


_Run = Callable[[_Value, _Entry], _Value]


class _Link(NamedTuple):
    """A step.

    Attributes:
        words: a sentence.
        ocaml: a function, for use after ``|>``.
        reason: of its failure; empty if it does not fail.
        looks: the part of pairs in which it looks for the value: 1, 2, or 0 for none.
        faults: its meanings with a part forgotten.
    """

    words: str
    ocaml: str
    run: _Run
    reason: str
    looks: int
    helpers: tuple[str, ...]
    faults: tuple[_Run, ...]


class _Style(NamedTuple):
    """The form of success and failure; ``told`` means that failures have reasons."""

    told: bool

    @property
    def module(self) -> str:
        return "Result" if self.told else "Option"

    @property
    def good(self) -> str:
        return "Ok" if self.told else "Some"

    def bad(self, reason: str) -> str:
        return f'Error "{reason}"' if self.told else "None"

    def why(self, reason: str) -> str:
        return f' (reason: `"{reason}"`)' if self.told else ""

    def show(self, value: _Value) -> str:
        return self.bad(value.why) if isinstance(value, _Failed) else f"{self.good} {atom(integer(value))}"


class _Chain(NamedTuple):
    name: str
    style: _Style
    links: list[_Link]

    def run(self, entry: _Entry) -> _Value:
        return _run(self.links, _read(entry.key), entry)


def _problem(chance: Chance, level: int) -> Draft:
    chain = _draw(chance, level)
    return Draft(
        name=chain.name,
        statement=_statement(chain),
        signature=f"val {chain.name} : (int * int) list -> string -> "
        + ("(int, string) result" if chain.style.told else "int option"),
        reference=_code(chain),
        cases=_cases(chance, chain),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Chain:
    style = _Style(told=level >= 3)
    kinds = _kinds(chance, _LINKS[level])
    rescue_at = chance.between(2, len(kinds) - 1) if style.told else None
    links: list[_Link] = []
    for kind in kinds:
        if len(links) == rescue_at:
            links.append(_rescue(chance, links))
        links.append(kind(chance, style, len(links) + 2))
    chain = _Chain(chance.pick(_NAMES), style, links)
    _check(chain, [_entry(chance, chain) for _ in range(_TRIED)])
    return chain


def _kinds(chance: Chance, count: int) -> Sequence[Callable[[Chance, _Style, int], _Link]]:
    """Kinds of steps: some look something up, some may fail, and neighbours differ in kind."""
    while True:
        kinds = chance.sample(_KINDS, count)
        searching = sum(kind in (_find, _find_or, _join_found, _find_back) for kind in kinds)
        failing = sum(kind not in (_find_or, _change) for kind in kinds)
        different = all(a is not b for a, b in pairwise(kinds))
        if searching >= count // 2 and failing >= 2 and different:
            return kinds


def _check(chain: _Chain, tried: Sequence[_Entry]) -> None:
    """Raises ``Unfit`` if a part of a step makes no difference, or if hardly anything succeeds."""
    ways = [_way(chain, entry) for entry in tried]
    answers = [way[-1] for way in ways]
    good = sum(isinstance(answer, int) for answer in answers)
    if not len(tried) // 3 <= good <= len(tried) * 9 // 10 or len({*answers}) < len(tried) // 3:
        raise Unfit
    if any(isinstance(value, int) and abs(value) > _LARGEST for way in ways for value in way):
        raise Unfit
    for place, link in enumerate(chain.links):
        rest = chain.links[place + 1 :]
        faults: list[_Run] = [lambda value, entry: value, *link.faults]
        if link.reason:
            faults += [_failing(link, "")] if chain.style.told else []
        for fault in faults:
            shown = sum(
                _run(rest, fault(way[place], entry), entry) != way[-1] for way, entry in zip(ways, tried, strict=True)
            )
            if shown < 2:
                raise Unfit


def _failing(link: _Link, reason: str) -> _Run:
    """The step with another reason."""

    def run(value: _Value, entry: _Entry) -> _Value:
        made = link.run(value, entry)
        return _Failed(reason) if isinstance(made, _Failed) and made.why == link.reason else made

    return run


def _key(chance: Chance) -> tuple[str, int]:
    """A key, and its number or a plausible misreading."""
    if chance.happens(0.1):
        return chance.pick(_STRANGE)
    n = chance.number(0, 24) if chance.happens(0.9) else chance.between(25, 120)
    return str(n).zfill(chance.pick((1, 1, 1, 1, 1, 1, 1, 1, 3, 4))), n


def _entry(chance: Chance, chain: _Chain) -> _Entry:
    return _with_key(chance, chain, *_key(chance))


def _with_key(chance: Chance, chain: _Chain, key: str, n: int) -> _Entry:
    """A table with most keys that are looked up, though not always, and some of them twice."""
    table = [(chance.number(0, 24), chance.number(_LOW, _HIGH)) for _ in range(chance.between(0, 2))]
    entry = _Entry(table, key)
    value = n if chance.happens(0.8) else _read(key)
    for link in chain.links:
        if link.looks and isinstance(value, int) and chance.happens(0.75):
            other = chance.number(_LOW, _HIGH)
            made = (value, other) if link.looks == 1 else (other, value)
            table.insert(chance.between(0, len(table)), made)
        value = link.run(value, entry)
    if chance.happens(0.08):  # a longer table
        table += [(chance.number(0, 24), chance.number(_LOW, _HIGH)) for _ in range(8)]
    elif chance.happens(0.4):
        table += [_second(chance, *row) for row in table]
    return entry


def _second(chance: Chance, a: int, b: int) -> tuple[int, int]:
    """Another pair that shares a part, mostly the first one."""
    other = chance.number(_LOW, _HIGH)
    return (a, other) if chance.happens(0.7) else (other, b)


def _cases(chance: Chance, chain: _Chain) -> Iterator[Case]:
    edges = [
        _Entry([], "7"),
        _Entry([(1, 2)], ""),
        _Entry([(5, 6), (5, 7), (6, 5)], "5"),
        _Entry([(0, 0)], "0"),
        _Entry([(7, 7)], "007"),
        _Entry([(7, 7)], "0007"),
        *(_with_key(chance, chain, key, n) for key, n in _STRANGE[-4:]),
    ]
    for entry in inputs(lambda: _entry(chance, chain), edges):
        answer = chain.style.show(chain.run(entry))
        yield case(chain.name, [listing(pair(integer, integer))(entry.table), text(entry.key)], answer)


# --- meaning ----------------------------------------------------------------------------------------------------------


def _read(key: str) -> _Value:
    return int(key) if key.isdigit() and len(key) <= 3 else _Failed(_NO_NUMBER)


def _run(links: Sequence[_Link], value: _Value, entry: _Entry) -> _Value:
    for link in links:
        value = link.run(value, entry)
    return value


def _way(chain: _Chain, entry: _Entry) -> list[_Value]:
    """The values before each of the steps, and the last one."""
    way = [_read(entry.key)]
    for link in chain.links:
        way.append(link.run(way[-1], entry))
    return way


# --- words and OCaml --------------------------------------------------------------------------------------------------

_NUMBER = """\
let number s =
  let digit c = c >= '0' && c <= '9' in
  if s <> "" && String.length s <= 3 && String.for_all digit s then Some (int_of_string s) else None"""


def _statement(chain: _Chain) -> str:
    style = chain.style
    skipped = "all later steps are skipped"
    if style.told:
        skipped = "the later steps are skipped, except for a step that says what it does after a failure"
    looked = ""
    if any(link.looks == 1 for link in chain.links):
        looked = (
            "To look a number up means to take the second part of the first pair of `table` whose first part is this "
            "number."
        )
    return paragraphs(
        f"`{chain.name} table key` computes a number in steps, some of which may fail. After a failure {skipped}.",
        numbered(
            [
                "The value is the number that `key` is written as, if `key` is one to three decimal digits and "
                f"nothing else; otherwise fail{style.why(_NO_NUMBER)}.",
                *(f"{link.words}." for link in chain.links),
            ]
        ),
        looked,
        "The result is `Ok` of the value after the last step, or `Error` of the reason of a failure that is left."
        if style.told
        else "The result is `Some` of the value after the last step, or `None` if a step has failed.",
    )


def _code(chain: _Chain) -> str:
    told = chain.style.told
    start = f' |> Option.to_result ~none:"{_NO_NUMBER}"' if told else ""
    lines = [f"let {chain.name} table key =", f"  number key{start}", *(f"  |> {link.ocaml}" for link in chain.links)]
    bind = "let bind f r = Result.bind r f" if told else "let bind f o = Option.bind o f"
    return module(_NUMBER, bind, [h for link in chain.links for h in link.helpers], "\n".join(lines))


def _said(op: Op) -> str:
    return op.words.replace("{x}", "the value").replace("{y}", "what is found")


def _coded(op: Op) -> str:
    """Its OCaml, for a place in which a condition needs no parentheses."""
    return op.ocaml.replace("{x}", "x").replace("{y}", "y")


# --- steps ------------------------------------------------------------------------------------------------------------

_Step = Callable[[int, _Entry], _Value]


def _on_value(
    words: str,
    ocaml: str,
    run: _Step,
    *,
    reason: str = "",
    looks: int = 0,
    helpers: tuple[str, ...] = (),
    faults: Sequence[_Step] = (),
) -> _Link:
    """A step that is skipped after a failure."""

    def skipped(run: _Step) -> _Run:
        return lambda value, entry: value if isinstance(value, _Failed) else run(value, entry)

    return _Link(words, ocaml, skipped(run), reason, looks, helpers, tuple(map(skipped, faults)))


def _fail(x: int, entry: _Entry) -> _Value:
    return _Failed("")


def _demand(chance: Chance, style: _Style, number: int) -> _Link:
    test = telling(chance, int_test, _OPERANDS)
    reason = f"refused {number}"

    def demanded(test: Callable[[int], bool]) -> _Step:
        return lambda x, entry: x if test(x) else _Failed(reason)

    return _on_value(
        f"Fail{style.why(reason)} unless {_said(test)}",
        f"bind (fun x -> if {_coded(test)} then {style.good} x else {style.bad(reason)})",
        demanded(test.run),
        reason=reason,
        helpers=test.helpers,
        faults=[_fail, *map(demanded, test.faults)],
    )


def _change(chance: Chance, style: _Style, number: int) -> _Link:
    op = telling(chance, int_map, _OPERANDS)

    def changed(op: Callable[[int], int]) -> _Step:
        return lambda x, entry: op(x)

    return _on_value(
        f"Replace the value by {_said(op)}",
        f"{style.module}.map (fun x -> {_coded(op)})",
        changed(op.run),
        helpers=op.helpers,
        faults=[*map(changed, op.faults)],
    )


def _divide(chance: Chance, style: _Style, number: int) -> _Link:
    k = chance.between(2, 3)
    reason = f"not divisible {number}"
    chance.mark(2 * k, -k, k + 1, 4 * k)
    return _on_value(
        f"Divide the value by {k}; fail{style.why(reason)} if there is a remainder",
        f"bind (fun x -> if x mod {k} = 0 then {style.good} (x / {k}) else {style.bad(reason)})",
        lambda x, entry: x // k if x % k == 0 else _Failed(reason),
        reason=reason,
        faults=[_fail, lambda x, entry: x // k],
    )


def _find(chance: Chance, style: _Style, number: int) -> _Link:
    reason = f"missing {number}"

    def run(x: int, entry: _Entry) -> _Value:
        found = entry.found(x)
        return _Failed(reason) if found is None else found

    return _on_value(
        f"Look the value up and go on with what is found; fail{style.why(reason)} if there is no such pair",
        f"bind (fun x -> {_result(style, 'List.assoc_opt x table', reason)})",
        run,
        reason=reason,
        looks=1,
        faults=[_fail],
    )


def _find_back(chance: Chance, style: _Style, number: int) -> _Link:
    reason = f"unnamed {number}"

    def run(x: int, entry: _Entry) -> _Value:
        found = entry.found_back(x)
        return _Failed(reason) if found is None else found

    back = "Option.map fst (List.find_opt (fun (_, b) -> b = x) table)"
    return _on_value(
        "Go on with the first part of the first pair of `table` whose second part is the value; "
        f"fail{style.why(reason)} if there is no such pair",
        f"bind (fun x -> {_result(style, back, reason)})",
        run,
        reason=reason,
        looks=2,
        faults=[_fail],
    )


def _result(style: _Style, option: str, reason: str) -> str:
    return f'Option.to_result ~none:"{reason}" ({option})' if style.told else option


def _find_or(chance: Chance, style: _Style, number: int) -> _Link:
    op = telling(chance, int_map, _OPERANDS)

    def found_or(op: Callable[[int], _Value]) -> _Step:
        def run(x: int, entry: _Entry) -> _Value:
            found = entry.found(x)
            return op(x) if found is None else found

        return run

    return _on_value(
        f"Look the value up and go on with what is found; if there is no such pair, replace the value by {_said(op)}",
        f"{style.module}.map (fun x -> match List.assoc_opt x table with Some y -> y | None -> {_coded(op)})",
        found_or(op.run),
        looks=1,
        helpers=op.helpers,
        faults=[
            found_or(lambda x: _Failed("")),
            lambda x, entry: op.run(x),
            lambda x, entry: _Failed("") if entry.found(x) is not None else op.run(x),
            *map(found_or, op.faults),
        ],
    )


def _join_found(chance: Chance, style: _Style, number: int) -> _Link:
    join = telling(chance, int_join, _PAIRS)
    reason = f"alone {number}"

    def joined(join: Callable[[int, int], int]) -> _Step:
        def run(x: int, entry: _Entry) -> _Value:
            found = entry.found(x)
            return _Failed(reason) if found is None else join(x, found)

        return run

    return _on_value(
        f"Look the value up and replace it by {_said(join)}; fail{style.why(reason)} if there is no such pair",
        f"bind (fun x -> {style.module}.map (fun y -> {_coded(join)}) "
        f"({_result(style, 'List.assoc_opt x table', reason)}))",
        joined(join.run),
        reason=reason,
        looks=1,
        helpers=join.helpers,
        faults=[_fail, joined(lambda x, y: x), joined(lambda x, y: y), *map(joined, join.faults)],
    )


_KINDS = (_demand, _demand, _change, _change, _find, _find, _find_or, _find_back, _divide, _join_found)


def _rescue(chance: Chance, links: Sequence[_Link]) -> _Link:
    """A step that continues after a failure: after one for a certain reason, or with a number that depends on the
    reason.
    """
    if chance.happens(0.2):
        return _Link(
            "If a step before this one has failed, forget the failure and go on with the number of characters of its "
            "reason as the value",
            "(function Error why -> Ok (String.length why) | good -> good)",
            lambda value, entry: len(value.why) if isinstance(value, _Failed) else value,
            *("", 0, (), ()),
        )
    reason = chance.pick([_NO_NUMBER, *(2 * [link.reason for link in links if link.reason])])
    words, ocaml, number, faults = _instead(chance)

    def rescued(number: Callable[[_Entry], int]) -> _Run:
        return lambda value, entry: number(entry) if value == _Failed(reason) else value

    return _Link(
        f'If a step before this one has failed for the reason `"{reason}"`, forget the failure and go on with {words}',
        f'(function Error "{reason}" -> Ok {atom(ocaml)} | other -> other)',
        rescued(number),
        *("", 0, ()),
        (lambda value, entry: number(entry) if isinstance(value, _Failed) else value, *map(rescued, faults)),
    )


def _instead(chance: Chance) -> tuple[str, str, Callable[[_Entry], int], Sequence[Callable[[_Entry], int]]]:
    """A replacement number: its words and OCaml, its meaning, and its meanings with a part forgotten."""
    k = chance.between(1, 9)
    kind = chance.below(3)
    if kind == 0:
        n = chance.between(_LOW, 24)
        return f"the value {n}", integer(n), lambda entry: n, ()
    if kind == 1:
        faults = (lambda entry: len(entry.table), lambda entry: k)
        words = f"the number of pairs in `table`, plus {k}, as the value"
        return words, f"List.length table + {k}", lambda entry: len(entry.table) + k, faults
    return (
        f"the number of characters of `key`, plus {k}, as the value",
        f"String.length key + {k}",
        lambda entry: len(entry.key) + k,
        (lambda entry: len(entry.key), lambda entry: k),
    )


FAMILY = Family(
    name="options.chain",
    topics=("options-results", "lists"),
    description="a chain of steps that may fail; from level 4 on failures tell why, and a step rescues some of them",
    make=_problem,
)
