open Parsetree

(* The words of a message, without the punctuation of types. *)
let words message =
  String.split_on_char ' ' (String.map (function '(' | ')' | ',' | '*' | '"' | '\'' -> ' ' | c -> c) message)

let contains (outer : Location.t) (inner : Location.t) =
  outer.loc_start.pos_cnum <= inner.loc_start.pos_cnum && inner.loc_end.pos_cnum <= outer.loc_end.pos_cnum

let same a b = contains a b && contains b a
let size (l : Location.t) = l.loc_end.pos_cnum - l.loc_start.pos_cnum

let variables_of pattern =
  let names = ref [] in
  let it =
    {
      Ast_iterator.default_iterator with
      pat =
        (fun it p ->
          (match p.ppat_desc with
          | Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) -> names := txt :: !names
          | _ -> ());
          Ast_iterator.default_iterator.pat it p);
    }
  in
  it.pat it pattern;
  !names

let is_arithmetic = function
  | Longident.Lident ("+" | "-" | "*" | "/" | "mod" | "~-" | "+." | "-." | "*." | "/." | "**" | "~-.") -> true
  | _ -> false

(* What the complaints about one mistake have in common. With floats, [(a + b) / 2.0] is one mistake in which each
   operand clashes: its name is the outermost arithmetic around it. So is a match with patterns of two types: its name is
   the match. A variable of the wrong type is one mistake wherever its function uses it. *)
type attributed = Place of Location.t | Variable of string

let attributed item loc =
  let found = ref (Place loc) and arithmetic = ref None in
  let within scope f =
    let saved = !arithmetic in
    arithmetic := scope;
    f ();
    arithmetic := saved
  in
  let default = Ast_iterator.default_iterator in
  let expr (it : Ast_iterator.iterator) e =
    if contains e.pexp_loc loc then (
      let around =
        match e.pexp_desc with
        | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, _) when !arithmetic = None && is_arithmetic txt ->
            Some e.pexp_loc
        | _ -> !arithmetic
      in
      (match (around, e.pexp_desc) with
      | Some nest, _ -> found := Place nest
      | None, Pexp_ident { txt = Lident name; _ } when name <> Hole.name -> found := Variable name
      | None, _ -> found := Place loc);
      match e.pexp_desc with
      | Pexp_apply
          ( { pexp_desc = Pexp_ident { txt = Lident "!"; _ }; _ },
            [ (_, { pexp_desc = Pexp_ident { txt = Lident name; _ }; pexp_loc; _ }) ] )
        when contains pexp_loc loc ->
          found := Variable name
      | Pexp_apply _ | Pexp_field _ | Pexp_constraint _ -> within around (fun () -> default.expr it e)
      | Pexp_match _ | Pexp_function _ | Pexp_try _ ->
          within None (fun () ->
              default.expr
                {
                  it with
                  case =
                    (fun _ case ->
                      if contains case.pc_lhs.ppat_loc loc then found := Place e.pexp_loc else default.case it case);
                }
                e)
      | _ -> within None (fun () -> default.expr it e))
  in
  let it = { default with expr } in
  it.structure_item it item;
  !found

(* What the part of an item around an error defines: that it does not fit the signature either is no second mistake. *)
let names_around item loc =
  match item.pstr_desc with
  | Pstr_value (_, bindings) ->
      List.concat_map (fun b -> if contains b.pvb_loc loc then variables_of b.pvb_pat else []) bindings
  | Pstr_type (_, declarations) ->
      List.filter_map (fun d -> if contains d.ptype_loc loc then Some d.ptype_name.txt else None) declarations
  | Pstr_module { pmb_name = { txt = Some name; _ }; _ } -> [ name ]
  | Pstr_class classes -> List.filter_map (fun c -> if contains c.pci_loc loc then Some c.pci_name.txt else None) classes
  | _ -> []

let named_after_culprit ~source item loc (d : Diagnostic.t) =
  match d.kind with
  | "type-clash" -> (
      match (attributed item loc, names_around item loc) with
      | Variable name, scope :: _ -> { d with name = scope ^ "." ^ name }
      | Variable _, [] -> d
      | Place place, _ ->
          let line, column = Diagnostic.position ~source place in
          { d with name = Printf.sprintf "%d:%d" line column })
  | _ -> d
