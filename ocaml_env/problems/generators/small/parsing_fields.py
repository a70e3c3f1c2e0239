"""Small tasks on fields: numbers, names and dates in short strings, split at commas, colons and dashes."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, one_of
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["TASKS"]

_KEYS = ("size", "name", "speed", "town", "mode")


def _numbers(chance: Chance) -> str:
    """Numbers, some of them repeated; one may be large, and a few lists are long."""
    if chance.happens(0.08):
        return text(",".join(str(chance.between(0, 9)) for _ in range(12)))
    numbers = [chance.number(0, 40) for _ in range(chance.between(1, 6))]
    if chance.happens(0.25):
        numbers.append(chance.pick(numbers))
    if chance.happens(0.15):
        numbers[chance.below(len(numbers))] = chance.between(100, 9_999)
    return text(",".join(map(str, numbers)))


def _pair(sign: str, low: int = 0, high: int = 40) -> Input:
    """Two numbers with this sign between."""
    edges = (f"0{sign}7", f"7{sign}7", f"7{sign}12", f"250{sign}100", f"1{sign}1", f"12{sign}0")
    return Input(
        lambda chance: text(f"{chance.number(low, high)}{sign}{chance.number(low, high)}"), tuple(map(text, edges))
    )


def _time(chance: Chance) -> str:
    return text(f"{chance.between(0, 23):02}:{chance.number(0, 59):02}")


def _date(chance: Chance) -> str:
    return text(f"{chance.between(1990, 2030)}-{chance.between(1, 12):02}-{chance.between(1, 28):02}")


def _entry(chance: Chance) -> str:
    return text(f"{chance.pick(WORDS)},{chance.number(0, 60) if chance.happens(0.9) else chance.between(99, 2_000)}")


def _setting(chance: Chance) -> str:
    value = chance.pick(WORDS)
    if chance.happens(0.3):
        value = chance.pick((value.upper(), f"{value} {chance.pick(WORDS)}", str(chance.between(0, 200)), value[0]))
    return text(f"{chance.pick(WORDS)}={value}")


_ODD = (
    *("", "x", "-", "1x", "2.5", "ten", "1,2", "3 4", "river", "lilac", "--3", " 7", "7 ", "5-"),
    *("0x1F", "0b101", "1_000", "007", "1234", "-1000"),
)


def _loose(chance: Chance) -> str:
    """A number, or something else."""
    if chance.happens(0.6):
        return text(str(chance.number(-30, 60)))
    return text(chance.pick(_ODD))


def _loose_numbers(chance: Chance) -> str:
    parts = (
        str(chance.number(-9 if chance.happens(0.2) else 0, 40))
        if chance.happens(0.65)
        else chance.pick(("", "x", "?", "no", "a1", "-", " 4", "0x10", "1.5"))
        for _ in range(9)
    )
    return text(",".join(list(parts)[: 9 if chance.happens(0.05) else chance.between(1, 4)]))


def _loose_fields(sign: str) -> Input:
    """Mostly two numbers with this sign between; other strings, too."""

    def draw(chance: Chance) -> str:
        count = 2 if chance.happens(0.8) else chance.between(1, 3)
        parts = (
            str(chance.number(0, 30))
            if chance.happens(0.9)
            else chance.pick(("", "y", "b2", "-3", "-1", "1_0", " 5", "5 ", "2.5"))
            for _ in range(count)
        )
        return text(sign.join(parts))

    edges = (
        "",
        sign,
        "12",
        f"12{sign}",
        f"{sign}7",
        f"3{sign}4{sign}5",
        f"7{sign}7",
        f"-3{sign}4",
        f"3{sign}-4",
        "12 7",
    )
    return Input(draw, tuple(map(text, (*edges, f"3 {sign} 4", f"3{sign}4{sign}", f"120{sign}3"))))


def _command(chance: Chance) -> str:
    name = chance.pick(("left", "right", "forward", "forward", "back", "stop"))
    if chance.happens(0.15):
        return text(f"{name} {chance.pick(_NO_COUNT)}")
    return text(f"{name} {chance.number(0, 400)}" if chance.happens(0.85) else name)


_NO_COUNT = ("x", "", "5 6", "ten", "5x", " 5", "5 ", "2.5")


def _settings(chance: Chance) -> str:
    keys = chance.sample(_KEYS, chance.pick((1, 2, 2, 3, 3, 4, 5)))
    return text(";".join(f"{key}={chance.pick(WORDS if chance.happens(0.8) else (*_KEYS, 'a', 'B'))}" for key in keys))


def _commented(chance: Chance) -> str:
    line = chance.pick(WORDS) + chance.pick(("", " ", "; ")) + chance.pick(WORDS)
    return text(
        line + (f" # {chance.pick(WORDS)}" if chance.happens(0.75) else "") + ("#" if chance.happens(0.2) else "")
    )


def _loose_entry(chance: Chance) -> str:
    count = str(chance.number(-5, 20)) if chance.happens(0.6) else chance.pick(("x", "", "3x", "150", "-", " 3", "1_0"))
    name = chance.pick(WORDS) if chance.happens(0.85) else chance.pick(("", "Oak", "old oak", "12", "B"))
    return text(",".join([name, count, "5"][: chance.pick((1, 2, 2, 2, 2, 3))]))


def _path(chance: Chance) -> str:
    path = "/".join(chance.pick(WORDS) for _ in range(chance.between(1, 3)))
    return text(path + chance.pick(("", ".ml", ".txt", ".md", ".tar.gz")))


def _numbered(chance: Chance) -> str:
    front = str(chance.between(0, 999)) if chance.happens(0.7) else ""
    return text(front + chance.pick(("", " ", "-", "/", ":", "x")) + chance.pick(("", "7", chance.pick(WORDS))))


def _range(chance: Chance) -> str:
    low = chance.number(0, 30) if chance.happens(0.8) else chance.between(90, 1_000)
    return text(f"{low}-{chance.between(low, low + 20)}" if chance.happens(0.7) else str(low))


def _answers(chance: Chance) -> str:
    among = ("yes", "no", "on", "off") * 3 + ("?", "", "Yes", "NO", "yes ", "offon")
    return text(",".join(chance.pick(among) for _ in range(chance.between(1, 8 if chance.happens(0.9) else 14))))


_CODE = Input(lambda chance: text("".join(chance.pick("0123456789") for _ in range(6))))
_PAIRS_CODE = """\
let $f s =
  let pair field = Scanf.sscanf field "%[^=]=%s" (fun k v -> (k, v)) in
  let pairs = List.map pair (String.split_on_char ';' s) in
  """
_LOOSE = Input(_loose, tuple(map(text, ("", "0", "-7", "x", "007", "-", "1_000", "0x1F", " 7", "-0"))))
_NUMBERS = Input(_numbers, ('"7"', '"0"', '"5,5"', '"10,9,8"', '"9,10,100"', '"0,0,1"'))
_TIME = Input(_time, ('"00:00"', '"23:59"', '"07:00"', '"08:09"', '"00:01"', '"20:00"'))
_DATE = Input(_date, ('"1990-01-01"', '"2024-12-31"', '"2008-09-08"', '"2024-02-29"', '"2010-10-10"', '"2019-01-31"'))
_ENTRY = Input(_entry, ('"a,0"', '"oak,9"', '"fern,99"', '"bee,1"', '"iris,100"'))
_FIELDS = "List.map int_of_string (String.split_on_char ',' s)"

_OF_LIST: Gap = (
    ("their sum", f"List.fold_left ( + ) 0 ({_FIELDS})", "sum"),
    ("their product", f"List.fold_left ( * ) 1 ({_FIELDS})", "product"),
    ("the largest one", f"List.fold_left max 0 ({_FIELDS})", "largest"),
    ("how many there are", "List.length (String.split_on_char ',' s)", "count"),
    ("the first one", f"List.hd ({_FIELDS})", "first"),
    ("the last one", f"List.hd (List.rev ({_FIELDS}))", "last"),
    ("how many of them are greater than $k", f"List.length (List.filter (fun n -> n > $k) ({_FIELDS}))", "count_large"),
    ("how many of them are even", f"List.length (List.filter (fun n -> n mod 2 = 0) ({_FIELDS}))", "count_even"),
    ("the sum of their squares", f"List.fold_left (fun sum n -> sum + (n * n)) 0 ({_FIELDS})", "squares"),
)
_LIST: Gap = (
    ("the list of these numbers", _FIELDS, "numbers"),
    ("the list of these numbers, from the last to the first", f"List.rev ({_FIELDS})", "numbers_back"),
    ("the list of these numbers, from small to large", f"List.sort compare ({_FIELDS})", "sorted"),
    (
        "the list of the numbers among them that are greater than $k",
        f"List.filter (fun n -> n > $k) ({_FIELDS})",
        "large",
    ),
    ("the list of these numbers, each $m times as large", f"List.map (fun n -> $m * n) ({_FIELDS})", "scaled"),
    ("the list of these numbers without the first one", f"List.tl ({_FIELDS})", "others"),
    ("the list of these numbers, each once, from small to large", f"List.sort_uniq compare ({_FIELDS})", "distinct"),
)
_OF_TIME: Gap = (
    ("the number of minutes since midnight", '"%d:%d" (fun h m -> (60 * h) + m)', "minutes"),
    ("the hours alone", '"%d:%d" (fun h _ -> h)', "hours"),
    (
        "the minutes that are left until the next full hour, 60 at a full hour",
        '"%d:%d" (fun _ m -> 60 - m)',
        "to_full_hour",
    ),
    ("the hours and the minutes added up", '"%d:%d" (fun h m -> h + m)', "time_sum"),
    ("the number of minutes until midnight", '"%d:%d" (fun h m -> 1440 - (60 * h) - m)', "until_midnight"),
    ("the hour that is shown $k hours later, from 0 to 23", '"%d:%d" (fun h _ -> (h + $k) mod 24)', "later_hour"),
)
_OF_SIZE: Gap = (
    ("the area", "a * b", "area"),
    ("the length of all four sides together", "2 * (a + b)", "border"),
    ("the longer side, or one of two equal sides", "max a b", "longer_side"),
    ("by how much the two sides differ", "abs (a - b)", "difference"),
    ("the area without a square of side $k, perhaps negative", "(a * b) - ($k * $k)", "rest"),
    ("the area of a rectangle with sides $m times as long", "$m * a * ($m * b)", "large_area"),
)
_OF_DATE: Gap = (
    ("the year", '"%d-%d-%d" (fun y _ _ -> y)', "year"),
    ("the month, as a number", '"%d-%d-%d" (fun _ m _ -> m)', "month"),
    ("the day, as a number", '"%d-%d-%d" (fun _ _ d -> d)', "day"),
    ("the day of the year if all months had 30 days", '"%d-%d-%d" (fun _ m d -> (30 * (m - 1)) + d)', "day_of_year"),
    ("how many years the date is after 1990", '"%d-%d-%d" (fun y _ _ -> y - 1990)', "age"),
    (
        "the months that are left in the year, without the one of the date",
        '"%d-%d-%d" (fun _ m _ -> 12 - m)',
        "months_left",
    ),
    (
        "the number with the digits of year, month and day",
        '"%d-%d-%d" (fun y m d -> (10000 * y) + (100 * m) + d)',
        "date_code",
    ),
)
_OF_SETTING: Gap = (
    ("the name", "List.hd (String.split_on_char '=' s)", "name"),
    ("the value", "List.nth (String.split_on_char '=' s) 1", "value"),
    ("the name in capital letters", "String.uppercase_ascii (List.hd (String.split_on_char '=' s))", "loud_name"),
    (
        "the setting with value and name exchanged",
        "String.concat \"=\" (List.rev (String.split_on_char '=' s))",
        "exchanged",
    ),
    ("the setting with `$sign` in place of `=`", "String.concat \"$sign\" (String.split_on_char '=' s)", "rewritten"),
    ("the value, with a space before it", "\" \" ^ List.nth (String.split_on_char '=' s) 1", "spaced_value"),
)
_OF_ENTRY: Gap = (
    ('`"oak: 3"`', 'name ^ ": " ^ string_of_int n', "label"),
    ('`"3 x oak"`', 'string_of_int n ^ " x " ^ name', "amount"),
    ('`"oak,4"`', 'name ^ "," ^ string_of_int (n + 1)', "one_more"),
    ('`"oak,30"`', 'name ^ "," ^ string_of_int (10 * n)', "ten_times"),
    ('`"3,oak"`', 'string_of_int n ^ "," ^ name', "exchanged"),
    ('`"oak***"`', "name ^ String.make n '*'", "stars"),
    ('`"Oak (3)"`', 'String.capitalize_ascii name ^ " (" ^ string_of_int n ^ ")"', "titled"),
)
_OR_ELSE: Gap = (
    ("that number, or $k if `s` is no number", "Option.value (int_of_string_opt s) ~default:$k", "number_or_$k"),
    (
        "that number times $m, or 0 if `s` is no number",
        "$m * Option.value (int_of_string_opt s) ~default:0",
        "scaled_or_zero",
    ),
    (
        "that number, or the length of `s` if it is no number",
        "Option.value (int_of_string_opt s) ~default:(String.length s)",
        "number_or_length",
    ),
    (
        "that number without its minus sign, if it has one, or $k if `s` is no number",
        "abs (Option.value (int_of_string_opt s) ~default:$k)",
        "size_or_$k",
    ),
    ("1 if so, and 0 if not", "if int_of_string_opt s = None then 0 else 1", "counts"),
)
_MAYBE: Gap = (
    ("`Some` of that number", "int_of_string_opt s", "number"),
    ("`Some` of the number that is $k larger", "Option.map (fun n -> n + $k) (int_of_string_opt s)", "raised"),
    ("`Some` of $m times that number", "Option.map (fun n -> $m * n) (int_of_string_opt s)", "scaled"),
    ("`Some` of that number, without a minus sign", "Option.map abs (int_of_string_opt s)", "size"),
    ("`Some` of its last digit", "Option.map (fun n -> abs n mod 10) (int_of_string_opt s)", "last_digit"),
)
_DIGITS: Gap = (
    ("the number that its first two digits make", "int_of_string (String.sub s 0 2)", "front"),
    ("the number that its last two digits make", "int_of_string (String.sub s 4 2)", "back"),
    (
        "the sum of the two numbers that its halves make",
        "int_of_string (String.sub s 0 3) + int_of_string (String.sub s 3 3)",
        "halves_sum",
    ),
    ("the number that its first four digits make", "int_of_string (String.sub s 0 4)", "head"),
    ("the number that it makes, plus $k", "int_of_string s + $k", "following"),
    ("the number that the digits at the indices 2 and 3 make", "int_of_string (String.sub s 2 2)", "middle"),
)
_VALID = "List.filter_map int_of_string_opt (String.split_on_char ',' s)"
_OF_VALID: Gap = (
    ("the sum of those fields that are numbers", f"List.fold_left ( + ) 0 ({_VALID})", "valid_sum"),
    ("how many of the fields are numbers", f"List.length ({_VALID})", "count_valid"),
    (
        "the largest number among the fields, or 0 if none is positive",
        f"List.fold_left max 0 ({_VALID})",
        "largest_valid",
    ),
    (
        "how many of the fields are not numbers",
        "List.length (List.filter (fun f -> int_of_string_opt f = None) (String.split_on_char ',' s))",
        "count_invalid",
    ),
    ("the product of those fields that are numbers", f"List.fold_left ( * ) 1 ({_VALID})", "valid_product"),
)
_OF_TWO: Gap = (
    ("`Some` of the area", "Some (a * b)", "area"),
    ("`Some` of the length of all four sides together", "Some (2 * (a + b))", "border"),
    ("`Some` of the longer side", "Some (max a b)", "longer_side"),
    ("`Some` of the sum of both sides", "Some (a + b)", "side_sum"),
    ("`Some` of the area of a square with the shorter side", "Some (min a b * min a b)", "square"),
)
_OF_SCORE: Gap = (
    (
        '`Some "home"` if the first number is larger, `Some "guests"` if the second is, and `Some "draw"` else',
        'Some (if a > b then "home" else if a < b then "guests" else "draw")',
        "winner",
    ),
    (
        '`Some` of the score seen from the other side, such as `"1:3"`',
        'Some (string_of_int b ^ ":" ^ string_of_int a)',
        "turned",
    ),
    (
        '`Some "close"` if the numbers differ by at most $near, and `Some "clear"` else',
        'Some (if abs (a - b) <= $near then "close" else "clear")',
        "closeness",
    ),
    ("`Some` of the text `3 + 1 = 4`, with these numbers", 'Some (Printf.sprintf "%d + %d = %d" a b (a + b))', "goals"),
)
_ITEM_TYPE = "type item = { name : string; count : int }"
_MADE_ITEM: Gap = (
    ('`{ name = "oak"; count = 3 }`', "{ name; count }"),
    ('`{ name = "OAK"; count = 3 }`, with a name in capitals', "{ name = String.uppercase_ascii name; count }"),
    ('`{ name = "oak"; count = 4 }`, with 1 added to the count', "{ name; count = count + 1 }"),
    (
        '`{ name = "oak"; count = 0 }`, with a count that is $k less, but not below 0',
        "{ name; count = max 0 (count - $k) }",
    ),
)
_MOVE_TYPE = "type command = Turn of int | Go of int"
_FROM_PAIRS: Gap = (
    ("the list of its keys", "List.map fst pairs", "keys"),
    ("the list of its values", "List.map snd pairs", "values"),
    ("the list of its keys in alphabetical order", "List.sort compare (List.map fst pairs)", "sorted_keys"),
    (
        "the list of its values that have more than $long letters",
        "List.filter (fun v -> String.length v > $long) (List.map snd pairs)",
        "long_values",
    ),
    ("the list of keys and values such as `town is oak`", 'List.map (fun (k, v) -> k ^ " is " ^ v) pairs', "sentences"),
    ("the list of its fields, with `:` in place of `=`", 'List.map (fun (k, v) -> k ^ ":" ^ v) pairs', "fields"),
)
_LOOKED_UP: Gap = (
    ("`Some` of the value of `key`", "List.assoc_opt key pairs", "lookup"),
    (
        "`Some` of the value of `key` in capital letters",
        "Option.map String.uppercase_ascii (List.assoc_opt key pairs)",
        "loud_lookup",
    ),
    ("`Some` of the field `key=value`", 'Option.map (fun v -> key ^ "=" ^ v) (List.assoc_opt key pairs)', "field_of"),
    (
        "`Some` of the first letter of the value of `key`",
        "Option.map (fun v -> String.sub v 0 1) (List.assoc_opt key pairs)",
        "initial_of",
    ),
)
_CUT: Gap = (
    (
        "the part of the line `s` before its first `#`, which is all of it without a `#`",
        "String.index_opt s '#' with\n  | Some i -> String.sub s 0 i\n  | None -> s",
        "without_comment",
    ),
    (
        "the part of the line `s` behind its first `#`, which is empty without a `#`",
        "String.index_opt s '#' with\n  | Some i -> String.sub s (i + 1) (String.length s - i - 1)\n  | None -> \"\"",
        "comment",
    ),
    (
        "the part of the line `s` up to its first `#`, which belongs to it, and `s` without a `#`",
        "String.index_opt s '#' with\n  | Some i -> String.sub s 0 (i + 1)\n  | None -> s",
        "up_to_sign",
    ),
    (
        "the line `s` with `$mark` in place of its first `#` and all that follows, and `s` itself without a `#`",
        "String.index_opt s '#' with\n  | Some i -> String.sub s 0 i ^ \"$mark\"\n  | None -> s",
        "shortened",
    ),
    (
        '`"comment"` if the line `s` has a `#`, and else `s` itself',
        "String.index_opt s '#' with\n  | Some _ -> \"comment\"\n  | None -> s",
        "kind",
    ),
)
_PATH: Gap = (
    (
        "the file name, behind the last `/`; without a `/` that is all of `s`",
        "String.rindex_opt s '/' with\n  | Some i -> String.sub s (i + 1) (String.length s - i - 1)\n  | None -> s",
        "file_name",
    ),
    (
        'the folder, before the last `/`, and `"."` without a `/`',
        "String.rindex_opt s '/' with\n  | Some i -> String.sub s 0 i\n  | None -> \".\"",
        "folder",
    ),
    (
        "the part of `s` before its first `/`, and `s` itself without a `/`",
        "String.index_opt s '/' with\n  | Some i -> String.sub s 0 i\n  | None -> s",
        "top_folder",
    ),
    (
        'the ending behind the last `.`, and `"none"` without a `.`',
        "String.rindex_opt s '.' with\n  | Some i -> String.sub s (i + 1) (String.length s - i - 1)\n  | None -> \"none\"",
        "ending",
    ),
    (
        "`s` with the ending `.$new` instead of the one that begins at the last `.`; without a `.`, `.$new` is put behind `s`",
        'String.rindex_opt s \'.\' with\n  | Some i -> String.sub s 0 i ^ ".$new"\n  | None -> s ^ ".$new"',
        "renamed",
    ),
)
_FRONT: Gap = (
    (
        "the digits at the front of `s`, as a string, up to the first other character",
        "String.sub s 0 n",
        "leading_digits",
    ),
    ("`s` without the digits at its front", "String.sub s n (String.length s - n)", "without_digits"),
    (
        "`s` with a `$mark` behind the digits at its front",
        'String.sub s 0 n ^ "$mark" ^ String.sub s n (String.length s - n)',
        "separated",
    ),
    (
        "`s` with the digits at its front moved to its end",
        "String.sub s n (String.length s - n) ^ String.sub s 0 n",
        "digits_last",
    ),
    (
        "`s` with a star for each of the digits at its front",
        "String.make n '*' ^ String.sub s n (String.length s - n)",
        "masked",
    ),
)
_RANGE: Gap = (
    ("how many numbers there are", "| [ a; b ] -> int_of_string b - int_of_string a + 1\n  | _ -> 1", "range_size"),
    ("the last number", "| [ _; b ] -> int_of_string b\n  | _ -> int_of_string s", "range_end"),
    ("the last number minus the first", "| [ a; b ] -> int_of_string b - int_of_string a\n  | _ -> 0", "range_width"),
    (
        "the first and the last number added up, also if they are the same",
        "| [ a; b ] -> int_of_string a + int_of_string b\n  | _ -> 2 * int_of_string s",
        "range_ends",
    ),
)
_UP: Gap = (("adds 1", "n + 1"), ("adds $k", "n + $k"), ("doubles it and adds 1", "(2 * n) + 1"))
_DOWN: Gap = (("takes 1 away", "n - 1"), ("sets it to 0", "0"), ("takes 1 away, but never below 0", "max 0 (n - 1)"))

_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "m": number(3, 6),
    "long": number(3, 4),
    "near": number(2, 5),
    "sign": ((": ",), (" is ",), (" -> ",)),
    "mark": (("...",), ("!",), ("~",), ("|",)),
    "new": (("txt",), ("md",), ("bak",), ("ml",)),
}

TASKS = (
    Task(
        level=1,
        says=(
            'The string `s` has numbers with commas between them, such as `"3,12,0"`. None is negative. `$f s` is $what.',
            'Read numbers, 0 or more, from a string such as `"3,12,0"`, and find $what: that is `$f s`.',
        ),
        names=("$what",),
        signature="string -> int",
        code="let $f s = $what",
        gaps={**_GAPS, "what": _OF_LIST, "k": number(5, 25)},
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            'A string `s` such as `"3,12,0"` has numbers of 0 or more with commas between them. `$f s` is $list.',
            'Numbers of 0 or more stand in the string `s`, as in `"3,12,0"`. Write `$f s`, which returns $list.',
        ),
        names=("$list", "${list}_of"),
        signature="string -> int list",
        code="let $f s = $list",
        gaps={**_GAPS, "list": _LIST, "k": number(5, 25)},
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            'A time of the day is written as in `"07:30"`. `$f s` is $what, for such a time `s`.',
            'The string `s` is a time from `"00:00"` to `"23:59"`. Write `$f s`, which returns $what.',
        ),
        names=("$what", "${what}_of"),
        signature="string -> int",
        code="let $f s = Scanf.sscanf s $what",
        gaps={**_GAPS, "what": _OF_TIME},
        inputs=(_TIME,),
    ),
    Task(
        level=1,
        says=(
            'The size of a rectangle is written as in `"12x7"`. `$f s` is $what, for a size `s`.',
            'A string such as `"12x7"` has the two sides of a rectangle. Write `$f s`, which returns $what.',
        ),
        names=("$what", "${what}_of"),
        signature="string -> int",
        code='let $f s = Scanf.sscanf s "%dx%d" (fun a b -> $what)',
        gaps={**_GAPS, "what": _OF_SIZE},
        inputs=(_pair("x"),),
    ),
    Task(
        level=1,
        says=(
            'A date is written as in `"2024-03-07"`: year, month, day. `$f s` is $what, for a date `s`.',
            'The string `s` is a date such as `"2024-03-07"`, with year, month and day. Write `$f s`, which returns $what.',
        ),
        names=("$what", "${what}_of"),
        signature="string -> int",
        code="let $f s = Scanf.sscanf s $what",
        gaps={"what": _OF_DATE},
        inputs=(_DATE,),
    ),
    Task(
        level=1,
        says=(
            'A setting is a name and a value such as `"size=oak"`, with one `=`. `$f s` is $what, for a setting `s`.',
            'The string `s` is a setting such as `"size=oak"`: a name, an `=` and a value. Write `$f s`, which returns $what.',
        ),
        names=("$what", "${what}_of"),
        signature="string -> string",
        code="let $f s = $what",
        gaps={**_GAPS, "what": _OF_SETTING},
        inputs=(Input(_setting, ('"a=b"', '"oak=oak"', '"Size=Big Oak"', '"n=10"')),),
    ),
    Task(
        level=1,
        says=(
            'For the entry `"oak,3"`, `$f s` is $what; other entries of a word and a number are treated alike.',
            'An entry `s` has a word and a number of 0 or more. Write `$f s`: for `"oak,3"` it is $what.',
        ),
        names=("$what", "${what}_of"),
        signature="string -> string",
        code='let $f s = Scanf.sscanf s "%[^,],%d" (fun name n -> $what)',
        gaps={"what": _OF_ENTRY},
        inputs=(_ENTRY,),
    ),
    Task(
        level=1,
        says=(
            "Perhaps `s` is a whole number, as `int_of_string_opt` tells. `$f s` is $what.",
            "Does `int_of_string_opt` take `s` for a number? `$f s` is $what.",
        ),
        names=("$what",),
        signature="string -> int",
        code="let $f s = $what",
        gaps={**_GAPS, "what": _OR_ELSE},
        inputs=(_LOOSE,),
    ),
    Task(
        level=1,
        says=(
            "If `int_of_string_opt` takes `s` for a whole number, `$f s` is $what, and else `None`.",
            "Read a whole number `s` with `int_of_string_opt`. `$f s` is $what, or `None` if `s` is no number.",
        ),
        names=("$what", "${what}_of"),
        signature="string -> int option",
        code="let $f s = $what",
        gaps={**_GAPS, "what": _MAYBE},
        inputs=(_LOOSE,),
    ),
    Task(
        level=1,
        says=(
            'A code `s` has six digits, as in `"204817"`. `$f s` is $what.',
            'The string `s` is a code of six digits such as `"204817"`. Write `$f s`, which returns $what.',
        ),
        names=("$what", "${what}_of"),
        signature="string -> int",
        code="let $f s = $what",
        gaps={**_GAPS, "what": _DIGITS},
        inputs=(_CODE,),
    ),
    Task(
        level=1,
        says=(
            "The fields of `s` have commas between them, and some may be no numbers (for `int_of_string_opt`). `$f s` is "
            "$what.",
            'In a string such as `"3,x,12"`, a field may be no number for `int_of_string_opt`. `$f s` is $what.',
        ),
        names=("$what",),
        signature="string -> int",
        code="let $f s = $what",
        gaps={"what": _OF_VALID},
        inputs=(Input(_loose_numbers, ('""', '"7"', '"-3"', '",,"', '"x"', '"4,4"', '"-5,-2"')),),
    ),
    Task(
        level=2,
        says=(
            'The size of a rectangle is written as in `"12x7"`. `$f s` is $what, or `None` if `s` is not two whole numbers '
            "(for `int_of_string_opt`) with an `x` between.",
            'Is `s` a size such as `"12x7"`, two numbers that `int_of_string_opt` accepts with one `x` between? Then `$f s` '
            "is $what, and else `None`.",
        ),
        names=("$what", "${what}_of"),
        signature="string -> int option",
        code="let $f s =\n  match List.map int_of_string_opt (String.split_on_char 'x' s) with\n"
        "  | [ Some a; Some b ] -> $what\n  | _ -> None",
        gaps={"what": _OF_TWO},
        inputs=(_loose_fields("x"),),
    ),
    Task(
        level=2,
        says=(
            'A score such as `"3:1"` is two numbers with a colon between. `$f s` is $what; if `s` is not exactly two '
            "numbers for `int_of_string_opt`, it is `None`.",
            'Read a score such as `"3:1"`. `$f s` is $what. It is `None` if `s` is anything else than two numbers (for '
            "`int_of_string_opt`) with a colon between.",
        ),
        names=("$what", "${what}_of"),
        signature="string -> string option",
        code="let $f s =\n  match List.map int_of_string_opt (String.split_on_char ':' s) with\n"
        "  | [ Some a; Some b ] -> $what\n  | _ -> None",
        gaps={**_GAPS, "what": _OF_SCORE},
        inputs=(_loose_fields(":"),),
    ),
    Task(
        level=2,
        says=(
            'Read an item such as `"oak,3"`, a name and a number. `$f s` is `Some` of the item, here $item. It is `None` if '
            "`s` has not two fields, or no number for `int_of_string_opt` in the second.",
            'For `"oak,3"`, `$f s` is `Some` of $item. Strings without exactly two fields, or with a second field that '
            "`int_of_string_opt` does not accept, give `None`.",
        ),
        names=("read_item", "item_of", "parse_item"),
        signature=f"{_ITEM_TYPE}\n\nval $f : string -> item option",
        code=f"{_ITEM_TYPE}\n\nlet $f s =\n  match String.split_on_char ',' s with\n"
        "  | [ name; n ] -> Option.map (fun count -> $item) (int_of_string_opt n)\n  | _ -> None",
        gaps={"item": _MADE_ITEM, "k": number(3, 9)},
        inputs=(
            Input(
                _loose_entry,
                ('""', '"oak"', '",3"', '"oak,"', '"oak,3,5"', '"oak,0"', '"oak,-3"', '"oak,x"', '"3,oak"'),
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            'Read a command: `"left 20"` is `Some ($minus)`, `"right 20"` is `Some (Turn 20)`, and '
            '`"forward 5"` is `Some ($five)`; other numbers of 0 or more likewise. All else is `None`. Write `$f s`.',
            '`$f s` is `Some` of the command that `s` stands for: `$minus` for `"left 20"`, `Turn 20` for '
            '`"right 20"`, and `$five` for `"forward 5"`, with other numbers of 0 or more likewise. For other strings it is `None`.',
        ),
        names=("command_of", "read_command", "parse_command"),
        signature=f"{_MOVE_TYPE}\n\nval $f : string -> command option",
        code=f"{_MOVE_TYPE}\n\nlet $f s =\n  match String.split_on_char ' ' s with\n"
        '  | [ "left"; n ] -> Option.map (fun n -> $minus) (int_of_string_opt n)\n'
        '  | [ "right"; n ] -> Option.map (fun n -> Turn n) (int_of_string_opt n)\n'
        '  | [ "forward"; n ] -> Option.map (fun n -> $five) (int_of_string_opt n)\n  | _ -> None',
        gaps={
            "minus": (("Turn (-20)", "Turn (-n)"), ("Turn 340", "Turn (360 - n)")),
            "five": (
                ("Go 5", "Go n"),
                ("Go 10", "Go (2 * n)"),
                ("Go 50", "Go (10 * n)"),
            ),
        },
        inputs=(
            Input(
                _command,
                (
                    '""',
                    '"left"',
                    '"left 0"',
                    '"left x"',
                    '"right "',
                    '"Left 20"',
                    '"right 20 5"',
                    '"forward 120"',
                    '"20"',
                ),
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            'Settings are written as in `"town=oak;size=fern"`: fields with `;` between, each a key, `=` and a value. '
            "`$f s` is $what, in the order of `s` if nothing else is said.",
            'Take settings such as `"town=oak;size=fern"` apart. `$f s` is $what. If nothing else is said, they keep the '
            "order of `s`.",
        ),
        names=("$what", "${what}_of"),
        signature="string -> string list",
        code=_PAIRS_CODE + "$what",
        gaps={**_GAPS, "what": _FROM_PAIRS},
        inputs=(Input(_settings),),
    ),
    Task(
        level=2,
        says=(
            'Settings are written as in `"town=oak;size=fern"`: a key, `=` and a value in each field. `$f key s` is '
            "$what, or `None` if there is no such key.",
            'The string `s` has settings such as `"town=oak;size=fern"`. Write `$f key s`, which returns $what, or `None` '
            "without that key.",
        ),
        names=("$what", "${what}_in"),
        signature="string -> string -> string option",
        code=_PAIRS_CODE.replace("$f s", "$f key s") + "$what",
        gaps={"what": _LOOKED_UP},
        inputs=(one_of(*map(text, _KEYS)), Input(_settings)),
    ),
    Task(
        level=2,
        says=("`$f s` is $cut.", "In a line of a file, a `#` begins a comment. `$f s` is $cut."),
        names=("$cut",),
        signature="string -> string",
        code="let $f s =\n  match $cut",
        gaps={**_GAPS, "cut": _CUT},
        inputs=(
            Input(
                _commented, ('""', '"#"', '"##"', '"#oak"', '"oak # fern # iris"', '"oak #"', '" oak#fern"', '"oak"')
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            'The string `s` is the path of a file such as `"oak/fern/iris.ml"`. `$f s` is $path.',
            'Paths of files look like `"oak/fern/iris.ml"` or `"iris"`. For a path `s`, `$f s` is $path.',
        ),
        names=("$path", "${path}_of"),
        signature="string -> string",
        code="let $f s =\n  match $path",
        gaps={**_GAPS, "path": _PATH},
        inputs=(
            Input(_path, ('"iris"', '"/iris.ml"', '"oak.d/iris"', '"a.b.c"', '"oak/fern.x/iris.ml"', '"iris."', '"a"')),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is $front. There may be none.",
            "A string may begin with digits, or not. Write `$f s`, which returns $front.",
        ),
        names=("$front",),
        signature="string -> string",
        code="let $f s =\n  let rec digits i =\n    if i < String.length s && '0' <= s.[i] && s.[i] <= '9' then digits (i + 1) else i\n"
        "  in\n  let n = digits 0 in\n  $front",
        gaps={"front": _FRONT, "mark": (("-",), (" ",), (":",), ("|",))},
        inputs=(Input(_numbered, ('""', '"123"', '"oak"', '"12oak34"', '"7"', '"-5"', '" 5x"', '"90/09"', '"1:2"')),),
    ),
    Task(
        level=2,
        says=(
            'A range of numbers is written as in `"3-5"`, or as in `"8"` if there is just one. `$f s` is $range. No number '
            "is negative, and the second one is never smaller.",
            'The string `s` is a range such as `"3-5"`, or one number such as `"8"`. Write `$f s`, which returns $range. The '
            "first number is at most the second, and not negative.",
        ),
        names=("$range",),
        signature="string -> int",
        code="let $f s =\n  match String.split_on_char '-' s with\n  $range",
        gaps={"range": _RANGE},
        inputs=(Input(_range, ('"0"', '"7-7"', '"0-0"', '"98-102"', '"0-9"', '"12"')),),
    ),
    Task(
        level=2,
        says=(
            "Answers stand in `s` with commas between. A number is 0 at first; each `$yes` $up, and each `$no` $down. Other "
            "answers change nothing. `$f s` is the number after all answers, from left to right.",
            "Start with 0 and go through the fields of `s`, with commas between them: `$yes` $up, `$no` $down, and all else "
            "leaves the number. `$f s` is the number at the end.",
        ),
        names=("tally", "count_answers", "balance", "votes"),
        signature="string -> int",
        code='let $f s =\n  let count n = function\n    | "$yes" -> $up\n    | "$no" -> $down\n    | _ -> n\n  in\n'
        "  List.fold_left count 0 (String.split_on_char ',' s)",
        gaps={
            "yes": (("yes",), ("on",)),
            "no": (("no",), ("off",)),
            "up": _UP,
            "down": _DOWN,
            "k": number(2, 5),
        },
        inputs=(Input(_answers, ('""', '"no"', '"off"', '"no,yes"', '"off,on,on"', '"no,no,yes,yes"', '"on,on,off"')),),
    ),
)
