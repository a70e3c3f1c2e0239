"""Reads the cases of an OUnit file as expressions that are true of a right answer.

    let ae exp got _ctx = assert_equal exp got ~printer:string_of_int
    let tests = ["one" >:: ae 1 (f 0); "two" >:: (fun _ -> let x = f 1 in ae 2 x)]

gives ``f 0 = 1`` and ``let x = f 1 in x = 2``. Functions that assert are put in the place of their calls, so the
expected value stands in the test and is compared outside the candidate's process. Printers and messages are dropped. A
case of an unknown form is run as it is, with the few functions of ``PRELUDE``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import tree_sitter

from ocaml_env.kills.interpreter.grammar import parsed
from ocaml_env.problem.signature import mentioned

__all__ = ["PRELUDE", "Case", "OUnitFile", "read_ounit"]

PRELUDE = """\
module OUnit2 = struct
  exception Failed
  let assert_bool _ holds = if not holds then raise Failed
  let assert_equal ?ctxt:_ ?(cmp = ( = )) ?printer:_ ?pp_diff:_ ?msg:_ a b = assert_bool "" (cmp a b)
  let cmp_float ?(epsilon = 1e-5) a b = a = b || Float.abs (a -. b) <= epsilon *. Float.abs (a +. b)
  let assert_string s = assert_bool s (s = "")
  let assert_failure _ = raise Failed
  let assert_raises ?msg:_ e f = assert_bool "" (match f () with _ -> false | exception raised -> raised = e)
  let passes case = match case () with () -> true | exception _ -> false
end
open OUnit2"""
"""A small part of OUnit, for cases of an unknown form."""

_Node = tree_sitter.Node
_ASSERTIONS = frozenset(
    ("assert_equal", "assert_bool", "assert_raises", "assert_string", "assert_failure", "assert", "failwith")
)
_CASE = ">::"
_EQUAL = re.compile(r"\bequal(?:_\w+)?\b")
_LIBRARY = frozenset(("Array", "Bool", "Char", "Float", "Int", "List", "Option", "Poly", "Result", "String"))
_THUNK = re.compile(r"\(\s*fun\s+(?:\(\)|_\w*)\s*->(?P<body>.*)\)", re.DOTALL)
_SKIPPED = re.compile(r"\bQCheck|\bskip_if\b|\btodo\b")


class _Unknown(Exception):
    """A case of an unknown form. This exception never leaves this module."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case: its name, and an expression of type bool."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class OUnitFile:
    """The content of a test file.

    Attributes:
        cases: in the order of the file.
        definitions: those that cases need, as OCaml.
        opens_base: True if the file opens the library Base.
    """

    cases: tuple[Case, ...]
    definitions: str
    opens_base: bool


def read_ounit(source: str, items: Collection[str]) -> OUnitFile:
    """Reads a test file.

    Args:
        source: its text.
        items: the values of the interface under test. A side of an equation without them is the expected value.
    """
    root = parsed(source.encode())
    reader = _Reader(frozenset(items), _helpers(root))
    found: list[Case] = []
    for name, node, scope in reader.cases(root):
        try:
            code = reader.value(node, scope, _Call())
        except _Unknown:
            code = f"OUnit2.passes ({_render(node, scope)})"
        found.append(Case(name, code))
    definitions = "\n".join(_needed(root, [case.code for case in found]))
    opens_base = any(item.type == "open_module" and "Base" in _text(item) for item in root.named_children)
    return OUnitFile(_distinct(found), definitions, opens_base)


@dataclass(frozen=True, slots=True)
class _Helper:
    """A function that asserts: its parameters and body, and the names known where it is defined."""

    parameters: tuple[_Node, ...]
    body: _Node
    scope: _Scope


@dataclass(frozen=True, slots=True)
class _Scope:
    """The names that stand for texts (arguments of calls) and for functions that assert."""

    texts: Mapping[str, str] = field(default_factory=dict)
    helpers: Mapping[str, _Helper] = field(default_factory=dict)

    def without(self, names: Collection[str]) -> _Scope:
        return replace(
            self,
            texts={name: text for name, text in self.texts.items() if name not in names},
            helpers={name: helper for name, helper in self.helpers.items() if name not in names},
        )


