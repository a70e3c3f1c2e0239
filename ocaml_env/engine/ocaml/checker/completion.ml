open Parsetree

type t = { structure : Parsetree.structure; lost : string list; placeholders : string list; kept : string list }

exception Beyond

let contains = Error_attribution.contains

(* --- parse trees --- *)

let rec name_of pattern =
  match pattern.ppat_desc with
  | Ppat_var { txt; _ } -> txt
  | Ppat_constraint (pattern, _) -> name_of pattern
  | _ -> raise Beyond

let define name e = Ast_helper.(Vb.mk (Pat.var (Location.mknoloc name)) e)
let is_in places loc = List.exists (contains loc) places

let names_of item =
  match item.pstr_desc with
  | Pstr_value (_, bindings) -> List.concat_map (fun b -> Error_attribution.variables_of b.pvb_pat) bindings
  | _ -> []

(* The item with holes for bindings that have an error, and the names of these. *)
let without_errors places item =
  let inside = List.filter (contains item.pstr_loc) places in
  match item.pstr_desc with
  | _ when inside = [] -> ([ item ], [])
  | Pstr_value (recursive, bindings) ->
      let is_broken b = is_in inside b.pvb_loc in
      let broken, sound = List.partition is_broken bindings in
      if not (List.for_all (fun place -> List.exists (fun b -> contains b.pvb_loc place) broken) inside) then raise Beyond;
      let hole b = define (name_of b.pvb_pat) (Hole.expression Location.none) in
      let value recursive = function [] -> [] | bindings -> [ { item with pstr_desc = Pstr_value (recursive, bindings) } ] in
      let items =
        match recursive with
        | Nonrecursive -> value Nonrecursive (List.map (fun b -> if is_broken b then hole b else b) bindings)
        | Recursive -> value Nonrecursive (List.map hole broken) @ value Recursive sound
      in
      (items, List.map (fun b -> name_of b.pvb_pat) broken)
  | _ -> raise Beyond

(* A function of this type that raises, or a hole. *)
let rec stand_in ty =
  match Compiler.description ty with
  | Tarrow (label, _, result, _) -> Compiler.lambda label (stand_in result)
  | _ -> Hole.expression Location.none

let complete_exn structure ~places ~unmet ~interface =
  let values =
    List.filter_map
      (function Types.Sig_value (id, description, _) -> Some (Ident.name id, description) | _ -> None)
      interface
  in
  let name_of_unmet = function Types.Sig_value (id, _, _) -> Ident.name id | _ -> raise Beyond in
  let is_somewhere place = List.exists (fun item -> contains item.pstr_loc place) structure in
  if List.length values < 2 || not (List.for_all is_somewhere places) then raise Beyond;
  let step (items, lost) item =
    let completed, broken = without_errors places item in
    let defined = names_of item in
    (List.rev_append completed items, broken @ List.filter (fun name -> not (List.mem name defined)) lost)
  in
  let items, broken = List.fold_left step ([], []) structure in
  let lost = List.map name_of_unmet unmet @ broken in
  let lost, kept = List.partition (fun (name, _) -> List.mem name lost) values in
  if kept = [] then raise Beyond;
  let stand_in (name, (description : Types.value_description)) =
    Ast_helper.Str.value Nonrecursive [ define name (stand_in description.val_type) ]
  in
  let is_function (_, (description : Types.value_description)) =
    match Compiler.description description.val_type with Tarrow _ -> true | _ -> false
  in
  let names = List.map fst in
  {
    structure = List.rev_append items (List.map stand_in lost);
    lost = names lost;
    placeholders = names (List.filter (fun value -> not (is_function value)) lost);
    kept = names kept;
  }

let complete structure ~places ~unmet ~interface =
  match complete_exn structure ~places ~unmet ~interface with
  | completed -> Some completed
  | exception Beyond -> None

(* --- typed trees --- *)

let primitive = "ocaml_env_missing"
let missing_name = "<missing>"

(* The call that stops what uses something lost, and a value without any use. *)
let typed_constants env =
  let open Ast_helper in
  let lid name = Location.mknoloc (Longident.Lident name) in
  let unit = Exp.construct (lid "()") None in
  let ty = Typ.arrow Nolabel (Typ.constr (lid "unit") []) (Typ.var "a") in
  let declaration = Str.primitive (Val.mk ~prim:[ primitive ] (Location.mknoloc missing_name) ty) in
  let _, _, _, env = Compiler.type_structure env [ declaration ] in
  let typed e =
    match Compiler.type_structure env [ Str.eval e ] with
    | { str_items = [ { str_desc = Tstr_eval (e, _); _ } ]; _ }, _, _, _ -> e
    | _ -> assert false
  in
  (typed (Exp.apply (Exp.ident (lid missing_name)) [ (Nolabel, unit) ]), typed unit)

let is_hole (e : Typedtree.expression) =
  match e.exp_desc with Texp_ident (Pident id, _, _) -> Ident.name id = Hole.name | _ -> false

let bindings_of (item : Typedtree.structure_item) =
  match item.str_desc with Tstr_value (_, bindings) -> bindings | _ -> []

let without_holes ~missing ~unit (structure : Typedtree.structure) =
  let is_lost_binding (b : Typedtree.value_binding) = is_hole b.vb_expr in
  let ident_of (b : Typedtree.value_binding) =
    match Compiler.binder b.vb_pat with `Variable id -> id | `Alias _ | `Other -> raise Beyond
  in
  let lost =
    List.concat_map bindings_of structure.str_items
    |> List.filter is_lost_binding |> List.map ident_of |> Dependence.Names.of_list
  in
  let is_lost : Path.t -> bool = function Pident id -> Dependence.Names.mem id lost | _ -> false in
  let in_place_of (e : Typedtree.expression) (other : Typedtree.expression) =
    { other with exp_type = e.exp_type; exp_loc = e.exp_loc; exp_env = e.exp_env }
  in
  let default = Tast_mapper.default in
  let expr mapper (e : Typedtree.expression) =
    match e.exp_desc with
    | Texp_ident (path, _, _) when is_hole e || is_lost path -> in_place_of e missing
    | Texp_letop { let_; ands; _ } when List.exists (fun (b : Typedtree.binding_op) -> is_lost b.bop_op_path) (let_ :: ands)
      ->
        raise Beyond
    | _ -> default.expr mapper e
  in
  let mapper = { default with expr } in
  let item (item : Typedtree.structure_item) =
    match item.str_desc with
    | Tstr_value (recursive, bindings) ->
        let binding (b : Typedtree.value_binding) =
          if is_lost_binding b then { b with vb_expr = in_place_of b.vb_expr unit } else mapper.value_binding mapper b
        in
        { item with str_desc = Tstr_value (recursive, List.map binding bindings) }
    | _ -> mapper.structure_item mapper item
  in
  { structure with str_items = List.map item structure.str_items }

let type_structure env structure =
  let missing, unit = typed_constants env in
  let _, env = Hole.bind Hole.name env in
  let typed, signature, _, env = Compiler.type_structure env structure in
  (without_holes ~missing ~unit typed, signature, env)
