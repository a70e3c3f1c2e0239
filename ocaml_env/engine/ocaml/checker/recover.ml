open Parsetree
open Error_attribution

type t = {
  diagnostics : Diagnostic.t list;
  signature : Types.signature;
  environment : Env.t;
  broken : string list;
  places : Location.t list;
}

(* Enough to saturate any reward; more only costs time. *)
let max_errors = 12
let max_attempts = 12
let hole_type loc = Ast_helper.Typ.constr ~loc { txt = Longident.Lident Hole.name; loc } []

(* --- the smallest node around an error --- *)

type target = Expression of Location.t | Pattern of Location.t * string list | Type of Location.t

let find_target item loc =
  let best = ref None in
  let consider node_loc target =
    if (not node_loc.Location.loc_ghost) && contains node_loc loc then
      match !best with
      | Some (smallest, _) when smallest <= size node_loc -> ()
      | _ -> best := Some (size node_loc, target)
  in
  let default = Ast_iterator.default_iterator in
  let it =
    {
      default with
      expr =
        (fun it e ->
          (match e.pexp_desc with
          | Pexp_ident { txt = Lident name; _ } when name = Hole.name -> ()
          | _ -> consider e.pexp_loc (Expression e.pexp_loc));
          default.expr it e);
      pat =
        (fun it p ->
          (match p.ppat_desc with
          | Ppat_any -> ()
          | _ -> consider p.ppat_loc (Pattern (p.ppat_loc, variables_of p)));
          default.pat it p);
      typ =
        (fun it t ->
          (match t.ptyp_desc with
          | Ptyp_any -> ()
          | Ptyp_constr ({ txt = Lident name; _ }, _) when name = Hole.name -> ()
          | _ -> consider t.ptyp_loc (Type t.ptyp_loc));
          default.typ it t);
    }
  in
  it.structure_item it item;
  Option.map snd !best

let replace item target =
  let open Ast_mapper in
  let mapper =
    match target with
    | Expression loc ->
        {
          default_mapper with
          expr = (fun m e -> if same e.pexp_loc loc then Hole.expression e.pexp_loc else default_mapper.expr m e);
        }
    | Pattern (loc, _) ->
        {
          default_mapper with
          pat =
            (fun m p ->
              if same p.ppat_loc loc then Ast_helper.Pat.any ~loc:p.ppat_loc () else default_mapper.pat m p);
        }
    | Type loc ->
        let with_type instead mapper =
          { mapper with typ = (fun m t -> if same t.ptyp_loc loc then instead loc else default_mapper.typ m t) }
        in
        (* [_] fits everything, and stands for one type that is found out, which only an expression can do. *)
        let open_type = with_type (fun loc -> Ast_helper.Typ.any ~loc ()) in
        let closed_type = with_type hole_type in
        closed_type
          {
            default_mapper with
            expr = (fun m e -> default_mapper.expr (open_type m) e);
            pat = (fun m p -> default_mapper.pat (open_type m) p);
            type_declaration =
              (fun m d ->
                let ptype_manifest =
                  match d.ptype_manifest with
                  | Some t when same t.ptyp_loc loc && d.ptype_kind <> Ptype_abstract -> None
                  | manifest -> manifest
                in
                default_mapper.type_declaration (closed_type m) { d with ptype_manifest });
            extension_constructor = (fun m c -> default_mapper.extension_constructor (closed_type m) c);
            module_type = (fun m t -> default_mapper.module_type (closed_type m) t);
            class_declaration =
              (fun m c ->
                let closed = closed_type { m with expr = default_mapper.expr; pat = default_mapper.pat } in
                default_mapper.class_declaration closed c);
          }
  in
  mapper.structure_item mapper item

(* --- names that an error made unavailable: later complaints about them are cascades --- *)

type names = { poisoned : (string, unit) Hashtbl.t; mutable broken : string list; mutable lost_scope : bool }

