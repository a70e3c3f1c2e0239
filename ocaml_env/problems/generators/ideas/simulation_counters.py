"""Customers at counters, with rules for waiting and leaving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_test, telling
from ocaml_env.problems.generators.values import Show, integer, listing, option, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("serve", "queue_times", "desk_day", "attend", "handle")
_COUNTERS = {1: 1, 3: 2, 5: 3}
_MOST_ITEMS, _MOST_CUSTOMERS = 9, 8
_MANY_CUSTOMERS = 12  # in some tests
_LATEST = 30  # arrival

Customers = Sequence[tuple[int, int]]


class _Desk(NamedTuple):
    """The drawn rules.

    Attributes:
        choice: of free counters: ``first``, ``last`` or ``least``.
        need: the service time of a customer, from the number of items and the place.
        signed: the time may be negative; its absolute value is used.
        slow: a question for arrival times with doubled service time.
        pause: after a customer.
        longest: the longest time that anybody waits.
        result: ``times`` or ``waits`` for one counter, ``places`` or ``loads`` for several.
    """

    name: str
    counters: int
    choice: str
    need: Op
    signed: bool
    slow: Op
    pause: int
    longest: int
    result: str

    def time(self, place: int, arrival: int, items: int) -> int:
        time = abs(int(self.need.run(items, place))) + 1
        return 2 * time if self.slow.run(arrival) else time


class _Served(NamedTuple):
    """The service of a customer: the counter, its begin and end, and the waiting time."""

    at: int
    start: int
    end: int
    wait: int


class _Day(NamedTuple):
    """The service of each customer, None for those who left, and the total service time of each counter."""

    served: list[_Served | None]
    loads: list[int]


def _counters(chance: Chance, level: int) -> Draft:
    desk = _draw(chance, level)
    show, kind, _ = _RESULTS[desk.result]

    def cases() -> Iterator[Case]:
        edges: list[Customers] = [[], [(5, 3)], [(0, 2)] * 5, [(0, 0), (30, 0), (60, 4)]]
        for customers in inputs(lambda: _any_customers(chance, desk), edges):
            answer = _answer(desk, _day(desk, customers))
            yield case(desk.name, [listing(pair(integer, integer))(customers)], show(answer))

    return Draft(
        name=desk.name,
        statement=_statement(desk),
        signature=f"val {desk.name} : (int * int) list -> {kind}",
        reference=module(desk.need.helpers, desk.slow.helpers, _code(desk)),
        cases=cases(),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Desk:
    grid = [(items, place) for items in range(_MOST_ITEMS + 1) for place in range(_MOST_CUSTOMERS)]
    need = telling(chance, int_join, grid)
    needs = [int(need.run(*operands)) for operands in grid]
    if sum(map(abs, needs)) > 14 * len(needs) or len({*needs}) < 4:
        raise Unfit
    counters = _COUNTERS[level]
    desk = _Desk(
        name=chance.pick(_NAMES),
        counters=counters,
        choice=chance.pick(("first", "last", "least")) if counters > 1 else "first",
        need=need,
        signed=any(need.run(items, place) < 0 for items in range(_MOST_ITEMS + 1) for place in range(_MANY_CUSTOMERS)),
        slow=telling(chance, int_test, [(time,) for time in range(_LATEST + 1)]),
        pause=chance.between(0, 3),
        longest=1_000,
        result=chance.pick(("places", "loads") if counters > 1 else ("times", "waits")),
    )
    days = [_day(desk, _customers(chance, desk)) for _ in range(12)]
    waits = sorted(service.wait for day in days for service in day.served if service and service.wait)
    if len(waits) < 12:
        raise Unfit
    return desk._replace(longest=waits[len(waits) * chance.between(35, 65) // 100])


def _customers(chance: Chance, desk: _Desk) -> list[tuple[int, int]]:
    """Customers in such quick succession that some have to wait."""
    count = chance.between(3, _MOST_CUSTOMERS)
    items = [chance.between(0, _MOST_ITEMS) for _ in range(count)]
    busy = sum(desk.time(place, 0, size) + desk.pause for place, size in enumerate(items)) // desk.counters
    latest = max(2, min(_LATEST, busy * chance.between(30, 100) // 100))
    return [*zip(sorted(chance.ints(count, 0, latest)), items, strict=True)]


def _any_customers(chance: Chance, desk: _Desk) -> list[tuple[int, int]]:
    """Such customers, or only one or two, or many, or some at the same time or long after the others."""
    if chance.happens(0.6):
        return _customers(chance, desk)
    count = chance.pick((1, 2, 4, 6, _MANY_CUSTOMERS))
    latest = chance.pick((3, _LATEST, 3 * _LATEST))
    times = chance.ints(count, 0, latest)
    if chance.happens(0.3):
        times = [times[0]] * count
    return [(time, chance.between(0, _MOST_ITEMS)) for time in sorted(times)]


# --- meaning ----------------------------------------------------------------------------------------------------------


def _day(desk: _Desk, customers: Customers) -> _Day:
    free = [0] * desk.counters
    day = _Day([], [0] * desk.counters)
    for place, (arrival, items) in enumerate(customers):
        moment = max(arrival, min(free))
        at = _chosen(desk, [i for i in range(desk.counters) if free[i] <= moment], day.loads)
        if moment - arrival > desk.longest:
            day.served.append(None)
            continue
        time = desk.time(place, arrival, items)
        day.served.append(_Served(at, moment, moment + time, moment - arrival))
        day.loads[at] += time
        free[at] = moment + time + desk.pause
    return day


def _chosen(desk: _Desk, free: Sequence[int], loads: Sequence[int]) -> int:
    if desk.choice == "least":
        return min(free, key=lambda i: (loads[i], i))
    return free[0] if desk.choice == "first" else free[-1]


def _answer(desk: _Desk, day: _Day) -> Any:
    served = [service for service in day.served if service]
    left = len(day.served) - len(served)
    return {
        "times": [(service.start, service.end) for service in served],
        "waits": ([service.wait for service in served], left),
        "places": [service and (service.at, service.start) for service in day.served],
        "loads": (day.loads, left),
    }[desk.result]


_RESULTS: dict[str, tuple[Show, str, str]] = {  # a function to show it, its type, and its words
    "times": (
        listing(pair(integer, integer)),
        "(int * int) list",
        "the list of the pairs of the times at which service begins and ends, for those who are served, in the order "
        "of the list",
    ),
    "waits": (
        pair(listing(integer), integer),
        "int list * int",
        "the pair of the list of the waiting times of those who are served, in the order of the list, and of the "
        "number of those who leave",
    ),
    "places": (
        listing(option(pair(integer, integer))),
        "(int * int) option list",
        "the list of what becomes of the customers, in the order of the list: `Some (i, t)` if counter `i` serves the "
        "customer from time `t` on, and `None` if the customer leaves",
    ),
    "loads": (
        pair(listing(integer), integer),
        "int list * int",
        "the pair of the list of the times for which the counters serve customers, in the order of their numbers, and "
        "of the number of customers who leave",
    ),
}


# --- words ------------------------------------------------------------------------------------------------------------


def _statement(desk: _Desk) -> str:
    n = desk.counters
    counters = f"There are {n} counters, with the numbers 0 to {n - 1}" if n > 1 else "There is one counter"
    need = desk.need.say("m", "p")
    time = (
        f"1 more than the absolute value of the following: {need}"
        if desk.signed
        else f"1 more than the following: {need}"
    )
    rules = [
        _going(desk),
        f"Serving the customer at position `p` of the list (counted from 0), with `m` items, takes {time}.",
        f"It takes twice as long if the arrival time `t` is such that {desk.slow.say('t')}.",
    ]
    if desk.pause:
        rules.append(f"After a customer the counter needs {desk.pause} more before it is free again.")
    rules.append(f"A customer who would have to wait longer than {desk.longest} leaves on arrival and changes nothing.")
    free = "All counters are" if n > 1 else "The counter is"
    return paragraphs(
        f"{counters}. Customers come one after another; each is a pair of the arrival time, at least 0, and the number "
        f"of items, from 0 to {_MOST_ITEMS}. The list has them in ascending order of the arrival times, and those with "
        f"the same time come in its order. {free} free at time 0.",
        bullets(rules),
        f"`{desk.name} customers` is {_RESULTS[desk.result][2]}. The list may be empty.",
    )


def _going(desk: _Desk) -> str:
    if desk.counters == 1:
        return "A customer waits until the counter is free."
    chosen = {
        "first": "the one with the lowest number",
        "last": "the one with the highest number",
        "least": "the one that has worked least by then (the sum of the times that its customers needed; of several "
        "such the one with the lowest number)",
    }[desk.choice]
    return (
        f"A customer goes to a counter that is free on arrival; if several are free, to {chosen}. If none is free, the "
        "customer waits for the one that becomes free first; if several become free first, the same rule decides "
        "between these."
    )


# --- OCaml ------------------------------------------------------------------------------------------------------------


def _code(desk: _Desk) -> str:
    value = f"abs ({desk.need.code('m', 'p')}) + 1" if desk.signed else f"({desk.need.code('m', 'p')}) + 1"
    time = f"""\
      let time = {value} in
      let time = if {desk.slow.code("t")} then 2 * time else time in"""
    pause = f" + {desk.pause}" if desk.pause else ""
    leave = {"times": "()", "places": "places := None :: !places"}.get(desk.result, "incr left")
    add = {
        "times": "times := (start, start + time) :: !times;",
        "waits": "waits := (start - t) :: !waits;",
        "places": "places := Some (at, start) :: !places;",
    }.get(desk.result, "")
    ending = {"times": "List.rev !times", "waits": "(List.rev !waits, !left)", "places": "List.rev !places"}
    many = desk.counters > 1
    needs_load = many and (desk.choice == "least" or desk.result == "loads")
    lines = [
        f"let {desk.name} customers =",
        f"  let free = Array.make {desk.counters} 0 in" if many else "  let free = ref 0 in",
        f"  let load = Array.make {desk.counters} 0 in" if needs_load else "",
        f"  let {desk.result} = ref [] in" if add else "",
        "" if desk.result in ("times", "places") else "  let left = ref 0 in",
        "  let attend p (t, m) =",
        "    let start = max t (Array.fold_left min free.(0) free) in" if many else "    let start = max t !free in",
        f"    if start - t > {desk.longest} then {leave}",
        "    else begin",
        *(_choice_code(desk) if many else []),
        time,
        f"      {add}" if add else "",
        "      load.(at) <- load.(at) + time;" if needs_load else "",
        f"      {'free.(at) <-' if many else 'free :='} start + time{pause}",
        "    end",
        "  in",
        "  List.iteri attend customers;",
        f"  {ending.get(desk.result, '(Array.to_list load, !left)')}",
    ]
    return "\n".join(line for line in lines if line)


def _choice_code(desk: _Desk) -> list[str]:
    numbers = "; ".join(map(str, range(desk.counters)))
    found = [f"      let waiting = List.filter (fun i -> free.(i) <= start) [ {numbers} ] in"]
    return (
        found
        + {
            "first": ["      let at = List.hd waiting in"],
            "last": ["      let at = List.hd (List.rev waiting) in"],
            "least": [
                "      let less best i = if load.(i) < load.(best) then i else best in",
                "      let at = List.fold_left less (List.hd waiting) waiting in",
            ],
        }[desk.choice]
    )


FAMILY = Family(
    name="simulation.counters",
    topics=("simulation", "mutable-arrays"),
    description="customers who are served at counters, with rules for waiting and leaving",
    make=_counters,
)
