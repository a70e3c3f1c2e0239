type t = { kind : string; name : string; message : string; line : int; column : int; cascade : bool }

let message_bytes = 600

(* The compiler's hints stand on lines of their own, without a stop before them. *)
let with_stop = function "Hint:" -> [ "-"; "hint:" ] | word -> [ word ]

let one_line text =
  let words = String.split_on_char ' ' (String.map (function '\n' | '\t' | '\r' -> ' ' | c -> c) text) in
  let text = String.concat " " (List.concat_map with_stop (List.filter (( <> ) "") words)) in
  if String.length text > message_bytes then String.sub text 0 message_bytes ^ "..." else text

let position ~source (loc : Location.t) =
  let offset = loc.loc_start.pos_cnum in
  (* What the parser adds, as the name behind [a.(i)], is a ghost, and yet stands somewhere. *)
  if offset < 0 || offset > String.length source then (0, 0)
  else
    let line = ref 1 and start = ref 0 in
    for i = 0 to offset - 1 do
      if source.[i] = '\n' then (
        incr line;
        start := i + 1)
    done;
    (!line, offset - !start)

let hole = "hole"

let make ~source loc ~kind ?name message =
  let line, column = position ~source loc in
  let name = match name with Some name -> name | None -> Printf.sprintf "%d:%d" line column in
  (* A message with the hole's name would differ between processes, and is about code that has an error already. It is not
     shown. A mismatch of a whole module is lost with it if its signature has a hole. *)
  let kind, message = if Hole.is_in message then (hole, "") else (kind, message) in
  { kind; name = Generated.hide name; message = one_line (Running_numbers.hide (Generated.hide message)); line; column; cascade = false }

let forbidden ~source loc name =
  make ~source loc ~kind:"forbidden" ~name (name ^ " is not available here: the environment withholds it")

let compiler ~source loc what =
  make ~source loc ~kind:"compiler" ("OCaml's own compiler fails on this code: " ^ what)

let is_compiler d = d.kind = "compiler"
let is_about_hole d = d.kind = hole
let dotted = Filter.text

(* Kind and name of an error of the typechecker. Errors that have no name of their own are told apart by position. *)
let classify_lookup : Env.lookup_error -> string * Longident.t option = function
  | Unbound_value (lid, _) -> ("unbound-value", Some lid)
  | Unbound_type lid -> ("unbound-type", Some lid)
  | Unbound_constructor lid -> ("unbound-constructor", Some lid)
  | Unbound_label lid -> ("unbound-field", Some lid)
  | Unbound_module lid -> ("unbound-module", Some lid)
  | Unbound_class lid -> ("unbound-class", Some lid)
  | Unbound_modtype lid -> ("unbound-module-type", Some lid)
  | Unbound_cltype lid -> ("unbound-class-type", Some lid)
  | _ -> ("lookup", None)

let classify_core : Typecore.error -> string * string option = function
  | Constructor_arity_mismatch (lid, _, _) -> ("constructor-arity", Some (dotted lid))
  | Label_missing fields -> ("missing-field", Some (String.concat " " (List.map Ident.name fields)))
  | Label_not_mutable lid -> ("immutable-field", Some (dotted lid))
  | Label_multiply_defined name -> ("repeated-field", Some name)
  | Undefined_method (_, name, _) -> ("unbound-method", Some name)
  | Unbound_instance_variable (name, _) -> ("unbound-instance-variable", Some name)
  | Multiply_bound_variable name -> ("repeated-variable", Some name)
  | Literal_overflow _ -> ("literal-overflow", None)
  | Wrong_name (_, _, { kind = Record; name; _ }) -> ("unbound-field", Some name.txt)
  | Wrong_name (_, _, { kind = Variant; name; _ }) -> ("unbound-constructor", Some name.txt)
  | Apply_wrong_label _ | Abstract_wrong_label _ -> ("wrong-label", None)
  | Apply_non_function _ -> ("not-a-function", None)
  | Illegal_letrec_expr | Illegal_letrec_pat -> ("recursive-definition", None)
  | Invalid_format _ -> ("format-string", None)
  | _ -> ("type-clash", None)

let classify = function
  | Env.Error (Lookup_error (_, _, error)) ->
      let kind, lid = classify_lookup error in
      (kind, Option.map dotted lid)
  | Typecore.Error (_, _, error) -> classify_core error
  | Typecore.Error_forward _ -> ("type-clash", None)
  | Syntaxerr.Error _ | Lexer.Error _ -> ("syntax", None)
  | Typetexp.Error _ -> ("type-expression", None)
  | Typedecl.Error _ -> ("type-declaration", None)
  | Typeclass.Error _ -> ("class", None)
  | Typemod.Error _ | Includemod.Error _ | Includemod.Apply_error _ -> ("module", None)
  | Translmod.Error _ | Translcore.Error _ | Translclass.Error _ -> ("compile", None)
  | _ -> ("error", None)

let report exn =
  Compiler.forget_printed_names ();
  match Guard.compiler (fun () -> Location.error_of_exn exn) with
  | Some (`Ok report) -> Some report
  | Some `Already_displayed | None -> None

let location_of_exn exn = Option.map (fun (r : Location.report) -> r.main.loc) (report exn)

let withheld_name = function
  | Env.Error (Lookup_error (_, env, error)) -> (
      match classify_lookup error with _, Some lid -> Filter.withheld env lid | _, None -> None)
  | _ -> None

let of_exn ~source exn =
  Option.map
    (fun (report : Location.report) ->
      let loc = report.main.loc in
      match withheld_name exn with
      | Some name -> forbidden ~source loc name
      | None ->
          let kind, name = classify exn in
          Compiler.forget_printed_names ();
          make ~source loc ~kind ?name (Compiler.text report.main))
    (report exn)

let count diagnostics =
  let keys = List.filter_map (fun d -> if d.cascade then None else Some (d.kind, d.name)) diagnostics in
  List.length (List.sort_uniq compare keys)
