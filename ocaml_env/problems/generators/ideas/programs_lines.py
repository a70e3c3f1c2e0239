"""Lines of text taken through steps and printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs, printed
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.letters import some_text, string_map, string_test
from ocaml_env.problems.generators.lines import READ, WORDS
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]


def _lines(chance: Chance, level: int) -> Draft:
    steps = [make(chance) for make in chance.sample(_LINE_STEPS, (2, 2, 3, 4, 5)[level - 1])]
    number = _numbering(chance) if level >= 2 else None
    closing = _closing(chance)

    def applied(used: Sequence[Op], lines: Sequence[str]) -> list[str]:
        made = list(lines)
        for step in used:
            made = step.run(made)
        return made

    def run(lines: Sequence[str]) -> str:
        made = applied(steps, lines)
        shown = [number.run(i, line) for i, line in enumerate(made, start=1)] if number else made
        return "\n".join([*shown, closing.run(made)]) + "\n"

    def draw() -> list[str]:
        lines = [some_text(chance, 4) for _ in range(chance.between(2, 6))]
        if chance.happens(0.4):
            lines.insert(chance.below(len(lines) + 1), chance.pick(("", lines[0], "  ")))
        return lines

    tried = [draw() for _ in range(8)]
    for i in range(len(steps)):
        if all(applied([*steps[:i], *steps[i + 1 :]], v) == applied(steps, v) for v in tried):
            raise Unfit
    parts = [f"{step.words[0].upper()}{step.words[1:]}." for step in steps]
    show = f"Print the lines that are left{number.words if number else ''}."
    ops = [*steps, *([number] if number else []), closing]
    code = ["let () =", "  let lines = read_lines [] in"]
    code += [f"  let lines = lines |> {step.ocaml} in" for step in steps]
    code.append(f"  List.iteri (fun i line -> {number.ocaml}) lines;" if number else "  List.iter print_endline lines;")
    code += [f"  {closing.ocaml}"]

    def cases() -> Iterator[Case]:
        edges = [[""], ["one"], ["b", "a", "b", "a"], ["  two  words "], ["x"] * 3, ["MiXeD 12", "", "mixed 12"]]
        for lines in inputs(draw, edges):
            yield printed("\n".join(lines) + "\n", run(lines))

    return Draft(
        name="",
        kind="program",
        statement=paragraphs(
            "Write a program that reads all lines of its input and takes the list of them through these steps, in "
            "this order; each works on the result of the one before it:",
            numbered(parts),
            f"{show} {closing.words} Words are the longest runs of characters other than the space. The input holds "
            "printable ASCII characters, and its last line ends with a line break.",
        ),
        reference=module(READ, WORDS, [h for op in ops for h in op.helpers], "\n".join(code)),
        cases=cases(),
    )


def _l_map(chance: Chance) -> Op:
    test, op = string_test(chance), string_map(chance)
    return Op(
        f"replace every line `s` for which {test.say('s')} by {op.say('s')}",
        f"List.map (fun s -> if {test.code('s')} then {op.code('s')} else s)",
        lambda v: [op.run(s) if test.run(s) else s for s in v],
        test.helpers + op.helpers,
    )


def _l_words(chance: Chance) -> Op:
    op = string_map(chance)
    return Op(
        f"in every line replace each word `w` by {op.say('w')}, and put one space between each two words and none "
        "around them",
        f'List.map (fun s -> String.concat " " (List.map (fun w -> {op.code("w")}) (words s)))',
        lambda v: [" ".join(map(op.run, s.split())) for s in v],
        op.helpers,
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
    test = string_test(chance)
    return Op(
        f"in every line keep only the words `w` for which {test.say('w')}, with one space between each two and none "
        "around them",
        f'List.map (fun s -> String.concat " " (List.filter (fun w -> {test.code("w")}) (words s)))',
        lambda v: [" ".join(w for w in s.split() if test.run(w)) for s in v],
        test.helpers,
    )


def _l_order(chance: Chance) -> Op:
    return chance.pick(
        (
            Op("reverse the order of the lines", "List.rev", lambda v: v[::-1]),
            Op("sort the lines in ascending order (that of `compare`)", "List.sort compare", sorted),
            Op(
                "sort the lines by their number of words, those with the most first; lines with the same number keep "
                "their order",
                "List.stable_sort (fun s t -> compare (List.length (words t)) (List.length (words s)))",
                lambda v: sorted(v, key=lambda s: -len(s.split())),
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
        (helper,),
    )


_LINE_STEPS = (_l_map, _l_words, _l_filter, _l_word_filter, _l_order, _l_unique, _l_split)


def _numbering(chance: Chance) -> Op:
    sign, step = chance.pick((": ", ". ", ") ", " ")), chance.pick((1, 1, 2, 10))
    counted = "1, 2, 3" if step == 1 else f"{step}, {2 * step}, {3 * step}"
    return Op(
        f", each with its number ({counted} and so on) and `{sign}` in front",
        f'Printf.printf "%d{sign}%s\\n" ({step} * (i + 1)) line',
        lambda i, line: f"{step * i}{sign}{line}",
    )


def _closing(chance: Chance) -> Op:
    word, k = chance.pick(("total", "sum", "all", "--")), chance.between(1, 5)
    test = string_test(chance)
    return chance.pick(
        (
            Op(
                f"At the end print a line with `{word}`, a space, and the number of these lines plus {k}.",
                f'Printf.printf "{word} %d\\n" (List.length lines + {k})',
                lambda v: f"{word} {len(v) + k}",
            ),
            Op(
                f"At the end print a line with `{word}`, a space, and {k} times the number of words in these lines, "
                "numbers in front not counted.",
                f'Printf.printf "{word} %d\\n" ({k} * List.length (List.concat_map words lines))',
                lambda v: f"{word} {k * sum(len(s.split()) for s in v)}",
            ),
            Op(
                f"At the end print a line with `{word}`, a space, and how many of these lines `s`, without numbers in "
                f"front, are such that {test.say('s')}.",
                f'Printf.printf "{word} %d\\n" (List.length (List.filter (fun s -> {test.code("s")}) lines))',
                lambda v: f"{word} {sum(1 for s in v if test.run(s))}",
                test.helpers,
            ),
        )
    )


FAMILY = Family(
    name="programs.lines",
    topics=("programs", "strings", "lists"),
    description="lines of text taken through steps and printed",
    make=_lines,
)
