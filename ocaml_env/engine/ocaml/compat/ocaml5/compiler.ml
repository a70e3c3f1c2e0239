(* OCaml 5.3 and newer. *)

let forget_unit () =
  (* The last environment is remembered in two places, for speed; here it would only keep a dead candidate alive. *)
  ignore (Env.keep_only_summary Env.empty);
  ignore (Ctype.expand_head Env.empty Predef.type_int);
  Env.reset_cache_toplevel ();
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  Env.reset_required_globals ();
  Typetexp.TyVarEnv.reset ()

let start_unit name =
  forget_unit ();
  Env.set_current_unit (Unit_info.make ~check_modname:false ~source_file:name Unit_info.Impl name)

let set_loader load =
  let read_from_disk = !Persistent_env.Persistent_signature.load in
  Persistent_env.Persistent_signature.load :=
    fun ~allow_hidden ~unit_name ->
      let filename = ref "" in
      let read () =
        Option.map
          (fun (found : Persistent_env.Persistent_signature.t) ->
            filename := found.filename;
            found.cmi)
          (read_from_disk ~allow_hidden ~unit_name)
      in
      Option.map
        (fun cmi ->
          { Persistent_env.Persistent_signature.filename = !filename; cmi; visibility = Load_path.Visible })
        (load ~read unit_name)

let read_interface unit_name = ignore (!Persistent_env.Persistent_signature.load ~allow_hidden:false ~unit_name)

let make_cmi name signature =
  let cmi_sign = Subst.signature Subst.Make_local (Subst.for_saving Subst.identity) signature in
  { Cmi_format.cmi_name = name; cmi_sign; cmi_crcs = [ (name, Some (Digest.string name)) ]; cmi_flags = [] }

let lambda label body =
  let loc = Location.none in
  let parameter =
    { Parsetree.pparam_loc = loc; pparam_desc = Pparam_val (label, None, Ast_helper.Pat.any ()) }
  in
  Ast_helper.Exp.function_ ~loc [ parameter ] None (Pfunction_body body)


let literal (constant : Parsetree.constant) =
  match constant.pconst_desc with
  | Pconst_integer (digits, suffix) -> `Integer (digits, suffix)
  | Pconst_char c -> `Char c
  | Pconst_string (text, _, _) -> `String text
  | Pconst_float (digits, suffix) -> `Float (digits, suffix)

let rec function_body (e : Parsetree.expression) =
  let rec inside (e : Parsetree.expression) =
    match e.pexp_desc with
    | Pexp_function (_, _, Pfunction_body body) | Pexp_newtype (_, body) | Pexp_constraint (body, _) -> inside body
    | Pexp_function (_, _, Pfunction_cases (cases, loc, _)) -> `Cases (loc, cases)
    | _ -> `Body e
  in
  match e.pexp_desc with
  | Pexp_constraint (e, _) -> function_body e
  | Pexp_function _ | Pexp_newtype _ -> inside e
  | _ -> `None

let type_structure env structure =
  let typed, signature, names, _shape, env = Guard.compiler (fun () -> Typemod.type_structure env structure) in
  (typed, signature, names, env)

let force_delayed_checks () = Guard.compiler Typecore.force_delayed_checks

let no_shape = Shape.dummy_mod

let coerce env signature ~expected =
  Guard.compiler (fun () ->
      fst (Includemod.compunit env ~mark:true "the code" signature "the signature" expected no_shape))

let includes env signature ~expected =
  Guard.compiler (fun () -> ignore (Includemod.signatures env ~mark:false signature expected))

let mentions_path is_wanted item =
  let found = ref false in
  Types.with_type_mark (fun mark ->
      let it = { (Btype.type_iterators mark) with it_path = (fun path -> if is_wanted path then found := true) } in
      Guard.compiler (fun () -> it.it_signature_item it item));
  !found

let any_type () = Ctype.with_local_level_generalize Ctype.newvar

let constructor ty =
  match Types.get_desc ty with Tconstr (path, arguments, _) -> Some (path, arguments) | _ -> None

let unboxed_variant = Types.Variant_unboxed

let is_too_deeply_unboxed env ty =
  Guard.compiler (fun () -> Typedecl_unboxed.get_unboxed_type_representation env ty = None)

let is_abstract : Types.type_decl_kind -> bool = function Type_abstract _ -> true | _ -> false
let is_closed ty = Guard.compiler (fun () -> Ctype.free_variables ty = [])

let extension_result (c : Typedtree.extension_constructor) =
  match c.ext_kind with Text_decl (_, _, result) -> result | Text_rebind _ -> None

let description = Types.get_desc

let present_tags row =
  let tag (label, field) =
    match Types.row_field_repr field with Rpresent argument -> Some (label, argument) | Reither _ | Rabsent -> None
  in
  List.filter_map tag (Types.row_fields row)

let match_of (e : Typedtree.expression) =
  match e.exp_desc with Texp_match (scrutinee, cases, [], _) -> Some (scrutinee, cases) | _ -> None

let try_of (e : Typedtree.expression) =
  match e.exp_desc with Texp_try (body, handlers, []) -> Some (body, handlers) | _ -> None

let binder (p : Typedtree.pattern) =
  match p.pat_desc with
  | Tpat_var (id, _, _) -> `Variable id
  | Tpat_alias (p, id, _, _) -> `Alias (id, p)
  | _ -> `Other

