"""Reads OCaml into the tree of ``tree``, with tree-sitter's grammar.

It covers the part of the language used by problems. Objects, labels of types, ``module rec`` and the like raise
``Unsupported`` with their place.

Long, because it has a function for each construct of the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import tree_sitter

from ocaml_env.kills.interpreter import tree
from ocaml_env.kills.interpreter.errors import Unsupported
from ocaml_env.kills.interpreter.grammar import parsed

__all__ = ["read_expressions", "read_items"]

_Raw = tree_sitter.Node

_EXTRAS = frozenset(("comment", "attribute", "item_attribute", "floating_attribute", "line_number_directive"))
_SPACE = re.compile(r"\s+")


def read_items(source: str) -> tuple[tree.Item, ...]:
    """The items of a program or a prelude.

    Raises:
        Unsupported: the text is not valid OCaml, or uses something unknown here.
    """
    root = parsed(source.encode())
    if root.has_error:
        raise _fault(_broken(root), "cannot be parsed")
    return tuple(_items(root))


def read_expressions(sources: list[str]) -> list[tree.Expr]:
    """Reads several expressions at once, for speed.

    Raises:
        Unsupported: as for ``read_items``.
    """
    items = read_items("\n".join(f"let _ = ({source})" for source in sources))
    if len(items) != len(sources):
        raise Unsupported("one of the texts is more than one expression")
    return [item.bindings[0].value for item in items if isinstance(item, tree.LetItem)]


def _broken(raw: _Raw) -> _Raw:
    for child in raw.children:
        if child.is_error or child.is_missing:
            return child
        if child.has_error:
            return _broken(child)
    return raw


def _fault(raw: _Raw, what: str = "is not supported") -> Unsupported:
    row, column = raw.start_point
    return Unsupported(f"line {row + 1}, column {column + 1}: {raw.type} {_text(raw)[:60]!r} {what}")


def _text(raw: _Raw) -> str:
    return (raw.text or b"").decode("latin-1")


def _named(raw: _Raw) -> list[_Raw]:
    return [child for child in raw.named_children if child.type not in _EXTRAS]


def _child(raw: _Raw, kind: str) -> _Raw | None:
    return next((child for child in raw.children if child.type == kind), None)


def _field(raw: _Raw, name: str) -> _Raw:
    found = raw.child_by_field_name(name)
    if found is None:
        raise _fault(raw)
    return found


def _path(raw: _Raw) -> str:
    """A name with its path; an operator without its parentheses."""
    text = _text(raw)
    if text.isidentifier():
        return text
    return _SPACE.sub("", text).replace("(", "").replace(")", "")


def _operator(raw: _Raw) -> str:
    return _path(raw)


# Items.


def _items(raw: _Raw) -> list[tree.Item]:
    made: list[tree.Item] = []
    for child in _named(raw):
        reader = _ITEMS.get(child.type)
        if reader is None:
            raise _fault(child)
        found = reader(child)
        if found is not None:
            made.append(found)
    return made


def _expression_item(raw: _Raw) -> tree.Item:
    return tree.LetItem(False, (tree.Binding(tree.Wild(), _expr(_named(raw)[0])),))


def _value_item(raw: _Raw) -> tree.Item:
    recursive, bindings = _bindings(raw)
    return tree.LetItem(recursive, bindings)


def _bindings(raw: _Raw) -> tuple[bool, tuple[tree.Binding, ...]]:
    return _child(raw, "rec") is not None, tuple(_binding(c) for c in raw.children if c.type == "let_binding")


def _binding(raw: _Raw) -> tree.Binding:
    pattern = _pattern(_field(raw, "pattern"))
    value = _expr(_field(raw, "body"))
    params = tuple(_param(child) for child in raw.children if child.type == "parameter")
    types = tuple(_text(_named(child)[0]) for child in raw.children if child.type == "abstract_type")
    written = raw.child_by_field_name("type")
    annotation = _text(written) if written else ""
    if params or types:
        value = tree.Typed(value, annotation) if annotation else value
        return tree.Binding(pattern, tree.Fun(params, value, types) if params else value)
    return tree.Binding(pattern, value, annotation)


def _param(raw: _Raw) -> tree.Param:
    mark = raw.children[0].type
    if mark not in ("~", "?"):
        return tree.Param(_pattern(_field(raw, "pattern")))
    named = _child(raw, "label_name")
    pattern = _pattern(_field(raw, "pattern"))
    written = raw.child_by_field_name("type")
    label = _text(named) if named else _simple_name(raw, pattern)
    default = raw.child_by_field_name("default")
    pattern = tree.TypedPattern(pattern, _text(written)) if written else pattern
    return tree.Param(pattern, mark + label, _expr(default) if default else None)


def _simple_name(raw: _Raw, pattern: tree.Pattern) -> str:
    if isinstance(pattern, tree.TypedPattern):
        return _simple_name(raw, pattern.pattern)
    if not isinstance(pattern, tree.VarPattern):
        raise _fault(raw)
    return pattern.name


def _type_item(raw: _Raw) -> tree.Item:
    declared = [_type(child) for child in _named(raw) if child.type == "type_binding"]
    return tree.TypeItem(tuple(declared), _text(raw))


def _type(raw: _Raw) -> tree.TypeDecl:
    body, same = raw.child_by_field_name("body"), raw.child_by_field_name("synonym")
    constructors: tuple[tree.ConstructorDecl, ...] = ()
    fields: tuple[str, ...] = ()
    if body is not None and body.type == "variant_declaration":
        constructors = tuple(_constructor(child) for child in _named(body))
    elif body is not None and body.type == "record_declaration":
        fields = _declared_fields(body)
    name = _path(_field(raw, "name"))
    return tree.TypeDecl(name, constructors, fields, _text(same) if same else "", _child(raw, "+=") is not None)


def _declared_fields(raw: _Raw) -> tuple[str, ...]:
    return tuple(_text(_child(child, "field_name") or child) for child in _named(raw))


def _constructor(raw: _Raw) -> tree.ConstructorDecl:
    name = _text(raw.children[0])
    record = _child(raw, "record_declaration")
    if record is not None:
        return tree.ConstructorDecl(name, 1, _declared_fields(record))
    types = [child for child in _named(raw)[1:] if child.type != "type_variable" or _counts(raw, child)]
    if _child(raw, ":") is not None:  # of a GADT: the last type is the result
        return tree.ConstructorDecl(name, len(types) - 1)
    return tree.ConstructorDecl(name, len(types) if _child(raw, "of") is not None else 0)


def _counts(raw: _Raw, variable: _Raw) -> bool:
    """False for the variables of ``C : 'a. ...``."""
    dot = _child(raw, ".")
    return dot is None or variable.start_byte > dot.start_byte


