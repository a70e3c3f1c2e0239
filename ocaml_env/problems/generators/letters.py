"""Operations on characters and strings, each with its English, its OCaml and its meaning. Strings are plain ASCII."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.ints import Op, told

__all__ = [
    "REVERSE",
    "WORDS",
    "char_map",
    "char_test",
    "some_text",
    "some_word",
    "string_key",
    "string_map",
    "string_size",
    "string_test",
]

WORDS = (
    *("amber", "atlas", "bee", "birch", "cabin", "cedar", "civic", "cloud", "coral", "crane", "delta", "dune"),
    *("eagle", "ebb", "ember", "fern", "fig", "flute", "frost", "gale", "glade", "grove", "hazel", "heron"),
    *("igloo", "iris", "ivy", "jade", "kayak", "kelp", "lake", "level", "lilac", "linen", "maple", "moss"),
    *("noon", "oak", "oasis", "onyx", "opal", "otter", "pearl", "pine", "quail", "quartz", "radar", "raven"),
    *("reed", "river", "sage", "slate", "spruce", "stone", "tulip", "umber", "violet", "willow", "wren", "zinc"),
)

VOWELS = "aeiouAEIOU"
_IS_VOWEL = 'let is_vowel c = String.contains "aeiouAEIOU" c'
REVERSE = "let reverse s = String.init (String.length s) (fun i -> s.[String.length s - 1 - i])"
_ROTATE = """\
let turn k c =
  let from first = Char.chr (Char.code first + ((Char.code c - Char.code first + k) mod 26)) in
  match c with 'a' .. 'z' -> from 'a' | 'A' .. 'Z' -> from 'A' | _ -> c"""
_SWAP_CASE = "let swap_case c = if c = Char.lowercase_ascii c then Char.uppercase_ascii c else Char.lowercase_ascii c"
_KEEP = """\
let keep p s =
  String.concat "" (List.map (String.make 1) (List.filter p (List.of_seq (String.to_seq s))))"""
_COUNT = "let count p s = String.fold_left (fun n c -> if p c then n + 1 else n) 0 s"


def some_word(chance: Chance) -> str:
    """A word of lower-case letters."""
    return chance.pick(WORDS)


def some_text(chance: Chance, most: int = 5) -> str:
    """Words, some of them with capitals, digits or signs, with one or more spaces between and perhaps around them."""
    parts = [_decorated(chance) for _ in range(chance.between(1, most))]
    made = parts[0]
    for part in parts[1:]:
        made += (" " if chance.happens(0.8) else "  ") + part
    return f" {made}" if chance.happens(0.1) else made


def _decorated(chance: Chance) -> str:
    word = chance.pick(WORDS)
    what = chance.below(8)
    if what == 0:
        return word.upper()
    if what <= 2:
        return word.capitalize()
    if what == 3:
        return f"{word}{chance.between(0, 99)}"
    if what == 4:
        return word + chance.pick(",.!?-")
    return word


# --- characters -------------------------------------------------------------------------------------------------------


def char_test(chance: Chance) -> Op:
    """A question about a character; in the English ``{x}`` is the character."""
    return told(chance, chance.pick(_CHAR_TESTS)(chance))


def _vowel(chance: Chance) -> Op:
    if chance.happens(0.5):
        return Op("{x} is a vowel (one of aeiouAEIOU)", "is_vowel {x}", lambda c: c in VOWELS, (_IS_VOWEL,))
    return Op("{x} is not a vowel (one of aeiouAEIOU)", "not (is_vowel {x})", lambda c: c not in VOWELS, (_IS_VOWEL,))


def _case_of(chance: Chance) -> Op:
    if chance.happens(0.5):
        return Op("{x} is an upper-case letter", "({x} >= 'A' && {x} <= 'Z')", lambda c: "A" <= c <= "Z")
    return Op("{x} is a lower-case letter", "({x} >= 'a' && {x} <= 'z')", lambda c: "a" <= c <= "z")


def _letter_range(chance: Chance) -> Op:
    first = chance.pick("abcdefgh")
    last = chance.pick("jklmnopqrst")
    return Op(
        f"{{x}} is a lower-case letter from `{first}` to `{last}`",
        f"({{x}} >= '{first}' && {{x}} <= '{last}')",
        lambda c: first <= c <= last,
    )


def _one_of(chance: Chance) -> Op:
    chars = "".join(sorted(chance.sample("aeilnorst", chance.between(2, 4))))
    return Op(
        f"{{x}} is one of the characters of `{chars}`",
        f'String.contains "{chars}" {{x}}',
        lambda c: c in chars,
    )


def _plain(chance: Chance) -> Op:
    return Op(
        "{x} is neither a letter nor a space",
        "(match {x} with 'a' .. 'z' | 'A' .. 'Z' | ' ' -> false | _ -> true)",
        lambda c: not (c.isalpha() or c == " "),
    )


_CHAR_TESTS = (_vowel, _vowel, _case_of, _letter_range, _one_of, _one_of, _plain)


def char_map(chance: Chance) -> Op:
    """An operation from character to character; in the English ``{x}`` is the character."""
    return chance.pick(_CHAR_MAPS)(chance)


def _upper(chance: Chance) -> Op:
    if chance.happens(0.5):
        return Op("its upper-case form", "Char.uppercase_ascii {x}", str.upper)
    return Op("its lower-case form", "Char.lowercase_ascii {x}", str.lower)


def _swap_case(chance: Chance) -> Op:
    return Op(
        "the same letter in the other case (what is no letter stays as it is)",
        "swap_case {x}",
        str.swapcase,
        (_SWAP_CASE,),
    )


def _turn(chance: Chance) -> Op:
    k = chance.between(1, 25)
    noun = "letter" if k == 1 else f"{k}th letter"
    words = (
        f"the {noun} after it in the alphabet, in the same case, where `a` follows `z` (what is no letter stays as it "
        "is)"
    )
    if k in (2, 3, 22, 23):
        words = words.replace(f"{k}th", {2: "2nd", 3: "3rd", 22: "22nd", 23: "23rd"}[k])
    if k == 21:
        words = words.replace("21th", "21st")
    return Op(words, f"turn {k} {{x}}", lambda c: _turned(c, k), (_ROTATE,))


def _turned(c: str, k: int) -> str:
    if not c.isalpha():
        return c
    first = ord("a") if c.islower() else ord("A")
    return chr(first + (ord(c) - first + k) % 26)


def _sign(chance: Chance) -> Op:
    sign = chance.pick("*#_-+.")
    return Op(f"the character `{sign}`", f"'{sign}'", lambda c: sign)


_CHAR_MAPS = (_upper, _swap_case, _turn, _turn, _sign)


# --- strings ----------------------------------------------------------------------------------------------------------


def string_test(chance: Chance) -> Op:
    """A question about a string."""
    return told(chance, chance.pick(_STRING_TESTS)(chance))


def _long(chance: Chance) -> Op:
    k = chance.between(4, 5)
    return chance.pick(
        (
            Op(f"{{x}} has at least {k} characters", f"String.length {{x}} >= {k}", lambda s: len(s) >= k),
            Op(f"{{x}} has fewer than {k} characters", f"String.length {{x}} < {k}", lambda s: len(s) < k),
            Op(
                "the number of characters of {x} is odd",
                "String.length {x} mod 2 = 1",
                lambda s: len(s) % 2 == 1,
            ),
        )
    )


def _contains(chance: Chance) -> Op:
    c = chance.pick("aeiolnr")
    if chance.happens(0.6):
        return Op(f"{{x}} contains the character `{c}`", f"String.contains {{x}} '{c}'", lambda s: c in s)
    return Op(f"{{x}} does not contain the character `{c}`", f"not (String.contains {{x}} '{c}')", lambda s: c not in s)


def _first_last(chance: Chance) -> Op:
    c = chance.pick("ghijklmno")
    return Op(
        f"{{x}} comes before `{c}` in the order of strings (that of `compare`)", f'{{x}} < "{c}"', lambda s: s < c
    )


def _vowels(chance: Chance) -> Op:
    k = chance.between(2, 3)
    return Op(
        f"{{x}} has at least {k} vowels (characters of aeiouAEIOU)",
        f"count is_vowel {{x}} >= {k}",
        lambda s: sum(c in VOWELS for c in s) >= k,
        (_IS_VOWEL, _COUNT),
    )


_STRING_TESTS = (_long, _long, _contains, _contains, _first_last, _vowels)


def string_map(chance: Chance) -> Op:
    """An operation from string to string, that makes of no string another with a character unheard of."""
    return chance.pick(_STRING_MAPS)(chance)


def _whole_case(chance: Chance) -> Op:
    return chance.pick(
        (
            Op("{x} in upper case", "String.uppercase_ascii {x}", str.upper),
            Op(
                "{x} with its first character in upper case, and the others as they are",
                "String.capitalize_ascii {x}",
                lambda s: s[:1].upper() + s[1:],
            ),
        )
    )


def _reversed(chance: Chance) -> Op:
    return Op("{x} reversed", "reverse {x}", lambda s: s[::-1], (REVERSE,))


def _cut(chance: Chance) -> Op:
    k = chance.between(2, 4)
    return Op(
        f"the first {k} characters of {{x}} (all of them if there are fewer)",
        f"String.sub {{x}} 0 (min {k} (String.length {{x}}))",
        lambda s: s[:k],
    )


def _tail(chance: Chance) -> Op:
    k = chance.between(1, 3)
    noun = "character" if k == 1 else f"{k} characters"
    return Op(
        f"{{x}} without its first {noun} (the empty string if it has no more)",
        f"(let skip = min {k} (String.length {{x}}) in String.sub {{x}} skip (String.length {{x}} - skip))",
        lambda s: s[k:],
    )


def _affix(chance: Chance) -> Op:
    sign = chance.pick(("!", "-", "x", "ly", "o", "en", "*"))
    if chance.happens(0.5):
        return Op(f"{{x}} followed by `{sign}`", f'{{x}} ^ "{sign}"', lambda s: s + sign)
    return Op(f"`{sign}` followed by {{x}}", f'"{sign}" ^ {{x}}', lambda s: sign + s)


def _without(chance: Chance) -> Op:
    test = char_test(chance)
    return Op(
        f"{{x}} without every character `c` for which {test.say('c')}",
        f"keep (fun c -> not ({test.code('c')})) {{x}}",
        lambda s: "".join(c for c in s if not test.run(c)),
        (*test.helpers, _KEEP),
    )


def _mapped(chance: Chance) -> Op:
    test, op = char_test(chance), char_map(chance)
    return Op(
        f"{{x}} with every character `c` for which {test.say('c')} replaced by {op.say('c')}",
        f"String.map (fun c -> if {test.code('c')} then {op.code('c')} else c) {{x}}",
        lambda s: "".join(op.run(c) if test.run(c) else c for c in s),
        test.helpers + op.helpers,
    )


_STRING_MAPS: tuple[Callable[[Chance], Op], ...] = (
    _whole_case,
    _reversed,
    _cut,
    _tail,
    _affix,
    _without,
    _mapped,
    _mapped,
)


def string_key(chance: Chance) -> Op:
    """An operation from string to integer of which every part has a say in the order of the results."""
    if chance.happens(0.3):
        return Op("the number of characters of {x}", "String.length {x}", len)
    k, test = chance.between(2, 5), char_test(chance)
    return Op(
        f"the number of characters of {{x}} plus {k} times the number of characters `c` in it for which "
        f"{test.say('c')}",
        f"String.length {{x}} + ({k} * count (fun c -> {test.code('c')}) {{x}})",
        lambda s: len(s) + k * sum(1 for c in s if test.run(c)),
        (*test.helpers, _COUNT),
    )


def string_size(chance: Chance) -> Op:
    """An operation from string to integer."""
    k = chance.between(2, 5)
    test = char_test(chance)
    return chance.pick(
        (
            Op(f"{k} times the number of characters of {{x}}", f"{k} * String.length {{x}}", lambda s: k * len(s)),
            Op(f"the number of characters of {{x}}, plus {k}", f"String.length {{x}} + {k}", lambda s: len(s) + k),
            Op(
                f"{k} times the number of characters `c` in {{x}} for which {test.say('c')}",
                f"{k} * count (fun c -> {test.code('c')}) {{x}}",
                lambda s: k * sum(1 for c in s if test.run(c)),
                (*test.helpers, _COUNT),
            ),
            Op(
                f"the number of characters of {{x}} plus {k} times the number of characters `c` in it for which "
                f"{test.say('c')}",
                f"String.length {{x}} + ({k} * count (fun c -> {test.code('c')}) {{x}})",
                lambda s: len(s) + k * sum(1 for c in s if test.run(c)),
                (*test.helpers, _COUNT),
            ),
        )
    )
