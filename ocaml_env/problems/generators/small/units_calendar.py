"""Small tasks on days, weeks, months and years, clocks and ages, partly of made-up calendars."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Gap, Part, Task, number

__all__ = ["TASKS"]


def _birth(chance: Chance) -> str:
    return f"{{ year = {chance.between(1990, 2010)}; month = {chance.between(4, 6)}; day = {chance.between(9, 11)} }}"


def _today(chance: Chance) -> str:
    return f"{{ year = {chance.between(2020, 2024)}; month = {chance.between(4, 6)}; day = {chance.between(9, 11)} }}"


def _minute(chance: Chance) -> str:
    return str(60 * chance.between(0, 23) + chance.pick((0, 1, 30, 59)))


_TIMES: Gap = [
    Part(words, code)
    for many, few, size in (
        ("weeks", "days", 7),
        ("days", "hours", 24),
        ("hours", "minutes", 60),
        ("minutes", "seconds", 60),
        ("years", "months", 12),
        ("fortnights", "days", 14),
    )
    for words, code in (
        (f"the number of full {many} in `n` {few}", f"n / {size}"),
        (f"the number of {few} that are left of `n` when all full {many} are taken away", f"n mod {size}"),
        (f"the number of {few} in `n` {many}", f"{size} * n"),
        (
            f"how many more {few} than `n` make up full {many}, 0 if `n` do so already",
            f"({size} - (n mod {size})) mod {size}",
        ),
        (
            f"the number of {many} that `n` {few} take up, with a last one that may not be full",
            f"(n + {size - 1}) / {size}",
        ),
    )
]
_DAYS = integers(0, 400, far=100_000)
_YEAR = Input(
    lambda chance: str(
        100 * chance.between(1, 24) + chance.pick((-1, 0, 1)) if chance.happens(0.25) else chance.number(1, 2400)
    ),
    ("1", "10", "99", "100", "101", "2000", "2400"),
)
_MONTH = Input(lambda chance: str(chance.pick((1, 12)) if chance.happens(0.3) else chance.between(1, 12)), ("1", "12"))
_DAY = Input(lambda chance: str(chance.pick((1, 30)) if chance.happens(0.2) else chance.number(1, 30)), ("1", "30"))
_MONTH_DAY = tuples(_MONTH, _DAY)
_EVEN = "A year has 12 months of 30 days"
_MADE_UP: Gap = (("Ash", "", "ash"), ("Moon", "", "moon"), ("Old", "", "old"), ("Sea", "", "sea"), ("Sand", "", "sand"))
_DATE = "type date = { year : int; month : int; day : int }\n\n"

TASKS = (
    Task(
        level=1,
        says=(
            "`$f n` is $time. `n` is not negative.",
            "For a number `n` that is not negative, `$f n` is $time.",
        ),
        names=("convert", "time_of", "duration"),
        signature="int -> int",
        code="let $f n = $time",
        gaps={"time": _TIMES},
        inputs=(_DAYS,),
    ),
    Task(
        level=1,
        says=(
            "Days of the week are numbers from 0 to $last. `$f d n` is the number of the day that comes `n` days $side day `d`.",
            "A week has $size days with the numbers from 0 to $last. Which one is `n` days $side day `d`? `$f d n` tells.",
        ),
        names=("weekday_$side", "day_$side"),
        signature="int -> int -> int",
        code="let $f d n = $side",
        gaps={
            "size": (("$week", "$week"),),
            "week": (("7",),),
            "last": (("6",),),
            "side": (("after", "(d + n) mod 7", "after"), ("before", "(d + 7 - (n mod 7)) mod 7", "before")),
        },
        inputs=(integers(0, 6), integers(0, 30, far=1_000)),
    ),
    Task(
        level=1,
        says=(
            "For a year `y`, which is at least 1, `$f y` is $what.",
            "`$f y` is $what, where `y` is a year from 1 up.",
        ),
        names=("of_year", "about_year"),
        signature="int -> int",
        code="let $f y = $what",
        gaps={
            "k": number(3, 6),
            "what": (
                ("its century: 1 to 100 are in the first, 101 to 200 in the second, and so on", "((y - 1) / 100) + 1"),
                ("the first year of its decade, such as 1980 for 1987", "y / 10 * 10"),
                ("the number of years from it to the next one that 100 divides", "100 - (y mod 100)"),
                ("the number that its last two digits make", "y mod 100"),
                ("the next year after it that $k divides", "((y / $k) + 1) * $k"),
                ("the number of years from 1 up to it that $k divides", "y / $k"),
                ("the age that somebody born in it reaches in the year 3000", "3000 - y"),
            ),
        },
        inputs=(_YEAR,),
    ),
    Task(
        level=1,
        says=(
            "Day 0 was a Monday. `$f n` tells if day `n`, which is not before it, is $which.",
            "Days are counted from a Monday, which is day 0. Is day `n` $which? `$f n` tells; `n` is not negative.",
        ),
        names=("check_day", "is_such_a_day"),
        signature="int -> bool",
        code="let $f n = n mod 7 $which",
        gaps={
            "which": (
                ("on a weekend (Saturday or Sunday)", ">= 5"),
                ("a working day, from Monday to Friday", "< 5"),
                ("a $day", "= $day"),
                ("not a $day", "<> $day"),
                ("a Monday, a Tuesday or a Wednesday", "< 3"),
            ),
            "day": (("Tuesday", "1"), ("Wednesday", "2"), ("Thursday", "3"), ("Friday", "4")),
        },
        inputs=(_DAYS,),
    ),
    Task(
        level=1,
        says=(
            "`$f y m d` writes the date of the year `y`, the month `m` and the day `d` like $form for 7 May 2031.",
            "Write a date as text: `$f 2031 5 7` is $form, and so on for any year, month and day.",
        ),
        names=("show_date", "date_text", "write_date"),
        signature="int -> int -> int -> string",
        code="let $f y m d = Printf.sprintf $form",
        gaps={
            "form": (
                ("`2031-05-07`", '"%d-%02d-%02d" y m d'),
                ("`7.5.2031`", '"%d.%d.%d" d m y'),
                ("`5/7/2031`", '"%d/%d/%d" m d y'),
                ("`07.05.2031`", '"%02d.%02d.%d" d m y'),
                ("`2031/5/7`", '"%d/%d/%d" y m d'),
                ("`day 7 of month 5, 2031`", '"day %d of month %d, %d" d m y'),
                ("`20310507`", '"%d%02d%02d" y m d'),
            )
        },
        inputs=(integers(1980, 2050), integers(1, 12), integers(1, 28)),
    ),
    Task(
        level=1,
        says=(
            "A date is a triple of year, month and day. `$f a b` is $what.",
            "With dates as triples `(year, month, day)`, `$f a b` is $what.",
        ),
        names=("compare_dates", "dates"),
        signature="int * int * int -> int * int * int -> bool",
        code="let $f $what",
        gaps={
            "what": (
                ("true if `a` is earlier than `b`", "a b = a < b"),
                ("true if `a` is not later than `b`", "a b = a <= b"),
                ("true if both are in the same month of the same year", "(y, m, _) (z, n, _) = y = z && m = n"),
                (
                    "true if both are on the same day of the same month, in any years",
                    "(_, m, d) (_, n, e) = m = n && d = e",
                ),
                ("true if they are in different years", "(y, _, _) (z, _, _) = y <> z"),
                ("true if `b` is in the year after that of `a`", "(y, _, _) (z, _, _) = z = y + 1"),
            )
        },
        inputs=tuple(tuples(integers(2023, 2025), integers(9, 10), integers(9, 11)) for _ in range(2)),
    ),
    Task(
        level=1,
        says=(
            f"{_EVEN}. For day `d` of month `m`, both from 1 up, `$f m d` is $what.",
            f"{_EVEN}. Take day `d` of month `m`, both from 1 up: `$f m d` is $what.",
        ),
        names=("day_number", "in_year"),
        signature="int -> int -> int",
        code="let $f m d = $what",
        gaps={
            "what": (
                ("the number of that day in the year, from 1", "(30 * (m - 1)) + d"),
                ("the number of days of the year before it", "(30 * (m - 1)) + d - 1"),
                ("the number of days that follow it in its year", "360 - (30 * (m - 1)) - d"),
            )
        },
        inputs=(_MONTH, _DAY),
    ),
    Task(
        level=1,
        says=(
            "A week of the $made_up Calendar has the days $a, $b, $c and $d, and day 0 was $a. `$f n` is the name of day `n`, from 0 up.",
            "The days $a, $b, $c and $d come again and again in the $made_up Calendar. `$f n` is the name of day `n`; day 0 is $a.",
        ),
        names=("day_name", "${made_up}_day"),
        signature="int -> string",
        code='let $f n = List.nth [ "$a"; "$b"; "$c"; "$d" ] (n mod 4)',
        gaps={
            "made_up": _MADE_UP,
            "a": (("Sol",), ("Ember",), ("First",)),
            "b": (("Luna",), ("Rain",), ("Market",)),
            "c": (("Ventus",), ("Leaf",), ("Bread",)),
            "d": (("Nox",), ("Rest",), ("Feast",)),
        },
        inputs=(_DAYS,),
    ),
    Task(
        level=2,
        says=(
            "`$f y m` is the number of days of month `m` (1 to 12) of the year `y`: $k in month $short, one more there if $leap divides `y`; 30 in the months 4, 6, 9 and 11; 31 in all others.",
            "The months 4, 6, 9 and 11 have 30 days. Month $short has $k, and one more in years that $leap divides. All others have 31. `$f y m` is the number for month `m` (1 to 12) of year `y`.",
        ),
        names=("days_in_month", "month_length"),
        signature="int -> int -> int",
        code="let $f y m =\n  match m with\n  | $short -> if y mod $leap = 0 then $k + 1 else $k\n  | 4 | 6 | 9 | 11 -> 30\n  | _ -> 31",
        gaps={"short": (("2",), ("1",), ("12",), ("8",)), "k": number(20, 28), "leap": number(3, 6)},
        inputs=(integers(1990, 2030), integers(1, 12)),
    ),
    Task(
        level=2,
        says=(
            f"{_EVEN}. `$f (m, d)` is the pair of month and day $what, where month 1 follows month 12. Months and days are counted from 1.",
            f"A date is a pair of month and day, both from 1 up. {_EVEN}. `$f (m, d)` is the date $what; month 1 follows month 12.",
        ),
        names=("move_date", "other_date"),
        signature="int * int -> int * int",
        code="let $f (m, d) =\n  $what",
        gaps={
            "k": number(3, 25),
            "what": (
                ("of the next day", "if d < 30 then (m, d + 1)\n  else if m < 12 then (m + 1, 1)\n  else (1, 1)"),
                ("of the day before", "if d > 1 then (m, d - 1)\n  else if m > 1 then (m - 1, 30)\n  else (12, 30)"),
                ("$k days later", "if d + $k <= 30 then (m, d + $k)\n  else ((m mod 12) + 1, d + $k - 30)"),
                ("$k days earlier", "if d > $k then (m, d - $k)\n  else (((m + 10) mod 12) + 1, d + 30 - $k)"),
                (
                    "of the first day of the next month, unless it is a first day itself, which stays",
                    "if d = 1 then (m, d)\n  else if m < 12 then (m + 1, 1)\n  else (1, 1)",
                ),
            ),
        },
        inputs=(_MONTH_DAY,),
    ),
    Task(
        level=2,
        says=(
            "`$f n` names the part of the day at `n` minutes after midnight, with `n` below 1440: `$a` before $early:00, `$b` before $noon:00, `$c` before $late:00, and then `$d`.",
            "The minute `n` of a day (0 to 1439) lies in its `$a` before $early:00, in its `$b` before $noon:00, in its `$c` before $late:00, and later in its `$d`. `$f n` tells in which.",
        ),
        names=("part_of_day", "day_part"),
        signature="int -> string",
        code='let $f n =\n  let hour = n / 60 in\n  if hour < $early then "$a"\n  else if hour < $noon then "$b"\n  else if hour < $late then "$c"\n  else "$d"',
        gaps={
            "early": number(5, 8),
            "noon": number(11, 14),
            "late": number(17, 20),
            "a": (("night",), ("dark",)),
            "b": (("morning",), ("forenoon",)),
            "c": (("afternoon",), ("light",)),
            "d": (("evening",), ("dusk",)),
        },
        inputs=(Input(_minute),),
    ),
    Task(
        level=2,
        says=(
            "A $shop is open from $from:00 until before $till:00, on `Saturday` only until before $short:00, and never on `Sunday`. `$f day n` tells if it is open `n` minutes after midnight.",
            "Is the $shop open on that day, `n` minutes after midnight? `$f day n` tells: never on `Sunday`, on `Saturday` from $from:00 until before $short:00, on other days from $from:00 until before $till:00.",
        ),
        names=("is_open", "${shop}_open"),
        signature="type day = Weekday | Saturday | Sunday\n\nval $f : day -> int -> bool",
        code="type day = Weekday | Saturday | Sunday\n\nlet $f day n =\n  let hour = n / 60 in\n  match day with\n  | Sunday -> false\n  | Saturday -> hour >= $from && hour < $short\n  | Weekday -> hour >= $from && hour < $till",
        gaps={
            "shop": (("shop", "", "shop"), ("bank", "", "bank"), ("library", "", "library"), ("museum", "", "museum")),
            "from": number(7, 10),
            "short": number(12, 15),
            "till": number(17, 20),
        },
        inputs=(one_of("Weekday", "Saturday", "Sunday"), Input(_minute)),
    ),
    Task(
        level=2,
        says=(
            "`l` has the lengths of the months of a year, in order. For day `n` of the year, where 1 is the first, `$f l n` is $what.",
            "A made-up year has months of the lengths `l`. Its days are counted from 1. For its day `n`, `$f l n` is $what.",
        ),
        names=("find_day", "in_month"),
        signature="int list -> int -> int",
        code="let rec $f l n =\n  match l with\n$what",
        gaps={
            "what": (
                (
                    "the number of the day in its month, from 1, or 0 if the year is shorter",
                    "  | size :: rest -> if n > size then $f rest (n - size) else n\n  | [] -> 0",
                ),
                (
                    "the length of its month, or 0 if the year is shorter",
                    "  | size :: rest -> if n > size then $f rest (n - size) else size\n  | [] -> 0",
                ),
                (
                    "the number of days that follow it in its month, or -1 if the year is shorter",
                    "  | size :: rest -> if n > size then $f rest (n - size) else size - n\n  | [] -> -1",
                ),
                (
                    "the number of months that are over by then; these are all if the year is shorter",
                    "  | size :: rest when n > size -> 1 + $f rest (n - size)\n  | _ -> 0",
                ),
            )
        },
        inputs=(lists(integers(2, 12), 0, 6, far=12), integers(1, 40)),
    ),
    Task(
        level=2,
        says=(
            "For somebody born on the date `birth`, which is not later than `today`, `$f birth today` is $what.",
            "Somebody was born on `birth`, and that is before `today`. `$f birth today` is $what.",
        ),
        names=("age", "years_between"),
        signature=f"{_DATE}val $f : date -> date -> int",
        code=f"{_DATE}let $f birth today =\n  let years = today.year - birth.year in\n  $what",
        gaps={
            "what": (
                (
                    "the age in full years, which grows on each birthday",
                    "if (today.month, today.day) < (birth.month, birth.day) then years - 1 else years",
                ),
                (
                    "the number of months that have begun since the month of birth",
                    "(12 * years) + today.month - birth.month",
                ),
                (
                    "the age in full months, which grows on the same day of each month",
                    "let months = (12 * years) + today.month - birth.month in\n  if today.day < birth.day then months - 1 else months",
                ),
                (
                    "the number of birthdays until `today`, with the day of birth and `today` included",
                    "if (today.month, today.day) < (birth.month, birth.day) then years else years + 1",
                ),
            ),
        },
        inputs=(Input(_birth), Input(_today)),
        edges=tuple(
            (f"{{ year = {y}; month = {m}; day = {d} }}", "{ year = 2024; month = 5; day = 10 }")
            for y, m, d in ((2024, 5, 10), (2024, 5, 9), (2024, 4, 10), (2024, 4, 11), (2023, 5, 10), (2023, 12, 31))
        ),
    ),
    Task(
        level=2,
        says=(
            "A time of day is a pair `(h, m)` of hour (0 to 23) and minute. `$f (h, m)` is the time $what.",
            "With times of day as pairs of hour, from 0 to 23, and minute, `$f (h, m)` is the time $what.",
        ),
        names=("move_time", "other_time", "clock"),
        signature="int * int -> int * int",
        code="let $f (h, m) =\n  let n = (60 * h) + m in\n  $what",
        gaps={
            "k": number(20, 200),
            "what": (
                ("$k minutes later, maybe on the next day", "let n = (n + $k) mod 1440 in\n  (n / 60, n mod 60)"),
                (
                    "$k minutes earlier, maybe on the day before",
                    "let n = (n + 1440 - $k) mod 1440 in\n  (n / 60, n mod 60)",
                ),
                (
                    "of the last full quarter of an hour, maybe itself",
                    "let n = n - (n mod 15) in\n  (n / 60, n mod 60)",
                ),
                (
                    "that is left until midnight, or `(24, 0)` for a whole day",
                    "let left = 1440 - n in\n  (left / 60, left mod 60)",
                ),
                (
                    "in the middle between it and the midnight before, rounded down to a minute",
                    "(n / 2 / 60, n / 2 mod 60)",
                ),
            ),
        },
        inputs=(tuples(integers(0, 23), integers(0, 59)),),
        edges=(("(0, 0)",), ("(23, 59)",), ("(0, 14)",), ("(12, 45)",)),
    ),
    Task(
        level=2,
        says=(
            "Some events have dates `(month, day)`. `$f l` is $what, or `None` if there is none.",
            "`l` lists dates as pairs of month and day. `$f l` is $what; it is `None` if there is no such date.",
        ),
        names=("pick_date", "which_date"),
        signature="(int * int) list -> (int * int) option",
        code="let $f l =\n  match $what with\n  | [] -> None\n  | first :: rest -> Some (List.fold_left $best first rest)",
        gaps={
            "m": number(5, 8),
            "best": (("", "min"),),
            "what": (
                ("`Some` of the earliest date", "l"),
                ("`Some` of the earliest date in month $m", "List.filter (fun (month, _) -> month = $m) l"),
                ("`Some` of the earliest date after month $m", "List.filter (fun (month, _) -> month > $m) l"),
                (
                    "`Some` of the earliest date that is no first day of a month",
                    "List.filter (fun (_, day) -> day > 1) l",
                ),
            ),
        },
        inputs=(lists(tuples(integers(4, 10), integers(1, 28)), 0, 5, far=10),),
    ),
)
