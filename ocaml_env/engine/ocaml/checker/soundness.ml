open Parsetree

(* --- 14982 --- *)

let needs_name m = match m.pmod_desc with Pmod_ident _ -> false | _ -> true

(* A name of its own for each, since an include exports it again. *)
let fresh_name count =
  incr count;
  Generated.module_name !count

let path name loc = Ast_helper.Mod.ident ~loc { txt = Longident.Lident name; loc }

let bind name m =
  let loc = m.pmod_loc in
  Ast_helper.(Str.module_ ~loc (Mb.mk ~loc { txt = Some name; loc } m))

let mapper () =
  let open Ast_mapper in
  let count = ref 0 in
  let name_item mapper item =
    let item = mapper.structure_item mapper item in
    let name = fresh_name count and loc = item.pstr_loc in
    match item.pstr_desc with
    | Pstr_include ({ pincl_mod; _ } as i) when needs_name pincl_mod ->
        [ bind name pincl_mod; { item with pstr_desc = Pstr_include { i with pincl_mod = path name loc } } ]
    | Pstr_open ({ popen_expr; _ } as o) when needs_name popen_expr ->
        [ bind name popen_expr; { item with pstr_desc = Pstr_open { o with popen_expr = path name loc } } ]
    | _ -> [ item ]
  in
  let name_expression mapper e =
    let e = default_mapper.expr mapper e in
    match e.pexp_desc with
    | Pexp_open (({ popen_expr; _ } as o), body) when needs_name popen_expr ->
        let name = fresh_name count and loc = e.pexp_loc in
        let opened = { e with pexp_desc = Pexp_open ({ o with popen_expr = path name loc }, body) } in
        Ast_helper.Exp.letmodule ~loc { txt = Some name; loc } popen_expr opened
    | _ -> e
  in
  {
    default_mapper with
    structure = (fun mapper items -> List.concat_map (name_item mapper) items);
    expr = name_expression;
    attribute = (fun _ attribute -> attribute);
  }

exception Found

(* Most programs have nothing to name, and looking is cheaper than rebuilding. *)
let has_unnamed structure =
  let default = Ast_iterator.default_iterator in
  let look m = if needs_name m then raise_notrace Found in
  let it =
    {
      default with
      include_declaration =
        (fun it i ->
          look i.pincl_mod;
          default.include_declaration it i);
      open_declaration =
        (fun it o ->
          look o.popen_expr;
          default.open_declaration it o);
      attribute = (fun _ _ -> ());
    }
  in
  match it.structure it structure with () -> false | exception Found -> true

let name_modules structure =
  if has_unnamed structure then
    let mapper = mapper () in
    mapper.structure mapper structure
  else structure

(* --- what is refused --- *)

let refuse loc what = raise (Location.Error (Location.error ~loc ("This is refused because it is unsound: " ^ what)))

(* What is asked of the compiler about a candidate may make it raise, as typing may. *)
let ask f = Guard.compiler ~expected:(function Not_found -> true | _ -> false) f
let expand env ty = ask (fun () -> Ctype.expand_head env ty)
let scrape env mty = ask (fun () -> Mtype.scrape env mty)
let add_signature items env = ask (fun () -> Env.add_signature items env)

(* Does a part of a type satisfy [is_wanted], with abbreviations expanded? Types of more parts than anybody writes count as
   if. *)
let has_part env is_wanted ty =
  let most = 5_000 in
  let seen = ref [] and expanded = ref [] and looked = ref 0 in
  let again (path, arguments) (other, others) =
    Path.same path other && List.length arguments = List.length others && List.for_all2 ( == ) arguments others
  in
  let rec look ty =
    match Compiler.constructor ty with
    | Some application when List.exists (again application) !expanded -> ()
    | application ->
        expanded := Option.to_list application @ !expanded;
        look_expanded (expand env ty)
  and look_expanded ty =
    if not (List.memq ty !seen) then (
      seen := ty :: !seen;
      incr looked;
      if !looked > most || is_wanted ty then raise_notrace Found;
      Btype.iter_type_expr look ty)
  in
  match look ty with () -> false | exception Found -> true

(* --- 13579 and 12878 --- *)

