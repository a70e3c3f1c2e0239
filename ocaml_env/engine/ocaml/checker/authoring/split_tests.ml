open Parsetree

type tests = { prelude : string; expressions : string list; ignored : string list; repaired : int }

(* --- numbers written ~1 --- *)

(* The text with each tilde before a number turned into a minus, and how many there were. *)
let repair source =
  let lexbuf = Lexing.from_string source in
  let out = Bytes.of_string source in
  Lexer.init ();
  let rec go previous count =
    match (previous, Lexer.token lexbuf) with
    | _, Parser.EOF -> count
    | Some at, (INT _ | FLOAT _) ->
        Bytes.set out at '-';
        go None (count + 1)
    | _, TILDE -> go (Some (Lexing.lexeme_start lexbuf)) count
    | _, _ -> go None count
  in
  let count = go None 0 in
  (Bytes.to_string out, count)

(* --- assertions --- *)

let slice source (loc : Location.t) =
  let start = loc.loc_start.pos_cnum in
  String.sub source start (loc.loc_end.pos_cnum - start)

let tests source =
  let source, repaired = repair source in
  let text loc = slice source loc in
  let prelude = ref [] and expressions = ref [] and ignored = ref [] in
  (* [context] is the text of the [let ... in]s around. *)
  let rec walk ~context e =
    match e.pexp_desc with
    | Pexp_sequence (first, second) ->
        walk ~context first;
        walk ~context second
    | Pexp_let (_, bindings, body) ->
        let start = e.pexp_loc.loc_start.pos_cnum and stop = body.pexp_loc.loc_start.pos_cnum in
        let opening = String.trim (String.sub source start (stop - start)) in
        let is_alias b = match b.pvb_expr.pexp_desc with Pexp_ident _ -> true | _ -> false in
        (* Another name for the function under test is a definition like others: tests that begin with [let] cannot be
           split into a value and what is expected. *)
        if context = "" && List.for_all is_alias bindings then (
          prelude := String.trim (String.sub opening 0 (String.length opening - String.length "in")) :: !prelude;
          walk ~context body)
        else walk ~context:(context ^ opening ^ " ") body
    | Pexp_constraint (e, _) -> walk ~context e
    | Pexp_assert asserted -> expressions := (context ^ text asserted.pexp_loc) :: !expressions
    | Pexp_construct ({ txt = Lident "()"; _ }, None) -> ()
    | _ -> ignored := text e.pexp_loc :: !ignored
  in
  let is_unit_pattern p =
    match p.ppat_desc with
    | Ppat_any | Ppat_construct ({ txt = Lident "()"; _ }, None) -> true
    | Ppat_constraint ({ ppat_desc = Ppat_any | Ppat_construct ({ txt = Lident "()"; _ }, None); _ }, _) -> true
    | Ppat_var { txt; _ } -> txt = "assertions" || txt = "tests"
    | _ -> false
  in
  let item (item : structure_item) =
    match item.pstr_desc with
    | Pstr_eval (e, _) -> walk ~context:"" e
    | Pstr_value (Nonrecursive, [ { pvb_pat; pvb_expr; _ } ]) when is_unit_pattern pvb_pat -> walk ~context:"" pvb_expr
    | _ -> prelude := text item.pstr_loc :: !prelude
  in
  List.iter item (Source.parse_trusted Parser.implementation source);
  {
    prelude = String.concat "\n" (List.rev !prelude);
    expressions = List.rev !expressions;
    ignored = List.rev !ignored;
    repaired;
  }

(* --- headers --- *)

type header = { signature : string; name : string; annotated : bool }

(* The type of a value as people write it. *)
let type_text ty = Format.asprintf "%a" Printtyp.type_scheme ty

let rec occurrences needle text from =
  let size = String.length needle in
  if from + size > String.length text then 0
  else (if String.sub text from size = needle then 1 else 0) + occurrences needle text (from + 1)

(* A variable for a result that no argument mentions comes from the body, which is not there. *)
let is_annotated shown =
  match String.rindex_opt shown '>' with
  | None -> false
  | Some at ->
      let result = String.trim (String.sub shown (at + 1) (String.length shown - at - 1)) in
      result.[0] <> '\'' || String.contains result ' ' || occurrences result shown 0 > 1

let header source =
  let parse text = Source.parse_trusted Parser.implementation text in
  let parsed = try parse (source ^ " assert false") with Syntaxerr.Error _ | Lexer.Error _ -> parse source in
  let _, signature, _, env = Compiler.type_structure (Session.environment ()) parsed in
  (* The printer starts anew: it would number names that it has met before, as in [error/2]. *)
  Guard.compiler @@ fun () ->
  Printtyp.wrap_printing_env ~error:false env @@ fun () ->
  let last =
    List.fold_left
      (fun last item ->
        match (item : Types.signature_item) with
        | Sig_value (id, v, _) when String.contains (type_text v.val_type) '>' ->
            Some (item, Ident.name id, type_text v.val_type)
        | _ -> last)
      None signature
  in
  let is_type = function Types.Sig_type _ | Sig_typext _ -> true | _ -> false in
  let show (item, name, ty) =
    let items = List.filter is_type signature @ [ item ] in
    { signature = Format.asprintf "%a" Printtyp.signature items; name; annotated = is_annotated ty }
  in
  Option.map show last
