(* Uses Lexing's buffers and positions without a generated lexer.
   signature:
     val position : int -> int -> string
     val fresh_line : string -> int
   tests:
     position 3 7 = "line 3, column 7"
     fresh_line "abc" = 2
*)
let position line column =
  let p = { Lexing.dummy_pos with pos_lnum = line; pos_bol = 10; pos_cnum = 10 + column } in
  Printf.sprintf "line %d, column %d" p.Lexing.pos_lnum (p.pos_cnum - p.pos_bol)

let fresh_line s =
  let lexbuf = Lexing.from_string s in
  Lexing.new_line lexbuf;
  lexbuf.Lexing.lex_curr_p.pos_lnum