let poison names name = Hashtbl.replace names.poisoned name ()

let is_cascade names (d : Diagnostic.t) =
  let parts = String.split_on_char '.' d.name in
  let unbound = String.length d.kind > 8 && String.sub d.kind 0 8 = "unbound-" in
  (unbound && (names.lost_scope || List.exists (Hashtbl.mem names.poisoned) parts))
  || (d.kind = "type-clash" && List.exists (Hashtbl.mem names.poisoned) (words d.message))

(* The environment with an abstract type. *)
let bind_type name ~arity env =
  let parameter _ = (Ast_helper.Typ.any (), (Asttypes.NoVariance, Asttypes.NoInjectivity)) in
  let declaration = Ast_helper.Type.mk ~params:(List.init arity parameter) { txt = name; loc = Location.none } in
  let _, _, _, env = Compiler.type_structure env [ Ast_helper.Str.type_ Nonrecursive [ declaration ] ] in
  env

(* An unknown type constructor becomes an abstract type of the arity that its use shows, and counts once. *)
let bind_unknown_type names env exn item =
  match exn with
  | Env.Error (Lookup_error (_, _, Unbound_type (Lident name))) -> (
      let arity = ref 0 in
      let it =
        {
          Ast_iterator.default_iterator with
          typ =
            (fun it t ->
              (match t.ptyp_desc with
              | Ptyp_constr ({ txt = Lident used; _ }, arguments) when used = name -> arity := List.length arguments
              | _ -> ());
              Ast_iterator.default_iterator.typ it t);
        }
      in
      it.structure_item it item;
      match bind_type name ~arity:!arity env with
      | env ->
          poison names name;
          names.broken <- name :: names.broken;
          Some env
      | exception exn when Guard.is_report exn -> None)
  | _ -> None

(* A type that is used with more or fewer parameters than it has may be what is wrong. *)
let misused = function Typetexp.Error (_, _, Type_arity_mismatch (Lident name, _, _)) -> [ name ] | _ -> []

(* --- items that stay wrong --- *)

let bind name (env, signature) =
  let ident, env = Hole.bind name env in
  (env, signature @ [ Types.Sig_value (ident, Hole.fits_everything (), Exported) ])

let constructors_and_fields (declaration : type_declaration) =
  match declaration.ptype_kind with
  | Ptype_variant constructors -> List.map (fun c -> c.pcd_name.txt) constructors
  | Ptype_record fields -> List.map (fun f -> f.pld_name.txt) fields
  | Ptype_abstract | Ptype_open -> []

(* The names of an item that is given up: that they are not there, or do not fit, is no further mistake. *)
let leave_names_behind names env item =
  let lose name =
    poison names name;
    names.broken <- name :: names.broken
  in
  match item.pstr_desc with
  | Pstr_value (_, bindings) ->
      let variables = List.concat_map (fun b -> variables_of b.pvb_pat) bindings in
      List.fold_left (fun acc name -> bind name acc) (env, []) variables
  | Pstr_type (_, declarations) ->
      List.iter
        (fun d ->
          lose d.ptype_name.txt;
          List.iter (poison names) (constructors_and_fields d))
        declarations;
      (env, [])
  | Pstr_exception { ptyexn_constructor = { pext_name; _ }; _ } ->
      lose pext_name.txt;
      (env, [])
  | Pstr_module { pmb_name = { txt = Some name; _ }; _ } ->
      lose name;
      (env, [])
  | Pstr_recmodule modules ->
      List.iter (fun m -> Option.iter lose m.pmb_name.txt) modules;
      (env, [])
  | Pstr_modtype { pmtd_name; _ } ->
      lose pmtd_name.txt;
      (env, [])
  | Pstr_class classes ->
      List.iter (fun c -> lose c.pci_name.txt) classes;
      (env, [])
  | Pstr_open _ | Pstr_include _ ->
      (* Whatever is unbound from here on may have been meant to come from there. *)
      names.lost_scope <- true;
      (env, [])
  | _ -> (env, [])