def _exception(raw: _Raw) -> tree.Item:
    declared = _child(raw, "constructor_declaration")
    if declared is None:
        raise _fault(raw)
    other = _child(declared, "constructor_path")
    if other is not None:
        return tree.Exception_(tree.ConstructorDecl(_text(declared.children[0]), 0), _text(raw), _path(other))
    return tree.Exception_(_constructor(declared), _text(raw))


def _module(raw: _Raw) -> tree.Item:
    bindings = [child for child in _named(raw) if child.type == "module_binding"]
    if len(bindings) != 1 or _child(raw, "rec") is not None:
        raise _fault(raw)
    (binding,) = bindings
    body = _module_expr(_field(binding, "body"))
    written = binding.child_by_field_name("module_type")
    if written is not None:
        body = _restricted(body, _text(written))
    for child in reversed(binding.children):
        if child.type == "module_parameter":
            name, typed = _child(child, "module_name"), child.child_by_field_name("module_type")
            signature = _text(typed) if typed is not None else ""
            body = tree.Functor(_text(name) if name else "()", signature, "", body)
    name = _child(binding, "module_name")
    return tree.Module(_text(name) if name else "_", body)


def _restricted(body: tree.ModuleExpr, annotation: str) -> tree.ModuleExpr:
    if isinstance(body, tree.Struct):
        return tree.Struct(body.items, annotation)
    # A struct with an include can carry the annotation, too.
    return tree.Struct((tree.Include(body),), annotation)


def _module_type(raw: _Raw) -> tree.Item:
    name, body = _child(raw, "module_type_name"), raw.child_by_field_name("body")
    items: list[tree.Item] = []
    if body is not None and body.type == "signature":
        for child in _named(body):
            if child.type == "type_definition":
                items.append(_type_item(child))
            elif child.type == "exception_definition":
                items.append(_exception(child))
    return tree.ModuleType(_text(name) if name else "", tuple(items), _text(raw))


