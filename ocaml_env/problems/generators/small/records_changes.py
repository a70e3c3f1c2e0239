"""Small tasks on changing records: a copy with other fields, forbidden changes, and lists of changes."""

from __future__ import annotations

from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, boolean, integers, lists, one_of, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


class _Type(NamedTuple):
    """A type with its values."""

    declared: str
    values: Input


def _record(name: str, /, **fields: tuple[str, Input]) -> _Type:
    declared = "; ".join(f"{field} : {kind}" for field, (kind, _) in fields.items())

    def draw(chance: Chance) -> str:
        return "{ " + "; ".join(f"{field} = {of.draw(chance)}" for field, (_, of) in fields.items()) + " }"

    edges = [
        "{ " + "; ".join(f"{field} = {of.edges[place]}" for field, (_, of) in fields.items()) + " }"
        for place in range(min(2, *(len(of.edges) for _, of in fields.values())))
    ]
    return _Type(f"type {name} = {{ {declared} }}", Input(draw, tuple(edges)))


def _amounts(low: int, high: int) -> Input:
    """Numbers; often two are equal, or one is twice the other."""
    common = [n for n in (-20, -10, 10, 20, 40) if low <= n <= high]
    edges = dict.fromkeys((max(low, 0), 1, high))
    return Input(
        lambda chance: str(chance.pick(common) if chance.happens(0.4) else chance.number(low, high)),
        tuple(map(str, edges)),
    )


def _part_of(name: str, whole: str, part: str, high: int) -> _Type:
    """Records of two numbers; the second is at most the first."""

    def draw(chance: Chance) -> str:
        size = chance.between(1, high)
        of = chance.pick((0, size, *[chance.between(0, size)] * 4))
        title = f"title = {words().draw(chance)}; " if name == "book" else ""
        return f"{{ {title}{whole} = {size}; {part} = {of} }}"

    title = "title : string; " if name == "book" else ""
    return _Type(f"type {name} = {{ {title}{whole} : int; {part} : int }}", Input(draw))


def _either(*choices: Input) -> Input:
    """A value of one of these kinds."""
    return Input(
        lambda chance: chance.pick(choices).draw(chance), tuple(edge for choice in choices for edge in choice.edges)
    )


def _carrying(constructor: str, of: Input) -> Input:
    return Input(lambda chance: f"{constructor} {of.draw(chance)}")


_NAME = one_of('"Ann"', '"Ben"', '"Cleo"', '"Dan"')
_HOURS = Input(
    lambda chance: str(chance.pick((0, 12, 22, 23)) if chance.happens(0.35) else chance.below(24)), ("0", "23")
)
_MINUTES = Input(
    lambda chance: str(chance.pick((0, 1, 45, 59)) if chance.happens(0.3) else chance.number(0, 59)), ("0", "59")
)
_AMOUNT = _amounts(0, 40)
_ACCOUNT = _record("account", owner=("string", _NAME), balance=("int", _amounts(0, 60)))
_PLAYER = _record("player", name=("string", _NAME), score=("int", integers(0, 120)), lives=("int", integers(1, 5)))
_BOOK = _part_of("book", "pages", "read", 60)
_LAMP = _record("lamp", on=("bool", boolean()), level=("int", integers(1, 10)))
_CLOCK = _record("clock", hours=("int", _HOURS), minutes=("int", _MINUTES))
_TANK = _part_of("tank", "size", "filled", 60)
_ITEM = _record("item", label=("string", words()), price=("int", integers(1, 30)), count=("int", integers(0, 9)))
_ROBOT = _record("robot", x=("int", integers(-9, 9)), y=("int", integers(-9, 9)), name=("string", _NAME))

_ORDERS = _Type(
    f"{_ACCOUNT.declared}\n\ntype change = Pay_in of int | Pay_out of int | Clear",
    _either(_carrying("Pay_in", _amounts(0, 30)), _carrying("Pay_out", _amounts(0, 60)), one_of("Clear")),
)
_MOVES = _Type(f"{_ROBOT.declared}\n\ntype move = Up | Down | Left | Right", one_of("Up", "Down", "Left", "Right"))
_BUTTONS = _Type(f"{_LAMP.declared}\n\ntype button = Power | Plus | Minus", one_of("Power", "Plus", "Minus"))

