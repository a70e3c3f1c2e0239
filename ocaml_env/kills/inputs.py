"""Draws calls of a signature's functions, as OCaml expressions: edge cases first, then random ones.

Arguments are drawn by their types. Types defined by the signature are built by their constructors, and abstract types
by the signature's own functions. Numbers, characters and texts of the reference and of the examples occur often, with
their neighbours, because there a wrong answer differs. Modules, objects and polymorphic variants are not drawn.

Long, because the rules of all types call each other: a list draws its elements, a record its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from random import Random
from typing import NamedTuple

from ocaml_env.kills.interpreter.library.strings import quoted
from ocaml_env.kills.interpreter.literal import atom
from ocaml_env.kills.types import Type, is_instance, parameters, read_type, result
from ocaml_env.problem.signature import parameter_labels
from ocaml_env.verifiers.base import Answer

__all__ = ["Input", "Inputs"]

_DEEPEST = 3  # nested values of the signature's own types
_EDGES = 3  # of each argument, if there are several arguments
_MOST_EDGES = 12  # of one function
_INTS = (100, -100, 1_000, 4_611_686_018_427_387_903, -4_611_686_018_427_387_904)
_FLOATS = ("0.", "1.", "-1.", "0.5", "2.5", "-3.25", "10.", "100.", "1e10")
_LETTERS = "abcXY z09-"
_MUTABLE = ("array", "bytes", "Bytes.t", "ref", "Buffer.t", "Hashtbl.t")
_FUNCTIONS = {  # arguments that are functions, by type
    "int -> int": ("(fun x -> x)", "(fun x -> x + 1)", "(fun x -> x * x)", "(fun x -> - x)"),
    "int -> bool": ("(fun x -> x > 0)", "(fun x -> x mod 2 = 0)", "(fun _ -> true)", "(fun _ -> false)"),
    "int -> int -> int": ("( + )", "( - )", "(fun a b -> 2 * a + b)", "max"),
    "int -> int -> bool": ("( < )", "( = )", "(fun a b -> (a - b) mod 2 = 0)"),
    "int -> string": ("string_of_int", "(fun x -> String.make (abs x mod 4) 'a')"),
    "int -> int option": ("(fun x -> if x > 0 then Some (x * 2) else None)", "(fun x -> Some x)", "(fun _ -> None)"),
    "int -> int list": ("(fun x -> [x; x + 1])", "(fun _ -> [])", "(fun x -> [x])"),
    "string -> int": ("String.length",),
    "string -> string": ("String.uppercase_ascii", '(fun s -> s ^ "a")'),
    "string -> bool": ('(fun s -> s = "")', "(fun s -> String.length s > 1)"),
    "char -> bool": ("(fun c -> c = 'a')", "(fun c -> c >= 'a' && c <= 'z')"),
    "char -> char": ("Char.uppercase_ascii", "(fun c -> c)"),
}

_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_ITEM = re.compile(r"^(?=(?:type|and|exception|module|class|val|external|open|include)\b)", re.MULTILINE)
_TYPE = re.compile(r"(?:type|and)\s+(?:nonrec\s+)?(?P<of>[^=]*?)(?P<name>[a-z_][\w']*)\s*(?:=(?P<body>.*))?", re.DOTALL)
_VALUE = re.compile(r"val\s+(?P<name>[a-z_][\w']*)\s*:(?P<type>.*)", re.DOTALL)
_LITERAL = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*")|(?P<char>'(?:[^'\\\n]|\\(?:[^x\d\n]|x..|\d{3}))')
      | (?<![\w.])(?P<float>\d+\.\d*(?:[eE][+-]?\d+)?)|(?<![\w.])(?P<int>\d+)(?![\w.])""",
    re.VERBOSE | re.DOTALL,
)


class Input(NamedTuple):
    """An expression to compute.

    Attributes:
        function: the function that it shows.
        arguments: the function's arguments in it.
        code: the expression.
        edge: True for an edge case.
    """

    function: str
    arguments: tuple[str, ...]
    code: str
    edge: bool