let try_with ~(like : Typedtree.expression) body handler =
  let ident = Ident.create_local "exn" and ty = Predef.type_exn in
  let name = Location.mknoloc "exn" in
  let uid = Types.Uid.internal_not_actually_unique in
  let description =
    { Types.val_type = ty; val_kind = Val_reg; val_loc = like.exp_loc; val_attributes = []; val_uid = uid }
  in
  let bare exp_desc exp_type = { like with exp_desc; exp_type; exp_extra = []; exp_attributes = [] } in
  let read = bare (Typedtree.Texp_ident (Pident ident, Location.mknoloc (Longident.Lident "exn"), description)) ty in
  let read = { read with exp_env = Env.add_value ident description like.exp_env } in
  let c_lhs =
    {
      Typedtree.pat_desc = Typedtree.Tpat_var (ident, name, uid);
      pat_loc = like.exp_loc;
      pat_extra = [];
      pat_type = ty;
      pat_env = like.exp_env;
      pat_attributes = [];
    }
  in
  bare (Typedtree.Texp_try (body, [ { c_lhs; c_cont = None; c_guard = None; c_rhs = handler read } ], [])) like.exp_type

type checkpoint = Types.snapshot

let checkpoint = Btype.snapshot

(* Any change begins a log of changes; this one changes nothing. *)
let log_anew () = Types.set_name (ref None) None

(* Below 5.4 the compiler cannot undo all that it does to marked types (ocaml/ocaml 13808). What it leaves is about types of
   this candidate, which are made anew when it is typed again. *)
let rollback ~apart snapshot =
  Guard.compiler (fun () ->
      (try Btype.backtrack snapshot
       with (Invalid_argument _ | Failure _ | Assert_failure _) when apart -> log_anew ());
      Typecore.reset_delayed_checks ();
      Typetexp.TyVarEnv.reset ())

(* Where the compiler knows of local equations, it sets a flag and forgets what types expand to. An exception leaves the flag
   set, which nothing outside can see or reset; but then it forgets nothing. *)
let is_worn env =
  let equations = Env.add_local_constraint Predef.path_int (Env.find_type Predef.path_int env) env in
  let expansions = ref Types.Mnil in
  Btype.memorize_abbrev expansions Public Predef.path_int Predef.type_int Predef.type_int;
  Ctype.wrap_trace_gadt_instances equations ignore ();
  !expansions != Types.Mnil

let forget_printed_names = Out_type.reset

let text (message : Location.msg) =
  Guard.compiler (fun () -> Format.asprintf "@[<h>%a@]" Format_doc.Doc.format message.txt)


(* Fixed in the compiler since 5.3. *)
let reread_in_matches structure = structure
let check_recursive_values _ ~translated:_ ~simplified:_ = ()
let accepts_unsound_declarations = false
let translate name typed coercion =
  Guard.compiler (fun () -> Translmod.transl_implementation name (typed, coercion))


type code = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t
type bytecode = { code : code; relocations : (Cmo_format.reloc_info * int) list }

let emit lambda =
  Guard.compiler (fun () ->
      let instructions, _can_free = Bytegen.compile_phrase lambda in
      let code, relocations, _events = Emitcode.to_memory instructions in
      { code; relocations })

let load_tables runner =
  let channel = open_in_bin runner in
  Fun.protect
    ~finally:(fun () -> close_in channel)
    (fun () ->
      let sections = Bytesections.read_toc channel in
      let primitives = Bytesections.read_section_string sections channel Bytesections.Name.PRIM in
      let globals : Symtable.global_map =
        Bytesections.read_section_struct sections channel Bytesections.Name.SYMB
      in
      (* A table that is being made, not looked up, numbers the names in the order in which they come. *)
      Clflags.custom_runtime := true;
      List.iter
        (fun name -> if name <> "" then Symtable.require_primitive name)
        (String.split_on_char '\000' primitives);
      Symtable.restore_state globals)

let global unit_ = Symtable.Global.Glob_compunit unit_
let known unit_ = match Symtable.get_global_position (global unit_) with _ -> true | exception Symtable.Error _ -> false

(* The table would give a unit a second slot if it is defined again: a known unit keeps the one it has. *)
let patch_code code relocations =
  let linked (Cmo_format.Compunit name) = Cmo_format.Compunit (Generated.linked_name name) in
  let settled = function
    | Cmo_format.Reloc_setcompunit unit_, at when known (linked unit_) -> (Cmo_format.Reloc_getcompunit (linked unit_), at)
    | Reloc_getcompunit unit_, at -> (Reloc_getcompunit (linked unit_), at)
    | Reloc_literal constant, at when Obj.tag constant = Obj.string_tag ->
        (Reloc_literal (Obj.repr (Generated.named_by_ocaml (Obj.obj constant))), at)
    | other -> other
  in
  Symtable.patch_object code (List.map settled relocations)

let slot_of_unit name =
  let unit_ = Cmo_format.Compunit (Generated.linked_name name) in
  let scratch = Bigarray.Array1.create Bigarray.char Bigarray.c_layout 4 in
  patch_code scratch [ (Cmo_format.Reloc_setcompunit unit_, 0) ];
  Symtable.get_global_position (global unit_)

let patch { code; relocations } =
  patch_code code relocations;
  String.init (Bigarray.Array1.dim code) (Bigarray.Array1.get code)

let units_referred_to { relocations; _ } =
  List.filter_map
    (function Cmo_format.Reloc_getcompunit (Compunit name), _ -> Some name | _ -> None)
    relocations

let split_equality (e : Typedtree.expression) =
  match e.exp_desc with
  | Texp_apply
      ( { exp_desc = Texp_ident (_, _, { val_kind = Val_prim { prim_name = "%equal"; _ }; _ }); _ },
        [ (Nolabel, Some left); (Nolabel, Some right) ] ) ->
      Some (left, right)
  | _ -> None
