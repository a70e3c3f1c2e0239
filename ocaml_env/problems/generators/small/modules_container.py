"""Small tasks on containers of the standard library: stacks, queues, buffers and options, and a box of one's own."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, options, texts
from ocaml_env.problems.generators.inputs import words as some_words
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom

__all__ = ["TASKS"]


def _made(module: str, shortest: int = 0, low: int = -9, high: int = 30) -> Input:
    """Stacks or queues made from a list of numbers."""
    inner = lists(integers(low, high), shortest, 6, far=12)

    def made(literal: str) -> str:
        add = "push" if module == "Stack" else "add"
        return f"(let c = {module}.create () in List.iter (fun x -> {module}.{add} x c) {literal}; c)"

    return Input(lambda chance: made(inner.draw(chance)), tuple(map(made, inner.edges)))


_TESTS: Gap = (
    ("even", "x mod 2 = 0"),
    ("odd", "x mod 2 <> 0"),
    ("negative", "x < 0"),
    ("greater than $k", "x > $k"),
    ("at most $k", "x <= $k"),
)
_CONTAINERS = (
    ("stack", "Stack", "s", "top_opt", "the top of the stack"),
    ("queue", "Queue", "q", "peek_opt", "the front of the queue"),
)


def _box(chance: Chance) -> str:
    """A box with some numbers in it."""
    made = "Box.empty"
    for n in chance.numbers(chance.pick((1, 2, 3, 4, 5, 6, 7, 12)), -3, 9):
        made = f"(Box.add {atom(str(n))} {made})"
    return made


TASKS = (
    *(
        Task(
            level=1,
            says=(
                f"`$f {name}` is $what. The parameter is a {word} of numbers.",
                f"Given a {word} `{name}` of numbers, return $what: `$f {name}`. Use the module `{module}`.",
            ),
            names=(f"ask_{word}", f"{word}_value", "inspect"),
            signature=f"int {module}.t -> int",
            code=f"let $f {name} = $what",
            gaps={
                "what": (
                    (f"the number of elements in `{name}`", f"{module}.length {name}"),
                    (f"the sum of all elements of `{name}`", f"{module}.fold ( + ) 0 {name}"),
                    (f"the product of all elements of `{name}`", f"{module}.fold ( * ) 1 {name}"),
                    (f"the greatest of $k and the elements of `{name}`", f"{module}.fold max $k {name}"),
                    (f"the smallest of $k and the elements of `{name}`", f"{module}.fold min $k {name}"),
                    (
                        f"the number of elements of `{name}` that are $test",
                        f"{module}.fold (fun n x -> if $test then n + 1 else n) 0 {name}",
                    ),
                    (f"{end} `{name}`, or $k if it is empty", f"Option.value ({module}.{peek} {name}) ~default:$k"),
                ),
                "test": _TESTS,
                "k": number(2, 15),
            },
            inputs=(_made(module),),
        )
        for word, module, name, peek, end in _CONTAINERS
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the list of the elements of the stack `s`, $how.",
            "Turn a stack `s` of numbers into a list: its elements, $how. That is `$f s`.",
        ),
        names=("list_of_stack", "unstack", "elements"),
        signature="int Stack.t -> int list",
        code="let $f s = $how",
        gaps={
            "how": (
                ("from the top down", "List.of_seq (Stack.to_seq s)"),
                ("from the bottom up", "List.rev (List.of_seq (Stack.to_seq s))"),
                (
                    "from the top down, but only those that are $test",
                    "List.filter (fun x -> $test) (List.of_seq (Stack.to_seq s))",
                ),
                (
                    "from the top down, each multiplied by $k",
                    "List.map (fun x -> $k * x) (List.of_seq (Stack.to_seq s))",
                ),
                ("sorted in ascending order", "List.sort compare (List.of_seq (Stack.to_seq s))"),
                (
                    "from the bottom up, each increased by $k",
                    "List.rev_map (fun x -> x + $k) (List.of_seq (Stack.to_seq s))",
                ),
            ),
            "test": _TESTS,
            "k": number(2, 12),
        },
        inputs=(_made("Stack"),),
    ),
    Task(
        level=1,
        says=(
            "The parameter `o` is an option of a number. `$f o` is $what.",
            "An option is a container of at most one element. For an option `o` of a number, `$f o` is $what.",
        ),
        names=("of_option", "unwrap", "number_in"),
        signature="int option -> int",
        code="let $f o = $what",
        gaps={
            "what": (
                ("the number in it, or $k for `None`", "Option.value o ~default:$k"),
                ("twice the number in it, or $k for `None`", "Option.fold ~none:$k ~some:(fun x -> 2 * x) o"),
                ("the square of the number in it, or $k for `None`", "Option.fold ~none:$k ~some:(fun x -> x * x) o"),
                ("the larger of $m and the number in it, or 0 for `None`", "Option.fold ~none:0 ~some:(max $m) o"),
                ("the number in it plus $k, or just $k for `None`", "$k + Option.value o ~default:0"),
                ("the smaller of $m and the number in it, or 0 for `None`", "Option.fold ~none:0 ~some:(min $m) o"),
            ),
            "k": number(5, 60),
            "m": number(20, 40),
        },
        inputs=(options(integers(-30, 60)),),
    ),
    Task(
        level=1,
        says=(
            "`$f words` is a string of the words in `words`, $how.",
            "Make one string of a list of words, $how: `$f words`. For the empty list it is empty.",
        ),
        names=("join", "one_line", "as_text"),
        signature="string list -> string",
        code="let $f words = $how",
        gaps={
            "how": (
                ("with `$sep` between any two of them", 'String.concat "$sep" words'),
                ("in reverse order, with `$sep` between any two", 'String.concat "$sep" (List.rev words)'),
                (
                    "in alphabetical order, with `$sep` between any two",
                    'String.concat "$sep" (List.sort compare words)',
                ),
                (
                    "in capital letters, with `$sep` between any two",
                    'String.uppercase_ascii (String.concat "$sep" words)',
                ),
                ("without anything between them", 'String.concat "" words'),
                (
                    "each with a capital letter in front, nothing between them",
                    'String.concat "" (List.map String.capitalize_ascii words)',
                ),
            ),
            "sep": (("-",), ("/",), ("+",), (",",), (":",)),
        },
        inputs=(lists(some_words(), 0, 4, far=9),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is an array of $what.",
            "Turn a list `l` into an array, which has $what: that is `$f l`.",
        ),
        names=("array_of", "to_array", "in_array"),
        signature="int list -> int array",
        code="let $f l = Array.of_list $what",
        gaps={
            "what": (
                ("the elements of `l` in reverse order", "(List.rev l)"),
                ("the elements of `l` in ascending order", "(List.sort compare l)"),
                ("the elements of `l` that are $test", "(List.filter (fun x -> $test) l)"),
                ("the elements of `l`, each multiplied by $k", "(List.map (fun x -> $k * x) l)"),
                ("the number $k followed by the elements of `l`", "($k :: l)"),
                ("the elements of `l` followed by the number $k", "(l @ [ $k ])"),
            ),
            "test": _TESTS,
            "k": number(2, 15),
        },
        inputs=(lists(integers(-9, 30), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "Go through `l`: a number that is $undo takes the top off a stack (if there is one), and every other number is "
            "put on it. The stack is empty at first; `$f l` is $what at the end.",
            "A stack is empty at first. For each element of `l`, put it on the stack; but if it is $undo, instead remove "
            "the top, if there is any. `$f l` is $what in the end.",
        ),
        names=("with_stack", "push_and_pop", "history"),
        signature="int list -> int",
        code="let $f l =\n  let s = Stack.create () in\n"
        "  List.iter (fun x -> if $undo then ignore (Stack.pop_opt s) else Stack.push x s) l;\n  $what",
        gaps={
            "undo": (
                ("0", "x = 0"),
                ("negative", "x < 0"),
                ("1", "x = 1"),
                ("even", "x mod 2 = 0"),
                ("less than $k", "x < $k"),
                ("greater than $k", "x > $k"),
            ),
            "what": (
                ("the sum of its elements", "Stack.fold ( + ) 0 s"),
                ("the number of its elements", "Stack.length s"),
                ("its top, or 0 if it is empty,", "Option.value (Stack.top_opt s) ~default:0"),
            ),
            "k": number(2, 6),
        },
        inputs=(lists(integers(-3, 9, far=300), 0, 8, far=15),),
    ),
    Task(
        level=2,
        says=(
            "The queue `q` is not empty. `$f q n` moves its front to the back `n` times, and returns $what then; `n` is "
            "not negative.",
            "Children stand in a queue `q`, which is not empty. `n` times the first one goes to the end. `$f q n` is $what "
            "after that, for `n` at least 0.",
        ),
        names=("rotate", "go_round", "after_turns"),
        signature="int Queue.t -> int -> int",
        code="let $f q n =\n  for _ = 1 to n do\n    Queue.add (Queue.take q) q\n  done;\n  $what",
        gaps={
            "what": (
                ("the element at the front", "Queue.peek q"),
                ("$k times the element at the front", "$k * Queue.peek q"),
                ("the sum of $k and the element at the front", "$k + Queue.peek q"),
                (
                    "the sum of the first two elements (there are at least two)",
                    "let x = Queue.take q in\n  x + Queue.peek q",
                ),
                ("the second element (there are at least two)", "ignore (Queue.take q);\n  Queue.peek q"),
                ("the last element", "Queue.fold (fun _ x -> x) 0 q"),
            ),
            "k": number(2, 12),
        },
        inputs=(_made("Queue", 1), integers(0, 8, far=25)),
    ),
    Task(
        level=2,
        says=(
            "`$f words` is the string that comes out if for each word of the list, in order, $what. Use a buffer.",
            "Write into a buffer: for each word of `words`, from the first to the last, $what. `$f words` is the contents "
            "of the buffer then.",
        ),
        names=("written", "with_buffer", "compose"),
        signature="string list -> string",
        code="let $f words =\n  let b = Buffer.create 16 in\n  List.iter (fun w -> $what) words;\n  Buffer.contents b",
        gaps={
            "what": (
                ("the word and then `$sep` is added", 'Buffer.add_string b (w ^ "$sep")'),
                ("`$sep` and then the word is added", 'Buffer.add_string b ("$sep" ^ w)'),
                ("its first letter is added (no word is empty)", "Buffer.add_char b w.[0]"),
                ("its last letter is added (no word is empty)", "Buffer.add_char b w.[String.length w - 1]"),
                ("the word is added in capital letters", "Buffer.add_string b (String.uppercase_ascii w)"),
                (
                    "the word is added if it has more than $n letters",
                    "if String.length w > $n then Buffer.add_string b w",
                ),
                ("the number of its letters is added", "Buffer.add_string b (string_of_int (String.length w))"),
            ),
            "sep": (("-",), ("/",), ("+",), (";",), ("!",)),
            "n": number(3, 4),
        },
        inputs=(lists(some_words(), 0, 4, far=9),),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` $how. Use a buffer.",
            "Go through the characters of `s` and fill a buffer, so that its contents are `s` $how: that is `$f s`.",
        ),
        names=("rewrite", "filtered", "clean"),
        signature="string -> string",
        code="let $f s =\n  let b = Buffer.create 16 in\n  String.iter (fun c -> $how) s;\n  Buffer.contents b",
        gaps={
            "how": (
                ("without the character `$c`", "if c <> '$c' then Buffer.add_char b c"),
                ("with every `$c` doubled", "if c = '$c' then Buffer.add_char b c;\n    Buffer.add_char b c"),
                ("with a `-` behind every `$c`", "Buffer.add_char b c;\n    if c = '$c' then Buffer.add_char b '-'"),
                ("with every `$c` replaced by `*`", "Buffer.add_char b (if c = '$c' then '*' else c)"),
                ("with all characters doubled", "Buffer.add_char b c;\n    Buffer.add_char b c"),
                ("with only the `$c` that are in it", "if c = '$c' then Buffer.add_char b c"),
            ),
            "c": (("a",), ("e",), ("n",), ("t",)),
        },
        inputs=(texts(0, 8, "aaeenntt bsAENT*-", far=20),),
    ),
    Task(
        level=2,
        says=(
            "`$f k s` takes elements off the stack `s` as long as there is a top and it is $than `k`. It returns $what.",
            "Remove the top of the stack `s` again and again while it is $than `k`, and stop at an empty stack. `$f k s` is "
            "$what.",
        ),
        names=("clear_top", "pop_while", "dig"),
        signature="int -> int Stack.t -> int",
        code="let $f k s =\n  while (not (Stack.is_empty s)) && Stack.top s $than k do\n    ignore (Stack.pop s)\n  done;\n"
        "  $what",
        gaps={
            "than": (("greater than", ">"), ("less than", "<"), ("different from", "<>")),
            "what": (
                ("the number of elements that are left", "Stack.length s"),
                ("the sum of the elements that are left", "Stack.fold ( + ) 0 s"),
                ("the top that is left, or -1 if there is none", "Option.value (Stack.top_opt s) ~default:(-1)"),
            ),
        },
        inputs=(integers(0, 9), _made("Stack", low=0, high=12)),
    ),
    *(
        Task(
            level=2,
            says=(
                f"A module `Box` keeps numbers. `Box.add x box` is the box `$rule; `Box.empty` has nothing in it. "
                f"`$f box` is {words}.",
                f"Write a module `Box` for boxes of numbers: `Box.empty` is one without numbers, `Box.add x box` is `$rule, "
                f"and `$f box` is {words}.",
            ),
            names=(f"Box.{query}",),
            signature="type item = int\n\nmodule Box : sig\n  type t\n\n  val empty : t\n  val add : item -> t -> t\n"
            f"  val {query} : t -> int\nend",
            code="type item = int\n\nmodule Box = struct\n  type t = item list\n\n  let empty = []\n"
            f"  let add x box = $rule\n  let {query} box = {code}\nend",
            gaps={
                "rule": (
                    ("box` with `x` in it, too", "x :: box"),
                    (
                        "box` with `x`, or the same one if `x` is in it already",
                        "if List.mem x box then box else x :: box",
                    ),
                    (
                        "box` with `x`, or the same one if there are already $k numbers in it",
                        "if List.length box >= $k then box else x :: box",
                    ),
                    ("box` with `x`, or the same one if `x` is less than $k", "if x < $k then box else x :: box"),
                ),
                "k": number(3, 6),
            },
            inputs=(Input(_box, ("Box.empty", "(Box.add 4 (Box.add 4 Box.empty))")),),
        )
        for query, words, code in (
            ("size", "how many numbers are in it", "List.length box"),
            ("total", "the sum of the numbers in it", "List.fold_left ( + ) 0 box"),
        )
    ),
)