class _Value(NamedTuple):
    """A value of the signature; each parameter has a label, or ""."""

    name: str
    labels: tuple[str, ...]
    given: tuple[Type, ...]
    result: Type


class _Form(NamedTuple):
    """One form of the values of a type: a text with a gap for each part; ``applied`` if a part is an argument."""

    text: str
    parts: tuple[Type, ...]
    applied: bool = False


class _UnknownTypeError(Exception):
    """No value of this type can be drawn."""


class Inputs:
    """The inputs of a problem.

    Args:
        signature: names the functions and types.
        texts: the reference and the examples, for their constants.
        examples: calls whose arguments are used again.

    Attributes:
        unknown: functions that get no inputs, each with the reason.
    """

    def __init__(self, signature: str, texts: Sequence[str], examples: Sequence[Answer | None] = ()) -> None:
        self.unknown: dict[str, str] = {}
        self._forms: dict[str, tuple[tuple[Type, ...], list[_Form]]] = {}
        self._values: list[_Value] = []
        self._abstract: set[str] = set()
        self._read(_COMMENT.sub(" ", signature))
        self._chance = Random(signature)
        self._constants = _Constants(texts)
        self._variables: Mapping[str, Type] = {}
        self._used: dict[str, list[list[str]]] = {}  # arguments of the examples, by function
        for example in filter(None, examples):
            self._used.setdefault(example.function, []).append([*map(_bare, example.arguments)])

    def draw(self, number: int) -> list[Input]:
        """Up to ``number`` different inputs, the same every time; each function has the same share."""
        self._chance.seed("inputs")
        sources = []
        for value in self._values:
            if self._is_hidden(value):
                continue
            try:
                self._random_input(value)  # fails if a type is unknown
                sources.append(self._inputs(value))
            except _UnknownTypeError as error:
                self.unknown[value.name] = str(error)
        found: dict[str, Input] = {}
        for source in sources:
            share = number // len(sources)
            for each in islice(source, 3 * share):
                share -= each.code not in found
                found.setdefault(each.code, each)
                if share <= 0:
                    break
        return [*found.values()]

    def _read(self, signature: str) -> None:
        for item in _ITEM.split(signature):
            if found := _VALUE.fullmatch(item):
                self._read_value(found["name"], found["type"].strip())
            elif found := _TYPE.fullmatch(item.strip()):
                self._read_definition(found["name"], re.findall(r"'\w+", found["of"]), (found["body"] or "").strip())
            elif item.startswith("module"):
                self.unknown[" ".join(item.partition(":")[0].split())] = "calls of modules are not drawn"

    def _read_value(self, name: str, text: str) -> None:
        labels = tuple(parameter_labels(text))
        try:
            kind = read_type(re.sub(r"\??\b[a-z_][\w']*\s*:", "", text))
        except ValueError:
            self.unknown[name] = f"its type is not known here: {' '.join(text.split())}"
            return
        self._values.append(_Value(name, labels, parameters(kind), result(kind)))

    def _read_definition(self, name: str, variables: Sequence[str], body: str) -> None:
        try:
            self._forms[name] = tuple(map(Type, variables)), _forms(body)
        except ValueError:
            self._abstract.add(name)  # only functions make its values

    # --- calls --------------------------------------------------------------------------------------------------------

    def _inputs(self, value: _Value) -> Iterator[Input]:
        self._variables = {}
        if not value.given:
            yield self._input(value, (), edge=True)
            return
        try:
            kinds = [self._edges(kind) for kind in value.given]
            if len(kinds) > 1:
                kinds = [edges[:_EDGES] for edges in kinds]
            for arguments in islice(product(*kinds), _MOST_EDGES):
                yield self._input(value, arguments, edge=True)
        except _UnknownTypeError:
            pass  # an abstract type has no edge cases
        while True:
            self._variables = {"'a": Type("string")} if self._chance.random() < 0.2 else {}
            try:
                yield self._random_input(value)
            except _UnknownTypeError:
                continue

    def _random_input(self, value: _Value) -> Input:
        arguments = self._arguments(value)
        for place, kind in enumerate(value.given):
            if steps := self._steps(kind):
                start, arguments[place] = arguments[place], "it"
                calls = "".join(f"{self._step(step, kind)}; " for step in steps)
                code = f"let it = {start} in {calls}{self._applied(value, arguments)}"
                return Input(value.name, tuple(arguments), code, False)
        return self._input(value, arguments, edge=False)

    def _input(self, value: _Value, arguments: Sequence[str], *, edge: bool) -> Input:
        """The call; for a function that only changes an argument, the argument after it."""
        code = self._applied(value, arguments)
        if value.result.name == "unit":
            place = next((place for place, kind in enumerate(value.given) if kind.name in _MUTABLE), None)
            if place is None:
                raise _UnknownTypeError("it returns nothing, and changes nothing that can be compared")
            changed = [*arguments[:place], "it", *arguments[place + 1 :]]
            code = f"let it = {arguments[place]} in {self._applied(value, changed)}; it"
        return Input(value.name, tuple(arguments), code, edge)

    def _arguments(self, value: _Value) -> list[str]:
        """Random arguments, or those of an example with some of them changed."""
        used = [each for each in self._used.get(value.name, ()) if len(each) == len(value.given)]
        if not used or any(map(_is_polymorphic, value.given)) or self._chance.random() < 0.5:
            return [self._drawn(kind, 0) for kind in value.given]
        arguments = [*self._chance.choice(used)]
        for place, kind in enumerate(value.given):
            if self._chance.random() < 0.6:
                is_text = arguments[place][:1] == '"'
                arguments[place] = self._edited(arguments[place]) if is_text else self._drawn(kind, 0)
        return arguments

    def _is_hidden(self, value: _Value) -> bool:
        """True if other functions show what this one does: it makes or changes a value of an abstract type."""
        return self._is_abstract(value.result) or (
            value.result.name == "unit" and any(map(self._is_abstract, value.given))
        )

    def _is_abstract(self, kind: Type) -> bool:
        return kind.name in self._abstract

    def _steps(self, kind: Type) -> list[_Value]:
        """A few functions that use a value of a type, if one of them changes it in place."""
        users = [value for value in self._values if kind.name in map(_name, value.given) and value.result != kind]
        if kind.name not in self._abstract or all(value.result.name != "unit" for value in users):
            return []
        return self._chance.choices(users, k=self._chance.randrange(6))

    def _step(self, value: _Value, kind: Type) -> str:
        at = [*map(_name, value.given)].index(kind.name)
        arguments = ["it" if place == at else self._drawn(part, 1) for place, part in enumerate(value.given)]
        call = self._applied(value, arguments)
        return call if value.result.name == "unit" else f"ignore ({call})"

    def _applied(self, value: _Value, arguments: Sequence[str]) -> str:
        words = [value.name]
        for label, argument in zip(value.labels, arguments, strict=True):
            if not label.startswith("?"):
                words.append(f"{label}:{atom(argument)}" if label else atom(argument))
            elif self._chance.random() < 0.5:
                words.append(f"~{label[1:]}:{atom(argument)}")
        return " ".join(words)

    # --- values -------------------------------------------------------------------------------------------------------

    def _edges(self, kind: Type) -> list[str]:
        """A few simple values, the emptiest first."""
        kind = self._variables.get(kind.name, Type("int")) if kind.name.startswith("'") else kind
        parts = [self._edges(part) for part in kind.parts] if _is_container(kind) or kind.name == "*" else []
        match kind.name:
            case "int":
                return ["0", "1", "-1", *map(_int, self._constants.edges)]
            case "bool":
                return ["true", "false"]
            case "string":
                return ['""', '"a"', '" "', '"aa"']
            case "list" | "array" | "Seq.t":
                one, two = parts[0][0], parts[0][1 % len(parts[0])]
                rows = ["", one, f"{one}; {one}", f"{one}; {two}", f"{two}; {one}"]
                return [_CONTAINERS[kind.name].format(row) for row in rows]
            case "option":
                return ["None", f"Some {atom(parts[0][0])}", f"Some {atom(parts[0][-1])}"]
            case "*":
                firsts = [f"({', '.join(each)})" for each in product(*(edges[:2] for edges in parts))]
                return firsts[:4]
        found = dict.fromkeys(self._drawn(kind, _DEEPEST) for _ in range(8))
        return sorted(found, key=len)[:4]

    def _drawn(self, kind: Type, depth: int) -> str:
        """A random value; as an argument it may need parentheses."""
        chance = self._chance
        name, parts = kind.name, kind.parts
        if name.startswith("'"):
            return self._drawn(self._variables.get(name, Type("int")), depth)
        if name in _SIMPLE:
            return getattr(self, f"_{_SIMPLE[name]}")()  # type: ignore[no-any-return]
        if name == "*":
            return f"({', '.join(self._drawn(part, depth) for part in parts)})"
        if name == "->":
            return self._function(kind, depth)
        if name in _CONTAINERS:
            return _CONTAINERS[name].format(self._row(parts[0], depth))
        if name == "option":
            return "None" if chance.random() < 0.3 or depth > _DEEPEST else f"Some {atom(self._drawn(parts[0], depth))}"
        if name in ("result", "Result.t"):
            good = chance.random() < 0.6
            return f"{'Ok' if good else 'Error'} {atom(self._drawn(parts[0 if good else 1], depth))}"
        if name == "ref":
            return f"ref {atom(self._drawn(parts[0], depth))}"
        return self._own(kind, depth)

    def _own(self, kind: Type, depth: int) -> str:
        """A value of a type of the signature, by a constructor or by a function."""
        if kind.name in self._forms:
            variables, forms = self._forms[kind.name]
            known = dict(zip((each.name for each in variables), kind.parts, strict=False))
            flat = [form for form in forms if not any(_mentions(part, self._forms) for part in form.parts)]
            form = self._chance.choice(flat if flat and depth >= _DEEPEST else forms)
            if depth > 2 * _DEEPEST:
                raise _UnknownTypeError(f"no value of type {kind.name} can be drawn: its definition has no end")
            parts = [self._drawn(_replaced(part, known), depth + 1) for part in form.parts]
            return form.text.format(*(map(atom, parts) if form.applied else parts))
        made = [value for value in self._values if value.result.name == kind.name]
        flat_makers = [value for value in made if not any(_mentions(part, {kind.name}) for part in value.given)]
        if not made or depth > 3 * _DEEPEST:
            raise _UnknownTypeError(f"no value of type {kind.name} can be drawn: its definition is not known here")
        maker = self._chance.choice(flat_makers if flat_makers and depth >= _DEEPEST else made)
        known = {}
        is_instance(kind, maker.result, known)
        return self._applied(maker, [self._drawn(_replaced(part, known), depth + 1) for part in maker.given])

    def _row(self, kind: Type, depth: int) -> str:
        chance = self._chance
        size = chance.choice((0, 1, 2, 2, 3, 3, 4, 5, 6, 8)) if depth == 0 else chance.randrange(4 - min(depth, 3))
        if size and chance.random() < 0.4:  # few different elements
            few = [self._drawn(kind, depth + 1) for _ in range(2)]
            return "; ".join(chance.choice(few) for _ in range(size))
        return "; ".join(self._drawn(kind, depth + 1) for _ in range(size))

    def _function(self, kind: Type, depth: int) -> str:
        known = _FUNCTIONS.get(_shown(kind, self._variables))
        if known:
            return self._chance.choice(known)
        if any(_shown(kind, self._variables) == f"{name} -> {name} -> int" for name in ("int", "string", "char")):
            return self._chance.choice(("compare", "(fun a b -> compare b a)"))
        return f"({'fun _ -> ' * len(parameters(kind))}{self._drawn(result(kind), depth + 1)})"

    def _int(self) -> str:
        chance, share = self._chance, self._chance.random()
        if share < 0.35 and self._constants.ints:
            return _int(chance.choice(self._constants.ints) + chance.choice((-1, 0, 0, 1)))
        if share < 0.9:
            return _int(chance.randint(-4, 10) if share < 0.7 else chance.randint(-20, 60))
        return _int(chance.choice(_INTS))

    def _float(self) -> str:
        if self._constants.floats and self._chance.random() < 0.3:
            return self._chance.choice(self._constants.floats)
        if self._chance.random() < 0.2:
            return self._chance.choice(_FLOATS)
        number = self._chance.randint(-32, 96) / 4
        return str(number)

    def _bool(self) -> str:
        return self._chance.choice(("true", "false"))

    def _unit(self) -> str:
        return "()"

    def _char(self) -> str:
        any_letter = chr(self._chance.randint(32, 126))
        return _char(any_letter if self._chance.random() < 0.2 else self._chance.choice(self._constants.letters))

    def _string(self) -> str:
        if self._constants.strings and self._chance.random() < 0.3:
            return self._edited(self._chance.choice(self._constants.strings))
        letters = self._constants.letters
        if self._chance.random() < 0.7:  # few different letters, those of the reference among them
            letters = self._chance.sample(letters, 3) + self._constants.chars[:3]
        size = self._chance.choice((0, 1, 2, 3, 3, 4, 5, 6, 8, 12))
        return _string("".join(self._chance.choice(letters) for _ in range(size)))

    def _bytes(self) -> str:
        return f"Bytes.of_string {self._string()}"

    def _edited(self, literal: str) -> str:
        """A string with a few letters left out, replaced or added."""
        text = _text(literal)
        for _ in range(self._chance.choice((1, 1, 2, 3))):
            place, letter = self._chance.randrange(len(text) + 1), self._chance.choice(self._constants.letters)
            kept = self._chance.choice(("", letter, text[place : place + 1] + letter))
            text = text[:place] + kept + text[place + 1 :]
        return _string(text)


