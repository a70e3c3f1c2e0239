"""The page of an evaluation, ``report.html``: figures, plots, and a browser of samples, in one file that needs no more.

    from ocaml_env.evaluation.report import write_report

The data flows: ``aggregates`` goes through the samples once and counts, ``choice`` says which of them the page shows,
``excerpt`` cuts what they say to what a page can hold, ``page`` writes it, and ``browser.js`` lets a reader walk
through it.
"""

from __future__ import annotations

from ocaml_env.evaluation.report.page import write_report

__all__ = ["write_report"]
