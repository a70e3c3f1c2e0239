"""Small tasks on building strings: joining, repeating, cutting, padding, and texts with names and numbers."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]

_FIRST = ("Ada", "Ben", "Carl", "Dora", "Emil", "Flora", "Greta", "Hugo", "Ida", "Jan", "Karla", "Leo", "Mona", "Nils")
_LAST = ("Adams", "Brook", "Carter", "Dean", "Ellis", "Forest", "Gray", "Hill", "Irving", "Jones", "Kent", "Lane")
_NAMES = one_of(*(f'"{name}"' for name in (*_FIRST, "Mary Ann", "Jo", "LaToya")))
_SURNAMES = one_of(*(f'"{name}"' for name in (*_LAST, "Van Dyke", "McCoy", "Day-Lewis")))
_COUNTS = integers(0, 60, far=2_000)
_WORDS = lists(words(), 0, 5, far=12)
_STRINGS = lists(texts(0, 7), 0, 5, far=12)  # some empty, some with signs
_THINGS = one_of('"apple"', '"book"', '"ticket"', '"chair"', '"song"', '"coin"')


def _book(chance: Chance) -> str:
    title, year = chance.pick(("Rivers", "Stars", "Bread", "Clouds", "Trains", "Owls")), chance.number(1900, 2020)
    return f'{{ title = "{title}"; author = "{chance.pick(_LAST)}"; year = {year} }}'


_BOOK = "type book = { title : string; author : string; year : int }"

_GREETING: Gap = (
    ("Hello, Ada!", '"Hello, " ^ name ^ "!"', "greet"),
    ("Dear Ada,", '"Dear " ^ name ^ ","', "address"),
    ("Good $time, Ada.", '"Good $time, " ^ name ^ "."', "wish"),
    ("Ada, dinner is ready", 'name ^ ", dinner is ready"', "call"),
    ("Come in, Ada, and sit down.", '"Come in, " ^ name ^ ", and sit down."', "invite"),
    ("Ada's $thing", 'name ^ "\'s $thing"', "owned"),
    ("<Ada>", '"<" ^ name ^ ">"', "tag"),
    ("Ada? Ada!", 'name ^ "? " ^ name ^ "!"', "shout"),
    ("HELLO ADA", '"HELLO " ^ String.uppercase_ascii name', "loud"),
    ("ada@$place.org", 'String.lowercase_ascii name ^ "@$place.org"', "address"),
)
_FULL: Gap = (
    ("Jones, Ada", 'last ^ ", " ^ first', "listed"),
    ("Ada Jones", 'first ^ " " ^ last', "full_name"),
    ("A. Jones", 'String.make 1 first.[0] ^ ". " ^ last', "short_name"),
    ("Ada J.", 'first ^ " " ^ String.make 1 last.[0] ^ "."', "informal"),
    ("AJ", "String.make 1 first.[0] ^ String.make 1 last.[0]", "initials"),
    ("ada.jones", 'String.lowercase_ascii (first ^ "." ^ last)', "account"),
    ("Ada JONES", 'first ^ " " ^ String.uppercase_ascii last', "passport_name"),
    ("Jon-Ada", 'String.sub last 0 3 ^ "-" ^ first', "code"),
    ("ajones", "String.lowercase_ascii (String.sub first 0 1 ^ last)", "user"),
)
_NUMBERED: Gap = (
    ("Ada: 7", 'name ^ ": " ^ string_of_int n', "entry"),
    ("Ada (7)", 'name ^ " (" ^ string_of_int n ^ ")"', "entry"),
    ("$room 7: Ada", '"$room " ^ string_of_int n ^ ": " ^ name', "sign"),
    ("7. Ada", 'string_of_int n ^ ". " ^ name', "place"),
    ("Ada is number 7.", 'name ^ " is number " ^ string_of_int n ^ "."', "sentence"),
    ("Ada has 7 of $all", 'name ^ " has " ^ string_of_int n ^ " of $all"', "score"),
    ("Next year Ada turns 8", '"Next year " ^ name ^ " turns " ^ string_of_int (n + 1)', "birthday"),
)
_FORMULA: Gap = (
    ("3 + 4", 'string_of_int a ^ " + " ^ string_of_int b', "question"),
    ("3 + 4 = 7", 'string_of_int a ^ " + " ^ string_of_int b ^ " = " ^ string_of_int (a + b)', "sum_text"),
    ("3 x 4 = 12", 'string_of_int a ^ " x " ^ string_of_int b ^ " = " ^ string_of_int (a * b)', "product_text"),
    ("3:4", 'string_of_int a ^ ":" ^ string_of_int b', "result"),
    ("(3, 4)", '"(" ^ string_of_int a ^ ", " ^ string_of_int b ^ ")"', "point"),
    ("from 3 to 4", '"from " ^ string_of_int a ^ " to " ^ string_of_int b', "range"),
    ("$page 3 of 4", 'Printf.sprintf "$page %d of %d" a b', "progress"),
    ("3-4 and 4-3", 'Printf.sprintf "%d-%d and %d-%d" a b b a', "both_ways"),
)
_BETWEEN: Gap = (
    ("a comma and a space", ", ", "commas"),
    ("a dash", "-", "dashes"),
    ("` and `", " and ", "and"),
    ("` or `", " or ", "or"),
    ("a slash", "/", "slashes"),
    ("` + `", " + ", "plus"),
)
_JOINED: Gap = (
    ("joins the strings of the list `l`, with $between between neighbours", 'String.concat "$between" l', "join"),
    (
        "joins the strings of the list `l` in reverse order, with $between between neighbours",
        'String.concat "$between" (List.rev l)',
        "join_back",
    ),
    (
        "joins the numbers from 1 to the length of the list `l`, with $between between neighbours",
        'String.concat "$between" (List.mapi (fun i _ -> string_of_int (i + 1)) l)',
        "numbers",
    ),
    (
        "joins the strings of the list `l`, each in capitals, with $between between neighbours",
        'String.concat "$between" (List.map String.uppercase_ascii l)',
        "join_loud",
    ),
    (
        "joins the lengths of the strings of the list `l`, with $between between neighbours",
        'String.concat "$between" (List.map (fun s -> string_of_int (String.length s)) l)',
        "lengths",
    ),
)
_ROW: Gap = (
    ("`n` times the character `$c`", "String.make n '$c'", "row"),
    ("`n` times the character `$c`, with a `|` before and behind them", '"|" ^ String.make n \'$c\' ^ "|"', "bar"),
    ("the word `$word`, written `n` times", 'String.concat "" (List.init n (fun _ -> "$word"))', "cheer"),
    (
        "the word `$word`, written `n` times with a space between neighbours",
        'String.concat " " (List.init n (fun _ -> "$word"))',
        "chorus",
    ),
    ("the number `n` followed by as many characters `$c`", "string_of_int n ^ String.make n '$c'", "tally"),
    ("the first `n` small letters of the alphabet", "String.init n (fun i -> Char.chr (Char.code 'a' + i))", "letters"),
    (
        "a string of `n` characters, by turns `$c` and a space, beginning with `$c`",
        "String.init n (fun i -> if i mod 2 = 0 then '$c' else ' ')",
        "dotted",
    ),
    (
        "the numbers from 1 to `n`, with a space between neighbours",
        'String.concat " " (List.init n (fun i -> string_of_int (i + 1)))',
        "count",
    ),
)
_CUT: Gap = (
    ("the first $k characters of `s`", "String.sub s 0 $k", "first_$k"),
    ("the last $k characters of `s`", "String.sub s (String.length s - $k) $k", "last_$k"),
    ("`s` without its first $k characters", "String.sub s $k (String.length s - $k)", "without_first_$k"),
    ("`s` without its last $k characters", "String.sub s 0 (String.length s - $k)", "without_last_$k"),
    ("the first $k characters of `s`, followed by three dots", 'String.sub s 0 $k ^ "..."', "shortened"),
    ("the first half of `s`, without the middle one of an odd number", "String.sub s 0 (String.length s / 2)", "half"),
    ("the second and the third character of `s`, in this order", "String.sub s 1 2", "inner_pair"),
    (
        "`s` with its first character moved to the end",
        "String.sub s 1 (String.length s - 1) ^ String.sub s 0 1",
        "turned",
    ),
    ("`s` spelled backwards", "String.init (String.length s) (fun i -> s.[String.length s - 1 - i])", "reversed"),
    (
        "the first and the last character of `s`, as a string of two",
        "String.(sub s 0 1 ^ sub s (length s - 1) 1)",
        "ends",
    ),
)
_WRAP: Gap = (
    ("a `$mark` before and behind it", '"$mark" ^ s ^ "$mark"', "framed"),
    ("a `$mark` and a space before it", '"$mark " ^ s', "item"),
    ("round brackets around it", '"(" ^ s ^ ")"', "bracketed"),
    (
        "its length in round brackets and a space before it",
        '"(" ^ string_of_int (String.length s) ^ ") " ^ s',
        "measured",
    ),
    ("the ending `.$ext` behind it", 's ^ ".$ext"', "file_name"),
    ("a copy of itself behind it, and a dash between", 's ^ "-" ^ s', "twice"),
    ("its first letter as a capital and a full stop behind it", 'String.capitalize_ascii s ^ "."', "closed"),
    ("as many `$mark` behind it as it has characters", "s ^ String.make (String.length s) '$mark'", "trailing"),
)
_PADDED: Gap = (
    ("before it", "String.make (width - String.length s) '$fill' ^ s", "left"),
    ("behind it", "s ^ String.make (width - String.length s) '$fill'", "right"),
)
_AMOUNTS: Gap = (
    (
        '`"no guest"` for 0, `"1 guest"` for 1, and `"5 guests"` for 5',
        '| 0 -> "no " ^ thing\n  | 1 -> "1 " ^ thing\n  | _ -> string_of_int n ^ " " ^ thing ^ "s"',
        "amount",
    ),
    (
        '`"0 guests"` for 0, `"1 guest"` for 1, and `"5 guests"` for 5',
        '| 1 -> "1 " ^ thing\n  | _ -> string_of_int n ^ " " ^ thing ^ "s"',
        "plural",
    ),
    (
        '`"0 guests"` for 0, `"a guest"` for 1, `"a pair of guests"` for 2, and `"5 guests"` for 5',
        '| 1 -> "a " ^ thing\n  | 2 -> "a pair of " ^ thing ^ "s"\n  | _ -> string_of_int n ^ " " ^ thing ^ "s"',
        "pair_or_more",
    ),
    (
        '`"1st guest"` for 1, `"2nd guest"` for 2, `"3rd guest"` for 3, and `"5th guest"` for 5; for 0 it is `"0th guest"`',
        '| 1 -> "1st " ^ thing\n  | 2 -> "2nd " ^ thing\n  | 3 -> "3rd " ^ thing\n  | _ -> string_of_int n ^ "th " ^ thing',
        "place",
    ),
)
_LISTED: Gap = (
    (
        '`"tea, milk${last}rice"`. A single string stays as it is, and the empty list gives the empty string',
        '| [] -> ""\n  | [ x ] -> x\n  | [ x; y ] -> x ^ "$last" ^ y\n  | x :: rest -> x ^ ", " ^ $f rest',
        "enumerate",
    ),
    (
        '`"tea (milk (rice))"`. A single string stays as it is, and the empty list gives the empty string',
        '| [] -> ""\n  | [ x ] -> x\n  | x :: rest -> x ^ " (" ^ $f rest ^ ")"',
        "nest",
    ),
    (
        '`"tea > milk > rice > $end"`. For the empty list it is `"$end"`',
        '| [] -> "$end"\n  | x :: rest -> x ^ " > " ^ $f rest',
        "path",
    ),
    (
        '`"rice$sep milk$sep tea$sep "`. For the empty list it is the empty string',
        '| [] -> ""\n  | x :: rest -> $f rest ^ x ^ "$sep "',
        "backwards",
    ),
    (
        '`"[tea][milk][rice]"`. For the empty list it is the empty string',
        '| [] -> ""\n  | x :: rest -> "[" ^ x ^ "]" ^ $f rest',
        "boxes",
    ),
    (
        '`"tea? milk? rice? $end!"`. For the empty list it is `"$end!"`',
        '| [] -> "$end!"\n  | x :: rest -> x ^ "? " ^ $f rest',
        "question",
    ),
)
_SHORT: Gap = (
    ("its first $k characters, followed by `$dots`", 'String.sub s 0 $k ^ "$dots"', "shorten"),
    ("its last $k characters, with `$dots` before them", '"$dots" ^ String.sub s (n - $k) $k', "shorten"),
    (
        "its first and its last character, with `$dots` between",
        'String.sub s 0 1 ^ "$dots" ^ String.sub s (n - 1) 1',
        "fold",
    ),
    ("the text `<n>`, where n is its length", '"<" ^ string_of_int n ^ ">"', "summary"),
)
_COUNTED: Gap = (
    ('`"3, 2, 1, $end"`', '"$end"\n  else string_of_int n ^ ", " ^ $f (n - 1)', "count_down"),
    ('`"$end, 1, 2, 3"`', '"$end"\n  else $f (n - 1) ^ ", " ^ string_of_int n', "count_up"),
    ('`"[[[$end]]]"`', '"$end"\n  else "[" ^ $f (n - 1) ^ "]"', "wrap"),
    (
        '`"3[2[1[$end]]]"`',
        '"$end"\n  else string_of_int n ^ "[" ^ $f (n - 1) ^ "]"',
        "boxes",
    ),
    (
        '`"3 2 1 $end 1 2 3"`',
        '"$end"\n  else\n    let k = string_of_int n in\n    k ^ " " ^ $f (n - 1) ^ " " ^ k',
        "hill",
    ),
)
_STAIRS: Gap = (
    (
        "`n` signs in the first, then one fewer, and so on down to one",
        "String.make n '$c' :: $f (n - 1)",
        "stairs_down",
    ),
    ("one sign in the first, then one more, and so on up to `n`", "$f (n - 1) @ [ String.make n '$c' ]", "stairs_up"),
    (
        "`2 * n` signs in the first, then two fewer, and so on down to two",
        "String.make (2 * n) '$c' :: $f (n - 1)",
        "steep_stairs",
    ),
)
_SHELF: Gap = (
    ("`Rivers by Jones`", 'b.title ^ " by " ^ b.author'),
    ("`Jones: Rivers`", 'b.author ^ ": " ^ b.title'),
    ("`Rivers (Jones, 1970)`", 'b.title ^ " (" ^ b.author ^ ", " ^ string_of_int b.year ^ ")"'),
    ("`1970 Rivers`", 'string_of_int b.year ^ " " ^ b.title'),
)
_CLOCK: Gap = (
    ('`"07:05"`, and for 12 and 30 it is `"12:30"`', 'two a ^ ":" ^ two b', "clock"),
    ('`"07h05"`, and for 12 and 30 it is `"12h30"`', 'two a ^ "h" ^ two b', "hours"),
    ('`"7:05"`, and for 12 and 30 it is `"12:30"`', 'string_of_int a ^ ":" ^ two b', "time"),
    ('`"0705"`, and for 12 and 30 it is `"1230"`', "two a ^ two b", "code"),
    ('`"05.07"`, and for 12 and 30 it is `"30.12"`', 'two b ^ "." ^ two a', "day"),
    ('`"[07|05]"`, and for 12 and 30 it is `"[12|30]"`', '"[" ^ two a ^ "|" ^ two b ^ "]"', "board"),
    ('`"$sign-07-05"`, and for 12 and 30 it is `"$sign-12-30"`', '"$sign-" ^ two a ^ "-" ^ two b', "serial"),
)
_LINES: Gap = (
    ('`["1. tea"; "2. milk"; "3. rice"]`', 'string_of_int (i + 1) ^ ". " ^ s', "numbered"),
    ('`["tea 0"; "milk 1"; "rice 2"]`', 's ^ " " ^ string_of_int i', "indexed"),
    ('`["t1"; "m2"; "r3"]`', "String.make 1 s.[0] ^ string_of_int (i + 1)", "codes"),
    ('`["tea"; "-milk"; "--rice"]`', "String.make i '-' ^ s", "indented"),
    ('`["tea!"; "milk!!"; "rice!!!"]`', "s ^ String.make (i + 1) '!'", "louder"),
    (
        '`["TEA"; "milk"; "rice"]`, with only the first in capitals',
        "if i = 0 then String.uppercase_ascii s else s",
        "headed",
    ),
)

TASKS = (
    Task(
        level=1,
        says=(
            'For the name `"Ada"`, `$f name` is `"$text"`, and for other names accordingly.',
            'Write a function `$f name` that turns the name `"Ada"` into `"$text"`, and other names in the same way.',
            'Put a name into a text: `$f name` is `"$text"` if `name` is `"Ada"`, and likewise for others.',
        ),
        names=("$text", "${text}_name"),
        signature="string -> string",
        code="let $f name = $text",
        gaps={
            "text": _GREETING,
            "time": (("morning",), ("evening",), ("day",), ("night",)),
            "thing": (("book",), ("chair",), ("garden",), ("bike",), ("desk",)),
            "place": (("home",), ("school",), ("club",), ("library",)),
        },
        inputs=(one_of(*(f'"{name}"' for name in (*_FIRST, *_LAST, "Mary Ann", "McCoy", "Jo", "O'Neil"))),),
    ),
    Task(
        level=1,
        says=(
            'For `"Ada"` and `"Jones"`, `$f first last` is `"$text"`, and for other first and last names accordingly.',
            'Write a function `$f first last` that makes `"$text"` of the names `"Ada"` and `"Jones"`, and treats other '
            "names alike.",
        ),
        names=("$text", "${text}_of"),
        signature="string -> string -> string",
        code="let $f first last = $text",
        gaps={"text": _FULL},
        inputs=(_NAMES, _SURNAMES),
    ),
    Task(
        level=1,
        says=(
            'For the name `"Ada"` and the number 7, `$f name n` is `"$text"`, and for other names and numbers accordingly.',
            'Write a function `$f name n` that makes `"$text"` of `"Ada"` and 7, and does the same with other names and '
            "numbers.",
        ),
        names=("$text", "${text}_text"),
        signature="string -> int -> string",
        code="let $f name n = $text",
        gaps={
            "text": _NUMBERED,
            "room": (("Room",), ("Seat",), ("Table",), ("Team",), ("Locker",)),
            "all": number(70, 99),
        },
        inputs=(_NAMES, _COUNTS),
    ),
    Task(
        level=1,
        says=(
            'For 3 and 4, `$f a b` is `"$text"`, and for other numbers accordingly. None is negative.',
            'Write a function `$f a b` that makes `"$text"` of 3 and 4, and texts like it of other numbers, which are not '
            "negative.",
        ),
        names=("$text", "${text}_of"),
        signature="int -> int -> string",
        code="let $f a b = $text",
        gaps={"text": _FORMULA, "page": (("page",), ("step",), ("song",), ("part",))},
        inputs=(_COUNTS, _COUNTS),
    ),
    Task(
        level=1,
        says=(
            "`$f l` $joins. The empty list gives the empty string.",
            "Write a function `$f l` that $joins; for the empty list the result is empty.",
        ),
        names=("${joins}_$between",),
        signature="string list -> string",
        code="let $f l = $joins",
        gaps={"joins": _JOINED, "between": _BETWEEN},
        inputs=(_STRINGS,),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is $row. The number `n` is from 0 to 26.",
            "Write `$f n`, which returns $row; `n` is at least 0 and at most 26.",
        ),
        names=("$row", "make_$row"),
        signature="int -> string",
        code="let $f n = $row",
        gaps={
            "row": _ROW,
            "c": (("*",), ("-",), ("=",), ("#",), ("x",), ("o",)),
            "word": (("ha",), ("la",), ("go",), ("yes",), ("tick",)),
        },
        inputs=(integers(0, 26),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is $part. The string `s` has at least five characters.",
            "Given a string `s` of at least five characters, `$f s` is $part.",
            "Write `$f s`, which returns $part; `s` has five characters or more.",
        ),
        names=("$part", "${part}_of"),
        signature="string -> string",
        code="let $f s = $part",
        gaps={"part": _CUT, "k": number(2, 4)},
        inputs=(texts(5, 9, far=20),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string `s` with $wrap.",
            "Write a function `$f s` that returns the string `s` with $wrap.",
        ),
        names=("$wrap",),
        signature="string -> string",
        code="let $f s = $wrap",
        gaps={
            "wrap": _WRAP,
            "mark": (("*",), ("#",), ("-",), ("_",), ("!",), ("~",)),
            "ext": (("txt",), ("ml",), ("md",), ("csv",), ("png",)),
        },
        inputs=(texts(0, 9, far=20),),
    ),
    Task(
        level=2,
        says=(
            "`$f width s` is the string `s`, filled up with `$fill` $side to `width` characters. If `s` has as many or "
            "more, it stays as it is.",
            "Write a function `$f width s` that makes `s` `width` characters long by putting `$fill` $side as often as "
            "needed. A string that is long enough is returned as it is.",
        ),
        names=("pad_$side", "fill_$side"),
        signature="int -> string -> string",
        code="let $f width s =\n  if String.length s >= width then s\n  else $side",
        gaps={"side": _PADDED, "fill": (("*",), (".",), ("-",), ("0",), ("_",))},
        inputs=(integers(0, 14, far=30), texts(0, 8, far=16)),
    ),
    Task(
        level=2,
        says=(
            'For the word `"guest"` and numbers from 0 to 20, `$f thing n` is $amount. Other words and numbers are treated '
            "alike.",
            'Write a function `$f thing n` for a word and a number from 0 to 20. With the word `"guest"` it returns $amount; '
            "the other numbers and words follow the same rules.",
        ),
        names=("$amount", "${amount}_text"),
        signature="string -> int -> string",
        code="let $f thing n =\n  match n with\n  $amount",
        gaps={"amount": _AMOUNTS},
        inputs=(_THINGS, integers(0, 20)),
    ),
    Task(
        level=2,
        says=(
            'For the list `["tea"; "milk"; "rice"]`, `$f l` is $text.',
            'Write a recursive function `$f l`. Of `["tea"; "milk"; "rice"]` it makes $text.',
        ),
        names=("$text", "${text}_text"),
        signature="string list -> string",
        code="let rec $f l =\n  match l with\n  $text",
        gaps={
            "text": _LISTED,
            "last": ((" and ",), (" or ",), (" and then ",)),
            "end": (("end",), ("stop",), ("done",), ("home",)),
            "sep": ((",",), (";",), ("/",)),
        },
        inputs=(_STRINGS,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` if it has at most $k characters, and else $short.",
            "Long strings are in the way. Write `$f s`: a string of up to $k characters stays as it is, and of a longer "
            "one it returns $short.",
        ),
        names=("$short", "${short}_long"),
        signature="string -> string",
        code="let $f s =\n  let n = String.length s in\n  if n <= $k then s\n  else $short",
        gaps={"short": _SHORT, "k": number(3, 5), "dots": (("...",), ("..",), ("~",), ("--",))},
        inputs=(texts(0, 12, "abcdefghijklmnopqrstuvwxyz", far=30),),
        edges=(('""',), ('"a"',)),
    ),
    Task(
        level=2,
        says=(
            'For 3, `$f n` is $text, for 0 it is `"$end"`, and for other numbers accordingly. No `n` is negative.',
            'Write a recursive function `$f n`. For 0 it returns `"$end"`, for 3 it returns $text, and it does likewise '
            "for other numbers, which are not negative.",
        ),
        names=("$text", "${text}_$end"),
        signature="int -> string",
        code="let rec $f n =\n  if n = 0 then $text",
        gaps={"text": _COUNTED, "end": tuple((end, end, end) for end in ("go", "start", "zero", "now", "top"))},
        inputs=(integers(0, 15),),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is a list of `n` strings made of `$c` signs: $stairs. For 0 it is empty, and `n` is never negative.",
            "Draw stairs with the sign `$c`: `$f n` is a list of `n` strings, with $stairs. For 0 the list is empty; `n` is "
            "not negative.",
        ),
        names=("$stairs", "draw_$stairs"),
        signature="int -> string list",
        code="let rec $f n =\n  if n = 0 then []\n  else $stairs",
        gaps={"stairs": _STAIRS, "c": (("*",), ("#",), ("=",), ("x",))},
        inputs=(integers(0, 14),),
    ),
    Task(
        level=2,
        says=(
            'The book `{ title = "Rivers"; author = "Jones"; year = 1970 }` is listed as $shelf. `$f b` is the text for '
            "a book `b`, with ` ($old)` behind it if its year is before $year.",
            'Write a function `$f b` that describes a book. For `{ title = "Rivers"; author = "Jones"; year = 1970 }` '
            "this is $shelf; if the year is before $year, ` ($old)` follows.",
        ),
        names=("describe", "book_text", "label"),
        signature=f"{_BOOK}\n\nval $f : book -> string",
        code=f'{_BOOK}\n\nlet $f b =\n  let text = $shelf in\n  if b.year < $year then text ^ " ($old)" else text',
        gaps={"shelf": _SHELF, "year": number(1930, 1970), "old": (("old",), ("classic",), ("antique",), ("rare",))},
        inputs=(Input(_book),),
    ),
    Task(
        level=2,
        says=(
            "For 7 and 5, `$f a b` is $clock. Other numbers from 0 to 59 are shown in the same way.",
            "Write a function `$f a b` that shows two numbers from 0 to 59 in one string. For 7 and 5 the string is $clock; "
            "other numbers are treated alike.",
        ),
        names=("$clock", "show_$clock"),
        signature="int -> int -> string",
        code='let $f a b =\n  let two n = if n < 10 then "0" ^ string_of_int n else string_of_int n in\n  $clock',
        gaps={"clock": _CLOCK, "sign": (("A",), ("B",), ("K",), ("X",))},
        inputs=(integers(0, 59), integers(0, 59)),
    ),
    Task(
        level=2,
        says=(
            'For `["tea"; "milk"; "rice"]`, `$f l` is $lines. Other lists are treated alike; no string is empty.',
            'Write a function `$f l` on lists of strings that are not empty. For `["tea"; "milk"; "rice"]` the result is '
            "$lines, and for other lists accordingly.",
        ),
        names=("$lines", "${lines}_list"),
        signature="string list -> string list",
        code="let $f l =\n  let line i s = $lines in\n  List.mapi line l",
        gaps={"lines": _LINES},
        inputs=(_WORDS,),
    ),
)

FAMILY = Family(
    name="strings.building",
    topics=("strings",),
    description="joining, repeating, cutting and padding strings, and texts with names and numbers",
    tasks=TASKS,
)
