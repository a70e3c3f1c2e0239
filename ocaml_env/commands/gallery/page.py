"""The gallery as one self-contained HTML page: a list to search, and each problem with its answers in a fold.

A fold that is closed costs a browser nothing but its text, so hundreds of problems stay fast.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from statistics import fmean

from ocaml_env.commands.gallery.exhibit import Answer, Exhibit
from ocaml_env.display.markup import plain
from ocaml_env.display.page import document, tiles
from ocaml_env.display.search import SCRIPT, choice
from ocaml_env.display.style import LEVEL_LOOKS, OUTCOME_LOOKS
from ocaml_env.problem import Problem
from ocaml_env.reward import Reward

__all__ = ["page"]

_PARTS = {"structure": "o9", "typecheck": "o8", "compile": "o2", "tests": "o1"}  # with their colours

_STYLE = """
.filters { position: sticky; top: 0; z-index: 1; background: var(--paper); padding: .5rem 0; }
.filters select { flex: 0 1 auto; }
#problems > details { padding: 0; scroll-margin-top: 4rem; }
#problems summary { display: flex; flex-wrap: wrap; gap: 0 .7rem; align-items: baseline; padding: .45rem .3rem; }
#problems summary:hover { background: var(--soft); }
#problems summary .key { margin: 0; align-self: center; }
.asks { flex: 1 1 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--dim);
  font-size: .85rem; }
