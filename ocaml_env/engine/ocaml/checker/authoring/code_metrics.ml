open Parsetree

type t = { nodes : int; constructs : string list; modules : string list }

let of_expression (e : expression) =
  match e.pexp_desc with
  | Pexp_let (Recursive, _, _) -> [ "recursion" ]
  | Pexp_match _ -> [ "matching" ]
  | Pexp_try _ -> [ "exceptions" ]
  | Pexp_while _ | Pexp_for _ -> [ "loops" ]
  | Pexp_setfield _ -> [ "mutation" ]
  | Pexp_array _ -> [ "arrays" ]
  | Pexp_record _ -> [ "records" ]
  | Pexp_variant _ -> [ "polymorphic variants" ]
  | Pexp_object _ | Pexp_send _ | Pexp_new _ -> [ "objects" ]
  | Pexp_lazy _ -> [ "laziness" ]
  | Pexp_letmodule _ -> [ "local modules" ]
  | Pexp_pack _ -> [ "first-class modules" ]
  | Pexp_letop _ -> [ "binding operators" ]
  | Pexp_newtype _ -> [ "locally abstract types" ]
  | Pexp_apply (_, arguments) when List.exists (fun (label, _) -> label <> Asttypes.Nolabel) arguments -> [ "labels" ]
  | Pexp_ident { txt = Lident (":=" | "incr" | "decr"); _ } -> [ "mutation" ]
  | Pexp_ident { txt = Lident ("raise" | "raise_notrace" | "failwith" | "invalid_arg"); _ } -> [ "exceptions" ]
  | _ -> []

let of_declaration (d : type_declaration) =
  match d.ptype_kind with
  | Ptype_variant constructors when List.exists (fun c -> c.pcd_res <> None) constructors -> [ "GADTs"; "variants" ]
  | Ptype_variant _ -> [ "variants" ]
  | Ptype_record fields when List.exists (fun l -> l.pld_mutable = Asttypes.Mutable) fields -> [ "mutation"; "records" ]
  | Ptype_record _ -> [ "records" ]
  | Ptype_open -> [ "extensible types" ]
  | Ptype_abstract -> []

let of_item (item : structure_item) =
  match item.pstr_desc with
  | Pstr_value (Recursive, _) -> [ "recursion" ]
  | Pstr_exception _ -> [ "exceptions" ]
  | Pstr_module _ | Pstr_recmodule _ -> [ "modules" ]
  | Pstr_modtype _ -> [ "module types" ]
  | Pstr_class _ -> [ "objects" ]
  | _ -> []

let of_module (m : module_expr) =
  match m.pmod_desc with
  | Pmod_functor _ | Pmod_apply _ -> [ "functors" ]
  | Pmod_unpack _ -> [ "first-class modules" ]
  | _ -> []

let rec head : Longident.t -> string option = function
  | Ldot (Lident name, _) -> Some name
  | Ldot (path, _) -> head path
  | Lident _ | Lapply _ -> None

let of_source source =
  let structure = Source.parse_trusted Parser.implementation source in
  let nodes = ref 0 and constructs = ref [] and modules = ref [] and own = ref [] in
  let add found = constructs := found @ !constructs in
  let name lid = Option.iter (fun name -> modules := name :: !modules) (head lid) in
  let default = Ast_iterator.default_iterator in
  let it =
    {
      default with
      expr =
        (fun it e ->
          incr nodes;
          add (of_expression e);
          (match e.pexp_desc with Pexp_ident { txt; _ } -> name txt | _ -> ());
          default.expr it e);
      pat =
        (fun it p ->
          incr nodes;
          (match p.ppat_desc with Ppat_exception _ -> add [ "exceptions" ] | Ppat_lazy _ -> add [ "laziness" ] | _ -> ());
          default.pat it p);
      case =
        (fun it c ->
          if c.pc_guard <> None then add [ "guards" ];
          default.case it c);
      type_declaration =
        (fun it d ->
          add (of_declaration d);
          default.type_declaration it d);
      module_binding =
        (fun it m ->
          Option.iter (fun n -> own := n :: !own) m.pmb_name.txt;
          default.module_binding it m);
      module_expr =
        (fun it m ->
          add (of_module m);
          (match m.pmod_desc with
          | Pmod_ident { txt = Lident n; _ } -> modules := n :: !modules
          | Pmod_ident { txt; _ } -> name txt
          | _ -> ());
          default.module_expr it m);
      structure_item =
        (fun it item ->
          add (of_item item);
          default.structure_item it item);
    }
  in
  it.structure it structure;
  let once names = List.sort_uniq compare names in
  let is_library name = Option.is_some (List.assoc_opt ("Stdlib__" ^ name) Policy.units) in
  { nodes = !nodes; constructs = once !constructs; modules = once (List.filter (fun n -> is_library n && not (List.mem n !own)) !modules) }