(* --- *)

exception Enough

let names_of item =
  match item.pstr_desc with
  | Pstr_value (_, bindings) -> List.concat_map (fun b -> variables_of b.pvb_pat) bindings
  | Pstr_type (_, declarations) -> List.map (fun d -> d.ptype_name.txt) declarations
  | Pstr_exception { ptyexn_constructor = { pext_name; _ }; _ } -> [ pext_name.txt ]
  | Pstr_module { pmb_name = { txt; _ }; _ } -> Option.to_list txt
  | Pstr_recmodule modules -> List.filter_map (fun m -> m.pmb_name.txt) modules
  | Pstr_modtype { pmtd_name; _ } -> [ pmtd_name.txt ]
  | Pstr_class classes -> List.map (fun c -> c.pci_name.txt) classes
  | Pstr_class_type classes -> List.map (fun c -> c.pci_name.txt) classes
  | _ -> []

let structure ~apart ~source env items =
  let names = { poisoned = Hashtbl.create 8; broken = []; lost_scope = false } in
  let diagnostics = ref [] and places = ref [] in
  let record (d : Diagnostic.t) =
    if not (Diagnostic.is_about_hole d) then
      diagnostics := { d with cascade = d.cascade || is_cascade names d } :: !diagnostics;
    if Diagnostic.count !diagnostics >= max_errors then raise Enough
  in
  let attempt env item =
    let checkpoint = Compiler.checkpoint () in
    try
      match
        let typed = Compiler.type_structure env [ item ] in
        Compiler.force_delayed_checks ();
        typed
      with
      | _, signature, _, env -> Ok (signature, env)
      | exception exn when Guard.is_report exn ->
          (* The message first: its types are those of now, and are undone with the rest. *)
          let diagnostic = Diagnostic.of_exn ~source exn in
          Compiler.rollback ~apart checkpoint;
          Error (exn, diagnostic)
    with Guard.Compiler_raised what as exn when apart ->
      Compiler.rollback ~apart checkpoint;
      Error (exn, Some (Diagnostic.compiler ~source item.pstr_loc what))
  in
  let rec type_item env item attempts =
    match attempt env item with
    | Ok (signature, env) -> (env, signature)
    | Error (Guard.Compiler_raised _, diagnostic) ->
        names.broken <- names_of item @ names.broken;
        Option.iter record diagnostic;
        leave_names_behind names env item
    | Error (exn, diagnostic) -> (
        match (diagnostic, Diagnostic.location_of_exn exn) with
        | Some diagnostic, Some loc -> (
            names.broken <- misused exn @ names_around item loc @ names.broken;
            places := loc :: !places;
            record (named_after_culprit ~source item loc diagnostic);
            match bind_unknown_type names env exn item with
            | Some env -> again env item (attempts + 1)
            | None -> (
                match find_target item loc with
                | None -> leave_names_behind names env item
                | Some target ->
                    let env =
                      match target with
                      | Pattern (_, variables) ->
                          List.fold_left (fun env name -> fst (bind name (env, []))) env variables
                      | Expression _ | Type _ -> env
                    in
                    again env (replace item target) (attempts + 1)))
        | _ -> raise exn)
  and again env item attempts =
    if attempts >= max_attempts then leave_names_behind names env item else type_item env item attempts
  in
  let env = bind_type Hole.name ~arity:0 (fst (bind Hole.name (env, []))) in
  let environment, signature =
    List.fold_left
      (fun (env, signature) item ->
        match type_item env item 0 with
        | env, typed -> (env, signature @ typed)
        | exception Enough -> leave_names_behind names env item |> fun (env, more) -> (env, signature @ more))
      (env, []) items
  in
  { diagnostics = List.rev !diagnostics; signature; environment; broken = names.broken; places = !places }
