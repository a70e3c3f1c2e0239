type failure = Syntax of Diagnostic.t list | Forbidden of Diagnostic.t

let max_bytes = 200_000
let max_tokens = 30_000
let max_nesting = 256

exception Too_big of Location.t * string
exception Withheld of Location.t * string

let starts_with prefix text =
  String.length text >= String.length prefix && String.sub text 0 (String.length prefix) = prefix

let internal_unit name = starts_with "Stdlib__" name || starts_with "Camlinternal" name

(* Checks each token on its way from the lexer to the parser. *)
let guarded_lexer ~filtered =
  let tokens = ref 0 and depth = ref 0 in
  fun lexbuf ->
    let token = Lexer.token lexbuf in
    let here () = Location.curr lexbuf in
    incr tokens;
    if !tokens > max_tokens then raise (Too_big (here (), Printf.sprintf "more than %d tokens" max_tokens));
    (match token with
    | Parser.LPAREN | LBRACE | LBRACELESS | LBRACKET | LBRACKETBAR | LBRACKETLESS | LBRACKETGREATER | LBRACKETAT
    | LBRACKETATAT | LBRACKETATATAT | BEGIN | STRUCT | SIG | OBJECT | DO ->
        incr depth;
        if !depth > max_nesting then
          raise (Too_big (here (), Printf.sprintf "too deep: brackets nest more than %d times" max_nesting))
    | RPAREN | RBRACE | GREATERRBRACE | RBRACKET | BARRBRACKET | GREATERRBRACKET | END | DONE -> decr depth
    | EXTERNAL when filtered -> raise (Withheld (here (), "external"))
    | LBRACKETPERCENT | LBRACKETPERCENTPERCENT | QUOTED_STRING_EXPR _ | QUOTED_STRING_ITEM _ when filtered ->
        raise (Withheld (here (), "extension node"))
    | UIDENT name when filtered && internal_unit name -> raise (Withheld (here (), name))
    | _ -> ());
    token

(* The parser's own complaints, which have no place in the source, as those that have one. *)
let parse_with parser lexer text =
  let lexbuf = Lexing.from_string text in
  Location.init lexbuf "";
  Location.input_lexbuf := None;
  Lexer.init ();
  try parser lexer lexbuf
  with Parsing.Parse_error | Syntaxerr.Escape_error -> raise (Syntaxerr.Error (Syntaxerr.Other (Location.curr lexbuf)))

let parse_trusted parser text = parse_with parser Lexer.token text

let parse ~filtered text =
  let expected = function Withheld _ | Too_big _ -> true | _ -> false in
  Guard.compiler ~expected (fun () -> parse_with Parser.implementation (guarded_lexer ~filtered) text)

let syntax ~source loc message =
  let line, column = Diagnostic.position ~source loc in
  { Diagnostic.kind = "syntax"; name = Printf.sprintf "%d:%d" line column; message; line; column; cascade = false }

let implementation ~filtered source =
  if String.length source > max_bytes then
    Error (Syntax [ syntax ~source Location.none (Printf.sprintf "the code is longer than %d bytes" max_bytes) ])
  else
    match parse ~filtered source with
    | structure -> Ok (Soundness.name_modules structure)
    | exception Withheld (loc, name) -> Error (Forbidden (Diagnostic.forbidden ~source loc name))
    | exception Too_big (loc, message) -> Error (Syntax [ syntax ~source loc message ])
    | exception ((Syntaxerr.Error _ | Lexer.Error _) as exn) -> (
        match Diagnostic.of_exn ~source exn with
        | Some diagnostic -> Error (Syntax [ diagnostic ])
        | None -> Error (Syntax [ syntax ~source Location.none "Syntax error" ]))
