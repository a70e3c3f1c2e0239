(* OCaml 4.13 and 4.14. *)

let forget_unit () =
  (* The last environment is remembered in two places, for speed; here it would only keep a dead candidate alive. *)
  ignore (Env.keep_only_summary Env.empty);
  ignore (Ctype.expand_head Env.empty Predef.type_int);
  Env.reset_cache_toplevel ();
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  Env.reset_required_globals ();
  Typetexp.reset_type_variables ()

let start_unit name =
  forget_unit ();
  Env.set_unit_name name

let set_loader load =
  let read_from_disk = !Persistent_env.Persistent_signature.load in
  Persistent_env.Persistent_signature.load :=
    fun ~unit_name ->
      let filename = ref "" in
      let read () =
        Option.map
          (fun (found : Persistent_env.Persistent_signature.t) ->
            filename := found.filename;
            found.cmi)
          (read_from_disk ~unit_name)
      in
      Option.map (fun cmi -> { Persistent_env.Persistent_signature.filename = !filename; cmi }) (load ~read unit_name)

let read_interface unit_name = ignore (!Persistent_env.Persistent_signature.load ~unit_name)

let make_cmi name signature =
  let cmi_sign = Subst.signature Subst.Make_local (Subst.for_saving Subst.identity) signature in
  { Cmi_format.cmi_name = name; cmi_sign; cmi_crcs = [ (name, Some (Digest.string name)) ]; cmi_flags = [] }

let lambda label body = Ast_helper.(Exp.fun_ label None (Pat.any ()) body)

let literal : Parsetree.constant -> _ = function
  | Pconst_integer (digits, suffix) -> `Integer (digits, suffix)
  | Pconst_char c -> `Char c
  | Pconst_string (text, _, _) -> `String text
  | Pconst_float (digits, suffix) -> `Float (digits, suffix)