def _open(raw: _Raw) -> tree.Item:
    return tree.Open(_module_expr(_field(raw, "module")))


def _include(raw: _Raw) -> tree.Item:
    return tree.Include(_module_expr(_field(raw, "module")))


_ITEMS: dict[str, Callable[[_Raw], tree.Item | None]] = {
    "value_definition": _value_item,
    "expression_item": _expression_item,
    "type_definition": _type_item,
    "exception_definition": _exception,
    "module_definition": _module,
    "module_type_definition": _module_type,
    "open_module": _open,
    "include_module": _include,
}


# Module expressions.


def _module_expr(raw: _Raw) -> tree.ModuleExpr:
    match raw.type:
        case "module_path" | "module_name" | "extended_module_path":
            return tree.ModulePath(_path(raw))
        case "structure":
            return tree.Struct(tuple(_items(raw)))
        case "parenthesized_module_expression":
            return _module_expr(_named(raw)[0])
        case "typed_module_expression":
            parts = _named(raw)
            return _restricted(_module_expr(parts[0]), _text(parts[-1]))
        case "module_application":
            argument = raw.child_by_field_name("argument")
            made = _module_expr(argument) if argument is not None else tree.Struct(())
            return tree.FunctorApply(_module_expr(_field(raw, "functor")), made)
        case "packed_module":
            typed = raw.child_by_field_name("module_type")
            return tree.Unpack(_expr(_field(raw, "expression")), _text(typed) if typed else "")
    raise _fault(raw)


# Expressions.


def _expr(raw: _Raw) -> tree.Expr:
    reader = _EXPRESSIONS.get(raw.type)
    if reader is None:
        raise _fault(raw)
    return reader(raw)


def _number(raw: _Raw) -> tree.Expr:
    return tree.Const(_read_number(raw, _text(raw)))


def _read_number(raw: _Raw, text: str) -> int | float:
    text = text.replace("_", "")
    if text[-1] in "lLn" and not (text[-1] == "n" and text[:2].lower() == "0x"):
        raise _fault(raw)
    sign = -1 if text[0] == "-" else 1
    text = text.lstrip("+-")
    base = {"0x": 16, "0o": 8, "0b": 2, "0u": 10}.get(text[:2].lower())
    if base is None:
        return sign * (int(text) if text.isdigit() else float(text))
    if base == 16 and ("." in text or "p" in text.lower()):
        return sign * float.fromhex(text)
    value = sign * int(text[2:], base)
    return (value + (1 << 62)) % (1 << 63) - (1 << 62)


