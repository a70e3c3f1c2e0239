"""Customers who are served at counters, with rules for waiting and leaving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_test
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]


def _counters(chance: Chance, level: int) -> Draft:
    name = chance.pick(("serve", "queue_times", "desk_day", "attend", "handle"))
    counters = (1, 2, 2, 3, 3)[level - 1]
    pause = chance.between(0, 3)
    longest = chance.between(4, 12)  # nobody waits longer
    need = int_join(chance)
    choice = chance.pick(("first", "last", "least")) if counters > 1 else "first"
    early = int_test(chance)  # who needs double time
    result = chance.pick(("times", "waits", "loads") if level >= 3 else ("times", "waits"))

    def run(customers: Sequence[tuple[int, int]]) -> Any:
        free = [0] * counters
        load = [0] * counters
        times: list[tuple[int, int]] = []
        waits: list[int] = []
        left = 0
        for place, (arrival, items) in enumerate(customers):
            soonest = min(free)
            waiting = [i for i in range(counters) if free[i] <= max(arrival, soonest)]
            at = waiting[0] if choice == "first" else waiting[-1]
            if choice == "least":
                at = min(waiting, key=lambda i: (load[i], i))
            start = max(arrival, free[at])
            if start - arrival > longest:
                left += 1
                continue
            time = abs(need.run(items, place)) + 1
            if early.run(arrival):
                time *= 2
            times.append((start, start + time))
            waits.append(start - arrival)
            free[at] = start + time + pause
            load[at] += time
        return {"times": times, "waits": (waits, left), "loads": (load, left)}[result]

    def draw() -> list[tuple[int, int]]:
        arrivals = sorted(chance.numbers(chance.between(3, 8), 0, 25))
        return [(arrival, chance.number(0, 9)) for arrival in arrivals]

    tried = [draw() for _ in range(8)]
    times = [abs(need.run(items, place)) for customers in tried for place, (_, items) in enumerate(customers)]
    if sum(times) > 14 * len(times) or len({*times}) < 4:
        raise Unfit
    many = counters > 1
    desks = f"There are {counters} counters, with the numbers 0 to {counters - 1}" if many else "There is one counter"
    chosen = {
        "first": "the one with the lowest number",
        "last": "the one with the highest number",
        "least": "the one that has worked least by then (the sum of the times that its customers needed; of several "
        "such the one with the lowest number)",
    }[choice]
    going = (
        f"A customer goes to a counter that is free on arrival; if several are free, to {chosen}. If none is free, the "
        "customer waits for the one that becomes free first; if several become free first, the same rule decides "
        "between these."
        if many
        else "A customer waits until the counter is free."
    )
    parts = [
        going,
        "Serving the customer at position `p` of the list (counted from 0), with `m` items, takes 1 more than the "
        f"absolute value of the following: {need.say('m', 'p')}.",
    ]
    parts.append(f"It takes twice as long if the arrival time `t` is such that {early.say('t')}.")
    if pause:
        parts.append(f"After a customer the counter needs {pause} more before it is free again.")
    parts.append(f"A customer who would have to wait longer than {longest} leaves on arrival and changes nothing.")
    ends = {
        "times": f"`{name} customers` is the list of the pairs of the times at which service begins and ends, for "
        f"those who are served, in the order of the list.",
        "waits": f"`{name} customers` is the pair of the list of the waiting times of those who are served, "
        f"in the order of the list, and of the number of those who leave.",
        "loads": f"`{name} customers` is the pair of the list of the times for which the counters serve customers, in "
        "the order of their numbers, and of the number of customers who leave.",
    }[result]
    kind = {"times": "(int * int) list", "waits": "int list * int", "loads": "int list * int"}[result]
    show: Show = listing(pair(integer, integer)) if result == "times" else pair(listing(integer), integer)
    code = _counter_code(name, counters, pause, longest, need, choice, early, result)

    def cases() -> Iterator[Case]:
        edges: list[list[tuple[int, int]]] = [
            [],
            [(5, 3)],
            [(0, 2), (0, 2), (0, 2), (0, 2), (0, 2)],
            [(0, 0), (30, 0), (60, 4)],
        ]
        for customers in inputs(draw, edges):
            yield case(name, [listing(pair(integer, integer))(customers)], show(run(customers)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"{desks}. Customers come one after another; each is a pair of the arrival time and the number of items. "
            "The list has them in ascending order of the arrival times, and those with the same time come in its "
            "order. All counters are free at time 0.",
            bullets(parts),
            f"{ends} The list may be empty.",
        ),
        signature=f"val {name} : (int * int) list -> {kind}",
        reference=module(need.helpers, early.helpers, code),
        cases=cases(),
    )


def _counter_code(
    name: str, counters: int, pause: int, longest: int, need: Op, choice: str, early: Op, result: str
) -> str:
    at = {
        "first": "first",
        "last": "List.hd (List.rev waiting)",
        "least": "List.fold_left (fun best i -> if load.(i) < load.(best) then i else best) first waiting",
    }[choice]
    kept = {"times": "times", "waits": "waits", "loads": "load"}[result]
    needs_load = choice == "least" or result == "loads"
    ending = {
        "times": "List.rev !times",
        "waits": "(List.rev !waits, !left)",
        "loads": "(Array.to_list load, !left)",
    }[result]
    lines = [
        f"let {name} customers =",
        f"  let free = Array.make {counters} 0 in",
        f"  let load = Array.make {counters} 0 in" if needs_load else "",
        f"  let {kept} = ref [] in" if kept != "load" else "",
        "  let left = ref 0 in" if result != "times" else "",
        "  let attend p (t, m) =",
        "    let moment = max t (Array.fold_left min free.(0) free) in",
        f"    let waiting = List.filter (fun i -> free.(i) <= moment) (List.init {counters} Fun.id) in",
        "    let first = List.hd waiting in" if choice != "last" else "",
        f"    let at = {at} in",
        "    let start = max t free.(at) in",
        f"    if start - t > {longest} then {'incr left' if result != 'times' else '()'}",
        "    else begin",
        f"      let time = abs ({need.code('m', 'p')}) + 1 in",
        f"      let time = if {early.code('t')} then 2 * time else time in",
        "      times := (start, start + time) :: !times;" if result == "times" else "",
        "      waits := (start - t) :: !waits;" if result == "waits" else "",
        "      load.(at) <- load.(at) + time;" if needs_load else "",
        f"      free.(at) <- start + time{f' + {pause}' if pause else ''}",
        "    end",
        "  in",
        "  List.iteri attend customers;",
        f"  {ending}",
    ]
    return "\n".join(line for line in lines if line)


FAMILY = Family(
    name="simulation.counters",
    topics=("simulation", "mutable-arrays"),
    description="customers who are served at counters, with rules for waiting and leaving",
    make=_counters,
)