(* An abstract type, or a private abbreviation, that is applied to something that is not closed, and of which the compiler
   does not know that its argument can be told from it. *)
let is_not_injective env ty =
  match Compiler.constructor ty with
  | None -> false
  | Some (path, arguments) -> (
      let hides argument variance =
        (not (Types.Variance.mem Inj variance)) && not (Compiler.is_closed argument)
      in
      match ask (fun () -> Env.find_type path env) with
      | { type_kind; type_variance; _ } ->
          Compiler.is_abstract type_kind && ask (fun () -> List.exists2 hides arguments type_variance)
      | exception Not_found -> false)

let check_result env loc (result : Typedtree.core_type option) =
  match result with
  | Some { ctyp_type; _ } when has_part env (is_not_injective env) ctyp_type ->
      refuse loc "the result type of this constructor applies an abstract type that is not injective"
  | _ -> ()

let check_injectivity env (d : Typedtree.type_declaration) =
  let injective (_, (_, injectivity)) = injectivity = Asttypes.Injective in
  if d.typ_private = Private && d.typ_manifest <> None && List.exists injective d.typ_params then
    refuse d.typ_loc "a private abbreviation cannot be declared injective";
  match d.typ_kind with
  | Ttype_variant constructors ->
      List.iter (fun (c : Typedtree.constructor_declaration) -> check_result env c.cd_loc c.cd_res) constructors
  | _ -> ()

(* --- 7241 --- *)

let has_pattern (type k) (test : Typedtree.pattern -> bool) (p : k Typedtree.general_pattern) =
  let f (type l) (p : l Typedtree.general_pattern) =
    match Typedtree.classify_pattern p with Value -> test p | Computation -> false
  in
  Typedtree.exists_general_pattern { f } p

let is_lazy (p : Typedtree.pattern) = match p.pat_desc with Tpat_lazy _ -> true | _ -> false

let is_mutable (p : Typedtree.pattern) =
  match p.pat_desc with
  | Tpat_record (fields, _) -> List.exists (fun (_, label, _) -> label.Types.lbl_mut = Asttypes.Mutable) fields
  | Tpat_array _ -> true
  | _ -> false

let has_alternatives (type k) (p : k Typedtree.general_pattern) =
  let f (type l) (p : l Typedtree.general_pattern) = match p.pat_desc with Tpat_or _ -> true | _ -> false in
  Typedtree.exists_general_pattern { f } p

(* The compiler knows an alternative by what it has read for those before, and a lazy value that it forced may have changed
   that. Between the cases of a match [Compiler.reread_in_matches] reads again. *)
let check_pattern (type k) (p : k Typedtree.general_pattern) =
  if has_pattern is_lazy p && has_pattern is_mutable p && has_alternatives p then
    refuse p.pat_loc "an or-pattern forces a lazy value and looks at what that may change"

(* --- 12910 --- *)

let is_poly_with_package env ty =
  match Compiler.description ty with
  | Tpoly (body, _ :: _) ->
      has_part env (fun ty -> match Compiler.description ty with Tpackage _ -> true | _ -> false) body
  | _ -> false

(* The compiler compares such types wrongly where it looks for cases that cannot be: in an argument of the type of what is
   matched. *)
let check_method (type k) (p : k Typedtree.general_pattern) =
  let env = p.pat_env in
  let has_argument ty =
    match Compiler.constructor ty with
    | Some (_, arguments) -> List.exists (has_part env (is_poly_with_package env)) arguments
    | None -> false
  in
  if has_part env has_argument p.pat_type then
    refuse p.pat_loc
      "a pattern of a type that is applied to objects with a polymorphic method whose type has a first-class module"

(* --- 13928 --- *)

let check_representation loc env ty =
  let is_too_deep ty = ask (fun () -> Compiler.is_too_deeply_unboxed env ty) in
  if has_part env is_too_deep ty then refuse loc "unboxed types are nested too deeply"

(* --- 13765 --- *)

(* Functors with their arguments, of the applications in a path. *)
let rec applications : Path.t -> (Path.t * Path.t) list = function
  | Papply (f, argument) -> ((f, argument) :: applications f) @ applications argument
  | Pdot (path, _) -> applications path
  | _ -> []

