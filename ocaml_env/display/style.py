"""The style sheet of every page."""

from __future__ import annotations

__all__ = ["GROUP_LOOKS", "LEVEL_LOOKS", "OUTCOME_LOOKS", "STYLE"]

OUTCOME_LOOKS = {
    "PASSED": "o1",
    "TEST_FAILURE": "o2",
    "RUNTIME_ERROR": "o3",
    "TIMEOUT": "o4",
    "MEMORY_LIMIT": "o5",
    "OUTPUT_LIMIT": "o6",
    "COMPILE_ERROR": "o7",
    "TYPE_ERROR": "o8",
    "FORBIDDEN": "o9",
    "SYNTAX_ERROR": "o10",
    "NO_CODE": "o11",
}
"""Outcome -> class, from best to worst."""

GROUP_LOOKS = {"varied": "g1", "tied": "g2", "identical": "g3", "all_failed": "g4", "all_passed": "g5"}
"""Kind of group -> class."""

LEVEL_LOOKS = {"1": "l1", "2": "l2", "3": "l3", "4": "l4", "5": "l5", "6": "l6"}
"""Level -> class, from easy to hard."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #f2f4f8; --line: #d6dbe4; --dim: #5d6879;
  --bar: #3d6fd8; --bad: #c23b3b; --good: #2e8b57; --warn: #9a6412; --second: #b45bb5;
  --o1: #2e8b57; --o2: #8dbf5a; --o3: #d9b93b; --o4: #a98a2c; --o5: #8a7350; --o6: #6f6455; --o7: #5aa7c7;
  --o8: #3d6fd8; --o9: #8a5bd1; --o10: #d9722e; --o11: #b93434; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8f0; --paper: #14181f; --soft: #1d232d; --line: #343d4b;
  --dim: #98a3b5; --bar: #6f9bff; --bad: #ff7b7b; --good: #5fd097; --warn: #e8b45a; --second: #dd8ade;
  --o1: #4dbb80; --o2: #a5d474; --o3: #e3c652; --o4: #b89a3c; --o5: #9c8564; --o6: #857a6b; --o7: #6fb9d8;
  --o8: #6f9bff; --o9: #a983ea; --o10: #ee8d4d; --o11: #e0605f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 76rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1rem 0 .2rem; }
p { margin: .3rem 0; max-width: 60rem; }
.dim { color: var(--dim); } .good { color: var(--good); } .bad { color: var(--bad); } .note { color: var(--warn); }
.small { font-size: .85rem; }
.verdict { border-left: .4rem solid var(--dim); background: var(--soft); border-radius: .3rem; padding: .8rem 1rem;
  margin: 1rem 0; } .verdict b { font-size: 1.2rem; } .verdict.good { border-color: var(--good); color: inherit; }
.verdict.note { border-color: var(--warn); color: inherit; }
.verdict.bad { border-color: var(--bad); color: inherit; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .7rem; margin: 1rem 0; }
.tile { background: var(--soft); border-radius: .5rem; padding: .7rem .9rem; font-size: .9rem; }
.tile b { display: block; font-size: 1.4rem; line-height: 1.2; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 1.6rem; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; margin-bottom: .3rem; }
figure .dim { font-size: .85rem; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); } .mark { stroke: var(--second); stroke-dasharray: 4 3; stroke-width: 1.5; }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
polygon.band { fill: var(--good); opacity: .16; } .key.band { background: var(--good); opacity: .35; }
.line.a { stroke: var(--bar); } .line.b { stroke: var(--second); } .line.c { stroke: var(--good); }
.faint { opacity: .3; stroke-width: 1; }
.line.d { stroke: var(--good); stroke-dasharray: 5 4; } .dot { fill: var(--bar); }
.key.a { background: var(--bar); } .key.b { background: var(--second); } .key.c, .key.d { background: var(--good); }
LEVELS
.heat { fill: var(--bar); background: var(--bar); } .plain { fill: var(--bar); background: var(--bar); }
rect.track { fill: var(--soft); } rect.row { fill: transparent; } svg text.figure { fill: var(--ink); }
.whisker { fill: none; stroke: var(--ink); stroke-width: 1.5; } svg a:hover rect.row { fill: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: .15rem .9rem; font-size: .8rem; color: var(--dim); }
.key { display: inline-block; width: .7rem; height: .7rem; border-radius: .15rem; margin-right: .3rem; }
OUTCOMES
.g1 { fill: var(--bar); background: var(--bar); } .g2 { fill: var(--o3); background: var(--o3); }
.g3 { fill: var(--o9); background: var(--o9); } .g4 { fill: var(--o11); background: var(--o11); }
.g5 { fill: var(--o1); background: var(--o1); }
.wide { overflow-x: auto; } .wide table { min-width: 52rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
td, th { text-align: left; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: normal; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
details { border-bottom: 1px solid var(--line); padding: .35rem 0; } summary { cursor: pointer; }
pre { background: var(--soft); border-radius: .4rem; padding: .7rem; overflow: auto; font-size: .82rem; margin: .4rem 0;
  max-height: 26rem; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem; margin: .6rem 0; align-items: center; }
input, select { font: inherit; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--soft); color: inherit; max-width: 100%; } input { flex: 1 1 12rem; }
.prose { white-space: pre-wrap; }
.side { display: flex; align-items: flex-start; gap: .8rem; overflow-x: auto; padding: .5rem 0; }
.sample { flex: 0 0 min(24rem, 84vw); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .7rem; }
.badge { display: inline-block; border-radius: .3rem; padding: 0 .4rem; font-size: .8rem; color: #fff; }
.badge.o2, .badge.o3, .badge.o7, .badge.g2 { color: #10151c; }
.parts { font-size: .82rem; color: var(--dim); font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) { body { padding: .8rem; } .side { margin: 0 -.3rem; } }
""".replace(
    "OUTCOMES", "\n".join(f".{o} {{ fill: var(--{o}); background: var(--{o}); }}" for o in OUTCOME_LOOKS.values())
).replace(
    "LEVELS",
    "\n".join(
        f".line.{look} {{ stroke: var(--{colour}); }} .key.{look} {{ background: var(--{colour}); }}"
        for look, colour in zip(LEVEL_LOOKS.values(), ("o1", "o2", "o3", "o10", "o11", "o9"), strict=True)
    ),
)
