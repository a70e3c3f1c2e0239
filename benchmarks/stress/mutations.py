"""Makes unlikely programs from real ones by a few random edits of their tokens.

Long, because it has a function for each edit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

__all__ = ["mutated"]

_TOKEN = re.compile(
    r"\(\*.*?\*\)|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\\d{3}|\\x..|\\.)'|[a-z_][\w']*|[A-Z][\w']*|[~?]\w+:?|'\w+"
    r"|\d[\w.]*|`\w+|#\w+|\[[<>|]|\|\]|\[@+|\{<|>\}|[!$%&*+\-./:<=>?@^|~#]+|\S",
    re.DOTALL,
)

_ITEMS = frozenset(("let", "type", "module", "exception", "class", "open", "include", "external"))
_OPENING = frozenset(("(", "[", "{", "begin", "struct", "sig", "object", "do"))
_CLOSING = frozenset((")", "]", "}", "end", "done"))
_FIXED = re.compile(
    "and|as|begin|class|constraint|do|done|else|end|exception|external|for|fun|function|functor|if|in|include|inherit"
    "|initializer|let|match|method|module|mutable|new|object|of|open|private|rec|sig|struct|then|to|try|type|val"
    r"|virtual|when|while|with|->|=|<-|:=|::|[|;:.]|\.\."
)
_UNFINISHED = frozenset(
    ("in", "then", "else", "of", "with", "when", "if", "match", "try", "and", "rec", "let", "fun", "and")
)

_WRAPPERS = (
    ("module M = struct", "end include M"),
    ("module F (X : sig type t end) = struct", "end include F (struct type t = int end)"),
    ("module F (X : sig type t val x : t end) = struct", "end module G = F module H = G (M)"),
    ("module rec M : sig end = struct", "end"),
    ("module rec M : sig type t end = struct type t = N.t", "end and N : sig type t end = struct type t = M.t end"),
    ("let f () = let module M = struct", "end in ()"),
    ("include (struct", "end : sig end)"),
    ("module type S = module type of struct", "end"),
    ("open struct", "end"),
)

_SPICE_TYPES = """\
'a
int
_
'a list
(int -> 'a)
< m : 'a; .. >
[> `A | `B of 'a ]
[< `A ]
(module S)
(module S with type t = int)
M.t
F(M).t
int Map.Make(String).t
Set.Make(M).t
('a, 'b) result
#c
c
(< m : 'b. 'b -> 'b > as 'a)
('a * 'a as 'a)
t
'a t
(int, string) t
int t t""".splitlines()

_SPICE_ITEMS = """\
type t = ..
type t += A
type 'a t = T of 'a
type 'a t = private 'a
type nonrec t = t
type 'a t = 'a constraint 'a = int
type _ t = I : int t | S : string t
type t = A of { x : int }
type 'a t = { f : 'b. 'b -> 'a } [@@unboxed]
type 'a c = < m : 'a; .. > as 'a
module M = struct type t = int let x = 1 end
module type S = sig type t val x : t end
module type S = sig module type T module M : T end
module type U = S with type t := int
module type V = sig include S with type t = int end
module F (X : S) = struct type u = X.t let y = X.x end
module F (X : S) (Y : S with type t = X.t) = struct include Y end
module G = F (M)
module A = String
module A = M
module rec R : sig type t = S of Q.t end = R and Q : sig type t = R.t end = Q
module type W = S with module type T = sig end
include M
include (M : S)
include struct type t end
open struct type t = A end
class c = object method m = 1 end
class virtual c = object method virtual m : 'a end
class ['a] c = object (self : 'b) method m : 'a = assert false method n = self end
class c (x : 'a) = object inherit d val mutable y = x end
class type ct = object method m : int end
class type ['a] ct = object ('a) end
class p x = object (self) method m : unit = x self end
class q x = let _ = new p x in p x
let f x = ignore (new p x); object inherit p x end
let f x = x (object method m = () end); object method n = 1 inherit p x end
module rec R : sig val x : 'a Q.t -> unit end = struct let x _ = () end and Q : sig type 'a t end = struct type t end
module N : sig type ('a, 'b) t val f : ('a, 'b) t end = struct type 'a t let f = assert false end
module type Q = sig module type E := sig end type t := (module E) end
let f x = let T y = x in Seq.cons Seq.empty y
exception E of int
exception E = Not_found
let f (type a) (x : a t) : a = match x with _ -> assert false
let f : type a. a t -> a = function _ -> .
let f (module X : S) = X.x
let f (T x) = x
let x = (module M : S)
let rec f = fun x -> g x and g = fun x -> f x
let ( let* ) x f = f x
let lazy x = lazy 1
let x = ref []
let o = object (self) method m = self#n method n = 1 end""".splitlines()

# Constructs from the rarely used parts of the type checker.
_SPICE = """\
'a
'a.
(type a)
type t = ..
type t += A
private
constraint 'a = int
nonrec
lazy
assert false
module rec M : sig end = struct end
module M = struct let x = 1 end
module type S = sig type t val x : t end
module F (X : sig type t end) = struct type u = X.t end
module A = String
open struct type t end
include M
with type t = int
with type t := int
with module M = M
with module type S = sig end
(module S)
(val x : S)
class c = object method m = 1 end
class virtual c = object method virtual m : 'a end
object (self : 'a) end
inherit c
#c
< m : 'a; .. >
[> `A | `B of 'a]
[< `A]
as 'a
exception E of int
?(x = 1)
~x
let open M in
let module M = struct end in
fun (type a) ->
function _ -> .
and
rec
type _ t = I : int t | S : string t
[@@unboxed]
ref
mutable
external f : int -> int = "f"
M.t
F(M).t
{ x with y = 1 }
:>
: int
-> 'a
list
when true
| exception _ -> ()
let rec f x = f
if
match x with""".splitlines()


def mutated(text: str, donors: Sequence[str], rng: random.Random) -> str:
    """Returns a program with one to six random edits. Most results still parse.

    Args:
        text: the program.
        donors: programs to take parts from.
        rng: chooses the edits.
    """
    tokens = _tokens(text)
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6))):
        edits = _MILD if rng.random() < 0.85 else _WILD
        rng.choice(edits)(tokens, donors, rng)
        tokens = tokens or ["()"]
    return " ".join(tokens)


def _tokens(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text) if not token.startswith("(*")] or ["()"]


def _items(tokens: Sequence[str]) -> list[int]:
    """Guesses from tokens where the items of a structure begin; the first index is 0, the last is the end."""
    starts, depth, before = [0], 0, ";;"
    for at, token in enumerate(tokens):
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth == 0 and token in _ITEMS and at and before not in _UNFINISHED and before[-1] not in "=<>:;,|&@^+-*/":
            starts.append(at)
        before = token
    return [*starts, len(tokens)]


def _item(tokens: Sequence[str], rng: random.Random) -> slice:
    bounds = _items(tokens)
    number = rng.randrange(len(bounds) - 1)
    return slice(bounds[number], bounds[number + 1])


Edit = Callable[[list[str], Sequence[str], random.Random], None]


def _somewhere(tokens: Sequence[str], rng: random.Random, *, most: int = 12) -> slice:
    start = rng.randrange(len(tokens))
    return slice(start, start + rng.randint(1, most))


def _drop(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    del tokens[_somewhere(tokens, rng, most=3)]


def _double(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    part = tokens[_somewhere(tokens, rng)]
    tokens[rng.randrange(len(tokens)) : 0] = part


def _drop_item(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    del tokens[_item(tokens, rng)]


def _move_item(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    at = _item(tokens, rng)
    part = tokens[at]
    if rng.random() < 0.5:
        del tokens[at]
    tokens[_item(tokens or ["()"], rng).start : 0] = part


def _item_of_another(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    other = _tokens(rng.choice(donors))
    tokens[_item(tokens, rng)] = [*tokens[_item(tokens, rng)], *other[_item(other, rng)]]


def _spice_item(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    at = _item(tokens, rng).start
    tokens[at:at] = [rng.choice(_SPICE_ITEMS)]


def _wrap_item(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    at = _item(tokens, rng)
    before, after = rng.choice(_WRAPPERS)
    tokens[at] = [before, *tokens[at], after]


def _swap_arguments(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    """Swaps two neighbouring arguments, a common mistake."""
    simple = ("lower", "upper", "number")
    pairs = [at for at in range(len(tokens) - 1) if _sort(tokens[at]) in simple and _sort(tokens[at + 1]) in simple]
    if pairs:
        at = rng.choice(pairs)
        tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]


def _parameters(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    """Changes the parameters of a type, a class or a functor."""
    places = [at for at, token in enumerate(tokens[:-2]) if token in ("type", "class", "module", "and")]
    if not places:
        return
    at = rng.choice(places) + 1
    if tokens[at - 1] == "module":
        tokens[at + 1 : at + 1] = [rng.choice(("(X : sig end)", "(X : sig type t end)", "()"))]
    elif tokens[at - 1] == "class":
        tokens[at:at] = [rng.choice(("['a]", "virtual", "['a, 'b]"))]
    elif tokens[at].startswith("'"):
        tokens[at : at + 1] = rng.choice(([], ["('a, 'b)"], ["_"]))
    else:
        tokens[at:at] = [rng.choice(("'a", "('a, 'b)", "_", "+'a", "!'a", "'a 'b"))]


def _type(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    """Replaces or inserts a type."""
    places = [at for at, token in enumerate(tokens[:-1]) if token in (":", "of", "->")]
    if places:
        at = rng.choice(places) + 1
        tokens[at : at + 1] = [rng.choice(_SPICE_TYPES)]


def _swap(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    a, b = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[a], tokens[b] = tokens[b], tokens[a]


def _like(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    """Replaces a token by one of the same sort, from this program or another one."""
    at = rng.randrange(len(tokens))
    source = tokens if rng.random() < 0.6 else _tokens(rng.choice(donors))
    same = [token for token in source if _sort(token) == _sort(tokens[at]) and token != tokens[at]]
    if same:
        tokens[at] = rng.choice(same)


def _rename(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    """Renames all uses of a name to another name of the program."""
    names = sorted({token for token in tokens if _sort(token) in ("lower", "upper")})
    if names:
        old = rng.choice(names)
        new = rng.choice([name for name in names if _sort(name) == _sort(old)])
        tokens[:] = [new if token == old else token for token in tokens]


def _graft(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    other = _tokens(rng.choice(donors))
    tokens[rng.randrange(len(tokens)) : 0] = other[_somewhere(other, rng)]


def _spice(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    at = rng.randrange(len(tokens))
    tokens[at : at + rng.randint(0, 1)] = [rng.choice(_SPICE)]


def _append(tokens: list[str], donors: Sequence[str], rng: random.Random) -> None:
    tokens += _tokens(rng.choice(donors))


def _sort(token: str) -> str:
    if _FIXED.fullmatch(token) or not (token[0].isalnum() or token[0] in "_'\"`#!$%&*+-/<=>?@^|~"):
        return token
    if token[0].isalpha() or token[0] == "_":
        return "upper" if token[0].isupper() else "lower"
    return "number" if token[0].isdigit() else token[0] if token[0] in "'\"`#" else "operator"


_MILD: tuple[Edit, ...] = (
    *(_like, _like, _rename, _type, _type, _swap_arguments, _swap_arguments, _parameters, _parameters),
    *(_drop_item, _move_item, _item_of_another, _item_of_another, _spice_item, _spice_item, _wrap_item, _append),
)
_WILD: tuple[Edit, ...] = (_drop, _double, _swap, _graft, _spice)