(* An argument that no longer has the type that its functor asks for: equalities of types were lost since. *)
let is_misapplied env (f, argument) =
  let type_of path = Mtype.scrape env (Env.scrape_alias env (Env.find_module path env).md_type) in
  let is_wrong () =
    match type_of f with
    | Mty_functor (Named (_, parameter), _) ->
        Includemod.check_modtype_inclusion ~loc:Location.none env (type_of argument) argument parameter <> None
    | _ -> false
  in
  match ask is_wrong with is_wrong -> is_wrong | exception Not_found -> false

let rec check_module_type loc env mty =
  match scrape env mty with Mty_signature items -> check_signature loc env items | _ -> ()

and check_signature loc env items =
  let env = add_signature items env in
  let check_path path =
    if List.exists (is_misapplied env) (applications path) then
      refuse loc "the signature of this module applies a functor to what no longer fits it";
    false
  in
  let check_item : Types.signature_item -> unit = function
    | Sig_module (_, _, { md_type; _ }, _, _) -> check_module_type loc env md_type
    | Sig_modtype _ -> ()
    | item -> ignore (Compiler.mentions_path check_path item)
  in
  List.iter check_item items

(* --- all of it --- *)

(* What decides which of the slower checks there is anything for. *)
type found = { mutable unboxed : bool; mutable polymorphic : bool; mutable functors : bool }

let is_unboxed (d : Typedtree.type_declaration) =
  match d.typ_type.type_kind with
  | Type_record (_, Record_unboxed _) -> true
  | Type_variant (_, representation) -> representation = Compiler.unboxed_variant
  | _ -> false

let look_around structure =
  let found = { unboxed = false; polymorphic = false; functors = false } in
  let old = Compiler.accepts_unsound_declarations in
  let env = ref Env.empty in
  let default = Tast_iterator.default_iterator in
  let within inner f =
    let outer = !env in
    env := inner;
    f ();
    env := outer
  in
  let it =
    {
      default with
      structure = (fun it s -> within s.str_final_env (fun () -> default.structure it s));
      signature = (fun it s -> within s.sig_final_env (fun () -> default.signature it s));
      type_declaration =
        (fun it d ->
          if is_unboxed d then found.unboxed <- true;
          if old then check_injectivity !env d;
          default.type_declaration it d);
      extension_constructor =
        (fun it c ->
          if old then check_result !env c.ext_loc (Compiler.extension_result c);
          default.extension_constructor it c);
      pat =
        (fun it p ->
          if old then check_pattern p;
          default.pat it p);
      typ =
        (fun it t ->
          (match t.ctyp_desc with Ttyp_poly (_ :: _, _) -> found.polymorphic <- true | _ -> ());
          default.typ it t);
      module_expr =
        (fun it m ->
          (match m.mod_desc with Tmod_functor _ -> found.functors <- true | _ -> ());
          default.module_expr it m);
      module_type =
        (fun it m ->
          (match m.mty_desc with Tmty_functor _ -> found.functors <- true | _ -> ());
          default.module_type it m);
    }
  in
  it.structure it structure;
  found

let look_closely found (structure : Typedtree.structure) =
  let default = Tast_iterator.default_iterator in
  let methods = found.polymorphic && Compiler.accepts_unsound_declarations in
  let it =
    {
      default with
      pat =
        (fun (type k) it (p : k Typedtree.general_pattern) ->
          if methods then check_method p;
          if found.unboxed then check_representation p.pat_loc p.pat_env p.pat_type;
          default.pat it p);
      expr =
        (fun it e ->
          if found.unboxed then check_representation e.exp_loc e.exp_env e.exp_type;
          default.expr it e);
      module_expr =
        (fun it m ->
          if found.functors then check_module_type m.mod_loc m.mod_env m.mod_type;
          default.module_expr it m);
      module_type =
        (fun it m ->
          if found.functors then check_module_type m.mty_loc m.mty_env m.mty_type;
          default.module_type it m);
    }
  in
  if found.functors then check_signature Location.none structure.str_final_env structure.str_type;
  it.structure it structure

let check structure =
  let found = look_around structure in
  if found.unboxed || found.functors || found.polymorphic then look_closely found structure
