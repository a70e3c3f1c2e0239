open Parsetree

type definition = { names : string list; item : structure_item }
type t = definition list

let no_places = { Ast_mapper.default_mapper with location = (fun _ _ -> Location.none) }

(* Does a definition mention one of these types or modules? *)
let mentions names item =
  let found = ref false in
  let look lid = if List.mem (List.hd (Longident.flatten lid)) names then found := true in
  let default = Ast_iterator.default_iterator in
  let typ (it : Ast_iterator.iterator) t =
    (match t.ptyp_desc with
    | Ptyp_constr ({ txt; _ }, _) | Ptyp_class ({ txt; _ }, _) | Ptyp_package ({ txt; _ }, _) -> look txt
    | _ -> ());
    default.typ it t
  in
  let it = { default with typ } in
  it.structure_item it item;
  !found

let is_full d = d.ptype_kind <> Ptype_abstract || d.ptype_manifest <> None

(* What the answer itself has to define. *)
let asked item =
  match item.psig_desc with
  | Psig_type (_, declarations) -> List.filter_map (fun d -> if is_full d then None else Some d.ptype_name.txt) declarations
  | Psig_module { pmd_name = { txt = Some name; _ }; _ } -> [ name ]
  | Psig_recmodule modules -> List.filter_map (fun m -> m.pmd_name.txt) modules
  | Psig_modtype { pmtd_name; _ } -> [ pmtd_name.txt ]
  | Psig_class classes -> List.map (fun c -> c.pci_name.txt) classes
  | Psig_class_type classes -> List.map (fun c -> c.pci_name.txt) classes
  | _ -> []

let definition item =
  let given names item = Some { names; item = no_places.structure_item no_places item } in
  match item.psig_desc with
  | Psig_type (recursive, declarations) when List.for_all is_full declarations ->
      given (List.map (fun d -> d.ptype_name.txt) declarations) (Ast_helper.Str.type_ recursive declarations)
  | Psig_exception e -> given [ e.ptyexn_constructor.pext_name.txt ] (Ast_helper.Str.exception_ e)
  | _ -> None

(* One that needs another that is not given is not given either. *)
let of_interface interface =
  let step (given, lost) item =
    match definition item with
    | Some definition when not (mentions lost definition.item) -> (definition :: given, lost)
    | Some definition -> (given, definition.names @ lost)
    | None -> (given, lost)
  in
  List.rev (fst (List.fold_left step ([], List.concat_map asked interface) interface))

let defined item =
  match item.pstr_desc with
  | Pstr_type (_, declarations) -> List.map (fun d -> d.ptype_name.txt) declarations
  | Pstr_exception { ptyexn_constructor = { pext_name; _ }; _ } -> [ pext_name.txt ]
  | _ -> []

let includes item = match item.pstr_desc with Pstr_include _ -> true | _ -> false

let add given structure =
  if given = [] || List.exists includes structure then (structure, [])
  else
    let own = List.concat_map defined structure in
    let missing = List.filter (fun { names; _ } -> not (List.exists (fun name -> List.mem name own) names)) given in
    (List.map (fun { item; _ } -> item) missing @ structure, List.concat_map (fun { names; _ } -> names) missing)