[open] .asks { display: none; }
.told { margin-left: auto; color: var(--dim); font-size: .85rem; font-variant-numeric: tabular-nums; }
.inside { padding: 0 .3rem 1.2rem; }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 1.4rem; }
.answers > * { min-width: 0; }
h3 .dim { font-weight: 400; }
.pays { height: .5rem; border-radius: .2rem; background: var(--soft); margin: .3rem 0; }
pre.prose { max-height: none; overflow-wrap: anywhere; }
.gone, .new { display: inline-block; min-width: 100%; text-decoration: none; }
.gone { background: color-mix(in srgb, var(--bad) 16%, transparent); }
.new { background: color-mix(in srgb, var(--good) 16%, transparent); }
@media (max-width: 40rem) {
  .filters { position: static; display: grid; grid-template-columns: 1fr 1fr; }
  .filters input { grid-column: 1 / -1; } .filters select { min-width: 0; }
  .told { margin: 0; flex: 1 1 100%; }
}
"""


def page(exhibits: Sequence[Exhibit], *, ocaml_version: str, reward: str) -> str:
    """Makes the whole page.

    Args:
        exhibits: the problems, in the order of the page.
        ocaml_version: the version of OCaml that evaluated the answers.
        reward: the version of the reward that paid them.
    """
    body = _body(exhibits, ocaml_version, reward)
    return "\n".join(document("Gallery of problems", body, style=_STYLE, script=SCRIPT)) + "\n"


def _body(exhibits: Sequence[Exhibit], ocaml_version: str, reward: str) -> Iterator[str]:
    yield "<h1>Gallery of problems</h1>"
    yield (
        "<p>Each problem with its prompt, a right answer and wrong ones. All verdicts, rewards and feedback are real: "
        f"OCaml {plain(ocaml_version)}, reward <code>{plain(reward)}</code>.</p>"
    )
    yield tiles(_figures(exhibits))
    yield from _filters(exhibits)
    yield '<div id="problems" data-rows="problems">'
    for shown in exhibits:
        yield from _problem(shown)
    yield "</div>"


def _figures(exhibits: Sequence[Exhibit]) -> Iterator[tuple[str, str]]:
    earned: dict[str, list[float]] = {}
    for answer in (answer for shown in exhibits for answer in shown.answers):
        earned.setdefault(answer.title, []).append(answer.evaluation.reward.total)
    yield f"{len(exhibits):,}", "problems"
    yield from ((f"{fmean(totals):.2f}", f"{title.lower()}, mean reward") for title, totals in earned.items())


def _filters(exhibits: Sequence[Exhibit]) -> Iterator[str]:
    problems = [shown.problem for shown in exhibits]
    levels = sorted({problem.level_name for problem in problems})
    topics = sorted({topic for problem in problems for topic in problem.topics})
    yield '<div class="filters"><input id="search" type="search" placeholder="words in prompts, code, feedback" '
    yield 'aria-label="Search problems">'
    yield choice("level", "all levels", {level: f"level {level}" for level in levels})
    yield choice("topic", "all topics", {topic: topic for topic in topics})
    yield choice("kind", "all kinds", {kind: kind for kind in sorted({problem.kind for problem in problems})})
    yield choice("origin", "all sets", {name: name for name in dict.fromkeys(shown.origin for shown in exhibits)})
    yield '<span id="count" class="dim" role="status"></span></div>'


def _problem(shown: Exhibit) -> Iterator[str]:
    problem = shown.problem
    topics = plain("\n".join(problem.topics))
    level = problem.level_name if problem.level is None else f"level {problem.level}"
    yield (
        f'<details data-level="{plain(problem.level_name)}" data-topic="{topics}" data-kind="{problem.kind}" '
        f'data-origin="{plain(shown.origin)}"><summary>'
        f'<i class="key {LEVEL_LOOKS.get(problem.level_name, "")}"></i>'
        f'<span class="dim small">{plain(level)}</span><b>{plain(_name(problem))}</b>'
        f'<span class="dim small">{plain(", ".join(problem.topics))}</span>'
        f'<span class="told">{_earned(shown.answers)}</span>'
        f'<span class="asks">{plain(" ".join(problem.statement.split())[:200])}</span></summary><div class="inside">'
    )
    yield f'<p class="dim small">{plain(_facts(problem))}</p>'
    yield f'<h3>Prompt</h3><pre class="prose">{plain(shown.prompt.strip())}</pre><div class="answers">'
    for answer in shown.answers:
        yield from _answer(answer, problem.reference)
    yield "</div></div></details>"


def _name(problem: Problem) -> str:
    """The family of a generated problem, the id of another one."""
    parts = problem.id.split("/")
    return parts[2] if parts[0] == "generated" and len(parts) == 6 else problem.id


def _facts(problem: Problem) -> str:
    facts = [problem.id, f"split {problem.split}" if problem.split else "", problem.kind]
    facts += [f"{len(problem.public_tests)} examples", f"{len(problem.hidden_tests)} hidden tests"]
    facts.append(f"reference of {problem.reference_lines} lines" if problem.reference_lines else "no reference")
    return "; ".join(filter(None, facts))


def _earned(answers: Sequence[Answer]) -> str:
    """The rewards of the wrong answers, for the closed fold."""
    wrong = [answer for answer in answers if not answer.evaluation.verdict.passed]
    return ", ".join(f"{answer.title.lower()} {answer.evaluation.reward.total:.2f}" for answer in wrong)


def _answer(answer: Answer, reference: str) -> Iterator[str]:
    evaluation = answer.evaluation
    verdict, outcome = evaluation.verdict, evaluation.verdict.outcome.value
    tests = f"{verdict.tests_passed} of {verdict.tests_total} tests" if verdict.tests_total else ""
    yield (
        f"<section><h3>{answer.title} <b>{evaluation.reward.total:.2f}</b> "
        f'<span class="badge {OUTCOME_LOOKS[outcome]}">{outcome}</span> <span class="dim small">{tests}</span></h3>'
    )
    yield _pays(evaluation.reward)
    yield f'<p class="small">{plain(answer.what)}</p>' if answer.what else ""
    code = (evaluation.extraction.code or "").strip("\n")
    yield f"<pre>{_compared(reference, code) if answer.title == 'One fault' else plain(code)}</pre>"
    if not verdict.passed:
        yield f'<p class="dim small">The model is told:</p><pre class="prose">{plain(evaluation.feedback)}</pre>'
    yield "</section>"


def _pays(reward: Reward) -> str:
    """A bar of the parts, and their figures."""
    x, bars, told = 0.0, "", []
    for name, look in _PARTS.items():
        if part := float(reward.parts[name]):
            bars += f'<rect class="{look}" x="{x:.2f}" width="{100 * part:.2f}" height="1"></rect>'
            told.append(f"{name} {part:.2f}")
            x += 100 * part
    return (
        f'<svg class="pays" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{bars}</svg>'
        f'<div class="parts">{", ".join(told) or "no part earned anything"}</div>'
    )


def _compared(before: str, after: str) -> str:
    """The code after a change, with the removed lines and the new ones marked."""
    old, new = before.strip("\n").split("\n"), after.split("\n")
    lines = []
    for kind, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [f"  {plain(line)}" for line in new[first:last]]
        else:
            lines += [f'<del class="gone">- {plain(line)}</del>' for line in old[start:end]]
            lines += [f'<ins class="new">+ {plain(line)}</ins>' for line in new[first:last]]
    return "\n".join(lines)
