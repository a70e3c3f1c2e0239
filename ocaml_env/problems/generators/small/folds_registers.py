"""Small tasks on folds: each element changes a counter, a balance, a text or a pair of numbers."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, boolean, floats, integers, lists, one_of, texts, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_TEXT = texts(0, 14, far=30)


def _cased(chance: Chance) -> str:
    """Words, some in capitals, some with the same letter repeated."""
    drawn = _TEXT.draw(chance)
    if chance.happens(0.15):
        return drawn.upper()
    return f'"{chance.character() * chance.between(1, 12)}"' if chance.happens(0.1) else drawn


_MOVES = lists(one_of("Up 2", "Up 3", "Up 5", "Down 1", "Down 4", "Down 9", "Up 12", "Home"))
_GAMES = lists(one_of("Won", "Drawn", "Lost"))

_GAPS: dict[str, Gap] = {
    "k": number(3, 30),
    "d": number(2, 5),
    "size": number(3, 5),
    "test": (
        ("even", "x mod 2 = 0"),
        ("odd", "x mod 2 <> 0"),
        ("negative", "x < 0"),
        ("positive", "x > 0"),
        ("greater than $k", "x > $k"),
        ("less than $k", "x < $k"),
    ),
    "counter": (
        ("begins at $k, and each number in `l` is added to it", "( + ) $k"),
        ("begins at $k, and each number in `l` is subtracted from it", "( - ) $k"),
        ("begins at $k, and rises to each number in `l` that is greater", "max $k"),
        ("begins at $k, and falls to each number in `l` that is less", "min $k"),
        ("begins at $d, and is multiplied by each number in `l`", "( * ) $d"),
        ("begins at $k, and goes down by $d at each number in `l`", "(fun n _ -> n - $d) $k"),
        (
            "begins at 0, and goes up by 1 at each number in `l` that is $test",
            "(fun n x -> if $test then n + 1 else n) 0",
        ),
        (
            "begins at 0, and each number in `l` that is $test is added to it",
            "(fun n x -> if $test then n + x else n) 0",
        ),
        ("begins at $k, and the square of each number in `l` is added to it", "(fun n x -> n + (x * x)) $k"),
    ),
    "sign": (("an exclamation mark", "!"), ("a comma", ","), ("a space", " "), ("a full stop", "."), ("a hyphen", "-")),
    "text": (
        ("all words joined, with nothing between them", "s ^ w"),
        ("all words joined, the last one first, with nothing between them", "w ^ s"),
        ("all words joined, each followed by $sign", "s ^ w ^ $mark"),
        ("all words joined, each with $sign before it", "s ^ $mark ^ w"),
        ("all words joined, the last one first, each followed by $sign", "w ^ $mark ^ s"),
        ("the first letters of all words joined", "s ^ String.sub w 0 1"),
        ("the word that comes last in the alphabet (the empty string if there is none)", "max s w"),
    ),
    "mark": (("", '"$sign"'),),
    "vote": (
        ("the number of votes that are `true`", "if vote then n + 1 else n"),
        ("the number of `true` votes minus the number of `false` ones", "if vote then n + 1 else n - 1"),
        ("the sum of all votes, where `true` counts $k and `false` $d", "if vote then n + $k else n + $d"),
        ("how many votes at the end of `votes` are `true`, back to the last `false`", "if vote then n + 1 else 0"),
        ("how many votes at the end of `votes` are `false`, back to the last `true`", "if vote then 0 else n + 1"),
    ),
    "letter": (
        ("equal to the letter $c", "c = '$c'"),
        ("digits", "c >= '0' && c <= '9'"),
        ("capital letters from A to Z", "c >= 'A' && c <= 'Z'"),
        ("letters from a to $c", "c >= 'a' && c <= '$c'"),
        ("other than spaces", "c <> ' '"),
    ),
    "c": (("e",), ("i",), ("m",), ("o",), ("r",), ("t",)),
    "paid": (
        ("There are $k.0 euros in a box, and all `amounts` are put into it", "( +. ) $k."),
        ("There are $k.0 euros in a purse, and all `amounts` are paid from it, even into debt", "( -. ) $k."),
        ("A bid begins at $k.0 euros, and rises to each of the `amounts` that is greater", "max $k."),
        ("A price begins at $k.0 euros, and falls to each of the `amounts` that is less", "min $k."),
    ),
    "back": (
        ("all elements of `l`", "x :: back"),
        ("all elements of `l`, each of them twice", "x :: x :: back"),
        ("all elements of `l`, each increased by $k", "(x + $k) :: back"),
        ("all elements of `l`, each multiplied by $d", "($d * x) :: back"),
        ("those elements of `l` that are $test", "if $test then x :: back else back"),
        ("the elements of `l` with 0 in place of each that is $test", "(if $test then 0 else x) :: back"),
    ),
    "both": (
        ("the sum and the number of the elements", "(a + x, b + 1)"),
        ("the sum of the positive and the sum of the other elements", "if x > 0 then (a + x, b) else (a, b + x)"),
        ("the sum of the elements and the sum of their squares", "(a + x, b + (x * x))"),
        ("how many elements are $test and how many are not", "if $test then (a + 1, b) else (a, b + 1)"),
        ("the sum of the elements and the greatest of them (or 0, if that is greater)", "(a + x, max b x)"),
        ("the number of elements and the greatest of them (or 0, if that is greater)", "(a + 1, max b x)"),
        ("the greatest and the least of the elements and 0", "(max a x, min b x)"),
    ),
    "rule": (
        ("`x` is added, but a result below 0 becomes 0", "max 0 (n + x)"),
        ("`x` is added, but a result above $cap becomes $cap", "min $cap (n + x)"),
        ("`x` is subtracted, if `n` is at least as great as it", "if n >= x then n - x else n"),
        ("`n` becomes 0 if `x` is 0, and otherwise `x` is added", "if x = 0 then 0 else n + x"),
        ("`n` is doubled if `x` is 0, and otherwise `x` is added", "if x = 0 then 2 * n else n + x"),
        ("`x` is added if it is $test, and subtracted otherwise", "if $test then n + x else n - x"),
        ("`n` goes up by 1 if `x` is greater than `n`, and down by 1 otherwise", "if x > n then n + 1 else n - 1"),
    ),
    "cap": number(31, 40),
    "home": (("to floor 0", "0"), ("to floor $k", "$k"), ("back to floor $d", "$d"), ("one floor up", "level + 1")),
    "down": (("down by `n` floors", "level - n"), ("down by `n` floors, but not below floor 0", "max 0 (level - n)")),
    "word": (
        ("the longest word, or the first of several such words", "String.length w > String.length best"),
        ("the longest word, or the last of several such words", "String.length w >= String.length best"),
        ("the word of more than $size letters that comes last in the alphabet", "String.length w > $size && w > best"),
        ("the word with the letter $c in it that comes last in the alphabet", "String.contains w '$c' && w > best"),
        ("the word with the letter $c in it that comes last in `words`", "String.contains w '$c'"),
        ("the word of at most $size letters that comes last in `words`", "String.length w <= $size"),
    ),
    "over": (("highest", "max best (n + x)", "highest"), ("lowest", "min best (n + x)", "lowest")),
    "points": (
        ("$d points, a draw 1 and a loss none", "Won -> n + $d | Drawn -> n + 1 | Lost -> n"),
        ("1 point, a draw none, and a loss costs 1 point", "Won -> n + 1 | Drawn -> n | Lost -> n - 1"),
        ("$k points, a draw $d, and a loss costs 1 point", "Won -> n + $k | Drawn -> n + $d | Lost -> n - 1"),
        ("1 point, a draw none, and after a loss all points are gone", "Won -> n + 1 | Drawn -> n | Lost -> 0"),
        (
            "$d points, a draw 1, and a loss halves the points, rounded down",
            "Won -> n + $d | Drawn -> n + 1 | Lost -> n / 2",
        ),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "A counter $counter. `$f l` is its value in the end.",
            "`$f l` goes through the list `l` and returns the last value of a counter. It $counter.",
        ),
        names=("counter", "final_value", "tally"),
        signature="int list -> int",
        code="let $f l = List.fold_left $counter l",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=(
            "`$f words` is a string: $text.",
            "Make one string of the list `words`: $text. Call the function `$f words`.",
        ),
        names=("join_words", "collect", "string_of_words"),
        signature="string list -> string",
        code='let $f words = List.fold_left (fun s w -> $text) "" words',
        gaps=_GAPS,
        inputs=(lists(words()),),
    ),
    Task(
        level=1,
        says=(
            "The list `votes` holds booleans. `$f votes` is $vote.",
            "Given a list `votes` of booleans, return $vote: `$f votes`.",
        ),
        names=("count_votes", "poll", "vote_total"),
        signature="bool list -> int",
        code="let $f votes = List.fold_left (fun n vote -> $vote) 0 votes",
        gaps=_GAPS,
        inputs=(lists(boolean()),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` counts the characters of the string `s` that are $letter.",
            "How many characters of the string `s` are $letter? `$f s` is the answer.",
        ),
        names=("count_chars", "how_often", "number_of"),
        signature="string -> int",
        code="let $f s = String.fold_left (fun n c -> if $letter then n + 1 else n) 0 s",
        gaps=_GAPS,
        inputs=(Input(_cased, ('""', '"AEIMORT"', '"aeimort"', '"/09:@AZ[`az{"', '"   "')),),
    ),
    Task(
        level=1,
        says=(
            "$paid. `$f amounts` is what it comes to in the end.",
            "$paid. Write `$f amounts`, which tells the final amount.",
        ),
        names=("final_amount", "in_the_end", "settle"),
        signature="float list -> float",
        code="let $f amounts = List.fold_left $paid amounts",
        gaps=_GAPS,
        inputs=(lists(floats(0, 30)),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list of $back, in reverse order.",
            "From the end of `l` to its beginning, list $back: `$f l`.",
        ),
        names=("backwards", "collect", "reverse_some"),
        signature="int list -> int list",
        code="let $f l = List.fold_left (fun back x -> $back) [] l",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is a pair of numbers for the list `l`: $both. For the empty list both are 0.",
            "For the list `l`, return $both as a pair: `$f l`. An empty list gives `(0, 0)`.",
        ),
        names=("two_values", "pair_of", "report"),
        signature="int list -> int * int",
        code="let $f l =\n  let step (a, b) x = $both in\n  List.fold_left step (0, 0) l",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` keeps a number `n`, which begins at $k, and goes through `l`. For each element `x`, $rule. The last `n` is "
            "the result.",
            "A number `n` is $k at the beginning. For each element `x` of the list `l`, in order, $rule. What is `n` in the "
            "end? It is `$f l`.",
        ),
        names=("follow", "run", "last_value"),
        signature="int list -> int",
        code="let $f l =\n  let step n x = $rule in\n  List.fold_left step $k l",
        gaps=_GAPS,
        inputs=(lists(one_of("0", "1", "4", "9", "15", "28", "-3", "-12", "-30", "7", "22"), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "A lift is on floor $d. `Up n` takes it up by `n` floors, `Down n` takes it $down, and `Home` takes it $home. "
            "`$f moves` is the floor after all moves.",
            "`$f moves` is where a lift is after a list of moves, if it starts on floor $d. `Up n` goes up by `n` floors, "
            "`Down n` goes $down, and `Home` goes $home.",
        ),
        names=("lift", "last_floor", "ride"),
        signature="type move = Up of int | Down of int | Home\n\nval $f : move list -> int",
        code="type move = Up of int | Down of int | Home\n\nlet $f moves =\n"
        "  let step level = function Up n -> level + n | Down n -> $down | Home -> $home in\n"
        "  List.fold_left step $d moves",
        gaps=_GAPS,
        inputs=(_MOVES,),
    ),
    Task(
        level=2,
        says=(
            "A team has 0 points. Each win is worth $points. `$f games` is what it has after the list `games`.",
            "How many points does a team have after all `games`? It has 0 at first. A win is worth $points. Write `$f games`.",
        ),
        names=("points", "score", "season"),
        signature="type game = Won | Drawn | Lost\n\nval $f : game list -> int",
        code="type game = Won | Drawn | Lost\n\nlet $f games =\n  let step n = function $points in\n"
        "  List.fold_left step 0 games",
        gaps=_GAPS,
        inputs=(_GAMES,),
    ),
    Task(
        level=2,
        says=(
            "`$f words` is $word. If the list `words` has no such word, it is the empty string.",
            "Find $word. `$f words` does that for a list of words; if there is no such word, it is the empty string.",
        ),
        names=("best_word", "find_word", "winner"),
        signature="string list -> string",
        code='let $f words =\n  let better best w = if $word then w else best in\n  List.fold_left better "" words',
        gaps=_GAPS,
        inputs=(lists(words()),),
    ),
    Task(
        level=2,
        says=(
            "An account has $k coins, and the numbers in `l` are added to it one by one (a negative one is taken away). "
            "`$f l` is the $over amount that was ever in it, at the beginning or later.",
            "The amount in an account is $k at first, and changes by each number in `l`, in order. `$f l` is the $over that "
            "it ever was, $k included.",
        ),
        names=("record", "${over}_amount", "extreme"),
        signature="int list -> int",
        code="let $f l =\n  let step (n, best) x = (n + x, $over) in\n  snd (List.fold_left step ($k, $k) l)",
        gaps=_GAPS,
        inputs=(lists(integers(-20, 20)),),
    ),
)
