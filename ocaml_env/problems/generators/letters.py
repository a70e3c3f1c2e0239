"""Operations on characters and strings, each with its English, its OCaml and its meaning. Strings are plain ASCII."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.ints import Op

__all__ = [
    "REVERSE",
    "WORDS",
    "changes_if",
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
_TURN = "let turn first k c = Char.chr (Char.code first + ((Char.code c - Char.code first + k) mod 26))"
_SWAP_CASE = "let swap_case c = if c = Char.lowercase_ascii c then Char.uppercase_ascii c else Char.lowercase_ascii c"
_KEEP = """\
let keep p s =
  String.concat "" (List.map (String.make 1) (List.filter p (List.init (String.length s) (String.get s))))"""
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
    what = chance.below(9)
    if what == 0:
        return word.upper()
    if what <= 2:
        return word.capitalize()
    if what == 3:
        return f"{word}{chance.between(0, 99)}"
    if what == 4:
        return word + chance.pick(",.!?-")
    if what <= 6:
        return f"{chance.character()}{word}{chance.character()}"
    return word


# --- characters -------------------------------------------------------------------------------------------------------


def char_test(chance: Chance) -> Op:
    """A question about a character; in the English ``{x}`` is the character."""
    return chance.pick(_CHAR_TESTS)(chance)


def _vowel(chance: Chance) -> Op:
    if chance.happens(0.5):
        return Op("{x} is a vowel (one of aeiouAEIOU)", "is_vowel {x}", lambda c: c in VOWELS, (_IS_VOWEL,))
    return Op("{x} is not a vowel (one of aeiouAEIOU)", "not (is_vowel {x})", lambda c: c not in VOWELS, (_IS_VOWEL,))


def _case_of(chance: Chance) -> Op:
    if chance.happens(0.5):
        return _range_of("A", "Z", "{x} is an upper-case letter", chance)
    return _range_of("a", "z", "{x} is a lower-case letter", chance)


def _letter_range(chance: Chance) -> Op:
    first = chance.pick("abcdefgh")
    last = chance.pick("jklmnopqrst")
    return _range_of(first, last, f"{{x}} is a lower-case letter from `{first}` to `{last}`", chance)


def _range_of(first: str, last: str, words: str, chance: Chance) -> Op:
    chance.mark_characters(chr(ord(first) - 1), first, last, chr(ord(last) + 1))
    return Op(
        words,
        f"({{x}} >= '{first}' && {{x}} <= '{last}')",
        lambda c: first <= c <= last,
        (),
        (lambda c: c >= first, lambda c: c <= last),
    )


def _one_of(chance: Chance) -> Op:
    chars = "".join(sorted(chance.sample("aeilnorst", chance.between(2, 4))))
    chance.mark_characters(*chars)
    return Op(
        f"{{x}} is one of the characters of `{chars}`",
        f'String.contains "{chars}" {{x}}',
        lambda c: c in chars,
    )


def _plain(chance: Chance) -> Op:
    chance.mark_characters(*"-7!z")
    return Op(
        "{x} is neither a letter nor a space",
        "(match {x} with 'a' .. 'z' | 'A' .. 'Z' | ' ' -> false | _ -> true)",
        lambda c: not (c.isalpha() or c == " "),
    )


_CHAR_TESTS = (_vowel, _vowel, _case_of, _letter_range, _one_of, _one_of, _plain)


def char_map(chance: Chance, test: Op | None = None) -> Op:
    """An operation from character to character; in the English ``{x}`` is the character.

    Args:
        chance: of choices.
        test: a known property of the character. Every part of the operation then still makes a difference.
    """
    known = [c for c in _PRINTABLE if test is None or test.run(c)]
    while True:
        op = chance.pick(_CHAR_MAPS)(chance, known)
        if op is not None and op.is_shown_by(known) and any(op.run(c) != c for c in known):
            return op


_PRINTABLE = [chr(code) for code in range(32, 127)]
_LOWER, _UPPER = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _upper(chance: Chance, known: Sequence[str]) -> Op:
    if chance.happens(0.5):
        return Op("its upper-case form", "Char.uppercase_ascii {x}", str.upper)
    return Op("its lower-case form", "Char.lowercase_ascii {x}", str.lower)


def _swap_case(chance: Chance, known: Sequence[str]) -> Op:
    return Op(
        "the same letter in the other case (what is no letter stays as it is)",
        "swap_case {x}",
        str.swapcase,
        (_SWAP_CASE,),
        (str.upper, str.lower),
    )


def _turn(chance: Chance, known: Sequence[str]) -> Op | None:
    k = chance.between(1, 25)
    tens = 0 if 10 < k < 20 else k % 10
    noun = "letter" if k == 1 else f"{k}{('th', 'st', 'nd', 'rd')[tens if tens < 4 else 0]} letter"
    words = f"the {noun} after it in the alphabet, in the same case, where `a` follows `z`"
    lower, upper = any(c in _LOWER for c in known), any(c in _UPPER for c in known)
    cases = [f"'{letters[0]}' .. '{letters[-1]}' -> turn '{letters[0]}' {k} {{x}}" for letters in (_LOWER, _UPPER)]
    if all(c.isalpha() for c in known):
        if lower and upper:
            return Op(words, f"turn (if {{x}} >= 'a' then 'a' else 'A') {k} {{x}}", lambda c: _turned(c, k), (_TURN,))
        words = words.replace(", in the same case", "")
        return Op(words, f"turn '{'a' if lower else 'A'}' {k} {{x}}", lambda c: _turned(c, k), (_TURN,))
    if not (lower and upper):
        return None
    words += " (what is no letter stays as it is)"
    code = f"(match {{x}} with {' | '.join(cases)} | _ -> {{x}})"
    return Op(words, code, lambda c: _turned(c, k), (_TURN,))


def _turned(c: str, k: int) -> str:
    if not c.isalpha():
        return c
    first = ord("a") if c.islower() else ord("A")
    return chr(first + (ord(c) - first + k) % 26)


def _sign(chance: Chance, known: Sequence[str]) -> Op:
    sign = chance.pick("*#_-+.")
    return Op(f"the character `{sign}`", f"'{sign}'", lambda c: sign)


_CHAR_MAPS: tuple[Callable[[Chance, Sequence[str]], Op | None], ...] = (_upper, _swap_case, _turn, _turn, _sign)


# --- strings ----------------------------------------------------------------------------------------------------------


def changes_if(test: Op, op: Op) -> tuple[Callable[[str], str], ...]:
    """The faults of a change of those characters for which a question has the answer yes."""

    def change(test: Callable[[str], bool], op: Callable[[str], str]) -> Callable[[str], str]:
        return lambda s: "".join(op(c) if test(c) else c for c in s)

    return (
        *(change(fault, op.run) for fault in (lambda c: True, *test.faults)),
        *(change(test.run, fault) for fault in op.faults),
    )


def string_test(chance: Chance) -> Op:
    """A question about a string."""
    return chance.pick(_STRING_TESTS)(chance)


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
    """An operation from string to string. From an empty string it makes no string with new characters."""
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
        (
            lambda s: "".join(c for c in s if test.run(c)),
            *(lambda s, fault=fault: "".join(c for c in s if not fault(c)) for fault in test.faults),
        ),
    )


def _mapped(chance: Chance) -> Op:
    test = char_test(chance)
    op = char_map(chance, test)
    return Op(
        f"{{x}} with every character `c` for which {test.say('c')} replaced by {op.say('c')}",
        f"String.map (fun c -> if {test.code('c')} then {op.code('c')} else c) {{x}}",
        lambda s: "".join(op.run(c) if test.run(c) else c for c in s),
        test.helpers + op.helpers,
        changes_if(test, op),
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
    """An operation from string to integer, for sorting. Each of its parts influences the order."""
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
