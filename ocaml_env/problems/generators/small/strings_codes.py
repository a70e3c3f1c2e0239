"""Small tasks on codes in strings: licence plates, product codes, ciphers with one shift, sums of digits."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, lists, texts, tuples
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import letter, text

__all__ = ["FAMILY", "TASKS"]


def _some(chance: Chance, among: str, size: int) -> str:
    return "".join(chance.pick(among) for _ in range(size))


def _plate(chance: Chance) -> str:
    digits = _some(chance, "0123456789", 3)
    if chance.happens(0.3):
        digits = chance.pick((digits[0] * 2 + digits[2], digits[0] + digits[2] * 2, digits[0] + "00", digits[0] + "99"))
    letters = _some(chance, "ABKXZ", 2)
    return text((letters[0] * 2 if chance.happens(0.2) else letters) + "-" + digits)


def _product(chance: Chance) -> str:
    size = chance.pick((0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 9))
    if chance.happens(0.3):
        return text(_some(chance, chance.pick(("0123456789", "0123456789", "059/:")), size + 1))
    first = chance.pick("PPPPPKKKKKpX9AZaz-@[")
    return text(first + _some(chance, chance.pick(("0123456789", "0123456789", "01aZ-")), size))


def _parcel(chance: Chance) -> str:
    code = (
        _some(chance, "ABC", chance.between(1, 3))
        + chance.pick("---/")
        + _some(chance, "0123456789", chance.between(1, 3))
    )
    return text(code if chance.happens(0.8) else code + "-" + chance.pick(("", "A", "7")))


def _numbered(chance: Chance) -> str:
    return text(f"{chance.pick('AKX')}{chance.number(0, 99 if chance.happens(0.9) else 5_000)}")


def _digits(chance: Chance) -> str:
    return text(_some(chance, "0123456789", chance.pick((1, 2, 3, 4, 5, 6, 7, 16))))


_WORD = texts(1, 7, among="abcdefghijklmnopqrstuvwxyz", far=20)
_CIPHER: Gap = (
    ("$k letters further in the alphabet, where `a` follows `z`", "Char.chr (((Char.code c - 97 + $k) mod 26) + 97)"),
    (
        "$k letters before it in the alphabet, where `z` is before `a`",
        "Char.chr (((Char.code c - 97 + 26 - $k) mod 26) + 97)",
    ),
    (
        "at the same place of the alphabet, counted from its end, such as `y` for `b`",
        "Char.chr (97 + 122 - Char.code c)",
    ),
)
_CODES: Gap = (("parcel", "", "parcel"), ("ticket", "", "ticket"), ("locker", "", "locker"), ("book", "", "book"))
_DIGIT = "Char.code c - Char.code '0'"

TASKS = (
    Task(
        level=1,
        says=(
            "A licence plate `s` has two letters, a `-` and three digits, such as `KA-407`. `$f s` is $what.",
            "For a plate such as `KA-407`, always two letters, `-` and three digits, `$f s` is $what.",
        ),
        names=("plate", "from_plate", "plate_text"),
        signature="string -> string",
        code="let $f s = $what",
        gaps={
            "a": (("", "String.sub s 0 2"),),
            "n": (("", "String.sub s 3 3"),),
            "land": (("D",), ("F",), ("NL",), ("UK",)),
            "what": (
                ("its two letters", "$a"),
                ("its digits, without the `-`", "$n"),
                ("the plate without the `-`", "$a ^ $n"),
                ("the plate with the digits first, as in `407-KA`", '$n ^ "-" ^ $a'),
                ("the plate with a space in place of the `-`", '$a ^ " " ^ $n'),
                ("the plate with `$land ` in front", '"$land " ^ s'),
                ("the plate with its digits hidden, as in `KA-***`", '$a ^ "-***"'),
                ("its first letter and its last digit, as in `K7`", "String.sub s 0 1 ^ String.sub s 5 1"),
            ),
        },
        inputs=(Input(_plate),),
    ),
    Task(
        level=1,
        says=(
            "A licence plate `s` has two letters, a `-` and three digits, such as `KA-407`. `$f s` tells if $what.",
            "Plates look like `KA-407`: two letters, `-`, three digits. Is it true of the plate `s` that $what? `$f s` tells.",
        ),
        names=("check_plate", "special_plate"),
        signature="string -> bool",
        code="let $f s = $what",
        gaps={
            "n": (("", "int_of_string (String.sub s 3 3)"),),
            "k": number(3, 7),
            "what": (
                ("its two letters are the same", "s.[0] = s.[1]"),
                ("its number is even", "$n mod 2 = 0"),
                ("its number is below ${k}00", "$n < ${k}00"),
                ("its number is divisible by $k", "$n mod $k = 0"),
                ("its first digit is not smaller than its last", "s.[3] >= s.[5]"),
                ("two of its digits side by side are the same", "s.[3] = s.[4] || s.[4] = s.[5]"),
                ("its letters are in alphabetical order, maybe equal", "s.[0] <= s.[1]"),
                ("its number reads the same backwards", "s.[3] = s.[5]"),
            ),
        },
        inputs=(Input(_plate),),
    ),
    Task(
        level=1,
        says=(
            'Codes of ${codes}s are made of a word `s` and a number `n` from 0 up. `$f "kit" 7`, for example, is $form.',
            'Make the code of a $codes from a word `s` and a number `n`, which is not negative: `$f "kit" 7` is $form.',
        ),
        names=("${codes}_code", "make_code"),
        signature="string -> int -> string",
        code="let $f s n = $form",
        gaps={
            "codes": _CODES,
            "form": (
                ("`kit-7`", 's ^ "-" ^ string_of_int n'),
                ("`kit-007`, with three digits at least", 'Printf.sprintf "%s-%03d" s n'),
                ("`07/kit`, with two digits at least", 'Printf.sprintf "%02d/%s" n s'),
                ("`KIT7`", "String.uppercase_ascii s ^ string_of_int n"),
                ("`k7`", "String.sub s 0 1 ^ string_of_int n"),
                ("`Kit #7`", 'String.capitalize_ascii s ^ " #" ^ string_of_int n'),
                (
                    "`kit:3:7`, where the middle is the length of the word",
                    'Printf.sprintf "%s:%d:%d" s (String.length s) n',
                ),
            ),
        },
        inputs=(_WORD, integers(0, 120, far=5_000)),
    ),
    Task(
        level=1,
        says=(
            "`s` has small letters only. `$f s` is a secret message: each letter is replaced by the one $cipher.",
            "Encode a string of small letters: `$f s` has, in place of each letter of `s`, the one $cipher.",
        ),
        names=("encode", "cipher", "secret"),
        signature="string -> string",
        code="let $f s = String.map (fun c -> $cipher) s",
        gaps={"cipher": _CIPHER, "k": number(1, 20)},
        inputs=(texts(0, 7, among="abcdefghijklmnopqrstuvwxyz", far=25),),
        edges=(('""',), ('"az"',), ('"abcdefghijklmnopqrstuvwxyz"',)),
    ),
    Task(
        level=1,
        says=(
            "`c` is a small letter. `$f k c`, with `k` from 0 to 25, is the letter $what.",
            "For a small letter `c` and a number `k` from 0 to 25, `$f k c` is the letter $what.",
        ),
        names=("shift", "shifted", "wheel"),
        signature="int -> char -> char",
        code="let $f k c = $what",
        gaps={
            "what": (
                ("`k` places after it, where `a` comes after `z`", "Char.chr (((Char.code c - 97 + k) mod 26) + 97)"),
                (
                    "`k` places before it, where `z` comes before `a`",
                    "Char.chr (((Char.code c - 97 + 26 - k) mod 26) + 97)",
                ),
                (
                    "`k` places after it, as a capital letter, where `A` comes after `Z`",
                    "Char.chr (((Char.code c - 97 + k) mod 26) + 65)",
                ),
                ("`k` places after it, but never after `z`", "Char.chr (min 122 (Char.code c + k))"),
                ("`k` places before it, but never before `a`", "Char.chr (max 97 (Char.code c - k))"),
            )
        },
        inputs=(
            integers(0, 25),
            Input(lambda chance: letter(chance.pick("abcdefghijklmnopqrstuvwxyz")), ("'a'", "'z'")),
        ),
    ),
    Task(
        level=1,
        says=(
            "`$f s` tells if the product code `s`, a string that is not empty, $valid.",
            "A product code `s` is never empty. It is good if it $valid: `$f s` tells.",
        ),
        names=("valid_code", "good_code", "check_code"),
        signature="string -> bool",
        code="let $f s = $valid",
        gaps={
            "letter": (("P",), ("K",)),
            "n": number(3, 4),
            "digit": (("", "(fun c -> c >= '0' && c <= '9')"),),
            "valid": (
                ("begins with `$letter` and has $n characters", "s.[0] = '$letter' && String.length s = $n"),
                ("begins with a capital letter", "s.[0] >= 'A' && s.[0] <= 'Z'"),
                ("has digits only", "String.for_all $digit s"),
                ("has at least $n characters and no `-`", "String.length s >= $n && not (String.contains s '-')"),
                ("begins with `P` or `K`", "s.[0] = 'P' || s.[0] = 'K'"),
                ("has $n characters, of which the last is not `0`", "String.length s = $n && s.[$n - 1] <> '0'"),
                ("contains an `a` or a `-`", "String.contains s 'a' || String.contains s '-'"),
            ),
        },
        inputs=(Input(_product),),
    ),
    Task(
        level=1,
        says=(
            "`n` is the number on a $codes, 0 or more. `$f n` is $what.",
            "A $codes has a number `n` that is not negative. `$f n` is $what.",
        ),
        names=("check_digit", "${codes}_check", "control"),
        signature="int -> int",
        code="let $f n = $what",
        gaps={
            "codes": _CODES,
            "k": (("7",), ("9",), ("11",), ("13",)),
            "what": (
                ("its check number, the remainder when it is divided by $k", "n mod $k"),
                ("the longer number that has its last digit once more at the end", "(10 * n) + (n mod 10)"),
                ("what must be added to make it divisible by $k, 0 if it is so already", "($k - (n mod $k)) mod $k"),
                (
                    "the longer number that has the remainder of its division by 7 as one more digit at the end",
                    "(10 * n) + (n mod 7)",
                ),
                ("the sum of its last two digits", "(n mod 10) + (n / 10 mod 10)"),
                ("the number without its last digit", "n / 10"),
            ),
        },
        inputs=(integers(0, 2000, far=1_000_000),),
    ),
    Task(
        level=2,
        says=(
            "`s` is a string of digits, maybe empty. `$f s` is $what.",
            "For a string `s` of digits only, which may be empty, `$f s` is $what.",
        ),
        names=("checksum", "digit_sum", "control_sum"),
        signature="string -> int",
        code="let $f s =\n  let add sum c = $what",
        gaps={
            "d": (("", _DIGIT),),
            "k": number(2, 4),
            "what": (
                ("the sum of its digits", "sum + $d in\n  String.fold_left add 0 s"),
                (
                    "the remainder of the sum of its digits when it is divided by $k$k",
                    "sum + $d in\n  String.fold_left add 0 s mod $k$k",
                ),
                ("the greatest of its digits, 0 if there are none", "max sum ($d) in\n  String.fold_left add 0 s"),
                (
                    "the sum of its digits where each even one counts $k times",
                    "let d = $d in\n    if d mod 2 = 0 then sum + ($k * d) else sum + d\n  in\n  String.fold_left add 0 s",
                ),
                (
                    "what must be added to the sum of its digits to get a multiple of 10 (0 if it is one)",
                    "sum + $d in\n  (10 - (String.fold_left add 0 s mod 10)) mod 10",
                ),
                (
                    "the number of its digits that are above $k",
                    "if $d > $k then sum + 1 else sum in\n  String.fold_left add 0 s",
                ),
            ),
        },
        inputs=(Input(_digits, ('""', '"0"', '"19"')),),
    ),
    Task(
        level=2,
        says=(
            "`$f s` encodes a text: each small letter is replaced by the one $cipher. All other characters stay.",
            "In a secret message, each small letter of `s` is replaced by the one $cipher; what is no small letter stays. Write `$f s`.",
        ),
        names=("encode_text", "secret_message", "cipher_text"),
        signature="string -> string",
        code="let $f s =\n  let image c =\n    match c with\n    | 'a' .. 'z' -> $cipher\n    | _ -> c\n  in\n  String.map image s",
        gaps={"cipher": _CIPHER, "k": number(1, 20)},
        inputs=(texts(0, 9, among="abcdefghijklmnopqrstuvwxyzyzAMZ 09-?`{@[", far=25),),
        edges=(('""',), ('"Az Za"',)),
    ),
    Task(
        level=2,
        says=(
            "A $codes code should have two parts with one `-` between them, such as `AB-12`. `$f s` is `Some` of $what, or `None` if there are not exactly two parts.",
            "`$f s` reads the code of a $codes, two parts with a single `-` between them as in `AB-12`. It is `Some` of $what, and `None` for any other number of parts.",
        ),
        names=("read_code", "read_$codes", "parse_code"),
        signature="string -> string option",
        code="let $f s =\n  match String.split_on_char '-' s with\n  | [ a; b ] -> Some $what\n  | _ -> None",
        gaps={
            "codes": _CODES,
            "what": (
                ("the first part", "a"),
                ("the second part", "b"),
                ("both parts without the `-`", "(a ^ b)"),
                ("the second part, a `/` and the first", '(b ^ "/" ^ a)'),
                (
                    "the longer one of the two parts, the first if they are equally long",
                    "(if String.length b > String.length a then b else a)",
                ),
                ("the first part in small letters and then the second", "(String.lowercase_ascii a ^ b)"),
            ),
        },
        inputs=(Input(_parcel, ('""', '"A"', '"-"', '"A-"', '"-12"', '"A--1"', '"A-1-2"')),),
    ),
    Task(
        level=2,
        says=(
            "A code is a capital letter with a digit from 0 to 9, as the pair `(c, d)`. `$f (c, d)` is $what.",
            "Codes run from A0 to Z9 and are kept as pairs of a letter and a digit. `$f (c, d)` is $what.",
        ),
        names=("next_code", "other_code"),
        signature="char * int -> char * int",
        code="let $f (c, d) =\n  let n = (10 * (Char.code c - 65)) + d in\n  $what",
        gaps={
            "k": number(2, 30),
            "pair": (("", "(Char.chr (65 + (n / 10)), n mod 10)"),),
            "what": (
                ("the next code; A0 follows Z9", "let n = (n + 1) mod 260 in\n  $pair"),
                ("the code before it; Z9 is before A0", "let n = (n + 259) mod 260 in\n  $pair"),
                ("the code $k places further on; A0 follows Z9", "let n = (n + $k) mod 260 in\n  $pair"),
                ("the code $k places further on, but at most Z9", "let n = min 259 (n + $k) in\n  $pair"),
                ("the code as far from Z9 as it is from A0", "let n = 259 - n in\n  $pair"),
            ),
        },
        inputs=(tuples(Input(lambda chance: letter(chance.pick("AABCKLMXYZZ")), ("'A'", "'Z'")), integers(0, 9)),),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string of all characters of the code `s` that are $kind$end.",
            "Clean a code: `$f s` has only those characters of `s` that are $kind$end.",
        ),
        names=("clean_code", "only", "filtered"),
        signature="string -> string",
        code='let $f s =\n  let keep c = $kind in\n  String.fold_left (fun made c -> if keep c then $end else made) "" s',
        gaps={
            "kind": (
                ("digits", "c >= '0' && c <= '9'"),
                ("capital letters", "c >= 'A' && c <= 'Z'"),
                ("neither `-` nor a space", "c <> '-' && c <> ' '"),
                ("letters, small or capital", "Char.lowercase_ascii c <> Char.uppercase_ascii c"),
            ),
            "sign": ((".",), ("/",), ("+",)),
            "end": (
                (", in the same order", "made ^ String.make 1 c"),
                (", the last one first", "String.make 1 c ^ made"),
                (", each with a `$sign` behind it", 'made ^ String.make 1 c ^ "$sign"'),
                (", each written twice", "made ^ String.make 2 c"),
            ),
        },
        inputs=(texts(0, 9, among="aBcKZ019- -aAzZ05", far=20),),
        edges=(('""',), ('"@AZ[`az{/09:"',), ('"a-a-a"',)),
    ),
    Task(
        level=2,
        says=(
            "`l` has codes such as `K17`, a letter and a number. `$f l` is $what.",
            "Each string in `l` is a capital letter with a number behind it, such as `K17`. `$f l` is $what.",
        ),
        names=("numbers_of", "of_codes"),
        signature="string list -> int",
        code="let $f l =\n  let value s = int_of_string (String.sub s 1 (String.length s - 1)) in\n  $what",
        gaps={
            "x": (("K",), ("A",)),
            "k": number(20, 60),
            "what": (
                ("the sum of the numbers", "List.fold_left (fun sum s -> sum + value s) 0 l"),
                (
                    "the greatest number, 0 if there are no codes",
                    "List.fold_left (fun best s -> max best (value s)) 0 l",
                ),
                (
                    "the sum of the numbers in the codes that begin with `$x`",
                    "List.fold_left (fun sum s -> if s.[0] = '$x' then sum + value s else sum) 0 l",
                ),
                ("how many of the numbers are above $k", "List.length (List.filter (fun s -> value s > $k) l)"),
                (
                    "the sum of the numbers, where that of a code with `$x` is taken away",
                    "List.fold_left (fun sum s -> if s.[0] = '$x' then sum - value s else sum + value s) 0 l",
                ),
            ),
        },
        inputs=(lists(Input(_numbered, ('"K17"', '"A0"', '"K007"')), 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "A plate is good if it has two parts with a `-` between them, $first and $second. `$f s` tells if `s` is good.",
            "`$f s` tells if the plate `s` has exactly two parts, with one `-` between them: $first and $second.",
        ),
        names=("good_plate", "is_plate"),
        signature="string -> bool",
        code="let $f s =\n  match String.split_on_char '-' s with\n  | [ a; b ] -> $first && $second\n  | _ -> false",
        gaps={
            "first": (
                ("a first one of at least 2 characters", "String.length a >= 2"),
                ("a first one of less than 3 characters", "String.length a < 3"),
                ("a first one that contains `A`", "String.contains a 'A'"),
            ),
            "second": (
                ("a second one of exactly 2 characters", "String.length b = 2"),
                ("a second one without a `0`", "not (String.contains b '0')"),
                ("a second one of at most 2 characters", "String.length b <= 2"),
            ),
        },
        inputs=(Input(_parcel, ('""', '"-"', '"A-1-2"', '"-12"', '"AB-"', '"AB--12"')),),
    ),
)

FAMILY = Family(
    name="strings.codes",
    topics=("strings", "arithmetic"),
    description="plates, product codes, ciphers with one shift, and sums of digits in strings",
    tasks=TASKS,
    split="eval",
)