let rec function_body (e : Parsetree.expression) =
  let rec inside (e : Parsetree.expression) =
    match e.pexp_desc with
    | Pexp_fun (_, _, _, body) | Pexp_newtype (_, body) | Pexp_constraint (body, _) -> inside body
    | Pexp_function cases -> `Cases (e.pexp_loc, cases)
    | _ -> `Body e
  in
  match e.pexp_desc with
  | Pexp_constraint (e, _) -> function_body e
  | Pexp_fun _ | Pexp_function _ | Pexp_newtype _ -> inside e
  | _ -> `None

let type_structure env structure = Guard.compiler (fun () -> Typemod.type_structure env structure)
let force_delayed_checks () = Guard.compiler Typecore.force_delayed_checks

let coerce env signature ~expected =
  Guard.compiler (fun () ->
      Includemod.compunit env ~mark:Includemod.Mark_positive "the code" signature "the signature" expected)

let includes env signature ~expected =
  Guard.compiler (fun () -> ignore (Includemod.signatures env ~mark:Includemod.Mark_neither signature expected))

let mentions_path is_wanted item =
  let found = ref false in
  let it = { Btype.type_iterators with it_path = (fun path -> if is_wanted path then found := true) } in
  Guard.compiler (fun () -> it.it_signature_item it item);
  Btype.(unmark_iterators.it_signature_item unmark_iterators) item;
  !found

let any_type () =
  Ctype.begin_def ();
  let variable = Ctype.newvar () in
  Ctype.end_def ();
  Ctype.generalize variable;
  variable

let constructor ty =
  match (Btype.repr ty).Types.desc with Tconstr (path, arguments, _) -> Some (path, arguments) | _ -> None

let unboxed_variant = Types.Variant_unboxed

let is_too_deeply_unboxed env ty =
  Guard.compiler (fun () -> Typedecl_unboxed.(get_unboxed_type_representation env ty = Unavailable))

let is_abstract : Types.type_decl_kind -> bool = function Type_abstract -> true | _ -> false
let is_closed ty = Guard.compiler (fun () -> Ctype.free_variables ty = [])

let extension_result (c : Typedtree.extension_constructor) =
  match c.ext_kind with Text_decl (_, result) -> result | Text_rebind _ -> None

let description ty = (Btype.repr ty).Types.desc

(* 4.13 has a field of this name, 4.14 a function. *)
module Rows = struct
  type row = { row_fields : unit }

  let row_fields row =
    let open! Types in
    row.row_fields
end

let present_tags row =
  let open! Rows in
  let open! Btype in
  let open! Types in
  let tag (label, field) =
    match row_field_repr field with Rpresent argument -> Some (label, argument) | Reither _ | Rabsent -> None
  in
  List.filter_map tag (row_fields row)

let match_of (e : Typedtree.expression) =
  match e.exp_desc with Texp_match (scrutinee, cases, _) -> Some (scrutinee, cases) | _ -> None

let try_of (e : Typedtree.expression) =
  match e.exp_desc with Texp_try (body, handlers) -> Some (body, handlers) | _ -> None

let binder (p : Typedtree.pattern) =
  match p.pat_desc with
  | Tpat_var (id, _) -> `Variable id
  | Tpat_alias (p, id, _) -> `Alias (id, p)
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
      Typedtree.pat_desc = Typedtree.Tpat_var (ident, name);
      pat_loc = like.exp_loc;
      pat_extra = [];
      pat_type = ty;
      pat_env = like.exp_env;
      pat_attributes = [];
    }
  in
  bare (Typedtree.Texp_try (body, [ { c_lhs; c_guard = None; c_rhs = handler read } ])) like.exp_type

type checkpoint = unit -> unit

let checkpoint () =
  let snapshot = Btype.snapshot () and levels = Ctype.save_levels () in
  fun () ->
    Btype.backtrack snapshot;
    Ctype.set_levels levels;
    Typecore.reset_delayed_checks ();
    Typetexp.reset_type_variables ()

let rollback ~apart:_ checkpoint = Guard.compiler checkpoint

(* Where the compiler knows of local equations, it sets a flag and forgets what types expand to. An exception leaves the flag
   set, which nothing outside can see or reset; but then it forgets nothing. *)
let is_worn env =
  let equations = Env.add_local_type Predef.path_int (Env.find_type Predef.path_int env) env in
  let expansions = ref Types.Mnil in
  Btype.memorize_abbrev expansions Public Predef.path_int Predef.type_int Predef.type_int;
  Ctype.wrap_trace_gadt_instances equations ignore ();
  !expansions != Types.Mnil

let forget_printed_names = Printtyp.reset
let text (message : Location.msg) = Guard.compiler (fun () -> Format.asprintf "@[<h>%t@]" message.txt)
let reread_in_matches = Reread.structure
let check_recursive_values = Recursive_values.check

let accepts_unsound_declarations = true

let translate name typed coercion =
  Translmod.reset ();
  Guard.compiler (fun () -> Translmod.transl_implementation name (typed, coercion))

type bytecode = { code : Misc.LongString.t; relocations : (Cmo_format.reloc_info * int) list }

let emit lambda =
  Bytegen.reset ();
  Guard.compiler (fun () ->
      let init, functions = Bytegen.compile_phrase lambda in
      let code, relocations, _events = Emitcode.to_memory init functions in
      { code; relocations })

let load_tables runner =
  let channel = open_in_bin runner in
  Fun.protect
    ~finally:(fun () -> close_in channel)
    (fun () ->
      Bytesections.read_toc channel;
      let primitives = Bytesections.read_section_string channel "PRIM" in
      let globals : Symtable.global_map = Bytesections.read_section_struct channel "SYMB" in
      (* A table that is being made, not looked up, numbers the names in the order in which they come. *)
      Clflags.custom_runtime := true;
      List.iter
        (fun name -> if name <> "" then Symtable.require_primitive name)
        (String.split_on_char '\000' primitives);
      Symtable.restore_state globals)

let known ident = match Symtable.get_global_position ident with _ -> true | exception Symtable.Error _ -> false

(* The table would give a unit a second slot if it is defined again: a known unit keeps the one it has. *)
let patch_code code relocations =
  let linked ident = Ident.create_persistent (Generated.linked_name (Ident.name ident)) in
  let settled = function
    | Cmo_format.Reloc_setglobal ident, at when known (linked ident) -> (Cmo_format.Reloc_getglobal (linked ident), at)
    | Reloc_getglobal ident, at when Ident.persistent ident -> (Reloc_getglobal (linked ident), at)
    | Reloc_literal (Const_base (Const_string (text, loc, quotes))), at ->
        (Reloc_literal (Const_base (Const_string (Generated.named_by_ocaml text, loc, quotes))), at)
    | other -> other
  in
  Symtable.patch_object code (List.map settled relocations)

let slot_of_unit name =
  let ident = Ident.create_persistent (Generated.linked_name name) in
  patch_code (Misc.LongString.create 4) [ (Cmo_format.Reloc_setglobal ident, 0) ];
  Symtable.get_global_position ident

let patch { code; relocations } =
  patch_code code relocations;
  Bytes.unsafe_to_string (Bytes.concat Bytes.empty (Array.to_list code))

let units_referred_to { relocations; _ } =
  List.filter_map
    (function Cmo_format.Reloc_getglobal ident, _ -> Some (Ident.name ident) | _ -> None)
    relocations

let split_equality (e : Typedtree.expression) =
  match e.exp_desc with
  | Texp_apply
      ( { exp_desc = Texp_ident (_, _, { val_kind = Val_prim { prim_name = "%equal"; _ }; _ }); _ },
        [ (Nolabel, Some left); (Nolabel, Some right) ] ) ->
      Some (left, right)
  | _ -> None
