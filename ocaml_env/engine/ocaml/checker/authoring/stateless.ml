open Parsetree

exception Remembers

(* --- what is computed when a text is loaded --- *)

let rec at_load e =
  match e.pexp_desc with
  | Pexp_constant _ | Pexp_ident _ | Pexp_construct (_, None) | Pexp_variant (_, None) -> ()
  | Pexp_construct (_, Some e)
  | Pexp_variant (_, Some e)
  | Pexp_constraint (e, _)
  | Pexp_coerce (e, _, _)
  | Pexp_newtype (_, e)
  | Pexp_open (_, e) ->
      at_load e
  | Pexp_tuple parts -> List.iter at_load parts
  | Pexp_let (_, bindings, body) ->
      List.iter (fun binding -> at_load binding.pvb_expr) bindings;
      at_load body
  | _ -> if Compiler.function_body e = `None then raise Remembers

let rec item_at_load item =
  match item.pstr_desc with
  | Pstr_value (_, bindings) -> List.iter (fun binding -> at_load binding.pvb_expr) bindings
  | Pstr_eval (e, _) -> at_load e
  | Pstr_module { pmb_expr = m; _ } | Pstr_include { pincl_mod = m; _ } | Pstr_open { popen_expr = m; _ } ->
      module_at_load m
  | Pstr_recmodule bindings -> List.iter (fun binding -> module_at_load binding.pmb_expr) bindings
  | Pstr_type _ | Pstr_typext _ | Pstr_exception _ | Pstr_modtype _ | Pstr_class_type _ | Pstr_attribute _ -> ()
  | Pstr_class _ | Pstr_primitive _ | Pstr_extension _ -> raise Remembers

(* A functor's body is looked at as if it were applied. The library's functors make nothing that changes. *)
and module_at_load m =
  match m.pmod_desc with
  | Pmod_structure items -> List.iter item_at_load items
  | Pmod_ident _ -> ()
  | Pmod_functor (_, m) | Pmod_constraint (m, _) -> module_at_load m
  | Pmod_apply (m, argument) ->
      module_at_load m;
      module_at_load argument
  | _ -> raise Remembers

(* --- what the library remembers --- *)

let rec in_path ~own (path : Longident.t) =
  match path with
  | Lident name -> if Library_state.is_remembering_name name then raise Remembers
  | Ldot (path, name) ->
      if Library_state.is_remembering_name name then raise Remembers;
      in_module ~own path
  | Lapply (f, argument) ->
      in_module ~own f;
      in_module ~own argument

and in_module ~own (path : Longident.t) =
  match path with
  | Lident name -> if Library_state.is_library name && not (List.mem name own || Library_state.is_forgetful name) then raise Remembers
  | Ldot _ | Lapply _ -> in_path ~own path

(* Of [Hashtbl.create], as [~random] or [?random]. *)
let is_random : Asttypes.arg_label -> bool = function Labelled name | Optional name -> name = "random" | Nolabel -> false

(* Modules of the text itself; one that is called as a unit of the library is that. *)
let own_modules structure =
  let own = ref [] in
  let default = Ast_iterator.default_iterator in
  let module_binding it binding =
    Option.iter (fun name -> if not (Library_state.is_library name) then own := name :: !own) binding.pmb_name.txt;
    default.module_binding it binding
  in
  let it = { default with module_binding } in
  it.structure it structure;
  !own

let iterator own =
  let default = Ast_iterator.default_iterator in
  {
    default with
    expr =
      (fun it e ->
        (match e.pexp_desc with
        | Pexp_ident { txt; _ } -> in_path ~own txt
        | Pexp_object _ | Pexp_new _ | Pexp_extension _ -> raise Remembers
        | Pexp_apply (_, arguments) when List.exists (fun (label, _) -> is_random label) arguments -> raise Remembers
        | _ -> ());
        default.expr it e);
    module_expr =
      (fun it m ->
        (match m.pmod_desc with
        | Pmod_ident { txt; _ } -> in_module ~own txt
        | Pmod_extension _ -> raise Remembers
        | _ -> ());
        default.module_expr it m);
  }

let holds ~definitions ~tests =
  let definitions = List.map (Source.parse_trusted Parser.implementation) definitions in
  let tests = List.map (Source.parse_trusted Parser.parse_expression) tests in
  try
    List.iter (List.iter item_at_load) definitions;
    let it = iterator (List.concat_map own_modules definitions) in
    List.iter (it.structure it) definitions;
    List.iter (it.expr it) tests;
    true
  with Remembers -> false