@dataclass(frozen=True, slots=True)
class _Call:
    """The arguments that wait for a function."""

    positional: tuple[str, ...] = ()
    labelled: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Reader:
    items: frozenset[str]
    helpers: Mapping[str, _Helper]

    # --- cases --------------------------------------------------------------------------------------------------------

    def cases(self, root: _Node) -> Iterator[tuple[str, _Node, _Scope]]:
        """The name and the body of each case."""
        for binding in _bindings(root):
            if not _parameters(binding):
                yield from self._cases_in(_body(binding), _Scope(helpers=self.helpers))

    def _cases_in(self, node: _Node, scope: _Scope) -> Iterator[tuple[str, _Node, _Scope]]:
        if node.type == "infix_expression" and _text(node.child_by_field_name("operator")) == _CASE:
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            assert left is not None and right is not None  # noqa: PT018 - the grammar gives both
            yield _render(left, scope).strip('"() '), right, scope
        elif node.type == "application_expression" and (mapped := self._mapped(node)):
            parameter, body, elements = mapped
            for element in elements:
                texts = {**scope.texts, **_matched(parameter, element, scope)}
                yield from self._cases_in(body, replace(scope, texts=texts))
        elif node.type != "fun_expression":
            for child in node.named_children:
                yield from self._cases_in(child, scope)

    def _mapped(self, call: _Node) -> tuple[_Node, _Node, list[_Node]] | None:
        """The parameter, the body and the list of ``List.map f [...]`` whose function makes cases."""
        if not _text(call.child_by_field_name("function")).endswith("List.map"):
            return None
        arguments = [_unwrapped(node) for node in call.children_by_field_name("argument")]
        arguments = [_unwrapped(node.child_by_field_name("expression") or node) for node in arguments]
        lists = [node for node in arguments if node.type == "list_expression"]
        function = next((node for node in arguments if node.type != "list_expression"), None)
        if not lists or function is None:
            return None
        if function.type == "fun_expression":
            made = _Helper(tuple(_parameters(function)), _body(function), _Scope())
        elif (known := self.helpers.get(_text(function))) is not None:
            made = known
        else:
            return None
        if len(made.parameters) != 1 or _CASE not in _text(made.body):
            return None
        return made.parameters[0], made.body, lists[0].named_children

    # --- one case -----------------------------------------------------------------------------------------------------

    def value(self, node: _Node, scope: _Scope, call: _Call) -> str:
        """The assertions of an expression, applied to waiting arguments, as one expression of type bool."""
        match node.type:
            case "parenthesized_expression":
                return self.value(_unwrapped(node), scope, call)
            case "application_expression":
                return self._application(node, scope, call)
            case "value_path":
                return self._named(_text(node).removeprefix("OUnit2."), scope, call)
            case "fun_expression":
                return self._function(_Helper(tuple(_parameters(node)), _body(node), scope), call)
            case "let_expression":
                return self._let(node, scope, call)
            case "sequence_expression":
                return self._sequence(node.named_children, scope)
            case "infix_expression":
                return self._infix(node, scope, call)
            case "if_expression" | "match_expression":
                return self._branches(node, scope, call)
            case "assert_expression":
                return _render(node.named_children[0], scope)
            case "unit":
                return "true"
            case _:
                raise _Unknown

    def _application(self, node: _Node, scope: _Scope, call: _Call) -> str:
        positional: list[str] = []
        labelled: dict[str, str] = {}
        for argument in node.children_by_field_name("argument"):
            if argument.type == "labeled_argument":
                label = _text(argument.named_children[0])
                given = argument.child_by_field_name("expression")
                labelled[label] = scope.texts.get(label, label) if given is None else _operand(given, scope)
            else:
                positional.append(_operand(argument, scope))
        function = node.child_by_field_name("function")
        assert function is not None
        return self.value(function, scope, _Call((*positional, *call.positional), {**labelled, **call.labelled}))

    def _named(self, name: str, scope: _Scope, call: _Call) -> str:
        if name in scope.helpers:
            return self._function(scope.helpers[name], call)
        given = call.positional
        if name in ("failwith", "assert_failure") and given:
            return "false"
        if name == "assert_equal" and len(given) >= 2:
            return self._equation(given[0], given[1], call.labelled.get("cmp"))
        if name == "assert_bool" and len(given) >= 2:
            return given[1]
        if name == "assert_string" and given:
            return f'{given[0]} = ""'
        if name == "assert_raises" and len(given) >= 2:
            thunk = _THUNK.fullmatch(given[1])
            run = f"({thunk['body'].strip()})" if thunk else f"({given[1]} ())"
            return f"(try ignore {run}; false with {given[0]} -> true)"
        raise _Unknown

    def _equation(self, expected: str, got: str, compare: str | None) -> str:
        if self.items & set(mentioned(expected)) and not self.items & set(mentioned(got)):
            expected, got = got, expected
        modules = set(re.findall(r"\b([A-Z]\w*)\.", compare or ""))
        if compare is None or (_EQUAL.search(compare) and modules <= _LIBRARY):
            return f"{got} = {expected}"  # structural equality says the same
        return f"{compare} {expected} {got}"

    def _function(self, helper: _Helper, call: _Call) -> str:
        """The body of a function with its arguments in the places of its parameters."""
        positional, labelled = list(call.positional), dict(call.labelled)
        texts: dict[str, str] = {}
        before = ""
        for parameter in helper.parameters:
            pattern = parameter.child_by_field_name("pattern") or parameter.named_children[-1]
            label = next((child for child in parameter.named_children if child.type == "label_name"), None)
            if label is not None or _text(parameter)[:1] in "~?":
                name = _text(label or pattern)
                default = parameter.child_by_field_name("default")
                if name in labelled:
                    texts[_text(pattern) if pattern.type == "value_pattern" else name] = labelled.pop(name)
                elif default is not None:
                    texts[name] = _operand(default, helper.scope)
                else:
                    raise _Unknown
            elif positional:
                argument = positional.pop(0)
                if pattern.type in ("value_pattern", "value_name"):
                    texts[_text(pattern)] = argument
                elif pattern.type not in ("any_pattern", "unit"):
                    before += f"let {_text(pattern)} = {argument} in "
        inner = helper.scope.without(texts.keys())
        inner = replace(inner, texts={**inner.texts, **texts})
        return before + self.value(helper.body, inner, _Call(tuple(positional), labelled))

    def _let(self, node: _Node, scope: _Scope, call: _Call) -> str:
        definition, body = node.named_children[0], node.child_by_field_name("body")
        assert body is not None
        bindings = [child for child in definition.named_children if child.type == "let_binding"]
        names = {_text(binding.child_by_field_name("pattern")) for binding in bindings}
        inner = scope.without(names)
        if len(bindings) == 1 and _ASSERTIONS & set(mentioned(_text(_body(bindings[0])))):
            helper = _Helper(tuple(_parameters(bindings[0])), _body(bindings[0]), scope)
            return self.value(body, replace(inner, helpers={**inner.helpers, names.pop(): helper}), call)
        rest = self.value(body, inner, call)
        if names.isdisjoint(mentioned(rest)) and all(name.isidentifier() and name != "_" for name in names):
            return rest  # a printer
        return f"{_render(definition, scope)} in {rest}"

    def _sequence(self, nodes: Sequence[_Node], scope: _Scope) -> str:
        first, rest = nodes[0], nodes[1:]
        after = self._sequence(rest, scope) if rest[1:] else self.value(rest[0], scope, _Call()) if rest else "true"
        if set(mentioned(_text(first))).isdisjoint({*_ASSERTIONS, *scope.helpers}):
            return f"({_render(first, scope)}; {after})"
        return f"({self.value(first, scope, _Call())}) && ({after})"

    def _infix(self, node: _Node, scope: _Scope, call: _Call) -> str:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        assert left is not None and right is not None  # noqa: PT018 - the grammar gives both
        match _text(node.child_by_field_name("operator")):
            case "|>":
                return self.value(right, scope, _Call((_operand(left, scope), *call.positional), call.labelled))
            case "@@":
                return self.value(left, scope, _Call((_operand(right, scope), *call.positional), call.labelled))
            case _:
                raise _Unknown

    def _branches(self, node: _Node, scope: _Scope, call: _Call) -> str:
        """A condition or a match, with an expression of type bool in each branch."""
        asked = _render(node.named_children[0], scope)
        if node.type == "if_expression":
            clauses = [child for child in node.named_children if child.type in ("then_clause", "else_clause")]
            if asked in ("true", "false") and len(clauses) == 2:
                return self.value(clauses[asked == "false"].named_children[-1], scope, call)
            then, *other = (self.value(clause.named_children[-1], scope, call) for clause in clauses)
            match (then, *other):
                case ("true", "false"):
                    return f"({asked})"
                case ("false", "true") | ("false",):
                    return f"(not ({asked}))"
                case _:
                    return f"(if {asked} then ({then}) else ({''.join(other) or 'true'}))"
        parts = [f"match {asked} with"]
        for case in (child for child in node.named_children if child.type == "match_case"):
            body = _body(case)
            head = _slice(case, case.start_byte, body.start_byte).rstrip().removesuffix("->")
            parts.append(f"| {head.strip()} -> ({self.value(body, scope, call)})")
        return f"({' '.join(parts)})"


