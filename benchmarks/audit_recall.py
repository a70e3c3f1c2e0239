"""Measures the audit on a set with known defects: found, missed and invented ones.

    python -m benchmarks.audit_recall [--rows 5000] [--defects 0.15] [--seed 0] [--keep FILE.jsonl]

The rows have a common schema of training sets (``id, prompt, tests`` and a ``solution``): a commented header and one
block of assertions. They are made from bundled and generated problems. A share of them is damaged, each row in one way,
and the set is audited without mutants. The output has the defects found of each kind, findings in undamaged rows, and
the time.

Exit codes: 0 every defect found and none invented; 1 otherwise; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

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
from ocaml_env.commands import parser_of, reports_errors

__all__ = ["KINDS", "Row", "main", "plant", "rows_of"]

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


def _cut_off(row: Row, chance: random.Random) -> Row | None:
    whole = re.fullmatch(r"\(\*\* (.*?)\n(>>> .*)", row["prompt"], re.DOTALL)
    assert whole is not None
    text, rest = whole.groups()
    places = [m.start() for m in re.finditer(r" (?:the|of|a|in|is|to|and)\b", text) if m.start() > len(text) // 2]
    if not places:
        return None
    at = chance.choice(places)
    word = re.match(r" \w+", text[at:])
    assert word is not None
    return {**row, "prompt": f"(** {text[: at + word.end()]}\n{rest}"}


def _untyped(row: Row, chance: random.Random) -> Row:
    head, _ = row["prompt"].rsplit("\nlet ", 1)
    return {**row, "prompt": f"{head}\nlet {_name(row)} x =", "solution": ""}


def _empty_field(row: Row, chance: random.Random) -> Row:
    return {**row, chance.choice(["prompt", "tests"]): ""}


def _slow(row: Row, chance: random.Random) -> Row:
    spin = "for i = 1 to 2_500_000 do ignore (Sys.opaque_identity i) done"
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
    "a statement that breaks off": _kind(_cut_off, "statement"),
    "no types and no solution": _kind(_untyped, "unusable"),
    "an empty field": _kind(_empty_field, "unusable"),
    "a slow solution": _kind(_slow, "reference-slow", "reference-fails"),
    "tests that depend on their order": _kind(_order, "order"),
    "a copy": _kind(_copy, "duplicate"),
    "a copy with other words": _kind(_near_copy, "near-duplicate"),
    "a copy in the other split": _kind(_across, "across-splits"),
    "an id for the second time": _kind(_same_id, "unusable"),
}
_COPIES = ("a copy", "a copy with other words", "a copy in the other split", "an id for the second time")


def plant(rows: Sequence[Row], share: float, chance: random.Random) -> tuple[list[Row], dict[int, str]]:
    """Damages a share of the rows, by all kinds in turn. Returns all rows, and the kinds by the index of the row."""
    kinds = list(KINDS)
    places = sorted(chance.sample(range(len(rows)), round(share * len(rows))))
    good = [place for place in range(len(rows)) if place not in set(places)]
    made, planted = list(rows), {}
    for number, place in enumerate(places):
        for turn in range(len(kinds)):
            name = kinds[(number + turn) % len(kinds)]
            # A copy comes after its original.
            before = [g for g in good if g < place]
            if name in _COPIES and not before:
                continue
            damaged = KINDS[name].damage(rows[chance.choice(before)] if name in _COPIES else rows[place], chance)
            if damaged is not None:
                made[place], planted[place] = damaged, name
                break
    return made, planted


# --- the command ------------------------------------------------------------------------------------------------------


def _gather(count: int, seed: int) -> list[Row]:
    """Returns ``count`` rows without defects: from bundled problems first, then from generated ones."""

    def all_problems() -> Iterator[Problem]:
        yield from load_problems("bundled")
        number = 0
        while True:
            yield from load_problems(f"generated:all?level=1-5&seed={seed + number}&n=2000")
            number += 1

    rows: dict[str, Row] = {}
    for row in tqdm(rows_of(all_problems()), total=count, desc="making rows", unit="row", leave=False, disable=None):
        rows.setdefault(row["id"], row)
        if len(rows) == count:
            break
    return list(rows.values())


def _compare(found: Audit, planted: dict[int, str]) -> tuple[Counter[str], list[str], list[str]]:
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
    rows, planted = plant(_gather(options.rows, options.seed), options.defects, random.Random(options.seed))
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "planted.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        began = time.perf_counter()
        with Verifier(cache_size=0) as verifier:
            progress = tqdm(read_rows(str(path), verifier=verifier), total=len(rows), unit="row", disable=None)
            found = audit(str(path), progress, verifier=verifier, mutants=False)
        seconds = time.perf_counter() - began
    hits, missed, invented = _compare(found, planted)
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
