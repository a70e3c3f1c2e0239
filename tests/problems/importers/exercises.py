"""A small track in the shape of Exercism's OCaml track; its exercises are written anew."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write_track"]

_RUN = 'let () = run_test_tt_main ("all" >::: tests)\n'


def _exercise(track: Path, slug: str, *, interface: str, tests: str, example: str, libraries: str = "ounit2") -> None:
    folder = track / "exercises" / "practice" / slug
    for name, text in {
        ".docs/instructions.md": f"# Instructions\n\nSolve {slug}.\n",
        ".docs/instructions.append.md": "## For OCaml\n\nMind the types.\n",
        ".meta/example.ml": example,
        f"{slug.replace('-', '_')}.mli": interface,
        "test.ml": tests,
        "dune": f"(executable\n (name test)\n (libraries {libraries}))\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def write_track(path: Path) -> None:
    """Writes three exercises; one needs a library that is not supplied."""
    _exercise(
        path,
        "price-tag",
        libraries="base ounit2",
        interface="open Base\n(** The price with its currency. *)\nval price_tag : int -> (string, string) Result.t\n",
        example='open Base\nlet price_tag n = if n < 0 then Error "negative" else Ok (String.concat ~sep:" " '
        '[Int.to_string n; "EUR"])\n',
        tests="open Base\nopen OUnit2\nopen Price_tag\n\n"
        "let printer = function Ok s -> s | Error e -> Sexp.to_string_hum e\n"
        "let ae exp got _ctxt = assert_equal ~printer exp got\n"
        'let tests = [\n  "free" >:: ae (Ok "0 EUR") (price_tag 0);\n'
        '  "free" >:: ae (Error "negative") (price_tag (-1));\n]\n' + _RUN,
    )
    _exercise(
        path,
        "turnstile",
        interface="type t\nexception Locked\nval fresh : unit -> t\nval coin : t -> unit\nval push : t -> int\n",
        example="exception Locked\ntype t = { mutable coins : int }\nlet fresh () = { coins = 0 }\n"
        "let coin t = t.coins <- t.coins + 1\n"
        "let push t = if t.coins = 0 then raise Locked else (t.coins <- t.coins - 1; t.coins)\n",
        tests="open OUnit2\nmodule T = Turnstile\n"
        'let tests = [\n  "opens" >:: (fun _ctxt ->\n    let gate = T.fresh () in\n    T.coin gate;\n    T.coin gate;\n'
        "    assert_equal 1 (T.push gate) ~printer:string_of_int;\n    assert_equal 0 (T.push gate));\n"
        '  "locked" >:: (fun _ -> assert_raises T.Locked (fun () -> T.push (T.fresh ())));\n'
        '  "often" >:: (fun _ -> let gate = T.fresh () in\n'
        "    for i = 0 to 3 do T.coin gate; assert_equal 0 (T.push gate) done);\n"
        "]\n" + _RUN,
    )
    _exercise(
        path,
        "chat-room",
        libraries="lwt ounit2",
        interface="val f : int -> int\n",
        example="let f x = x\n",
        tests='let tests = ["a" >:: (fun _ -> assert_equal 1 (f 1))]\n',
    )
