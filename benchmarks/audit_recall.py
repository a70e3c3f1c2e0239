"""Measures the audit on a set with known defects: found, missed and invented ones.

    python -m benchmarks.audit_recall [--rows 5000] [--defects 0.15] [--seed 0] [--keep FILE.jsonl]

The rows have a common schema of training sets (``id, prompt, tests`` and a ``solution``): a commented header and one
block of assertions. They are made from bundled and generated problems. A share of them is damaged, each row in one way,
and the set is audited without mutants, against a set of which some rows are copies. The output has the defects found of
each kind, findings in undamaged rows, and the time.

Exit codes: 0 every defect found and none invented; 1 otherwise; 2 wrong usage; 3 an infrastructure error.
"""

# Long, because it has a function for each kind of defect.

from __future__ import annotations

import itertools
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from ocaml_env import Problem, Verifier, load_problems
from ocaml_env.audit.audit import Audit, audit
from ocaml_env.audit.rows import read_rows
from ocaml_env.audit.rules import Rules
from ocaml_env.commands import parser_of, reports_errors

__all__ = ["KINDS", "Row", "compare", "main", "plant", "rows_of"]

Row = dict[str, str]

_VALUE = re.compile(r"val\s+(\w+)\s*:\s*(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of defect.

    Attributes:
        damage: makes the defect in a row; None if it is impossible in this row.
        checks: names of the audit's checks; one of them must report the row.
    """

    damage: Callable[[Row, random.Random], Row | None]
    checks: frozenset[str]


# --- rows -------------------------------------------------------------------------------------------------------------


def rows_of(problems: Iterable[Problem]) -> Iterator[Row]:
    """Yields a row for each problem that fits the schema: types, then one function."""
    for problem in problems:
        *types, last = re.split(r"\n(?=\S)", problem.signature.strip())
        value = _VALUE.fullmatch(last)
        if problem.kind != "function" or value is None or "->" not in value[2]:
            continue
        if not all(re.match(r"type\b|exception\b| |\|", line) for line in types) or "*)" in problem.statement:
            continue
        examples = "\n".join(filter(None, (_example(test.code) for test in problem.public_tests)))
        if not examples or any(f"({word}" in examples for word in ("*", "fun")):
            continue
        asserted = ";\n".join(f"  assert ({test.code})" for test in problem.hidden_tests)
        header = "\n".join([*types, _header(value[1], value[2])])
        yield {
            "id": re.sub(r"[^\w.-]", "_", problem.id),
            "prompt": f"(** {problem.statement.strip()}\n{examples} *)\n{header}",
            "tests": f"{problem.prelude.strip()}\nlet () =\n{asserted}\n".lstrip(),
            "solution": problem.reference,
            "split": problem.split or "train",
        }


def _header(name: str, kind: str) -> str:
    """Makes ``let f (a : t) ~(by : u) : v =`` from ``f`` and ``t -> by:u -> v``."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"[(\[<]|->|[)\]>]", kind):
        if match[0] == "->":
            if depth == 0:
                parts.append(" ".join(kind[start : match.start()].split()))
                start = match.end()
        else:
            depth += 1 if match[0] in "([<" else -1
    arguments = " ".join(_argument(f"a{number}", part) for number, part in enumerate(parts))
    return f"let {name} {arguments} : {' '.join(kind[start:].split())} ="


def _argument(name: str, kind: str) -> str:
    label = re.match(r"(\??)(\w+)\s*:\s*", kind)
    if label is None:
        return f"({name} : {kind})"
    return f"?({label[2]} : ({kind[label.end() :]}) option)" if label[1] else f"~({label[2]} : {kind[label.end() :]})"


def _example(code: str) -> str:
    """Makes ``>>> f x`` with the answer below it; "" if the test has another form."""
    left, equals, right = re.sub(r"\s*\n\s*", " ", code).rpartition(" = ")
    return f">>> {left}\n{right}" if equals and "=" not in left else ""


# --- defects ----------------------------------------------------------------------------------------------------------


def _with_assertion(row: Row, text: str) -> Row:
    return {**row, "tests": f"{row['tests'].rstrip()};\n  assert ({text})\n"}


def _name(row: Row) -> str:
    return row["prompt"].rsplit("\nlet ", 1)[1].split()[0]


def _calls(row: Row) -> list[tuple[str, str]]:
    """Returns the examples as (call, answer)."""
    return re.findall(r">>> (.*)\n(.*?)(?= \*\)|\n)", row["prompt"])


def _ill_typed(row: Row, chance: random.Random) -> Row:
    return _with_assertion(row, f"{_name(row)} = {_name(row)} + 1")


def _torn_tests(row: Row, chance: random.Random) -> Row:
    return {**row, "tests": row["tests"][: len(row["tests"]) * 2 // 3].rstrip().rstrip(")") + " ("}


def _stub(row: Row, chance: random.Random) -> Row:
    count = row["prompt"].rsplit("let ", 1)[1].count("(")
    return {**row, "solution": f'let {_name(row)} {"_ " * count}= failwith "TODO"'}


def _wrong_solution(row: Row, chance: random.Random) -> Row:
    return {**row, "solution": f"{row['solution']}\nlet {_name(row)} = fun _ -> assert false"}


def _wrong_example(row: Row, chance: random.Random) -> Row | None:
    calls = [(call, answer) for call, answer in _calls(row) if re.fullmatch(r"-?\d+|\(-\d+\)", answer.strip())]
    if not calls:
        return None
    call, answer = chance.choice(calls)
    wrong = str(int(answer.strip("() ")) + 1)
    return {**row, "prompt": row["prompt"].replace(f">>> {call}\n{answer}", f">>> {call}\n({wrong})")}


def _empty_test(row: Row, chance: random.Random) -> Row:
    return _with_assertion(row, "1 + 1 = 2")


def _vacuous(row: Row, chance: random.Random) -> Row | None:
    # For other types the audit may have only one answer of its own.
    is_plain = re.search(r": (?:int|bool|string|int list|string list|int option) =$", row["prompt"])
    calls = _calls(row) if is_plain else []
    return _with_assertion(row, f"let answer = {calls[0][0]} in compare answer answer = 0") if calls else None


def _with_statement(row: Row, change: Callable[[str], str | None]) -> Row | None:
    whole = re.fullmatch(r"\(\*\* (.*?)\n(>>> .*)", row["prompt"], re.DOTALL)
    assert whole is not None
    changed = change(whole[1])
    return None if changed is None else {**row, "prompt": f"(** {changed}\n{whole[2]}"}


def _cut_after(text: str, pattern: str, chance: random.Random, *, before: int = 0) -> str | None:
    """The text up to a place in its second half where the pattern ends, or some characters before that."""
    fenced = [range(*found.span()) for found in re.finditer(r"```.*?```", text, re.DOTALL)]
    ends = [found.end() - before for found in re.finditer(pattern, text) if found.start() > len(text) // 2]
    places = [end for end in ends if not any(end in code for code in fenced)]
    return text[: chance.choice(places)] if places else None


def _cut_sentence(row: Row, chance: random.Random) -> Row | None:
    return _with_statement(row, lambda text: _cut_after(text, r" (?:the|of|a|in|is|to|and)\b", chance))


def _cut_word(row: Row, chance: random.Random) -> Row | None:
    # Without two letters, a word with such an ending is none.
    word = r"(?<=[a-z] )[a-z]{3,}(?:ing|ions?|ive|ents?|ity|ous|ther|ween|bers?)(?= )"
    return _with_statement(row, lambda text: _cut_after(text, word, chance, before=2))


def _ellipsis(row: Row, chance: random.Random) -> Row | None:
    def cut(text: str) -> str | None:
        start = _cut_after(text, r"(?<=[a-z] )[a-z]{4,}(?= [a-z])", chance)
        return start and f"{start}..."

    return _with_statement(row, cut)


def _open_bracket(row: Row, chance: random.Random) -> Row | None:
    def cut(text: str) -> str | None:
        start = _cut_after(text, r"(?<=[a-z] )[a-z]{4,}(?= [a-z])", chance)
        return start and f"{start} (see the"

    return _with_statement(row, cut)


def _open_fence(row: Row, chance: random.Random) -> Row | None:
    return _with_statement(row, lambda text: f"{text}\n\n```ocaml\nlet example =")


def _disagreeing(row: Row, chance: random.Random) -> Row | None:
    calls = [(call, answer) for call, answer in _calls(row) if re.fullmatch(r"-?\d+", answer.strip())]
    if not calls:
        return None
    call, answer = calls[0]
    test = chance.choice([f"{call} = {int(answer) + 1}", f"{int(answer) + 1} = ({call})"])
    return {**_with_assertion(row, test), "solution": ""}


def _untyped(row: Row, chance: random.Random) -> Row:
    head, _ = row["prompt"].rsplit("\nlet ", 1)
    return {**row, "prompt": f"{head}\nlet {_name(row)} x =", "solution": ""}


def _empty_field(row: Row, chance: random.Random) -> Row:
    return {**row, chance.choice(["prompt", "tests"]): ""}


def _slow(row: Row, chance: random.Random) -> Row:
    spin = "for i = 1 to 5_000_000 do ignore (Sys.opaque_identity i) done"
    name = _name(row)
    return {**row, "solution": f"{row['solution']}\nlet {name} = fun x -> {spin}; {name} x"}


def _order(row: Row, chance: random.Random) -> Row | None:
    calls = _calls(row)
    if not calls:
        return None
    call, answer = calls[0]
    more = "\n".join(f"let () = assert (once (fun () -> {call}) = (({answer}), {n}))" for n in (1, 2))
    counter = "let asked = ref 0\nlet once f = incr asked; let answer = f () in (answer, !asked)"
    return {**row, "tests": f"{counter}\n{row['tests']}\n{more}\n"}


def _copy(row: Row, chance: random.Random) -> Row:
    return {**row, "id": f"{row['id']}_copy_{chance.randrange(10**9)}"}


def _near_copy(row: Row, chance: random.Random) -> Row:
    renamed = re.sub(rf"(?<![\w.']){re.escape(_name(row))}(?![\w'])", "solve", json.dumps(row))
    other: Row = json.loads(renamed)
    return {
        **other,
        "id": f"{row['id']}_near_{chance.randrange(10**9)}",
        "prompt": other["prompt"].replace(" is ", " shall be ", 2),
    }


def _across(row: Row, chance: random.Random) -> Row:
    return {**_near_copy(row, chance), "split": "eval" if row["split"] == "train" else "train"}


def _same_id(row: Row, chance: random.Random) -> Row:
    return dict(row)


def _renamed(row: Row, chance: random.Random) -> Row:
    """The statement of another set's row, below other examples and tests."""
    return {**_near_copy(row, chance), "id": f"{row['id']}_renamed_{chance.randrange(10**9)}"}


def _retold(row: Row, chance: random.Random) -> Row | None:
    """The solution and one test of another set's row, below a statement of few words."""
    told = _with_statement(row, lambda text: "Write the function that these examples show.")
    tests = row["tests"].split("assert")
    if told is None or len(tests) < 8 or len(re.findall(r"\w+|[^\s\w]", row["solution"])) < 40:
        return None
    few = "assert".join(tests[:7]).rstrip().rstrip(";")
    return {**told, "id": f"{row['id']}_retold_{chance.randrange(10**9)}", "tests": f"{few}\n"}


def _kind(damage: Callable[[Row, random.Random], Row | None], *checks: str) -> Kind:
    return Kind(damage, frozenset(checks))


KINDS = {
    "a test that does not typecheck": _kind(_ill_typed, "does-not-compile"),
    "tests that do not parse": _kind(_torn_tests, "unusable"),
    "a stub for a solution": _kind(_stub, "reference-fails"),
    "a wrong solution": _kind(_wrong_solution, "reference-fails"),
    "an example that the solution contradicts": _kind(_wrong_example, "reference-fails", "contradiction"),
    "a test of nothing": _kind(_empty_test, "stub-passes"),
    "a test that passes whatever the answer is": _kind(_vacuous, "vacuous-test"),
    "a sentence that breaks off": _kind(_cut_sentence, "cut-off"),
    "a word that breaks off": _kind(_cut_word, "cut-off"),
    "a statement that ends in three dots": _kind(_ellipsis, "cut-off"),
    "an open bracket": _kind(_open_bracket, "cut-off"),
    "an open fence": _kind(_open_fence, "cut-off"),
    "tests that disagree, without a solution": _kind(_disagreeing, "contradiction"),
    "no types and no solution": _kind(_untyped, "unusable"),
    "an empty field": _kind(_empty_field, "unusable"),
    "a slow solution": _kind(_slow, "reference-slow", "reference-fails"),
    "tests that depend on their order": _kind(_order, "order"),
    "a copy": _kind(_copy, "duplicate"),
    "a copy with other words": _kind(_near_copy, "near-duplicate"),
    "a copy in the other split": _kind(_across, "across-splits"),
    "an id for the second time": _kind(_same_id, "unusable"),
    "a problem of the other set": _kind(_renamed, "contaminated"),
    "a problem of the other set in other words": _kind(_retold, "contaminated"),
}
_COPIES = ("a copy", "a copy with other words", "a copy in the other split", "an id for the second time")
_RULES = Rules(size="large")
_OTHERS = ("a problem of the other set", "a problem of the other set in other words")


def plant(
    rows: Sequence[Row], share: float, chance: random.Random, others: Sequence[Row]
) -> tuple[list[Row], dict[int, str]]:
    """Damages a share of the rows, each in the rarest way so far. Returns all rows, and the kinds by a row's index.

    Args:
        others: rows of another set, which takes no part in this one but for copies.
    """
    places = sorted(chance.sample(range(len(rows)), round(share * len(rows))))
    good = [place for place in range(len(rows)) if place not in set(places)]
    made, planted = list(rows), {}
    counts = dict.fromkeys(KINDS, 0)
    for place in places:
        before = [rows[g] for g in good if g < place]  # a copy comes after its original
        for name in sorted(KINDS, key=lambda name: counts[name]):
            originals = before if name in _COPIES else others if name in _OTHERS else [rows[place]]
            damaged = KINDS[name].damage(chance.choice(originals), chance) if originals else None
            if damaged is not None:
                made[place], planted[place] = damaged, name
                counts[name] += 1
                break
    return made, planted


# --- the command ------------------------------------------------------------------------------------------------------


def _gather(count: int, seed: int) -> list[Row]:
    """Returns ``count`` rows without defects: from bundled problems first, then from generated ones."""

    def problems() -> Iterator[Problem]:
        yield from load_problems("bundled")
        for number in itertools.count(seed):
            yield from load_problems(f"generated:all?split=train&level=1-5&seed={number}&n=2000")

    return _take(count, problems())


def _gather_others(count: int, seed: int) -> list[Row]:
    """Returns rows that are unlike those of ``_gather``, because their families are others."""
    return _take(count, load_problems(f"generated:all?split=eval&level=2-5&seed={seed}&n={3 * count}"))


def _take(count: int, problems: Iterable[Problem]) -> list[Row]:
    rows: dict[str, Row] = {}
    for row in tqdm(rows_of(problems), total=count, desc="making rows", unit="row", leave=False, disable=None):
        rows.setdefault(row["id"], row)
        if len(rows) == count:
            break
    return list(rows.values())


def compare(found: Audit, planted: dict[int, str]) -> tuple[Counter[str], list[str], list[str]]:
    """Returns the defects found by kind, the missed ones, and findings in undamaged rows."""
    hits: Counter[str] = Counter()
    missed, invented = [], []
    for place, row in enumerate(found.rows):
        checks = {finding.check for finding in row.findings if finding.severity == "error"}
        kind = planted.get(place)
        if kind is None:
            invented += [
                f"row {place}, {finding.problem_id}: {finding.check}: {finding.message}"
                for finding in row.findings
                if finding.severity == "error"
            ]
        elif checks & KINDS[kind].checks:
            hits[kind] += 1
        else:
            missed.append(f"row {place}, {row.row.name}: {kind} (found: {', '.join(sorted(checks)) or 'nothing'})")
    return hits, missed, invented


def _problems(path: Path, verifier: Verifier) -> Iterator[tuple[str, Problem]]:
    for row in read_rows(str(path), verifier=verifier):
        if row.problem is not None:
            yield path.name, row.problem


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Plants, audits, prints, and returns the exit code."""
    parser = parser_of("python -m benchmarks.audit_recall", __doc__)
    parser.add_argument("--rows", type=int, default=5_000, help="rows of the set (default: 5000)")
    parser.add_argument("--defects", type=float, default=0.15, help="share of damaged rows (default: 0.15)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the damage (default: 0)")
    parser.add_argument("--keep", type=Path, metavar="FILE.jsonl", help="keep the set")
    options = parser.parse_args(arguments)
    if options.rows < 20 or not 0 < options.defects < 1:
        parser.error("--rows must be 20 or more, and --defects between 0 and 1")
    others = _gather_others(max(20, options.rows // 50), options.seed)
    chance = random.Random(options.seed)
    rows, planted = plant(_gather(options.rows, options.seed), options.defects, chance, others)
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "planted.jsonl"
        other_path = path.with_suffix(".others.jsonl")
        for file, written in ((path, rows), (other_path, others)):
            file.write_text("".join(json.dumps(row) + "\n" for row in written), encoding="utf-8")
        began = time.perf_counter()
        with Verifier(cache_size=0) as verifier:
            progress = tqdm(read_rows(str(path), verifier=verifier), total=len(rows), unit="row", disable=None)
            against = _problems(other_path, verifier)
            found = audit(str(path), progress, verifier=verifier, mutants=False, rules=_RULES, against=against)
        seconds = time.perf_counter() - began
    hits, missed, invented = compare(found, planted)
    counts = Counter(planted.values())
    print(f"{len(rows)} rows, {len(planted)} with a defect, audited in {seconds:.0f} s\n")
    for kind in KINDS:
        print(f"{kind:<42} {hits[kind]:>4} of {counts[kind]:>4}")
    print(f"\nmissed: {len(missed)}; invented: {len(invented)}")
    for line in [*missed[:20], *invented[:20]]:
        print(f"  {line}")
    return 1 if missed or invented else 0


if __name__ == "__main__":
    sys.exit(main())
