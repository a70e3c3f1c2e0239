"""Parses OCaml with tree-sitter's grammar: the one parser of this package."""

from __future__ import annotations

from functools import cache

import tree_sitter
import tree_sitter_ocaml

__all__ = ["parsed"]


def parsed(source: bytes) -> tree_sitter.Node:
    """The root of a text's syntax; ``has_error`` is true if it is not OCaml."""
    return _parser().parse(source).root_node


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_ocaml.language_ocaml()))