_BALANCE: Gap = (
    ("`n` euros more", "a.balance + n", "pay_in"),
    ("`n` euros less (perhaps below zero)", "a.balance - n", "pay_out"),
    ("a balance of `n`, whatever it was", "n", "set"),
    ("a balance `n` times as large", "a.balance * n", "multiply"),
    ("twice its balance, and `n` euros more", "(2 * a.balance) + n", "double_and_pay_in"),
    ("`n` euros less, but 0 if there is not enough", "max 0 (a.balance - n)", "take"),
    ("`n` euros more and a bonus of $k", "a.balance + n + $k", "pay_in_with_bonus"),
    ("`n` euros less, and a fee of $k taken off (perhaps below zero)", "a.balance - n - $k", "pay_out_with_fee"),
)
_SCORED: Gap = (
    ("$m more points", "score = p.score + $m", "reward"),
    ("one life less", "lives = p.lives - 1", "hit"),
    ("one life more", "lives = p.lives + 1", "heal"),
    ("no points at all", "score = 0", "reset"),
    ("half of the points, rounded down", "score = p.score / 2", "halve"),
    ("$m more points and one life more", "score = p.score + $m; lives = p.lives + 1", "win"),
    ("one life less and no points", "score = 0; lives = p.lives - 1", "lose"),
    ("$k lives and no points", "score = 0; lives = $k", "restart"),
    ("$k more points for each life", "score = p.score + ($k * p.lives)", "bonus"),
    ("its name in capitals", "name = String.uppercase_ascii p.name", "shout"),
    ('`"$title "` before its name', 'name = "$title " ^ p.name', "promote"),
)
_READ: Gap = (
    ("after `n` more pages were read, at most all of them", "read = min b.pages (b.read + n)", "read"),
    ("after the reader has gone back `n` pages, at most to the start", "read = max 0 (b.read - n)", "go_back"),
    (
        "after it was read to the end, and with `n` more pages added to it",
        "pages = b.pages + n; read = b.pages",
        "extend",
    ),
    ("in a new edition with `n` more pages, of which none is read", "pages = b.pages + n; read = 0", "new_edition"),
    ("with `n` pages torn out at the end (at most those not read)", "pages = max b.read (b.pages - n)", "tear"),
    ("with exactly `n` pages read, or all if it has fewer", "read = min n b.pages", "jump"),
)
_LIT: Gap = (
    ("switched on if it was off, and off if it was on", "{ l with on = not l.on }", "toggle"),
    (
        "`n` levels brighter, with $bright as the highest level",
        "{ l with level = min $bright (l.level + n) }",
        "brighter",
    ),
    ("`n` levels darker, with 1 as the lowest level", "{ l with level = max 1 (l.level - n) }", "darker"),
    ("switched on, with its level raised to `n` if it is lower", "{ on = true; level = max l.level n }", "switch_on"),
    (
        "switched off, with its level lowered to `n` if it is higher",
        "{ on = false; level = min l.level n }",
        "switch_off",
    ),
    ("on if its level is at least `n`, and off if not", "{ l with on = l.level >= n }", "switch"),
    ("at level `n` if that is higher than its level", "{ l with level = max l.level n }", "raise"),
)
_TIME: Gap = (
    ("at the full hour, with 0 minutes", "{ c with minutes = 0 }", "full_hour"),
    ("one hour later, where 0 follows on 23", "{ c with hours = (c.hours + 1) mod 24 }", "next_hour"),
    ("$k hours later, where 0 follows on 23", "{ c with hours = (c.hours + $k) mod 24 }", "hours_later"),
    (
        "one minute later in the same hour, where 0 follows on 59",
        "{ c with minutes = (c.minutes + 1) mod 60 }",
        "next_minute",
    ),
    (
        "at the last quarter that is over: 0, 15, 30 or 45 minutes",
        "{ c with minutes = c.minutes / 15 * 15 }",
        "quarter",
    ),
    (
        "at the full hour after it, where 0 follows on 23",
        "{ hours = (c.hours + 1) mod 24; minutes = 0 }",
        "next_full_hour",
    ),
    ("twelve hours later, where 0 follows on 23", "{ c with hours = (c.hours + 12) mod 24 }", "opposite"),
)
_POURED: Gap = (
    (
        "after `n` litres were poured in, where what is too much runs over",
        "{ t with filled = min t.size (t.filled + n) }",
        "pour",
    ),
    ("after `n` litres were let out, or all if there are fewer", "{ t with filled = max 0 (t.filled - n) }", "let_out"),
    ("after it was made larger by `n` litres", "{ t with size = t.size + n }", "enlarge"),
    ("full, and larger by `n` litres than before", "{ size = t.size + n; filled = t.size + n }", "new_full"),
    (
        "after it was emptied and `n` litres were poured in, at most its size",
        "{ t with filled = min t.size n }",
        "refill",
    ),
)
_ALLOWED: Gap = (
    ("if there are at least `n` euros on it", "a.balance >= n", "pay_out"),
    ("if more than `n` euros are on it", "a.balance > n", "pay_out_rest"),
    ("if at least $k euros are left then", "a.balance - n >= $k", "pay_out_keeping"),
    ("if the balance does not fall below -$k then", "a.balance - n >= -$k", "overdraw"),
    ("if `n` is at most $m and there is enough", "n <= $m && n <= a.balance", "pay_out_limited"),
)
_GOODS: Gap = (
    ("with each price raised by $k", "price = i.price + $k", "raise_prices"),
    ("with each price doubled", "price = 2 * i.price", "double_prices"),
    ("with one more of each thing", "count = i.count + 1", "restock"),
    ("with each count set to 0", "count = 0", "sell_out"),
    ("with at least $k of each thing", "count = max $k i.count", "fill_up"),
    ("with each label in capitals", "label = String.uppercase_ascii i.label", "shout"),
    ("with the price of everything lowered by $k, but at least 1", "price = max 1 (i.price - $k)", "reduce_prices"),
    ("with no price over $m", "price = min $m i.price", "cap_prices"),
)
_UNLESS: Gap = (
    (
        "Paying out is only allowed if there is enough on it, and otherwise changes nothing",
        "Pay_out n -> if n <= a.balance then { a with balance = a.balance - n } else a",
    ),
    ("Paying out gives what is there if it is not enough", "Pay_out n -> { a with balance = max 0 (a.balance - n) }"),
    (
        "Paying out costs a fee of 1, and the balance may become negative",
        "Pay_out n -> { a with balance = a.balance - n - 1 }",
    ),
    (
        "Paying out more than $m changes nothing; otherwise the balance may become negative",
        "Pay_out n -> if n <= $m then { a with balance = a.balance - n } else a",
    ),
    (
        "Paying out leaves at least $k on it: otherwise it changes nothing",
        "Pay_out n -> if a.balance - n >= $k then { a with balance = a.balance - n } else a",
    ),
)
_FLOW: Gap = (
    (
        "A change that would make the balance negative is left out",
        "if a.balance + n < 0 then a else { a with balance = a.balance + n }",
        "apply",
    ),
    (
        "A change that would make the balance negative makes it 0",
        "{ a with balance = max 0 (a.balance + n) }",
        "apply_or_zero",
    ),
    (
        "A change that would raise the balance over $top is left out",
        "if a.balance + n > $top then a else { a with balance = a.balance + n }",
        "apply_limited",
    ),
    (
        "For each negative change, a fee of $k is taken off too",
        "{ a with balance = (if n < 0 then a.balance + n - $k else a.balance + n) }",
        "apply_with_fee",
    ),
    (
        "Changes of less than $k, up or down, are left out",
        "if abs n < $k then a else { a with balance = a.balance + n }",
        "apply_large",
    ),
)
_ONE: Gap = (
    ("gets $m points", "{ p with score = p.score + $m } :: rest", "reward"),
    ("loses one life", "{ p with lives = p.lives - 1 } :: rest", "hit"),
    ("starts again with 0 points", "{ p with score = 0 } :: rest", "reset"),
    ("leaves the game", "rest", "remove"),
    ("gets twice as many points", "{ p with score = 2 * p.score } :: rest", "double"),
    ("moves to the end of the list", "rest @ [ p ]", "to_end"),
)
_SENT: Gap = (
    ("if there is enough on `a`", "a.balance >= n", "transfer"),
    ("if at least $k euros are left on `a`", "a.balance - n >= $k", "transfer_keeping"),
    ("if `a` had more than `b` before", "a.balance > b.balance", "share"),
    ("if `n` is at most $m", "n <= $m", "small_transfer"),
    ("if `a` then still has at least as much as `b`", "a.balance - n >= b.balance + n", "fair_transfer"),
)
_ADVANCE: Gap = (
    ("`n` minutes later", "(60 * c.hours) + c.minutes + n", "advance"),
    ("`n` minutes earlier", "(60 * c.hours) + c.minutes - n + 1440", "turn_back"),
    ("`n` quarters of an hour later", "(60 * c.hours) + c.minutes + (15 * n)", "quarters"),
    ("`n` half hours later", "(60 * c.hours) + c.minutes + (30 * n)", "half_hours"),
    ("`n` minutes and one hour later", "(60 * c.hours) + c.minutes + n + 60", "after_hour_and"),
)
_LEVEL: Gap = (
    (
        "With $top points or more, a player gets one life more and loses $top points",
        "{ p with score = score - $top; lives = p.lives + 1 }",
        "award",
    ),
    (
        "With $top points or more, a player gets one life more and starts again with 0 points",
        "{ p with score = 0; lives = p.lives + 1 }",
        "award_and_reset",
    ),
    (
        "With $top points or more, a player stays at $top and gets one life more",
        "{ p with score = $top; lives = p.lives + 1 }",
        "award_and_cap",
    ),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 6),
    "m": number(10, 30),
    "top": number(50, 90),
    "bright": number(6, 10),
    "title": (("Captain",), ("Doctor",), ("Sir",), ("Master",)),
    "low": (("not enough",), ("too little money",), ("no credit",), ("balance too low",)),
    "bad": (("not positive",), ("wrong amount",), ("bad amount",), ("no amount",)),
    "fresh": (
        ("with no points and `n` lives", "name; score = 0; lives = n"),
        ("with `n` points and $k lives", "name; score = n; lives = $k"),
        ("with $m points and `n` lives", "name; score = $m; lives = n"),
        ("with `n` points and one life", "name; score = n; lives = 1"),
        ("with `n` lives, and 10 points for each", "name; score = 10 * n; lives = n"),
    ),
    "balance": _BALANCE,
    "scored": _SCORED,
    "read": _READ,
    "lit": _LIT,
    "time": _TIME,
    "poured": _POURED,
    "allowed": _ALLOWED,
    "goods": _GOODS,
    "unless": _UNLESS,
    "flow": _FLOW,
    "one": _ONE,
    "sent": _SENT,
    "amount": number(1, 9),
    "highest": number(10, 14),
    "little": number(1, 3),
    "advance": _ADVANCE,
    "level": _LEVEL,
}