class _Constants:
    """The constants of some OCaml texts, with their neighbours.

    Attributes:
        ints, floats, strings: numbers, and literals of floats and strings.
        chars: characters, and texts of one character.
        letters: all characters of the texts and a few more.
        edges: integers that deserve a test each, with their neighbours.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        found = [match for text in texts for match in _LITERAL.finditer(_COMMENT.sub(" ", text))]
        self.ints = sorted({int(match["int"]) for match in found if match["int"] and len(match["int"]) < 19})
        self.floats = sorted({match["float"] for match in found if match["float"]})
        self.strings = sorted({match["string"] for match in found if match["string"]})
        chars = {_text(match["char"]) for match in found if match["char"]}
        chars |= {_text(literal) for literal in self.strings if len(_text(literal)) == 1}
        self.chars = sorted(chars)
        near = {chr(ord(char) + step) for char in chars for step in (-1, 1) if 0 <= ord(char) + step < 256}
        inner = {letter for literal in self.strings for letter in _text(literal)}
        letters = chars | near | inner
        self.letters = sorted(letters | {letter.swapcase() for letter in letters if letter.isascii()} | set(_LETTERS))
        self.edges = sorted({n + step for n in self.ints for step in (-1, 0, 1)} - {0, 1, -1})[:12]


_SIMPLE = {
    **{name: name for name in ("int", "float", "bool", "unit", "char", "string", "bytes")},
    "String.t": "string",
    "Bytes.t": "bytes",
}
_CONTAINERS = {"list": "[{}]", "array": "[|{}|]", "Seq.t": "List.to_seq [{}]"}


def _is_container(kind: Type) -> bool:
    return kind.name in _CONTAINERS or kind.name in ("option", "result", "ref")


def _name(kind: Type) -> str:
    return kind.name


def _is_polymorphic(kind: Type) -> bool:
    return kind.name.startswith("'") or any(map(_is_polymorphic, kind.parts))


def _mentions(kind: Type, names: Mapping[str, object] | set[str]) -> bool:
    return kind.name in names or any(_mentions(part, names) for part in kind.parts)


def _replaced(kind: Type, known: Mapping[str, Type]) -> Type:
    if kind.name in known:
        return known[kind.name]
    return Type(kind.name, tuple(_replaced(part, known) for part in kind.parts))


def _shown(kind: Type, variables: Mapping[str, Type]) -> str:
    """A type as text; variables are replaced."""
    if kind.name.startswith("'"):
        return _shown(variables.get(kind.name, Type("int")), variables)
    parts = [f"({_shown(part, variables)})" if part.name == "->" else _shown(part, variables) for part in kind.parts]
    if kind.name != "->":
        return " ".join([*parts, kind.name])
    return f"{parts[0]} -> {_shown(kind.parts[1], variables)}"


def _forms(body: str) -> list[_Form]:
    """The forms of a type's values; raises ValueError if they are not known here."""
    if not body or body.startswith("private"):
        raise ValueError("an abstract type, or one that only functions build")
    if body.startswith("{"):
        return [_record(body)]
    if not re.match(r"\||[A-Z]", body):
        return [_Form("{}", (read_type(body),))]
    forms = []
    for alternative in re.split(r"\|", body.removeprefix("|")):
        name, of, given = alternative.strip().partition(" of ")
        given = " ".join(given.split())
        if not re.fullmatch(r"[A-Z][\w']*", name):
            raise ValueError("a constructor of another form")
        if not of:
            forms.append(_Form(name, ()))
        elif given.startswith("{"):
            record = _record(given)
            forms.append(_Form(f"{name} {record.text}", record.parts))
        else:
            kind = read_type(given)
            parts = kind.parts if kind.name == "*" else (kind,)
            several = len(parts) > 1
            forms.append(
                _Form(f"{name} ({', '.join(['{}'] * len(parts))})" if several else f"{name} {{}}", parts, not several)
            )
    return forms


