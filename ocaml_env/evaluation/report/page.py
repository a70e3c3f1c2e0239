"""Writes the page: the figures, the map of problems, the browser of samples, and the data for its script."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ocaml_env.display.markup import plain
from ocaml_env.display.page import document
from ocaml_env.display.style import OUTCOME_LOOKS
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.directory import read_samples
from ocaml_env.evaluation.fast_json import encode
from ocaml_env.evaluation.report.aggregates import Aggregates, aggregate
from ocaml_env.evaluation.report.choice import Shelf, in_order
from ocaml_env.evaluation.report.comparison import beside
from ocaml_env.evaluation.report.excerpt import OUTCOMES, cut, of_problem, of_sample
from ocaml_env.evaluation.report.figures import figures, headline, settings
from ocaml_env.evaluation.summary import Counts, Summary
from ocaml_env.problem import Problem
from ocaml_env.problems.sources import digest_of, solved_examples
from ocaml_env.prompt import Prompt, PromptSpec

__all__ = ["MOST", "write_report"]

MOST = 2_000
"""Most samples on a page by default."""

_PAGE = 9_500_000  # bytes, all in all
_TEXTS = 4_500_000  # of them for statements and tests; the samples have the rest
_MORE = 1_500_000  # for references and prompts, if there is room left

_DATA = "where the data goes"

_HERE = Path(__file__).parent
_STYLE = (_HERE / "browser.css").read_text(encoding="utf-8")
_SCRIPT = (_HERE / "browser.js").read_text(encoding="utf-8")
_BROWSER = (_HERE / "browser.html").read_text(encoding="utf-8")


def write_report(
    path: Path,
    *,
    summary: Summary,
    problems: Sequence[Problem],
    aggregates: Aggregates | None = None,
    most: int = MOST,
    notes: Sequence[str] = (),
) -> Path:
    """Writes ``report.html`` into a results directory in one step; the same samples give the same bytes.

    Args:
        path: the directory; its samples are read one by one.
        summary: the summary of the samples.
        problems: problems of the run, in the order of the suite; missing ones are shown by their ids only.
        aggregates: counts of all samples; None counts them here.
        most: most samples in the browser.
        notes: remarks at the top of the page.

    Returns:
        The path of the page.

    Raises:
        ConfigError: if the directory has no samples.
    """
    file = path / "report.html"
    fresh = file.with_suffix(".new")
    aggregates = aggregates or aggregate(read_samples(path))
    with fresh.open("wb") as page:
        page.writelines(_report(path, summary, aggregates, problems, most, notes))
    os.replace(fresh, file)
    return file


def _report(
    path: Path,
    summary: Summary,
    aggregates: Aggregates,
    problems: Sequence[Problem],
    most: int,
    notes: Sequence[str],
) -> Iterator[bytes]:
    by_id = {problem.id: problem for problem in problems}
    # Another protocol's digest is over its own texts.
    if problems and not summary.protocol and digest_of(problems) != summary.config.digest:
        notes = [*notes, "The problems have changed since the run: statements and tests are those of today."]
    names = list(dict.fromkeys([*summary.by_problem, *sorted(aggregates.about)]))
    places = {name: place for place, name in enumerate(names)}
    index = _json([_entry(name, summary, aggregates, by_id) for name in names])
    above = "\n".join(_above(summary, aggregates, notes))
    room = _PAGE - len(index) - len((above + _STYLE + _SCRIPT + _BROWSER).encode())
    errors = {f"{cut(found.kind, 80)}:{cut(found.name, 80)}": found.count for found in summary.diagnostics}

    examples = [(found.example.problem_id, found.example.sample) for found in summary.diagnostics]
    order = in_order(aggregates.keys, examples)[:most]
    texts = _texts([by_id[name] for name in dict.fromkeys(name for name, _ in order) if name in by_id], room)
    wanted = {key: rank for rank, key in enumerate(order) if key[0] in texts or key[0] not in by_id}
    shelf = Shelf(room - sum(map(len, texts.values())))
    lines = {key.line for key in aggregates.keys if (key.problem, key.sample) in wanted}
    for record in read_samples(path, lines=lines):
        values = of_sample(record, by_id.get(record.problem_id)) | {"problem": places[record.problem_id]}
        shelf.put(wanted[record.problem_id, record.sample], _json(values))
    kept = sorted((*_place(order[rank], places), text) for rank, text in shelf.by_rank())
    shown = {names[place] for place, _, _ in kept}
    texts = {name: text for name, text in texts.items() if name in shown}
    more = _references(summary, aggregates, [by_id[name] for name in names if name in texts], min(shelf.room, _MORE))
    data = {
        "outcomes": [_json([[name, OUTCOME_LOOKS[name]] for name in OUTCOMES])],
        "problems": [index],
        "texts": _object((str(places[name]), [text]) for name, text in texts.items()),
        "more": _object((str(places[name]), [text]) for name, text in more.items()),
        "errors": [_json(errors)],
        "all": [_json(len(aggregates.keys))],
        "samples": _array([text] for _, _, text in kept),
    }
    title = f"{cut(summary.config.model, 100)} on {cut(summary.config.problems, 100)}"
    for part in document(title, [above, _BROWSER, _DATA], style=_STYLE, script=_SCRIPT):
        yield from _script(data) if part is _DATA else [part.encode()]
        yield b"\n"


def _above(summary: Summary, aggregates: Aggregates, notes: Sequence[str]) -> Iterator[str]:
    yield '<a class="skip" href="#browser">To the samples</a>'
    yield from headline(summary)
    yield from (f'<p class="note">{plain(note)}</p>' for note in notes)
    yield '<nav aria-label="Parts of the page">'
    parts = {
        "protocol": "Protocol",
        "figures": "Figures",
        "diagnostics": "Diagnostics",
        "faults": "Faults",
        "map": "Problems",
    }
    there = {
        "protocol": summary.protocol,
        "figures": summary.samples,
        "diagnostics": summary.diagnostics,
        "faults": summary.faults.count,
    }
    yield from (f'<a href="#{name}">{title}</a>' for name, title in parts.items() if there.get(name, True))
    yield '<a href="#browser">Samples</a></nav>'
    yield from settings(summary)
    yield from beside(summary)
    yield from figures(summary, aggregates)


def _entry(
    name: str, summary: Summary, aggregates: Aggregates, by_id: Mapping[str, Problem]
) -> list[str | int | list[str]]:
    """The row of every problem: id, level, topics, samples, passing samples."""
    problem = by_id.get(name)
    asked = (problem.level_name, problem.topics) if problem is not None else ("", ())
    level, topics = aggregates.about.get(name, asked)
    counts = summary.by_problem.get(name, Counts(n=0, passed=0))
    return [name, level, [cut(topic, 60) for topic in topics[:8]], counts.n, counts.passed]


def _texts(problems: Sequence[Problem], room: int) -> dict[str, bytes]:
    """Statements and tests, of as many problems as fit."""
    texts: dict[str, bytes] = {}
    left = min(_TEXTS, room // 2)
    for problem in problems:
        text = _json(of_problem(problem))
        left -= len(text)
        if left < 0:
            break
        texts[problem.id] = text
    return texts


def _references(summary: Summary, aggregates: Aggregates, problems: Sequence[Problem], room: int) -> dict[str, bytes]:
    """References, and first prompts if they are still those of the run; as many as fit."""
    config = summary.config
    try:
        shots = solved_examples(config.shots, config.shot_problems)
        spec = PromptSpec(style=config.prompt_style, shots=shots, instruction=config.instruction)
    except ConfigError:  # the prompts' solved examples no longer exist
        spec = None
    texts: dict[str, bytes] = {}
    for problem in problems:
        prompt = spec.text(problem) if spec is not None else Prompt()
        if prompt.digest != aggregates.prompts.get(problem.id):
            prompt = Prompt()
        text = _json({"reference": cut(problem.reference.strip(), 8_000), "prompt": cut(prompt, 20_000)})
        room -= len(text) + len(problem.id) + 20
        if room < 0:
            break
        texts[problem.id] = text
    return texts


def _place(key: tuple[str, int], places: Mapping[str, int]) -> tuple[int, int]:
    return places[key[0]], key[1]


def _json(value: object) -> bytes:
    """JSON that cannot end a script element. Bytes: as text, one rare character would make it four times as large."""
    return encode(value).replace(b"<", b"\\u003c")


def _object(members: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """The JSON of an object, in pieces: its parts are never joined in memory."""
    yield from _between(b"{", ((_json(name) + b":", *value) for name, value in members), b"}")


def _array(members: Iterable[Iterable[bytes]]) -> Iterator[bytes]:
    """The JSON of an array, likewise."""
    yield from _between(b"[", members, b"]")


def _between(begin: bytes, members: Iterable[Iterable[bytes]], end: bytes) -> Iterator[bytes]:
    yield begin
    for number, member in enumerate(members):
        if number:
            yield b","
        yield from member
    yield end


def _script(parts: Mapping[str, Iterable[bytes]]) -> Iterator[bytes]:
    yield b'<script type="application/json" id="data">'
    yield from _object(parts.items())
    yield b"</script>"