# --- the tree ---------------------------------------------------------------------------------------------------------


def _text(node: _Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode()


def _slice(node: _Node, start: int, stop: int) -> str:
    data = node.text or b""
    return data[start - node.start_byte : stop - node.start_byte].decode()


def _body(node: _Node) -> _Node:
    return node.child_by_field_name("body") or node.named_children[-1]


def _parameters(node: _Node) -> list[_Node]:
    return [child for child in node.named_children if child.type == "parameter"]


def _unwrapped(node: _Node) -> _Node:
    while node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    return node


def _bindings(root: _Node) -> Iterator[_Node]:
    for item in root.named_children:
        if item.type == "value_definition":
            yield from (child for child in item.named_children if child.type == "let_binding")


def _helpers(root: _Node) -> dict[str, _Helper]:
    """The functions at the top that assert or make cases, directly or through each other."""
    found: dict[str, _Helper] = {}
    for binding in _bindings(root):
        names, body = set(mentioned(_text(_body(binding)))), _text(_body(binding))
        makes = _CASE in body and _parameters(binding)
        if makes or (_CASE not in body and names & (_ASSERTIONS | found.keys())):
            name = _text(binding.child_by_field_name("pattern"))
            found[name] = _Helper(tuple(_parameters(binding)), _body(binding), _Scope(helpers=dict(found)))
    return found


_OPENED = ("open Base", "open OUnit2", "open OUnit")


def _needed(root: _Node, codes: Sequence[str]) -> list[str]:
    """The types and modules of a file, and the values that the cases need, directly or through others."""
    names = {name for code in codes for name in mentioned(code)}
    kept: list[str] = []
    for item in reversed(root.named_children):
        text = _text(item)
        if item.type in ("comment", "expression_item") or _SKIPPED.search(text) or text in _OPENED:
            continue
        if item.type == "value_definition":
            defined = {_text(child.child_by_field_name("pattern")) for child in _bindings_of(item)}
            if _CASE in text or defined.isdisjoint(names):
                continue
        names |= set(mentioned(text))
        kept.append(text)
    return kept[::-1]


def _bindings_of(item: _Node) -> list[_Node]:
    return [child for child in item.named_children if child.type == "let_binding"]


def _render(node: _Node, scope: _Scope) -> str:
    """The text of an expression, with the texts of arguments for the names of parameters."""
    parts: list[str] = []
    place = node.start_byte

    def walk(inner: _Node) -> None:
        nonlocal place
        new: str | None = None
        if inner.type == "value_path" and (name := _text(inner)) in scope.texts:
            new = scope.texts[name]
        elif inner.type == "labeled_argument" and len(inner.named_children) == 1:
            name = _text(inner.named_children[0])
            new = f"~{name}:{scope.texts[name]}" if name in scope.texts else None
        if new is None:
            for child in inner.children:
                walk(child)
            return
        parts.extend((_slice(node, place, inner.start_byte), new))
        place = inner.end_byte

    walk(node)
    parts.append(_slice(node, place, node.end_byte))
    return "".join(parts)


_ATOMS = frozenset(("value_path", "number", "string", "character", "unit", "boolean", "list_expression", "empty_list"))


def _operand(node: _Node, scope: _Scope) -> str:
    """The text of an argument, in brackets unless it needs none."""
    text = _render(node, scope)
    bare = node.type in _ATOMS or node.type in ("parenthesized_expression", "record_expression", "array_expression")
    return text if bare else f"({text})"


def _matched(parameter: _Node, element: _Node, scope: _Scope) -> dict[str, str]:
    """The texts of the names in a parameter of a function that makes cases, for an element of its list."""
    pattern = parameter.child_by_field_name("pattern") or parameter.named_children[-1]
    while pattern.type in ("parenthesized_pattern", "typed_pattern"):
        pattern = pattern.named_children[0]
    if pattern.type in ("value_pattern", "value_name"):
        return {_text(pattern): _operand(element, scope)}
    inner = _unwrapped(element)
    names, values = _flat(pattern, "tuple_pattern"), _flat(inner, "tuple_expression")
    if len(names) != len(values) or any(name.type != "value_pattern" for name in names):
        return {}
    return {_text(name): _operand(value, scope) for name, value in zip(names, values, strict=True)}


def _flat(node: _Node, kind: str) -> list[_Node]:
    """The parts of a tuple, which the grammar nests to the left."""
    if node.type != kind:
        return [node]
    return [part for child in node.named_children for part in _flat(child, kind)]


def _distinct(cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases without repetitions, with different names."""
    used: Counter[str] = Counter()
    kept: list[Case] = []
    for case in {case.code: case for case in reversed(cases)}.values():
        kept.append(case)
    named = []
    for case in reversed(kept):
        used[case.name] += 1
        number = used[case.name]
        named.append(case if number == 1 else Case(f"{case.name} ({number})", case.code))
    return tuple(named)
