"""Lines of text changed in steps and printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs, printed
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.letters import some_text, string_map, string_test
from ocaml_env.problems.generators.lines import READ, WORDS
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]


@dataclass(frozen=True, slots=True)
class _Lines:
    """The drawn steps, the form of printed lines, and the last line."""

    steps: tuple[Op, ...]
    number: Op
    closing: Op

    def run(self, lines: Sequence[str]) -> str:
        """The output."""
        made = _applied(self.steps, lines)
        shown = [self.number.run(i, line) for i, line in enumerate(made, start=1)]
        return "\n".join([*shown, self.closing.run(made)]) + "\n"

    def telling(self, lines: Sequence[str]) -> list[bool]:
        """For each step, True if it makes a difference."""
        whole = _applied(self.steps, lines)
        return [
            _applied([*self.steps[:place], *self.steps[place + 1 :]], lines) != whole
            for place in range(len(self.steps))
        ]


def _applied(steps: Sequence[Op], lines: Sequence[str]) -> list[str]:
    made = list(lines)
    for step in steps:
        made = step.run(made)
    return made


def _lines(chance: Chance, level: int) -> Draft:
    drawn = _Lines(
        tuple(make(chance) for make in chance.sample(_LINE_STEPS, {1: 2, 3: 3, 5: 5}[level])),
        _numbering(chance),
        _closing(chance),
    )
    seen = [drawn.telling(_drawn(chance)) for _ in range(16)]
    if any(sum(effects) < 3 for effects in zip(*seen, strict=True)):
        raise Unfit
    return Draft(
        name="", kind="program", statement=_statement(drawn), reference=_code(drawn), cases=_cases(chance, drawn)
    )


def _cases(chance: Chance, drawn: _Lines) -> Iterator[Case]:
    edges = [[""], ["one"], ["b", "a", "b", "a"], ["  two  words "], ["x"] * 3, ["MiXeD 12", "", "mixed 12"]]
    for lines in inputs(lambda: _telling(chance, drawn), edges):
        yield printed("\n".join(lines) + "\n", drawn.run(lines))


def _telling(chance: Chance, drawn: _Lines) -> list[str]:
    """Among a few inputs, the one for which the most steps make a difference."""
    return max([_drawn(chance) for _ in range(4)], key=lambda lines: sum(drawn.telling(lines)))


def _drawn(chance: Chance) -> list[str]:
    """Short lines, some of them equal, empty, or with several spaces."""
    lines = []
    for _ in range(chance.between(1, 4)):
        line = some_text(chance, 2)
        lines.append(line[: chance.between(1, 7)] if chance.happens(0.3) else line)
    if chance.happens(0.5):
        lines.insert(chance.below(len(lines) + 1), chance.pick(("", "  ", *lines)))
    if chance.happens(0.3):
        words = [chance.pick(_SHORT) for _ in range(chance.between(2, 4))]
        lines.insert(chance.below(len(lines) + 1), (" " if chance.happens(0.7) else "  ").join(words))
    return lines


_SHORT = ("a", "o", "-", "Bee", "ebb", "of", "in", "7", "fig", "ivy")


def _statement(drawn: _Lines) -> str:
    parts = [f"{step.words[0].upper()}{step.words[1:]}." for step in drawn.steps]
    return paragraphs(
        "Write a program that reads all lines of its input and takes the list of them through these steps, in this "
        "order; each works on the result of the one before it:",
        numbered(parts),
        f"Print the lines that are left{drawn.number.words}. {drawn.closing.words}",
        "Words are the longest runs of characters other than the space. The input holds printable ASCII characters, "
        "and its last line ends with a line break.",
    )


def _code(drawn: _Lines) -> str:
    code = ["let () =", "  let lines = read_lines [] in"]
    code += [f"  let lines = lines |> {step.ocaml} in" for step in drawn.steps]
    code += [f"  List.iteri (fun i line -> {drawn.number.ocaml}) lines;", f"  {drawn.closing.ocaml}"]
    helpers = [h for op in (*drawn.steps, drawn.closing) for h in op.helpers]
    return module(READ, helpers, "\n".join(code))


def _l_map(chance: Chance) -> Op:
    test, op = string_test(chance), string_map(chance)
    return Op(
        f"replace every line `s` for which {test.say('s')} by {op.say('s')}",
        f"List.map (fun s -> if {test.code('s')} then {op.code('s')} else s)",
        lambda v: [op.run(s) if test.run(s) else s for s in v],
        test.helpers + op.helpers,
    )


_GAPS = (", ", "; ", " / ", "-", "+")  # visible in the output; a verdict does not compare white space


def _l_words(chance: Chance) -> Op:
    op, gap = string_map(chance), chance.pick(_GAPS)
    return Op(
        f"in every line replace each word `w` by {op.say('w')}, with `{gap}` between each two words and no space "
        "around them",
        f'List.map (fun s -> String.concat "{gap}" (List.map (fun w -> {op.code("w")}) (words s)))',
        lambda v: [gap.join(map(op.run, s.split())) for s in v],
        (WORDS, *op.helpers),
    )


def _l_filter(chance: Chance) -> Op:
    test = string_test(chance)
    return Op(
        f"keep only the lines `s` for which {test.say('s')}",
        f"List.filter (fun s -> {test.code('s')})",
        lambda v: [s for s in v if test.run(s)],
        test.helpers,
    )


def _l_word_filter(chance: Chance) -> Op:
    test, gap = string_test(chance), chance.pick(_GAPS)
    empty = test.run("")  # if not, it drops empty words itself
    words = "(words s)" if empty else "(String.split_on_char ' ' s)"
    return Op(
        f"in every line keep only the words `w` for which {test.say('w')}, with `{gap}` between each two and no space "
        "around them",
        f'List.map (fun s -> String.concat "{gap}" (List.filter (fun w -> {test.code("w")}) {words}))',
        lambda v: [gap.join(w for w in s.split() if test.run(w)) for s in v],
        (*((WORDS,) if empty else ()), *test.helpers),
    )


_LAST = 'let last s = if s = "" then "" else String.sub s (String.length s - 1) 1'


def _l_order(chance: Chance) -> Op:
    return chance.pick(
        (
            Op("reverse the order of the lines", "List.rev", lambda v: v[::-1]),
            Op(
                "sort the lines by their last character in ascending order (that of `compare`), with empty lines "
                "first; lines with the same one keep their order",
                "List.stable_sort (fun s t -> compare (last s) (last t))",
                lambda v: sorted(v, key=lambda s: s[-1:]),
                (_LAST,),
            ),
            Op(
                "sort the lines by their number of words, those with the most first; lines with the same number keep "
                "their order",
                "List.stable_sort (fun s t -> compare (List.length (words t)) (List.length (words s)))",
                lambda v: sorted(v, key=lambda s: -len(s.split())),
                (WORDS,),
            ),
            Op(
                "sort the lines by their length, the shortest first; lines of the same length keep their order",
                "List.stable_sort (fun s t -> compare (String.length s) (String.length t))",
                lambda v: sorted(v, key=len),
            ),
        )
    )


def _l_unique(chance: Chance) -> Op:
    helper = """\
