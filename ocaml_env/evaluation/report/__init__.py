"""The page of an evaluation, ``report.html``: figures, plots, and a browser of samples, in one self-contained file.

    from ocaml_env.evaluation.report import write_report

The flow of data: ``aggregates`` counts the samples in one pass, ``choice`` selects samples for the page, ``excerpt``
cuts their texts to a bounded length, ``page`` writes the file, and ``browser.js`` lets a reader browse it.
"""

from __future__ import annotations

from ocaml_env.evaluation.report.page import write_report

__all__ = ["write_report"]
