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

(* --- 13579 and 12878 --- *)

let refuse loc what = raise (Location.Error (Location.error ~loc ("This is refused because it is unsound: " ^ what)))

(* Does a type apply, to something that is not closed, an abstract type of which the compiler does not know that its
   argument can be told from it? *)
let applies_abstract env ty =
  let found = ref false in
  let rec look ty =
    (match Compiler.constructor ty with
    | Some (path, arguments) -> (
        List.iter look arguments;
        match Env.find_type path env with
        | { type_kind; type_manifest = None; type_variance; _ }
          when Compiler.is_abstract type_kind
               && List.exists2
                    (fun argument variance ->
                      (not (Types.Variance.mem Inj variance)) && not (Compiler.is_closed argument))
                    arguments type_variance ->
            found := true
        | _ -> ()
        | exception Not_found -> ())
    | None -> ())
  in
  look ty;
  !found

let check_result env loc (result : Typedtree.core_type option) =
  match result with
  | Some { ctyp_type; _ } when applies_abstract env ctyp_type ->
      refuse loc "the result type of this constructor applies an abstract type that is not injective"
  | _ -> ()

let check_declaration env (d : Typedtree.type_declaration) =
  let injective (_, (_, injectivity)) = injectivity = Asttypes.Injective in
  if d.typ_private = Private && d.typ_manifest <> None && List.exists injective d.typ_params then
    refuse d.typ_loc "a private abbreviation cannot be declared injective";
  match d.typ_kind with
  | Ttype_variant constructors ->
      List.iter (fun (c : Typedtree.constructor_declaration) -> check_result env c.cd_loc c.cd_res) constructors
  | _ -> ()

let check structure =
  if Compiler.accepts_unsound_declarations then
    let env = ref Env.empty in
    let default = Tast_iterator.default_iterator in
    let it =
      {
        default with
        structure =
          (fun it s ->
            let outer = !env in
            env := s.str_final_env;
            default.structure it s;
            env := outer);
        signature =
          (fun it s ->
            let outer = !env in
            env := s.sig_final_env;
            default.signature it s;
            env := outer);
        type_declaration =
          (fun it d ->
            check_declaration !env d;
            default.type_declaration it d);
        extension_constructor =
          (fun it c ->
            (match Compiler.extension_result c with Some result -> check_result !env c.ext_loc (Some result) | None -> ());
            default.extension_constructor it c);
      }
    in
    it.structure it structure
