"""Small tasks on types with a parameter: boxes, pairs, chains and the like, with elements of any type."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, tuples, words
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom

__all__ = ["TASKS"]

_INTS, _NEAR, _SIX, _FEW, _WORDS = integers(-9, 20), integers(-2, 6), integers(0, 5), integers(0, 3), words()

_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "sign": (("-",), (" and ",), ("/",), (" or ",), ("+",), (", ",)),
    "boxed": (("that thing alone", "[ x ]"), ("that thing twice", "[ x; x ]"), ("`d` and that thing", "[ d; x ]")),
    "bare": (("the empty list", "[]"), ("the list of `d` alone", "[ d ]"), ("the list of `d` twice", "[ d; d ]")),
    "same": (
        ("holds a thing greater than `x`", "y > x"),
        ("holds a thing less than `x`", "y < x"),
        ("holds a thing that is at least `x`", "y >= x"),
        ("holds a thing that is at most `x`", "y <= x"),
    ),
    "truth": (("`true`", "true"), ("`false`", "false")),
    "choice": (
        ("the first", "a", "first"),
        ("the second", "b", "second"),
        ("the greater", "max a b", "greater"),
        ("the smaller", "min a b", "smaller"),
    ),
    "listed": (
        ("the first element and then the second", "[ a; b ]"),
        ("the second element and then the first", "[ b; a ]"),
        ("the first element, the second, and the first again", "[ a; b; a ]"),
        ("each element twice: the first, the first, the second, the second", "[ a; a; b; b ]"),
        ("the first element once and the second twice", "[ a; b; b ]"),
    ),
    "inserted": (
        ("`x` before the two elements", "[ x; a; b ]"),
        ("`x` between the two elements", "[ a; x; b ]"),
        ("`x` after the two elements", "[ a; b; x ]"),
        ("`x` between the two elements in reverse order", "[ b; x; a ]"),
        ("`x` before each of the two elements", "[ x; a; x; b ]"),
    ),
    "rebuilt": (
        ("with its elements exchanged", "(b, a)", "swap"),
        ("with its first element in both places", "(a, a)", "first_twice"),
        ("with its second element in both places", "(b, b)", "second_twice"),
        ("with the smaller element in both places", "(min a b, min a b)", "smaller"),
        ("with the greater element in both places", "(max a b, max a b)", "greater"),
    ),
    "about": (
        ("`x` is one of the two elements", "x = a || x = b"),
        ("neither element is equal to `x`", "x <> a && x <> b"),
        ("`x` is greater than the first element", "x > a"),
        ("`x` lies between the two elements or is equal to one", "(a <= x && x <= b) || (b <= x && x <= a)"),
    ),
    "crossed": (
        ("the first elements of both", "(a, c)"),
        ("the second elements of both", "(b, d)"),
        ("the first element of `p` and the second of `q`", "(a, d)"),
        ("the second element of `p` and the first of `q`", "(b, c)"),
        ("the greater element of `p` and the greater element of `q`", "(max a b, max c d)"),
    ),
    "few": (
        ("from left to right", "[ a; b ]"),
        ("from right to left", "[ b; a ]"),
        ("from left to right, the last of two once more at the end", "[ a; b; b ]"),
    ),
    "tag": (
        ('`"$word "` followed by the old label', '"$word " ^ r.label'),
        ('the old label followed by `" $word"`', 'r.label ^ " $word"'),
        ("the old label in capitals", "String.uppercase_ascii r.label"),
        ("the old label, capitalised,", "String.capitalize_ascii r.label"),
        ('`"$word"`', '"$word"'),
    ),
    "word": (("new",), ("old",), ("sold",), ("fragile",), ("spare",), ("heavy",)),
    "pushed": (
        ("`x` as a new topmost item", "items = x :: s.items; size = s.size + 1"),
        ("`x` put on top twice", "items = x :: x :: s.items; size = s.size + 2"),
        ("`x` as a new lowest item", "items = s.items @ [ x ]; size = s.size + 1"),
        ("`x` alone in place of all its items", "items = [ x ]; size = 1"),
        ("`x` as its topmost and as its lowest item", "items = (x :: s.items) @ [ x ]; size = s.size + 2"),
    ),
    "where": (("on top", "x :: t.items"), ("at the bottom", "t.items @ [ x ]")),
    "added": (("at the end", "(a, x)"), ("at the beginning", "(x, a)")),
    "full": (
        ("the first is dropped, and `x` comes last", "Two (b, x)"),
        ("`x` replaces the first of them", "Two (x, b)"),
        ("`x` replaces the second of them", "Two (a, x)"),
        ("`x` alone remains", "One x"),
    ),
    "how": (("", "[ x ]"), (", each of them twice in a row", "[ x; x ]"), (", each three times", "[ x; x; x ]")),
    "item": number(2, 5),
    "group": (("", "0"), (", plus 1", "1"), (", plus $k", "$k")),
    "newest": (
        ("first", "if key = k then Some v else $f k rest"),
        ("last", "match $f k rest with None when key = k -> Some v | found -> found"),
    ),
    "kept": (
        ("without the bindings of `k`", "if key = k then $f k rest else Bind (key, v, $f k rest)"),
        ("with the bindings of `k` only", "if key = k then Bind (key, v, $f k rest) else $f k rest"),
        (
            "with each binding of a key above `k` twice",
            "if key > k then Bind (key, v, Bind (key, v, $f k rest)) else Bind (key, v, $f k rest)",
        ),
    ),
}


def _link(end: str, link: str, of: Input) -> Input:
    """Chains of up to five elements, a few of nine."""

    def built(items: list[str]) -> str:
        return end if not items else f"{link} ({items[0]}, {built(items[1:])})"

    def draw(chance: Chance) -> str:
        return built([of.draw(chance) for _ in range(chance.between(1, 5) if chance.happens(0.92) else 9)])

    return Input(draw, (end, *(built([edge] * size) for edge in of.edges[:2] for size in (1, 3))))


def _either(empty: str, full: str, of: Input) -> Input:
    """One of two constructors; the second one holds something."""

    def draw(chance: Chance) -> str:
        return empty if chance.happens(0.25) else f"{full} {atom(of.draw(chance))}"

    return Input(draw, (empty, *(f"{full} {atom(edge)}" for edge in of.edges[:2])))


def _tagged(constructor: str, of: Input) -> Input:
    return Input(lambda chance: f"{constructor} {of.draw(chance)}", tuple(f"{constructor} {edge}" for edge in of.edges))


def _picked(*of: Input) -> Input:
    return Input(lambda chance: chance.pick(of).draw(chance), tuple(edge for choice in of for edge in choice.edges[:1]))


def _on_box(kind: str, empty: str, full: str) -> tuple[Task, ...]:
    """Tasks on a type that is an option under another name."""
    declared = f"type 'a {kind} = {empty} | {full} of 'a\n\n"
    return (
        Task(
            level=1,
            says=(
                f"`$f d b` is what the {kind} `b` holds, or `d` if it is `{empty}`.",
                f"What is in the {kind} `b`? `$f d b` returns it, and `d` if there is nothing in it.",
                f"Write `$f d b` to take the thing out of a {kind}; where there is none, `d` stands in for it.",
            ),
            names=("content", f"open_{kind}", "content_or"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> 'a",
            code=f"{declared}let $f d b = match b with {full} x -> x | {empty} -> d",
            inputs=(_WORDS, _either(empty, full, _WORDS)),
        ),
        Task(
            level=1,
            says=(
                f"If the {kind} `b` holds a thing, `$f d b` is a list of $boxed. If it is `{empty}`, the result is $bare.",
                f"Make a list of what is in the {kind} `b`: `$f d b` lists $boxed, but is $bare for `{empty}`.",
            ),
            names=("to_list", f"list_of_{kind}", "unpack"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> 'a list",
            code=f"{declared}let $f d b = match b with {full} x -> $boxed | {empty} -> $bare",
            gaps=_GAPS,
            inputs=(_WORDS, _either(empty, full, _WORDS)),
        ),
        Task(
            level=1,
            says=(
                f"`$f x b` tells if the {kind} `b` $same. For `{empty}` it is $truth.",
                f"Is it true that the {kind} `b` $same? Write `$f x b`, which is $truth where `b` is `{empty}`.",
            ),
            names=("check", f"in_{kind}", "fits"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> bool",
            code=f"{declared}let $f x b = match b with {full} y -> $same | {empty} -> $truth",
            gaps=_GAPS,
            inputs=(_NEAR, _either(empty, full, _NEAR)),
        ),
        Task(
            level=2,
            says=(
                f"`$f a b` is `{full}` of the pair of what `a` and `b` hold, the thing in `$one` first. If either of "
                f"them is `{empty}`, so is the result.",
                f"Put two into one: if both hold something, `$f a b` holds the pair of both, beginning with that "
                f"of `$one`; otherwise it is `{empty}`.",
            ),
            names=("both", "zip", f"join_{kind}"),
            signature=f"{declared}val $f : 'a {kind} -> 'a {kind} -> ('a * 'a) {kind}",
            code=f"{declared}let $f a b =\n  match (a, b) with\n  | {full} x, {full} y -> {full} $one\n  | _ -> {empty}",
            gaps={"one": (("a", "(x, y)"), ("b", "(y, x)"))},
            inputs=(_either(empty, full, _WORDS), _either(empty, full, _WORDS)),
        ),
        Task(
            level=2,
            says=(
                f"`$f l` is the list of what the elements of `l` hold, in their order. One that is `{empty}` $skip.",
                f"Open every {kind} of the list `l`, and list what is in them. One that is `{empty}` $skip. Write `$f l`.",
            ),
            names=("contents", "open_all", "collect"),
            signature=f"{declared}val $f : 'a {kind} list -> 'a list",
            code=f"{declared}let rec $f l =\n  match l with\n  | [] -> []\n  | {empty} :: rest -> $skip\n"
            f"  | {full} x :: rest -> x :: $f rest",
            gaps={"skip": (("is left out", "$f rest"), ("ends the list, whatever follows", "[]"))},
            inputs=(lists(_either(empty, full, _WORDS), 0, 5, far=11),),
        ),
    )


def _on_twin(kind: str, twin: str) -> tuple[Task, ...]:
    """Tasks on a type of two elements."""
    declared = f"type 'a {kind} = {twin} of 'a * 'a\n\n"
    numbers, texts = _tagged(twin, tuples(_INTS, _INTS)), _tagged(twin, tuples(_WORDS, _WORDS))
    return (
        Task(
            level=1,
            says=(
                "`$f p` is $choice of the two elements of `p`.",
                f"A {kind} `p` has two elements. Write `$f p` that returns $choice of them.",
            ),
            names=("$choice", f"${{choice}}_of_{kind}", "pick"),
            signature=f"{declared}val $f : 'a {kind} -> 'a",
            code=f"{declared}let $f ({twin} (a, b)) = $choice",
            gaps=_GAPS,
            inputs=(numbers,),
        ),
        Task(
            level=1,
            says=(
                "`$f p` is a list of the elements of `p`: $listed.",
                f"Turn a {kind} `p` into a list that holds $listed. Write `$f p`.",
            ),
            names=("to_list", f"list_of_{kind}", "elements"),
            signature=f"{declared}val $f : 'a {kind} -> 'a list",
            code=f"{declared}let $f ({twin} (a, b)) = $listed",
            gaps=_GAPS,
            inputs=(texts,),
        ),
        Task(
            level=1,
            says=("`$f x p` is a list: $inserted of `p`.", "Write `$f x p`, which lists $inserted of `p`."),
            names=("insert", f"with_{kind}", "spread"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> 'a list",
            code=f"{declared}let $f x ({twin} (a, b)) = $inserted",
            gaps=_GAPS,
            inputs=(_WORDS, texts),
        ),
        Task(
            level=1,
            says=(
                f"`$f p` is the {kind} `p` $rebuilt.",
                f"Write a function `$f p` that returns the {kind} `p` $rebuilt.",
            ),
            names=("$rebuilt", f"${{rebuilt}}_{kind}", "rebuild"),
            signature=f"{declared}val $f : 'a {kind} -> 'a {kind}",
            code=f"{declared}let $f ({twin} (a, b)) = {twin} $rebuilt",
            gaps=_GAPS,
            inputs=(numbers,),
        ),
        Task(
            level=1,
            says=(
                f"For a {kind} `p` of two elements, `$f x p` tells if $about.",
                f"Compare `x` with the two elements of the {kind} `p`: `$f x p` is `true` if $about.",
            ),
            names=("check", f"ask_{kind}", "holds"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> bool",
            code=f"{declared}let $f x ({twin} (a, b)) = $about",
            gaps=_GAPS,
            inputs=(_SIX, _tagged(twin, tuples(_SIX, _SIX))),
        ),
        Task(
            level=1,
            says=(
                f"`$f p q` is a {kind} of $crossed.",
                f"Build one {kind} of two, `p` and `q`: `$f p q` holds $crossed.",
            ),
            names=("cross", f"mix_{kind}", "combine"),
            signature=f"{declared}val $f : 'a {kind} -> 'a {kind} -> 'a {kind}",
            code=f"{declared}let $f ({twin} (a, b)) ({twin} (c, d)) = {twin} $crossed",
            gaps=_GAPS,
            inputs=(numbers, numbers),
        ),
    )


_WALK: Gap = (
    ("from the first to the last", "x :: $f rest"),
    ("from the last to the first", "$f rest @ [ x ]"),
    ("from the first to the last, each of them twice in a row", "x :: x :: $f rest"),
    ("from the first to the last, and then back from the last to the first", "(x :: $f rest) @ [ x ]"),
)
_TESTED: Gap = (
    ("equal to `y`", "x = y"),
    ("different from `y`", "x <> y"),
    ("greater than `y`", "x > y"),
    ("less than `y`", "x < y"),
)


def _chain_gaps(link: str) -> dict[str, Gap]:
    """Gaps for lists under another name, with this constructor."""
    return {
        "walk": _WALK,
        "edit": (
            ("with `y` after each element", f"{link} (x, {link} (y, $f y rest))"),
            ("with `y` before each element", f"{link} (y, {link} (x, $f y rest))"),
            ("without the elements equal to `y`", f"if x = y then $f y rest else {link} (x, $f y rest)"),
            (
                "with every element equal to `y` twice",
                f"{link} (x, if x = y then {link} (x, $f y rest) else $f y rest)",
            ),
        ),
        "tested": _TESTED,
        "joined": (
            ("the elements of `a`, then those of `b`", f"{link} (x, $f rest b)"),
            ("one of `a`, one of `b` and so on; when one ends, the rest of the other", f"{link} (x, $f b rest)"),
            ("the elements of `a`, each twice in a row, then those of `b`", f"{link} (x, {link} (x, $f rest b))"),
        ),
        "made": (
            ("the elements of `l` in their order", f"{link} (x, $f rest)"),
            ("each element of `l` twice in a row", f"{link} (x, {link} (x, $f rest))"),
        ),
    }


def _in_chain(kind: str, end: str, link: str) -> tuple[Task, ...]:
    """Tasks on walking through such a list, element by element."""
    declared = f"type 'a {kind} = {end} | {link} of 'a * 'a {kind}\n\n"
    gaps = _chain_gaps(link)
    return (
        Task(
            level=2,
            says=(
                f"A {kind} is empty (`{end}`) or has a first element and a rest. `$f c` lists its elements $walk.",
                f"Write `$f c` to turn a {kind} `c` into the list of its elements, $walk. `{end}` gives `[]`.",
            ),
            names=("to_list", f"list_of_{kind}", "elements"),
            signature=f"{declared}val $f : 'a {kind} -> 'a list",
            code=f"{declared}let rec $f c =\n  match c with\n  | {end} -> []\n  | {link} (x, rest) -> $walk",
            gaps=gaps,
            inputs=(_link(end, link, _WORDS),),
        ),
        Task(
            level=2,
            says=(
                f"`$f y c` is the {kind} `c` $edit. Of `{end}` nothing but `{end}` can be made.",
                f"Return the {kind} `c` $edit: that is the work of `$f y c`. `{end}` stays as it is.",
            ),
            names=("edit", f"change_{kind}", "rework"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> 'a {kind}",
            code=f"{declared}let rec $f y c =\n  match c with\n  | {end} -> {end}\n  | {link} (x, rest) -> $edit",
            gaps=gaps,
            inputs=(_FEW, _link(end, link, _FEW)),
        ),
        Task(
            level=2,
            says=(
                f"`$f y c` is the number of elements of the {kind} `c` that are $tested; `{end}` has no elements.",
                f"How many elements of the {kind} `c` are $tested? Write `$f y c` to count them, with 0 for `{end}`.",
            ),
            names=("count", f"count_in_{kind}", "how_many"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> int",
            code=f"{declared}let rec $f y c =\n  match c with\n  | {end} -> 0\n"
            f"  | {link} (x, rest) -> (if $tested then 1 else 0) + $f y rest",
            gaps=gaps,
            inputs=(_FEW, _link(end, link, _FEW)),
        ),
        Task(
            level=2,
            says=(
                f"`$f y c` is `Some` of the first element of the {kind} `c` that is $tested, or `None` if there is none.",
                f"Find the first element that is $tested in the {kind} `c`. `$f y c` is that element in `Some`, or `None`.",
            ),
            names=("find", f"find_in_{kind}", "search"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> 'a option",
            code=f"{declared}let rec $f y c =\n  match c with\n  | {end} -> None\n"
            f"  | {link} (x, rest) -> if $tested then Some x else $f y rest",
            gaps={
                **gaps,
                "tested": (("greater than `y`", "x > y"), ("less than `y`", "x < y"), ("at least `y`", "x >= y")),
            },
            inputs=(integers(2, 12), _link(end, link, integers(0, 15))),
        ),
    )


def _chain_whole(kind: str, end: str, link: str) -> tuple[Task, ...]:
    """Tasks on the last element, on two such lists, and on one made from a list."""
    declared = f"type 'a {kind} = {end} | {link} of 'a * 'a {kind}\n\n"
    gaps = _chain_gaps(link)
    chain = _link(end, link, _WORDS)
    return (
        Task(
            level=2,
            says=(
                f"`$f d c` is the last element of the {kind} `c`, or `d` if `c` is `{end}`.",
                f"What stands at the end of the {kind} `c`? `$f d c` is its last element, and `d` where there is none.",
            ),
            names=("last", f"last_of_{kind}", "final"),
            signature=f"{declared}val $f : 'a -> 'a {kind} -> 'a",
            code=f"{declared}let rec $f d c =\n  match c with\n  | {end} -> d\n  | {link} (x, rest) -> $f x rest",
            inputs=(_WORDS, chain),
        ),
        Task(
            level=2,
            says=(
                f"`$f a b` is one {kind} made of two: $joined.",
                f"Join two values of the type `{kind}`. In `$f a b` come $joined.",
            ),
            names=("join", f"join_{kind}s", "append"),
            signature=f"{declared}val $f : 'a {kind} -> 'a {kind} -> 'a {kind}",
            code=f"{declared}let rec $f a b =\n  match a with\n  | {end} -> b\n  | {link} (x, rest) -> $joined",
            gaps=gaps,
            inputs=(chain, chain),
        ),
        Task(
            level=2,
            says=(
                f"Build a {kind} from a list: `$f l` has $made, and is `{end}` for the empty list.",
                f"Write `$f l` that makes a {kind} of a list. It holds $made; `[]` becomes `{end}`.",
            ),
            names=("of_list", f"{kind}_of_list", "build"),
            signature=f"{declared}val $f : 'a list -> 'a {kind}",
            code=f"{declared}let rec $f l =\n  match l with\n  | [] -> {end}\n  | x :: rest -> $made",
            gaps=gaps,
            inputs=(lists(_WORDS),),
        ),
    )


def _on_chain(kind: str, end: str, link: str) -> tuple[Task, ...]:
    """Tasks on lists under another name."""
    return (*_in_chain(kind, end, link), *_chain_whole(kind, end, link))


_STACK = "type 'a stack = { items : 'a list; size : int }\n\n"
_TABLE = "type ('k, 'v) table = Nothing | Bind of 'k * 'v * ('k, 'v) table\n\n"
_FEWER = "type 'a few = Zero | One of 'a | Two of 'a * 'a\n\n"
_LABELLED = "type 'a labelled = { label : string; value : 'a }\n\n"
_NESTED = "type 'a nested = Item of 'a | Group of 'a nested list\n\n"


def _labelled(chance: Chance) -> str:
    return f"{{ label = {_WORDS.draw(chance)}; value = {_INTS.draw(chance)} }}"


def _stack(chance: Chance) -> str:
    items = [_WORDS.draw(chance) for _ in range(chance.between(0, 5))]
    return f"{{ items = [{'; '.join(items)}]; size = {len(items)} }}"


def _nested(chance: Chance, depth: int, whole: bool = True) -> str:
    if depth == 0 or (not whole and chance.happens(0.5)):
        return f"Item {_WORDS.draw(chance)}"
    return f"Group [{'; '.join(_nested(chance, depth - 1, whole=False) for _ in range(chance.pick((0, 1, 1, 2, 2, 3, 3, 5))))}]"


def _table(chance: Chance) -> str:
    made = "Nothing"
    for _ in range(chance.between(0, 5) if chance.happens(0.92) else 9):
        made = f"Bind ({_FEW.draw(chance)}, {_WORDS.draw(chance)}, {made})"
    return made


_LABELS = Input(_labelled, ('{ label = "a"; value = 0 }',))
_STACKS = Input(_stack, ("{ items = []; size = 0 }", '{ items = ["a"]; size = 1 }'))
_NESTS = Input(
    lambda chance: _nested(chance, chance.pick((3, 3, 3, 5))),
    ("Group []", 'Item "a"', "Group [Group []]", 'Group [Group [Group [Group [Item "a"]; Item "b"]]; Item "c"]'),
)
_TABLES = Input(_table, ("Nothing",))
_FEWS = _picked(_tagged("One", _WORDS), *[_tagged("Two", tuples(_WORDS, _WORDS))] * 2)._replace(
    edges=("Zero", 'One "a"', 'Two ("b", "b")', 'Two ("a", "b")', 'Two ("b", "a")')
)

TASKS = (
    *_on_box("box", "Empty", "Full"),
    *_on_box("drawer", "Bare", "With"),
    *_on_twin("twin", "Twin"),
    *_on_twin("couple", "Couple"),
    *_on_chain("chain", "End", "Link"),
    *_on_chain("row", "Stop", "Then"),
    Task(
        level=1,
        says=(
            "`$f t` lists the elements of `t` $few.",
            "Write `$f t`: it turns `t`, which holds no, one or two elements, into a list of them, $few.",
        ),
        names=("to_list", "elements", "list_of_few"),
        signature=f"{_FEWER}val $f : 'a few -> 'a list",
        code=f"{_FEWER}let $f t = match t with Zero -> [] | One a -> [ a ] | Two (a, b) -> $few",
        gaps=_GAPS,
        inputs=(_FEWS,),
    ),
    Task(
        level=1,
        says=(
            "`$f d t` is the only element of `t` if there is one, $choice of its two elements if there are two, and `d` if "
            "there is none.",
            "Choose an element of `t`: $choice of two, the only one, or, if there is none, `d`. Write `$f d t`.",
        ),
        names=("choose", "pick", "${choice}_or"),
        signature=f"{_FEWER}val $f : 'a -> 'a few -> 'a",
        code=f"{_FEWER}let $f d t = match t with Zero -> d | One a -> a | Two (a, b) -> $choice",
        gaps=_GAPS,
        inputs=(_WORDS, _FEWS),
    ),
    Task(
        level=1,
        says=(
            "`$f r` is the record `r` with $tag as its new label. Its value stays.",
            "Change the label of `r` and nothing else: `$f r` has $tag as its label.",
        ),
        names=("relabel", "mark", "new_label"),
        signature=f"{_LABELLED}val $f : 'a labelled -> 'a labelled",
        code=f"{_LABELLED}let $f r = {{ r with label = $tag }}",
        gaps=_GAPS,
        inputs=(_LABELS,),
    ),
    Task(
        level=1,
        says=(
            "`$f x s` is the stack `s` with $pushed. The field `size` is the number of the items.",
            "The items of a stack begin with the topmost one, and `size` tells how many they are. Write `$f x s`, which is "
            "`s` with $pushed.",
        ),
        names=("push", "put", "add"),
        signature=f"{_STACK}val $f : 'a -> 'a stack -> 'a stack",
        code=f"{_STACK}let $f x s = {{ $pushed }}",
        gaps=_GAPS,
        inputs=(_WORDS, _STACKS),
    ),
    Task(
        level=2,
        says=(
            "The topmost item of a stack is the first one, and `size` is their number. `$f s t` takes it off `s` and puts "
            "it $where of `t`; the result is the pair of both stacks. If `s` is empty, nothing changes.",
            "Move one item: $where of the stack `t` comes the topmost (first) item of `s`, which loses it. `$f s t` is the pair "
            "of the new stacks, or of `s` and `t` as they are if `s` has no items.",
        ),
        names=("move", "move_one", "transfer"),
        signature=f"{_STACK}val $f : 'a stack -> 'a stack -> 'a stack * 'a stack",
        code=f"{_STACK}let $f s t =\n  match s.items with\n  | [] -> (s, t)\n"
        "  | x :: rest -> ({ items = rest; size = s.size - 1 }, { items = $where; size = t.size + 1 })",
        gaps=_GAPS,
        inputs=(_STACKS, _STACKS),
    ),
    Task(
        level=2,
        says=(
            "`$f x t` is `t` with the new element `x` $added. There is room for two: where `t` has two elements already, "
            "$full.",
            "Put `x` into `t`, $added. If `t` is full, that is, has two elements, then $full. Write `$f x t`.",
        ),
        names=("add", "insert", "put_in"),
        signature=f"{_FEWER}val $f : 'a -> 'a few -> 'a few",
        code=f"{_FEWER}let $f x t =\n  match t with\n  | Zero -> One x\n  | One a -> Two $added\n  | Two (a, b) -> $full",
        gaps=_GAPS,
        inputs=(_WORDS, _FEWS),
    ),
    Task(
        level=2,
        says=(
            "Groups may hold groups. `$f t` is the list of all items in `t`, however deep they are, from left to right$how.",
            "Write `$f t` to list the items of `t` from left to right, whatever groups they are in$how. A group may be empty.",
        ),
        names=("flatten", "items", "to_list"),
        signature=f"{_NESTED}val $f : 'a nested -> 'a list",
        code=f"{_NESTED}let rec $f t =\n  match t with\n  | Item x -> $how\n  | Group l -> List.concat_map $f l",
        gaps=_GAPS,
        inputs=(_NESTS,),
    ),
    Task(
        level=2,
        says=(
            "`$f t` is a number: an item counts $item, and a group counts as much as all that is in it$group.",
            "Add up `t`: $item for each item, and for a group the sum of what is in it$group. Write `$f t`.",
        ),
        names=("weight", "count", "size"),
        signature=f"{_NESTED}val $f : 'a nested -> int",
        code=f"{_NESTED}let rec $f t =\n  match t with\n  | Item _ -> $item\n"
        "  | Group l -> List.fold_left (fun sum x -> sum + $f x) $group l",
        gaps=_GAPS,
        inputs=(_NESTS,),
    ),
    Task(
        level=2,
        says=(
            "A table binds keys to values, newest first. `$f k t` is `Some` of the value of the $newest binding of the key "
            "`k` in `t`, or `None` if there is none.",
            "Look for the key `k` in the table `t`, from its beginning. `$f k t` is the value of the $newest binding of `k`, "
            "in `Some`; if there is no such key, it is `None`.",
        ),
        names=("find", "lookup", "value_of"),
        signature=f"{_TABLE}val $f : 'k -> ('k, 'v) table -> 'v option",
        code=f"{_TABLE}let rec $f k t =\n  match t with\n  | Nothing -> None\n  | Bind (key, v, rest) -> $newest",
        gaps=_GAPS,
        inputs=(_FEW, _TABLES),
    ),
    Task(
        level=2,
        says=(
            "`$f k t` is the table `t` $kept, in the same order.",
            "Write `$f k t` for tables of keys and values: the result is `t` $kept; the order stays.",
        ),
        names=("clean", "change", "without"),
        signature=f"{_TABLE}val $f : 'k -> ('k, 'v) table -> ('k, 'v) table",
        code=f"{_TABLE}let rec $f k t =\n  match t with\n  | Nothing -> Nothing\n  | Bind (key, v, rest) ->\n    $kept",
        gaps=_GAPS,
        inputs=(_FEW, _TABLES),
    ),
)