def _task(
    level: int, of: _Type, says: tuple[str, ...], names: tuple[str, ...], signature: str, code: str, *inputs: Input
) -> Task:
    signature, code = f"{of.declared}\n\nval $f : {signature}", f"{of.declared}\n\n{code}"
    return Task(level=level, says=says, names=names, signature=signature, code=code, gaps=_GAPS, inputs=inputs)


TASKS = (
    _task(
        1,
        _ACCOUNT,
        (
            "`$f a n` is the account `a` with $balance.",
            "Write `$f a n`, which returns a copy of the account `a`: with $balance.",
        ),
        ("$balance", "${balance}_money"),
        "account -> int -> account",
        "let $f a n = { a with balance = $balance }",
        _ACCOUNT.values,
        _AMOUNT,
    ),
    _task(
        1,
        _PLAYER,
        (
            "`$f p` is the player `p` with $scored.",
            "Write `$f p` for a player `p` in a game: it returns the same player, but with $scored.",
        ),
        ("$scored", "${scored}_player"),
        "player -> player",
        "let $f p = { p with $scored }",
        _PLAYER.values,
    ),
    _task(
        1,
        _BOOK,
        (
            "A book has `pages`, of which some are `read`. `$f b n` is the book `b` $read.",
            "Someone reads a book: `read` is the number of pages read so far. `$f b n` is the book `b` $read.",
        ),
        ("$read", "${read}_book"),
        "book -> int -> book",
        "let $f b n = { b with $read }",
        _BOOK.values,
        integers(0, 70),
    ),
    _task(
        1,
        _LAMP,
        (
            "`$f l n` is the lamp `l`, but $lit.",
            "A lamp is on or off, and has a level. Write `$f l n` that returns the lamp `l`, but $lit.",
        ),
        ("$lit", "${lit}_lamp"),
        "lamp -> int -> lamp",
        "let $f l n = $lit",
        _LAMP.values,
        integers(0, 9),
    ),
    _task(
        1,
        _CLOCK,
        (
            "`$f c` is the clock `c`, $time.",
            "A clock has hours from 0 to 23 and minutes from 0 to 59. `$f c` is a clock like `c`, but $time.",
        ),
        ("$time", "${time}_of"),
        "clock -> clock",
        "let $f c = $time",
        _CLOCK.values,
    ),
    _task(
        1,
        _TANK,
        (
            "A tank has a size and is filled with some litres. `$f t n` is the tank `t` $poured.",
            "Write `$f t n`. It returns the tank `t` $poured. (Both numbers of a tank are litres.)",
        ),
        ("$poured", "${poured}_tank"),
        "tank -> int -> tank",
        "let $f t n = $poured",
        _TANK.values,
        integers(0, 70),
    ),
    _task(
        1,
        _ACCOUNT,
        (
            "`$f a n` takes `n` euros off the account `a`, $allowed: then it is `Some` of the new account. Otherwise "
            "it is `None`.",
            "Paying out `n` euros is allowed $allowed. `$f a n` is `Some` of the account `a` after that, or `None` if "
            "it is not allowed.",
        ),
        ("${allowed}_opt", "$allowed"),
        "account -> int -> account option",
        "let $f a n = if $allowed then Some { a with balance = a.balance - n } else None",
        _ACCOUNT.values,
        _AMOUNT,
    ),
    _task(
        1,
        _ITEM,
        (
            "`$f l` is the list `l` of items $goods.",
            "A shop changes its list of items: `$f l` is the list `l` $goods.",
        ),
        ("$goods", "${goods}_of_all"),
        "item list -> item list",
        "let $f l = List.map (fun i -> { i with $goods }) l",
        lists(_ITEM.values, 0, 3, far=8),
    ),
    _task(
        1,
        _PLAYER,
        (
            "`$f name n` makes a new player with this name, $fresh.",
            "Someone called `name` joins the game. `$f name n` is a new player, $fresh.",
        ),
        ("new_player", "join", "make_player"),
        "string -> int -> player",
        "let $f name n = { $fresh }",
        _NAME,
        integers(0, 30),
    ),
    _task(
        2,
        _ORDERS,
        (
            "`$f a c` is the account `a` after the change `c`: `Pay_in n` adds `n`, `Pay_out n` takes `n` off, and "
            "`Clear` sets the balance to 0. $unless.",
            "Write `$f a c`, which applies a change to an account: pay in an amount, pay out an amount, or clear it, "
            "so that the balance is 0. $unless.",
        ),
        ("apply", "change_account", "update"),
        "account -> change -> account",
        "let $f a c =\n  match c with\n  | Pay_in n -> { a with balance = a.balance + n }\n  | $unless\n"
        "  | Clear -> { a with balance = 0 }",
        _ACCOUNT.values,
        _ORDERS.values,
    ),
    _task(
        2,
        _ACCOUNT,
        (
            "`$f a l` adds each number in `l`, in turn, to the balance of the account `a`; a negative number takes "
            "money off. $flow.",
            "The list `l` has changes of a balance, positive and negative ones. `$f a l` is the account `a` after all "
            "of them. $flow.",
        ),
        ("${flow}_all", "run_changes"),
        "account -> int list -> account",
        "let $f a l =\n  let change a n = $flow in\n  List.fold_left change a l",
        _ACCOUNT.values,
        lists(_amounts(-40, 40), 0, 4, far=10),
    ),
    _task(
        2,
        _PLAYER,
        (
            "In the list `l` of players, the first one called `name` $one. `$f name l` is the new list; if there is "
            "no such player, it is `l`.",
            "`$f name l` is the list `l` of players after the first one with this name $one. Without such a player "
            "nothing changes.",
        ),
        ("$one", "${one}_player"),
        "string -> player list -> player list",
        "let rec $f name l =\n  match l with\n  | [] -> []\n"
        "  | p :: rest -> if p.name = name then $one else p :: $f name rest",
        _NAME,
        lists(_PLAYER.values, 0, 5, far=9),
    ),
    _task(
        2,
        _ACCOUNT,
        (
            "`$f a b n` moves `n` euros from the account `a` to the account `b`, $sent. It is the pair of both "
            "accounts, unchanged if that is not so.",
            "Move `n` euros from `a` to `b`, but only $sent. `$f a b n` is the pair of the two accounts after that; "
            "otherwise they stay as they are.",
        ),
        ("$sent", "send_money"),
        "account -> account -> int -> account * account",
        "let $f a b n =\n  if $sent then\n"
        "    ({ a with balance = a.balance - n }, { b with balance = b.balance + n })\n  else (a, b)",
        _ACCOUNT.values,
        _ACCOUNT.values,
        _AMOUNT,
    ),
    _task(
        2,
        _ACCOUNT,
        (
            '`$f a n` pays out `n` euros $allowed, and is `Ok` of the new account. If not, it is `Error "$low"`, and '
            '`Error "$bad"` if `n` is 0 or less.',
            'If `n` is not positive, `$f a n` is `Error "$bad"`. Otherwise `n` euros are paid out from `a` $allowed: '
            'the result is `Ok` of the account, or `Error "$low"`.',
        ),
        ("${allowed}_result", "try_to_pay"),
        "account -> int -> (account, string) result",
        'let $f a n =\n  if n <= 0 then Error "$bad"\n  else if $allowed then Ok { a with balance = a.balance - n }\n'
        '  else Error "$low"',
        _ACCOUNT.values,
        _amounts(-3, 40),
    ),
    _task(
        2,
        _CLOCK,
        (
            "`$f c n` is the clock `c`, $advance. It shows hours from 0 to 23 and minutes from 0 to 59, and 0:00 "
            "follows on 23:59. `n` is from 0 to 90.",
            "What does the clock `c` show $advance? `$f c n` answers that, with hours from 0 to 23 and minutes from 0 "
            "to 59. (`n` is from 0 to 90.)",
        ),
        ("$advance", "${advance}_clock"),
        "clock -> int -> clock",
        "let $f c n =\n  let t = $advance in\n  { hours = t / 60 mod 24; minutes = t mod 60 }",
        _CLOCK.values,
        integers(0, 90),
    ),
    _task(
        2,
        _MOVES,
        (
            "`$f r m` moves the robot `r` by $amount: `Up` and `Down` change `y`, up being larger, `Left` and `Right` "
            "change `x`. The name stays.",
            "`Up` and `Down` change the `y` of a robot by $amount, `Left` and `Right` its `x`; up and right the "
            "numbers grow. `$f r m` is the robot `r` after the move `m`.",
        ),
        ("move", "move_robot", "step"),
        "robot -> move -> robot",
        "let $f r m =\n  match m with\n  | Up -> { r with y = r.y + $amount }\n"
        "  | Down -> { r with y = r.y - $amount }\n  | Left -> { r with x = r.x - $amount }\n"
        "  | Right -> { r with x = r.x + $amount }",
        _ROBOT.values,
        _MOVES.values,
    ),
    _task(
        2,
        _BUTTONS,
        (
            "`$f l b` is the lamp `l` after the button `b`: `Power` switches it on or off, `Plus` raises the level by "
            "$little, up to $highest, and `Minus` lowers it by $little, down to 1.",
            "A lamp has three buttons: `Power` turns it on or off, `Plus` and `Minus` change the level by $little, "
            "which stays from 1 to $highest. `$f l b` is the lamp `l` after `b`.",
        ),
        ("press", "press_button", "use_button"),
        "lamp -> button -> lamp",
        "let $f l b =\n  match b with\n  | Power -> { l with on = not l.on }\n"
        "  | Plus -> { l with level = min $highest (l.level + $little) }\n"
        "  | Minus -> { l with level = max 1 (l.level - $little) }",
        _LAMP.values,
        _BUTTONS.values,
    ),
    _task(
        2,
        _PLAYER,
        (
            "`$f p n` gives the player `p` `n` points. $level.",
            "Add `n` points to the score of `p`. $level. `$f p n` is the player after that.",
        ),
        ("$level", "${level}_player"),
        "player -> int -> player",
        "let $f p n =\n  let score = p.score + n in\n  if score >= $top then $level else { p with score }",
        _PLAYER.values,
        integers(0, 40, far=200),
    ),
)
