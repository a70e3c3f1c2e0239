module Names = Set.Make (struct
  type t = Ident.t

  let compare = Ident.compare
end)

(* What a piece of typed code evaluates: the paths of values, extension constructors, modules and classes; and whether
   it makes an exception or another extension constructor, which is a different one in each process. *)
type evaluated = { paths : Path.t list; makes_constructor : bool }

let evaluated iterate =
  let paths = ref [] and makes_constructor = ref false in
  let add path = paths := path :: !paths in
  let constructor (description : Types.constructor_description) =
    match description.cstr_tag with Cstr_extension (path, _) -> add path | _ -> ()
  in
  let default = Tast_iterator.default_iterator in
  let it =
    {
      default with
      expr =
        (fun it e ->
          (match e.exp_desc with
          | Texp_ident (path, _, _) | Texp_new (path, _, _) -> add path
          | Texp_construct (_, description, _) -> constructor description
          | Texp_extension_constructor (_, path) -> add path
          | Texp_letop { let_; ands; _ } ->
              List.iter (fun (b : Typedtree.binding_op) -> add b.bop_op_path) (let_ :: ands)
          | _ -> ());
          default.expr it e);
      extension_constructor =
        (fun it c ->
          makes_constructor := true;
          default.extension_constructor it c);
      pat =
        (fun (type k) it (p : k Typedtree.general_pattern) ->
          (match p.pat_desc with
          | Typedtree.Tpat_construct (_, description, _, _) -> constructor description
          | _ -> ());
          default.pat it p);
      module_expr =
        (fun it m ->
          (match m.mod_desc with Tmod_ident (path, _) -> add path | _ -> ());
          default.module_expr it m);
      class_expr =
        (fun it c ->
          (match c.cl_desc with Tcl_ident (path, _, _) -> add path | _ -> ());
          default.class_expr it c);
    }
  in
  iterate it;
  { paths = !paths; makes_constructor = !makes_constructor }

(* Must this be computed beside the candidate? *)
let needs_candidate ~unit_name ~tainted { paths; makes_constructor } =
  makes_constructor
  || List.exists
       (fun path ->
         match Path.head path with
         | head -> (Ident.persistent head && Ident.name head = unit_name) || Names.mem head tainted
         | exception _ -> true)
       paths

let defined_idents (item : Typedtree.structure_item) =
  match item.str_desc with
  | Tstr_value (_, bindings) -> Typedtree.let_bound_idents bindings
  | Tstr_module { mb_id; _ } -> Option.to_list mb_id
  | Tstr_recmodule modules -> List.filter_map (fun (m : Typedtree.module_binding) -> m.mb_id) modules
  | Tstr_exception { tyexn_constructor; _ } -> [ tyexn_constructor.ext_id ]
  | Tstr_typext { tyext_constructors; _ } -> List.map (fun (c : Typedtree.extension_constructor) -> c.ext_id) tyext_constructors
  | Tstr_class classes -> List.map (fun ((c : Typedtree.class_declaration), _) -> c.ci_id_class) classes
  | Tstr_include { incl_type; _ } -> List.map Conformance.ident_of incl_type
  | Tstr_open { open_bound_items; _ } -> List.map Conformance.ident_of open_bound_items
  | _ -> []

(* The names that an item defines out of the candidate's values, directly or through [tainted] names; [None] if it
   uses none of them. *)
let taint_of ~unit_name ~tainted (item : Typedtree.structure_item) =
  match item.str_desc with
  | Tstr_open { open_expr = { mod_desc = Tmod_ident _; _ }; _ } -> None
  | _ ->
      let evaluated = evaluated (fun it -> it.structure_item it item) in
      if needs_candidate ~unit_name ~tainted evaluated then Some (Names.of_list (defined_idents item)) else None

(* The items that do not need the candidate, and the names of the others. *)
let purify ~unit_name items =
  let keep (kept, tainted) item =
    match taint_of ~unit_name ~tainted item with
    | Some names -> (kept, Names.union names tainted)
    | None -> (item :: kept, tainted)
  in
  let kept, tainted = List.fold_left keep ([], Names.empty) items in
  (List.rev kept, tainted)

let expression_needs_candidate ~unit_name ~tainted e =
  needs_candidate ~unit_name ~tainted (evaluated (fun it -> it.Tast_iterator.expr it e))

let paths_of_expression e = (evaluated (fun it -> it.Tast_iterator.expr it e)).paths
let paths_of_item item = (evaluated (fun it -> it.Tast_iterator.structure_item it item)).paths

type uses = Items of string list | Everything

let join a b =
  match (a, b) with Everything, _ | _, Everything -> Everything | Items a, Items b -> Items (List.sort_uniq compare (a @ b))

let uses ~unit_name items expressions =
  (* [units] are other names of the unit; [through] tells what a name uses. *)
  let is_unit units id = (Ident.persistent id && Ident.name id = unit_name) || Names.mem id units in
  let rec of_path (units, through) : Path.t -> uses = function
    | Pident id when is_unit units id -> Everything
    | Pident id -> Option.value (Ident.Map.find_opt id through) ~default:(Items [])
    | Pdot (Pident id, name) when is_unit units id -> Items [ name ]
    | Pdot (path, _) -> of_path (units, through) path
    | path -> List.fold_left (fun found head -> join found (of_path (units, through) (Path.Pident head))) (Items []) (Path.heads path)
  in
  let of_paths known paths = List.fold_left (fun found path -> join found (of_path known path)) (Items []) paths in
  let step (((units, through) as known), found) (item : Typedtree.structure_item) =
    match item.str_desc with
    | Tstr_module { mb_id = Some id; mb_expr = { mod_desc = Tmod_ident (Pident target, _); _ }; _ } when is_unit units target ->
        ((Names.add id units, through), found)
    | Tstr_open { open_expr = { mod_desc = Tmod_ident (Pident target, _); _ }; _ } when is_unit units target -> (known, found)
    | _ ->
        let used = of_paths known (paths_of_item item) in
        ((units, List.fold_left (fun through id -> Ident.Map.add id used through) through (defined_idents item)), used :: found)
  in
  let known, found = List.fold_left step ((Names.empty, Ident.Map.empty), []) items in
  (found, List.map (fun e -> of_paths known (paths_of_expression e)) expressions)

let overlap uses names =
  match uses with Everything -> names <> [] | Items items -> List.exists (fun item -> List.mem item names) items