def _record(text: str) -> _Form:
    fields = [re.sub(r"^mutable\s+", "", field.strip()).partition(":") for field in text.strip("{} \n").split(";")]
    named = [(name.strip(), read_type(of.strip())) for name, _, of in fields if name.strip()]
    gaps = "; ".join(f"{name} = {{}}" for name, _ in named)
    return _Form("{{ " + gaps + " }}", tuple(kind for _, kind in named))


def _int(number: int) -> str:
    return {_INTS[-2]: "max_int", _INTS[-1]: "min_int"}.get(number, str(number))


def _bare(text: str) -> str:
    """The text without superfluous parentheses."""
    return re.sub(r"""^\((-?[\w.']+|"(?:[^"\\]|\\.)*")\)$""", r"\1", text, flags=re.DOTALL)


def _string(text: str) -> str:
    return f'"{quoted(text.encode("latin-1", "replace")).decode("latin-1")}"'


def _char(letter: str) -> str:
    return "'\\''" if letter == "'" else "'\"'" if letter == '"' else f"'{_string(letter)[1:-1]}'"


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b"}


def _text(literal: str) -> str:
    """The bytes of a literal of a string or a character, as Latin-1."""

    def plain(match: re.Match[str]) -> str:
        escape = match[1]
        if escape[0] == "\n":
            return ""
        number = int(escape[1:], 16) if escape[0] == "x" else int(escape) if escape.isdigit() else None
        return _ESCAPES.get(escape, escape) if number is None else chr(number % 256)

    inner = literal[1:-1].encode().decode("latin-1")
    return re.sub(r"\\(x[0-9a-fA-F]{2}|\d{3}|\n[ \t]*|.)", plain, inner, flags=re.DOTALL)