let unique lines =
  List.rev (List.fold_left (fun kept line -> if List.mem line kept then kept else line :: kept) [] lines)"""
    return Op("of equal lines keep only the first", "unique", lambda v: [*dict.fromkeys(v)], (helper,))


def _l_split(chance: Chance) -> Op:
    k = chance.between(1, 3)
    helper = """\
let rec blocks k l =
  if List.length l <= k then [ l ]
  else List.filteri (fun i _ -> i < k) l :: blocks k (List.filteri (fun i _ -> i >= k) l)"""

    def run(lines: Sequence[str]) -> list[str]:
        made = []
        for line in lines:
            words = line.split()
            made += [" ".join(words[i : i + k]) for i in range(0, len(words), k)] or [""]
        return made

    words = "a line for each of its words" if k == 1 else f"lines of {k} words (the last one may have fewer)"
    return Op(
        f"make of every line {words}, with one space between each two words; a line without words becomes an empty "
        "line",
        f'List.concat_map (fun s -> List.map (String.concat " ") (blocks {k} (words s)))',
        run,
        (WORDS, helper),
    )


_LINE_STEPS = (_l_map, _l_words, _l_filter, _l_word_filter, _l_order, _l_unique, _l_split)


def _numbering(chance: Chance) -> Op:
    sign, step = chance.pick((": ", ". ", ") ", " ")), chance.pick((1, 1, 2, 10))
    counted = "1, 2, 3" if step == 1 else f"{step}, {2 * step}, {3 * step}"
    return Op(
        f", each with its number ({counted} and so on) and `{sign}` in front",
        f'Printf.printf "%d{sign}%s\\n" ({"i + 1" if step == 1 else f"{step} * (i + 1)"}) line',
        lambda i, line: f"{step * i}{sign}{line}",
    )


def _closing(chance: Chance) -> Op:
    word = chance.pick(("total", "sum", "all", "--"))
    return chance.pick((_closing_lines, _closing_words, _closing_such))(chance, word)


def _closing_lines(chance: Chance, word: str) -> Op:
    k = chance.between(1, 5)
    return Op(
        f"At the end print a line with `{word}`, a space, and the number of these lines plus {k}.",
        f'Printf.printf "{word} %d\\n" (List.length lines + {k})',
        lambda v: f"{word} {len(v) + k}",
    )


def _closing_words(chance: Chance, word: str) -> Op:
    k = chance.between(2, 5)
    return Op(
        f"At the end print a line with `{word}`, a space, and {k} times the number of words in these lines, numbers in "
        "front not counted.",
        f'Printf.printf "{word} %d\\n" ({k} * List.length (List.concat_map words lines))',
        lambda v: f"{word} {k * sum(len(s.split()) for s in v)}",
        (WORDS,),
    )


def _closing_such(chance: Chance, word: str) -> Op:
    test = string_test(chance)
    return Op(
        f"At the end print a line with `{word}`, a space, and how many of these lines `s`, without numbers in front, "
        f"are such that {test.say('s')}.",
        f'Printf.printf "{word} %d\\n" (List.length (List.filter (fun s -> {test.code("s")}) lines))',
        lambda v: f"{word} {sum(1 for s in v if test.run(s))}",
        test.helpers,
    )


FAMILY = Family(
    name="programs.lines",
    topics=("programs", "strings", "lists"),
    description="lines of text taken through steps and printed",
    make=_lines,
)
