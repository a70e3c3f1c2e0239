"""Small tasks on a shop: customers in a queue, and counters to serve them."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts, tuples
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]

_NAMES = one_of('"Ada"', '"Ben"', '"Cleo"', '"Dan"', '"Eva"', '"Finn"')
_QUEUE = lists(_NAMES, 0, 6, far=12)
_TIMES = lists(integers(0, 30, far=500))


def _ascending(chance: Chance) -> str:
    times = chance.numbers(chance.pick((1, 2, 3, 4, 5, 6, 12)), 0, chance.pick((10, 30, 90)))
    return str(sorted(times)).replace(",", ";")


def _event(chance: Chance) -> str:
    return chance.pick(("Next", "Other", f"Join {_NAMES.draw(chance)}"))


TASKS = (
    Task(
        level=1,
        says=(
            "A customer arrives at the time `a`, and the counter is free from the time `t` on. Serving takes $d minutes. "
            "`$f a t` is $what.",
            "Serving a customer takes $d minutes. One arrives at `a` at a counter that is free from `t` on. Write `$f a t`: "
            "$what.",
        ),
        names=("serve", "customer", "schedule"),
        signature="int -> int -> int",
        code="let $f a t = $what",
        gaps={
            "what": (
                ("the time when the customer leaves", "max a t + $d"),
                ("how many minutes the customer spends in the shop", "max a t - a + $d"),
                ("how many minutes the customer waits", "max 0 (t - a)"),
                ("how many minutes the counter stands idle before that", "max 0 (a - t)"),
                (
                    "the time when the counter is free again, after $p more minutes of rest",
                    "max a t + $d + $p",
                ),
            ),
            "d": number(2, 12),
            "p": number(2, 9),
        },
        inputs=(integers(0, 60, far=1_000), integers(0, 60, far=1_000)),
    ),
    Task(
        level=1,
        says=(
            "There are $k counters, and `n` customers, `n` being at least 0. `$f n` is $what.",
            "`n` customers (at least 0) come to a shop with $k counters. Write `$f n`, $what.",
        ),
        names=("per_counter", "share", "rounds"),
        signature="int -> int",
        code="let $f n = $what",
        gaps={
            "what": (
                ("how many rounds it takes if $k are served at a time", "(n + $k - 1) / $k"),
                ("how many customers each counter gets at least, if they are spread evenly", "n / $k"),
                ("how many customers are left over if each counter serves equally many", "n mod $k"),
                ("how many of them find no free counter if all come at once", "max 0 (n - $k)"),
                ("the number of counters that stay free if all come at once", "max 0 ($k - n)"),
                ("the minutes until all are served, $m for each round of $k customers", "(n + $k - 1) / $k * $m"),
            ),
            "k": number(3, 12),
            "m": number(2, 9),
        },
        inputs=(integers(0, 20, far=500),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $what, for the list `l` of the minutes that customers had to wait.",
            "The list `l` holds the minutes that each customer had to wait. What is $what? Write `$f l`.",
        ),
        names=("waiting", "waits", "evaluate_waits"),
        signature="int list -> int",
        code="let $f l = $what",
        gaps={
            "what": (
                (
                    "the number of customers who waited more than $k minutes",
                    "List.length (List.filter (fun w -> w > $k) l)",
                ),
                (
                    "the number of customers who waited less than $k minutes",
                    "List.length (List.filter (fun w -> w < $k) l)",
                ),
                ("the number of customers who did not wait at all", "List.length (List.filter (fun w -> w = 0) l)"),
                ("the longest wait (0 if nobody came)", "List.fold_left max 0 l"),
                ("the sum of all waits", "List.fold_left ( + ) 0 l"),
                (
                    "the sum of all waits, where no wait counts more than $k",
                    "List.fold_left (fun s w -> s + min $k w) 0 l",
                ),
            ),
            "k": number(5, 20),
        },
        inputs=(_TIMES,),
    ),
    Task(
        level=1,
        says=(
            "`$f q name` is the queue `q`, a list of names with the first in line at its head, after $what.",
            "The list `q` is a queue, and its head is first in line. Write `$f q name`: the queue after $what.",
        ),
        names=("join", "change_queue", "queue_up"),
        signature="string list -> string -> string list",
        code="let $f q name = $what",
        gaps={
            "what": (
                ("`name` joined it at the end", "q @ [ name ]"),
                ("`name` pushed in at the front", "name :: q"),
                ("`name` joined it at the end together with a friend, $friend", 'q @ [ name; "$friend" ]'),
                ("everybody called `name` left it", "List.filter (fun n -> n <> name) q"),
                (
                    "`name` joined it and then all turned round, so that the last is first",
                    "name :: List.rev q",
                ),
            ),
            "friend": (("Gus",), ("Hal",), ("Ida",), ("Jo",), ("Kim",), ("Lea",)),
        },
        inputs=(_QUEUE, _NAMES),
    ),
    Task(
        level=1,
        says=(
            'Waiting people are listed in `q`, the first in line first. `$f q` is the name of $who, or `"$none"` if '
            "there is no such person.",
            'Who is $who in the queue `q`, whose head is first in line? Write `$f q`; it is `"$none"` if there is no such person.',
        ),
        names=("who", "person", "look_up"),
        signature="string list -> string",
        code='let $f q = match $who | _ -> "$none"',
        gaps={
            "who": (
                ("the first person", "q with x :: _ -> x"),
                ("the second person", "q with _ :: x :: _ -> x"),
                ("the third person", "q with _ :: _ :: x :: _ -> x"),
                ("the last person", "List.rev q with x :: _ -> x"),
                ("the last person but one", "List.rev q with _ :: x :: _ -> x"),
            ),
            "none": (("nobody",), ("-",), ("no one",), ("none",), ("?",)),
        },
        inputs=(lists(_NAMES, 0, 5, far=12),),
    ),
    Task(
        level=1,
        says=(
            "The two queues `a` and `b` are lists of names. `$f a b` is $what.",
            "People wait in two queues, the lists `a` and `b`. Write `$f a b`, $what.",
        ),
        names=("compare_queues", "two_queues", "both_queues"),
        signature="string list -> string list -> int",
        code="let $f a b = $what",
        gaps={
            "what": (
                ("the number of people who wait", "List.length a + List.length b"),
                ("the length of the shorter queue", "min (List.length a) (List.length b)"),
                ("the length of the longer queue", "max (List.length a) (List.length b)"),
                (
                    "how many people more wait in `a` than in `b` (negative if `b` is longer)",
                    "List.length a - List.length b",
                ),
                ("the difference of their lengths, which is never negative", "abs (List.length a - List.length b)"),
                (
                    "the number of people in `a` whose name also occurs in `b`",
                    "List.length (List.filter (fun n -> List.mem n b) a)",
                ),
            )
        },
        inputs=(_QUEUE, _QUEUE),
    ),
    Task(
        level=1,
        says=(
            "Tickets have the numbers from 1 to $top; after $top comes 1 again. `$f t n` is the ticket that is drawn `n` "
            "tickets after ticket `t`. `n` is not negative.",
            "Which ticket comes `n` tickets after ticket `t`, if the numbers go from 1 to $top and then start at 1 again? "
            "Write `$f t n`; `n` is not negative.",
        ),
        names=("ticket", "later_ticket", "next_ticket"),
        signature="int -> int -> int",
        code="let $f t n = ((t + n - 1) mod $top) + 1",
        gaps={"top": number(20, 50)},
        inputs=(integers(1, 20), integers(0, 50, far=1_000)),
    ),
    Task(
        level=1,
        says=(
            "`q` lists waiting people as pairs of a name and a patience in minutes. `$f q` is the list of $what, in the same "
            "order.",
            "In the list `q` are pairs of a name and the minutes that this person will wait. Write `$f q`: a list of $what, "
            "in the same order.",
        ),
        names=("patient", "still_there", "names"),
        signature="(string * int) list -> string list",
        code="let $f q = $what",
        gaps={
            "what": (
                (
                    "all names with at least $k minutes",
                    "List.map fst (List.filter (fun (_, p) -> p >= $k) q)",
                ),
                (
                    "all names with less than $k minutes",
                    "List.map fst (List.filter (fun (_, p) -> p < $k) q)",
                ),
                (
                    'all names and minutes in the form `"Ada:5"`',
                    'List.map (fun (n, p) -> n ^ ":" ^ string_of_int p) q',
                ),
            ),
            "k": number(3, 12),
        },
        inputs=(lists(tuples(_NAMES, integers(0, 15, far=200)), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "From the time `t` on, a counter serves customers one after another; the list `l` holds the minutes of "
            "each, and after each is a pause of $p minutes. `$f t l` is the list of the times when $what.",
            "The customers of a counter take the minutes in the list `l`, one after another, beginning at the time `t`, "
            "with a pause of $p minutes after each. Write `$f t l`: the list of the times when $what.",
        ),
        names=("times", "timetable", "serve_all"),
        signature="int -> int list -> int list",
        code="let rec $f t l =\n  match l with\n  | [] -> []\n  | d :: rest -> $what",
        gaps={
            "what": (
                ("serving each of them begins", "t :: $f (t + d + $p) rest"),
                ("each of them is done", "(t + d) :: $f (t + d + $p) rest"),
                ("each of them is half done, in whole minutes rounded down", "(t + (d / 2)) :: $f (t + d + $p) rest"),
                ("the pause after each of them ends", "(t + d + $p) :: $f (t + d + $p) rest"),
            ),
            "p": number(2, 20),
        },
        inputs=(integers(0, 60, far=1_000), lists(integers(1, 15, far=100), 0, 6, far=12)),
    ),
    Task(
        level=2,
        says=(
            "A counter needs $d minutes for each customer. They arrive at the times of the list `l`, which ascend, and are "
            "served in this order. `$f t l` is $what, if the counter is free from `t` on.",
            "Customers come at the ascending times of `l` to a counter that is free from `t` on and needs $d minutes for "
            "each, in this order. Write `$f t l`, $what.",
        ),
        names=("serve", "counter_day", "simulate"),
        signature="int -> int list -> int list",
        code="let rec $f t l =\n  match l with\n  | [] -> []\n  | a :: rest -> $what",
        gaps={
            "what": (
                ("the list of the times when serving them begins", "max a t :: $f (max a t + $d) rest"),
                ("the list of the times when they are done", "(max a t + $d) :: $f (max a t + $d) rest"),
                (
                    "the list of the minutes that they wait before they are served",
                    "(max a t - a) :: $f (max a t + $d) rest",
                ),
                (
                    "the list of the minutes that the counter is idle before each of them",
                    "max 0 (a - t) :: $f (max a t + $d) rest",
                ),
            ),
            "d": number(2, 15),
        },
        inputs=(integers(0, 12, far=100), Input(_ascending, ("[]", "[0]", "[5; 5; 5]"))),
    ),
    Task(
        level=2,
        says=(
            "In the string `s`, `+` means that somebody joins a queue and `-` that somebody is served and leaves (nothing "
            "happens if the queue is empty). At first `n` people wait. `$f n s` is $what.",
            "`n` people wait. Each `+` in the string `s` adds one, each `-` takes one away if there is any; there are no "
            "other characters. Write `$f n s`: $what.",
        ),
        names=("queue_length", "crowd", "waiting"),
        signature="int -> string -> int",
        code="let $f n s =\n  $what",
        gaps={
            "what": (
                (
                    "how many wait in the end, if at most $m find room",
                    "let step n c = if c = '+' then min $m (n + 1) else max 0 (n - 1) in\n  String.fold_left step n s",
                ),
                (
                    "how many `-` came in vain, to an empty queue",
                    "let step (n, k) c =\n    if c = '+' then (n + 1, k) else if n = 0 then (n, k + 1) else (n - 1, k)\n"
                    "  in\n  snd (String.fold_left step (n, 0) s)",
                ),
                (
                    "the greatest number of people who ever waited",
                    "let step (n, most) c =\n    if c = '+' then (n + 1, max most (n + 1)) else (max 0 (n - 1), most)\n"
                    "  in\n  snd (String.fold_left step (n, n) s)",
                ),
            ),
            "m": number(3, 6),
        },
        inputs=(integers(0, 3), texts(0, 10, "++---", far=25)),
    ),
    Task(
        level=2,
        says=(
            "`Join name` puts a name at the end of a queue, `Next` removes the first one, and $third; the last two do nothing "
            "to an empty queue. `$f e q` is the queue `q` after the event `e`.",
            "A queue is a list of names, the first in line at its head. Write `$f e q`, the queue after an event: `Join name` "
            "adds a name at the end, `Next` removes the head, and $third. An empty queue changes only by `Join`.",
        ),
        names=("happen", "after_event", "step"),
        signature="type event = Join of string | Next | Other\n\nval $f : event -> string list -> string list",
        code="type event = Join of string | Next | Other\n\nlet $f e q =\n  match e, q with\n  | Join name, _ -> q @ [ name ]\n"
        "  | Next, _ :: rest -> rest\n  | Other, x :: rest -> $third\n  | _, [] -> []",
        gaps={
            "third": (
                ("`Other` sends the first one to the end", "rest @ [ x ]"),
                ("`Other` removes everybody but the first", "[ x ]"),
                ('`Other` lets in `"friend"` behind the first one', 'x :: "friend" :: rest'),
                ("`Other` turns the queue round, so that the last one is first", "List.rev (x :: rest)"),
            )
        },
        inputs=(Input(_event), lists(_NAMES, 0, 5, far=12)),
        edges=(("Next", "[]"), ("Other", "[]")),
    ),
    Task(
        level=2,
        says=(
            "The list `l` holds the minutes that customers need. Each goes to the one of two counters that has less work so far, or to the "
            "$first if both have the same. They begin with $x and $y minutes of work; `$f l` is the pair of what they have in the end.",
            "Share the jobs of `l`, given by their minutes, between two counters that have $x and $y minutes of work: a job goes where there is "
            "less work, to the $first if that is equal. Write `$f l`, the pair of their work in the end.",
        ),
        names=("two_counters", "share", "balance"),
        signature="int list -> int * int",
        code="let $f l =\n  let step (a, b) m = if a $first b then (a + m, b) else (a, b + m) in\n  List.fold_left step ($x, $y) l",
        gaps={"first": (("first", "<="), ("second", "<")), "x": number(2, 9), "y": number(2, 9)},
        inputs=(lists(integers(1, 12, far=60)),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the position of the $which queue; `l` holds the lengths of several queues and is not empty. The first "
            "position is 0, and of equal lengths the $end one counts.",
            "The lengths of some queues, at least one, are in the list `l`. At which position, counted from 0, is the $which "
            "queue? Write `$f l`; if several are equal, choose the $end.",
        ),
        names=("choose_queue", "best_queue", "position"),
        signature="int list -> int",
        code="let $f l =\n  let best = List.fold_left $which (List.hd l) l in\n"
        "  let rec find i l = if List.hd l = best then i else find (i + 1) (List.tl l) in\n  find 0 l",
        gaps={"which": (("shortest", "min"), ("longest", "max")), "end": (("first",),)},
        inputs=(lists(integers(0, 9), 1, 7, far=14),),
    ),
    Task(
        level=2,
        says=(
            "In a post office everybody may stay at the counter for $k minutes; whoever needs more goes to the end of the "
            "queue with the rest. `$f q` is the queue `q` of needed minutes after one turn. An empty queue stays empty.",
            "`q` lists the minutes that the people in a queue still need. The first one gets $k minutes, then leaves, or goes "
            "to the end with what is left. Write `$f q`, the queue afterwards, which is empty if `q` is.",
        ),
        names=("turn", "round_robin", "next_turn"),
        signature="int list -> int list",
        code="let $f q =\n  match q with\n  | [] -> []\n  | x :: rest -> if x > $k then rest @ [ x - $k ] else rest",
        gaps={"k": number(3, 15)},
        inputs=(lists(integers(1, 25, far=100), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the position, counted from 0, of the first queue $which, where `l` holds the lengths of the queues; it is -1 if there is "
            "none.",
            "The list `l` has the lengths of some queues. At which position, from 0 on, is the first one $which? Write `$f l`, with -1 if no queue "
            "is such.",
        ),
        names=("first_queue", "find_queue", "short_queue"),
        signature="int list -> int",
        code="let $f l =\n  let rec find i l = match l with [] -> -1 | x :: rest -> if $which then i else find (i + 1) rest in\n  find 0 l",
        gaps={
            "which": (
                ("with fewer than $k people", "x < $k"),
                ("with more than $k people", "x > $k"),
                ("with $k people exactly", "x = $k"),
                ("in which at least $k places of $m are free", "$m - x >= $k"),
            ),
            "k": number(2, 6),
            "m": number(8, 14),
        },
        inputs=(lists(integers(0, 14), 0, 8, far=14),),
    ),
)