_ESCAPE = re.compile(rb"\\(?:u\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|o([0-7]{3})|([0-9]{3})|\r?\n[ \t]*|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"b": b"\b", b"r": b"\r"}


def _unescaped(content: bytes) -> bytes:
    def one(found: re.Match[bytes]) -> bytes:
        point, hexadecimal, octal, decimal, letter = found.groups()
        if point:
            return chr(int(point, 16)).encode()
        if hexadecimal:
            return bytes([int(hexadecimal, 16)])
        if octal:
            return bytes([int(octal, 8)])
        if decimal:
            return bytes([int(decimal)])
        return _LETTERS.get(letter, letter) if letter else b""

    return _ESCAPE.sub(one, content) if b"\\" in content else content


def _string(raw: _Raw) -> tree.Expr:
    return tree.Const(_unescaped((raw.text or b"")[1:-1]))


def _quoted_string(raw: _Raw) -> tree.Expr:
    inside = _child(raw, "quoted_string_content")
    return tree.Const(inside.text if inside is not None else b"")


def _character(raw: _Raw) -> tree.Expr:
    return tree.Const(_unescaped((raw.text or b"")[1:-1]).decode("latin-1"))


def _sign(raw: _Raw) -> tree.Expr:
    operator, operand = _text(_field(raw, "operator")), _expr(_field(raw, "expression"))
    if isinstance(operand, tree.Const) and type(operand.value) in (int, float):
        return tree.Const(-operand.value if operator[0] == "-" else operand.value)
    return tree.Prefix(operator, operand)


def _application(raw: _Raw) -> tree.Expr:
    function = _field(raw, "function")
    given = raw.children_by_field_name("argument")
    if function.type in ("constructor_path", "tag", "constructor_name"):
        if len(given) != 1:
            raise _fault(raw)
        return tree.Construct(_path(function), _expr(given[0]))
    arguments, labels = [], []
    for argument in given:
        label = ""
        if argument.type == "labeled_argument":
            name = _text(_child(argument, "label_name") or argument)
            label = argument.children[0].type + name
            value = argument.child_by_field_name("expression")
            arguments.append(_expr(value) if value is not None else tree.Var(name))
        else:
            arguments.append(_expr(argument))
        labels.append(label)
    return tree.Apply(_expr(function), tuple(arguments), tuple(labels) if any(labels) else ())


def _infix(raw: _Raw) -> tree.Expr:
    operator = _operator(_field(raw, "operator"))
    return tree.Infix(operator, _expr(_field(raw, "left")), _expr(_field(raw, "right")))


def _cons(raw: _Raw) -> tree.Expr:
    return tree.Infix("::", _expr(_field(raw, "left")), _expr(_field(raw, "right")))


def _all(raw: _Raw) -> tuple[tree.Expr, ...]:
    return tuple(_expr(child) for child in _named(raw))


def _tuple(raw: _Raw) -> tree.Expr:
    """``a, b, c``, which the grammar nests."""
    items: list[tree.Expr] = []
    for child in _named(raw):
        if child.type == "tuple_expression":
            inner = _tuple(child)
            assert isinstance(inner, tree.Tuple)
            items += inner.items
        else:
            items.append(_expr(child))
    return tree.Tuple(tuple(items))


def _record(raw: _Raw) -> tree.Expr:
    base = raw.child_by_field_name("record")
    names, values = [], []
    for child in raw.children:
        if child.type == "field_expression":
            path = _path(_child(child, "field_path") or child)
            body = child.child_by_field_name("body")
            names.append(path)
            values.append(_expr(body) if body is not None else tree.Var(path.rpartition(".")[2]))
    return tree.Record(_expr(base) if base is not None else None, tuple(names), tuple(values))


def _field_get(raw: _Raw) -> tree.Expr:
    return tree.Field(_expr(_field(raw, "record")), _path(_field(raw, "field")))


def _index(raw: _Raw) -> tree.Expr:
    text = raw.type == "string_get_expression"
    return tree.Index(_expr(_field(raw, "sequence")), _expr(_field(raw, "index")), text)


def _set(raw: _Raw) -> tree.Expr:
    place, value = _expr(_named(raw)[0]), _expr(_field(raw, "body"))
    if isinstance(place, tree.Field):
        return tree.SetField(place.record, place.name, value)
    if isinstance(place, tree.Index) and not place.text:
        return tree.SetIndex(place.sequence, place.index, value)
    raise _fault(raw)


def _if(raw: _Raw) -> tree.Expr:
    then, otherwise = _child(raw, "then_clause"), _child(raw, "else_clause")
    if then is None:
        raise _fault(raw)
    chosen = _expr(_named(otherwise)[0]) if otherwise is not None else None
    return tree.If(_expr(_field(raw, "condition")), _expr(_named(then)[0]), chosen)


def _sequence(raw: _Raw) -> tree.Expr:
    parts = [_expr(child) for child in _named(raw)]
    made = parts[-1]
    for part in reversed(parts[:-1]):
        made = tree.Sequence(part, made)
    return made


def _let(raw: _Raw) -> tree.Expr:
    body = _expr(_field(raw, "body"))
    defined = _named(raw)[0]
    if defined.type == "value_definition":
        if _child(defined, "let_operator") is not None:
            return tree.LetOperator(tuple(_operator_bindings(defined)), body)
        recursive, bindings = _bindings(defined)
        return tree.Let(recursive, bindings, body)
    reader = _ITEMS.get(defined.type)
    item = reader(defined) if reader else None
    if item is None:
        raise _fault(defined)
    return tree.LocalItem(item, body)


def _operator_bindings(raw: _Raw) -> list[tree.OperatorBinding]:
    made, operator = [], ""
    for child in raw.children:
        if child.type == "let_binding":
            binding = _binding(child)
            made.append(tree.OperatorBinding(operator, binding.pattern, binding.value))
        elif child.is_named:
            operator = _text(child)
    return made


def _fun(raw: _Raw) -> tree.Expr:
    params = tuple(_param(child) for child in raw.children if child.type == "parameter")
    types = tuple(_text(_named(child)[0]) for child in raw.children if child.type == "abstract_type")
    body = _expr(_field(raw, "body"))
    return tree.Fun(params, body, types) if params else body


def _cases(raw: _Raw) -> tuple[tree.Case, ...]:
    return tuple(_case(child) for child in raw.children if child.type == "match_case")


def _case(raw: _Raw) -> tree.Case:
    guard, body = _child(raw, "guard"), _field(raw, "body")
    condition = _expr(_named(guard)[0]) if guard is not None else None
    reached = tree.Assert(tree.Const(False)) if body.type == "refutation_case" else _expr(body)
    return tree.Case(_pattern(_field(raw, "pattern")), condition, reached)


def _body_of(raw: _Raw) -> tree.Expr:
    do = _child(raw, "do_clause")
    inside = _named(do) if do is not None else []
    return _expr(inside[0]) if inside else tree.Const(())


def _for(raw: _Raw) -> tree.Expr:
    name = _text(_field(raw, "name"))
    return tree.For(
        name, _expr(_field(raw, "from")), _expr(_field(raw, "to")), _child(raw, "to") is not None, _body_of(raw)
    )


def _local_open(raw: _Raw) -> tree.Expr:
    return tree.LocalItem(tree.Open(tree.ModulePath(_path(_named(raw)[0]))), _expr(_field(raw, "expression")))


def _package(raw: _Raw) -> tree.Expr:
    typed = raw.child_by_field_name("module_type")
    return tree.Pack(_module_expr(_field(raw, "module")), _text(typed) if typed is not None else "")


def _typed(raw: _Raw) -> tree.Expr:
    written = raw.child_by_field_name("type")
    body = _expr(_field(raw, "expression"))
    return tree.Typed(body, _text(written)) if written is not None else body


def _parenthesized(raw: _Raw) -> tree.Expr:
    inside = _named(raw)
    return _expr(inside[0]) if inside else tree.Const(())


_EXPRESSIONS: dict[str, Callable[[_Raw], tree.Expr]] = {
    "number": _number,
    "signed_number": _number,
    "string": _string,
    "quoted_string": _quoted_string,
    "character": _character,
    "boolean": lambda raw: tree.Const(_text(raw) == "true"),
    "unit": lambda raw: tree.Const(()),
    "value_path": lambda raw: tree.Var(_path(raw)),
    "value_name": lambda raw: tree.Var(_path(raw)),
    "parenthesized_operator": lambda raw: tree.Var(_path(raw)),
    "constructor_path": lambda raw: tree.Construct(_path(raw)),
    "tag": lambda raw: tree.Construct(_path(raw)),
    "parenthesized_expression": _parenthesized,
    "application_expression": _application,
    "infix_expression": _infix,
    "prefix_expression": lambda raw: tree.Prefix(_text(_field(raw, "operator")), _expr(_field(raw, "expression"))),
    "sign_expression": _sign,
    "cons_expression": _cons,
    "tuple_expression": _tuple,
    "list_expression": lambda raw: tree.ListExpr(_all(raw)),
    "empty_list": lambda raw: tree.ListExpr(()),
    "array_expression": lambda raw: tree.ArrayExpr(_all(raw)),
    "record_expression": _record,
    "field_get_expression": _field_get,
    "array_get_expression": _index,
    "string_get_expression": _index,
    "set_expression": _set,
    "if_expression": _if,
    "sequence_expression": _sequence,
    "let_expression": _let,
    "let_open_expression": _let,
    "fun_expression": _fun,
    "function_expression": lambda raw: tree.Function(_cases(raw)),
    "match_expression": lambda raw: tree.Match(_expr(_field(raw, "expression")), _cases(raw)),
    "try_expression": lambda raw: tree.Try(_expr(_field(raw, "expression")), _cases(raw)),
    "while_expression": lambda raw: tree.While(_expr(_field(raw, "condition")), _body_of(raw)),
    "for_expression": _for,
    "assert_expression": lambda raw: tree.Assert(_expr(_field(raw, "expression"))),
    "lazy_expression": lambda raw: tree.Lazy(_expr(_field(raw, "expression"))),
    "local_open_expression": _local_open,
    "package_expression": _package,
    "typed_expression": _typed,
}


# Patterns.


def _pattern(raw: _Raw) -> tree.Pattern:
    reader = _PATTERNS.get(raw.type)
    if reader is None:
        raise _fault(raw)
    return reader(raw)


def _patterns(raw: _Raw) -> tuple[tree.Pattern, ...]:
    return tuple(_pattern(child) for child in _named(raw))


def _flat(raw: _Raw, kind: str) -> tuple[tree.Pattern, ...]:
    items: list[tree.Pattern] = []
    for child in _named(raw):
        items += _flat(child, kind) if child.type == kind else (_pattern(child),)
    return tuple(items)


def _cons_pattern(raw: _Raw) -> tree.Pattern:
    parts = (_pattern(_field(raw, "left")), _pattern(_field(raw, "right")))
    return tree.ConstructPattern("::", tree.TuplePattern(parts))


def _constructor_pattern(raw: _Raw) -> tree.Pattern:
    return tree.ConstructPattern(_path(_named(raw)[0]), _pattern(_named(raw)[-1]))


def _record_pattern(raw: _Raw) -> tree.Pattern:
    names, patterns = [], []
    for child in raw.children:
        if child.type == "field_pattern":
            path = _path(_child(child, "field_path") or child)
            inner = child.child_by_field_name("pattern")
            names.append(path)
            patterns.append(_pattern(inner) if inner is not None else tree.VarPattern(path.rpartition(".")[2]))
    return tree.RecordPattern(tuple(names), tuple(patterns))


def _range(raw: _Raw) -> tree.Pattern:
    low, high = (_pattern(_field(raw, side)) for side in ("left", "right"))
    if not isinstance(low, tree.Const) or not isinstance(high, tree.Const):
        raise _fault(raw)
    return tree.Range(low.value, high.value)


def _package_pattern(raw: _Raw) -> tree.Pattern:
    name, typed = _child(raw, "module_name"), raw.child_by_field_name("module_type")
    return tree.UnpackPattern(_text(name) if name else "_", _text(typed) if typed is not None else "")


_PATTERNS: dict[str, Callable[[_Raw], tree.Pattern]] = {
    "value_pattern": lambda raw: tree.VarPattern(_path(raw)),
    "value_name": lambda raw: tree.VarPattern(_path(raw)),
    "parenthesized_operator": lambda raw: tree.VarPattern(_path(raw)),
    "any_pattern": lambda raw: tree.Wild(),
    "number": _number,
    "signed_number": _number,
    "string": _string,
    "quoted_string": _quoted_string,
    "character": _character,
    "boolean": lambda raw: tree.Const(_text(raw) == "true"),
    "unit": lambda raw: tree.Const(()),
    "empty_list": lambda raw: tree.ListPattern(()),
    "constructor_path": lambda raw: tree.ConstructPattern(_path(raw)),
    "constructor_pattern": _constructor_pattern,
    "tag": lambda raw: tree.ConstructPattern(_path(raw)),
    "tag_pattern": _constructor_pattern,
    "tuple_pattern": lambda raw: tree.TuplePattern(_flat(raw, "tuple_pattern")),
    "parenthesized_pattern": lambda raw: _pattern(_named(raw)[0]),
    "or_pattern": lambda raw: tree.Or(_flat(raw, "or_pattern")),
    "alias_pattern": lambda raw: tree.Alias(_pattern(_field(raw, "pattern")), _text(_field(raw, "alias"))),
    "cons_pattern": _cons_pattern,
    "list_pattern": lambda raw: tree.ListPattern(_patterns(raw)),
    "array_pattern": lambda raw: tree.ArrayPattern(_patterns(raw)),
    "record_pattern": _record_pattern,
    "range_pattern": _range,
    "lazy_pattern": lambda raw: tree.LazyPattern(_pattern(_named(raw)[0])),
    "exception_pattern": lambda raw: tree.Catch(_pattern(_named(raw)[0])),
    "typed_pattern": lambda raw: tree.TypedPattern(_pattern(_field(raw, "pattern")), _text(_field(raw, "type"))),
    "package_pattern": _package_pattern,
    "local_open_pattern": lambda raw: tree.PatternOpen(_path(_named(raw)[0]), _pattern(_field(raw, "pattern"))),
}
