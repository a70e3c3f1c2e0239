open Parsetree

type t = { name : string; what : string; code : string }

(* How the functions of a stub answer. *)
type answer =
  | Raise
  | Constant of int
  | First_argument
  | Last_argument
  | Table of (string * string) list  (** by the function's name: its body, over the arguments [a1], [a2], ... *)

let text printer x =
  let buffer = Buffer.create 64 in
  let ppf = Format.formatter_of_buffer buffer in
  Format.pp_set_margin ppf 10_000;
  Format.fprintf ppf "%a@?" printer x;
  Buffer.contents buffer

let type_text = text Pprintast.core_type
(* The printer has no entry for module types: the type of a declared module is what stands behind the colon. *)
let module_type_text mty =
  let declared = text Pprintast.signature Ast_helper.[ Sig.module_ (Md.mk (Location.mknoloc (Some "X")) mty) ] in
  let at = String.index declared ':' + 1 in
  String.trim (String.sub declared at (String.length declared - at))

let failure = "failwith \"stub\""

(* --- constants --- *)

type scope = { types : (string * type_declaration) list; module_types : (string * signature) list }

let nothing = { types = []; module_types = [] }
let nth_of list k = List.nth list (k mod List.length list)

(* The constant for values that are no functions in a raising stub: one that no answer has. *)
let odd = 5

let both f a b = match (a, b) with Some a, Some b -> Some (f a b) | _ -> None
let all_of constants = List.fold_right (both (fun head tail -> head :: tail)) constants (Some [])
let parenthesised text = "(" ^ text ^ ")"
let tuple parts = parenthesised (String.concat ", " parts)

let substitute parameters ty =
  let mapper =
    {
      Ast_mapper.default_mapper with
      typ =
        (fun mapper ty ->
          match ty.ptyp_desc with
          | Ptyp_var name when List.mem_assoc name parameters -> List.assoc name parameters
          | _ -> Ast_mapper.default_mapper.typ mapper ty);
    }
  in
  mapper.typ mapper ty

let parameter_names (d : type_declaration) =
  List.map (fun (ty, _) -> match ty.ptyp_desc with Ptyp_var name -> name | _ -> "_") d.ptype_params

let abstract_constructor name = "Stub_" ^ name

(* Does a constructor, which may be of a GADT, make values of the type with these arguments? A variable stands for any
   one of them, and for the same wherever it stands. *)
let makes arguments (c : constructor_declaration) =
  let fits known (made, wanted) =
    let wanted = type_text wanted in
    match made.ptyp_desc with
    | Ptyp_var name when not (List.mem_assoc name known) -> Some ((name, wanted) :: known)
    | Ptyp_var name -> if List.assoc name known = wanted then Some known else None
    | _ -> if type_text made = wanted then Some known else None
  in
  match c.pcd_res with
  | Some { ptyp_desc = Ptyp_constr (_, made); _ } when List.length made = List.length arguments ->
      let one known pair = Option.bind known (fun known -> fits known pair) in
      List.fold_left one (Some []) (List.combine made arguments) <> None
  | _ -> true

(* The [k]th constant of a type, as text. *)
let rec constant scope ~depth k ty =
  let simple ty = constant scope ~depth:(depth - 1) k ty in
  let among texts = Some (nth_of texts k) in
  if depth = 0 then None
  else
    match ty.ptyp_desc with
    | Ptyp_tuple parts -> Option.map tuple (all_of (List.map simple parts))
    | Ptyp_alias (ty, _) | Ptyp_poly (_, ty) -> simple ty
    | Ptyp_constr ({ txt = Lident name; _ }, arguments) when List.mem_assoc name scope.types ->
        of_declaration scope ~depth k name (List.assoc name scope.types) arguments
    | Ptyp_constr ({ txt; _ }, arguments) -> (
        match (String.split_on_char '.' (Filter.text txt), arguments) with
        | [ "unit" ], [] -> Some "()"
        | [ "int" ], [] -> among [ "0"; "1"; "(-1)"; "2"; "42"; "min_int" ]
        | [ "bool" ], [] -> among [ "true"; "false" ]
        | [ "float" ], [] -> among [ "0."; "1."; "(-1.)"; "2."; "0.5"; "min_float" ]
        | [ "char" ], [] -> among [ "'a'"; "' '"; "'0'"; "'A'"; "'z'"; "'\\000'" ]
        | [ "string" ], [] -> among [ "\"\""; "\"a\""; "\" \""; "\"0\""; "\"abc\""; "\"\\000stub\"" ]
        | [ ("bytes" | "Bytes") ], [] | [ "Bytes"; "t" ], [] -> Some "(Bytes.make 1 '\\000')"
        | [ "int32" ], [] -> among [ "0l"; "1l"; "(-1l)" ]
        | [ "int64" ], [] -> among [ "0L"; "1L"; "(-1L)" ]
        | [ "list" ], [ item ] -> of_container ~empty:"[]" ~opening:"[" ~closing:"]" k (simple item)
        | [ "array" ], [ item ] -> of_container ~empty:"[||]" ~opening:"[|" ~closing:"|]" k (simple item)
        | [ "option" ], [ item ] -> of_container ~empty:"None" ~opening:"(Some " ~closing:")" k (simple item)
        | [ "result" ], [ good; bad ] ->
            let good = Option.map (fun c -> "(Ok " ^ c ^ ")") (simple good)
            and bad = Option.map (fun c -> "(Error " ^ c ^ ")") (simple bad) in
            if k mod 2 = 0 then (if good = None then bad else good) else if bad = None then good else bad
        | [ "ref" ], [ item ] -> Option.map (fun c -> "(ref " ^ c ^ ")") (simple item)
        | [ "Seq"; "t" ], [ item ] ->
            of_container ~empty:"Seq.empty" ~opening:"(Seq.return " ~closing:")" k (simple item)
        | _ -> None)
    | _ -> None

(* Empty in turn with one item, or with nothing at all, so that two constants are never the same answer throughout. *)
and of_container ~empty ~opening ~closing k item =
  if k mod 2 = 0 then Some empty else Option.map (fun item -> opening ^ item ^ closing) item

and of_declaration scope ~depth k name (d : type_declaration) arguments =
  let parameters = try List.combine (parameter_names d) arguments with Invalid_argument _ -> [] in
  let of_type ty = constant scope ~depth:(depth - 1) k (substitute parameters ty) in
  let of_record fields =
    let field l = Option.map (fun c -> l.pld_name.txt ^ " = " ^ c) (of_type l.pld_type) in
    Option.map (fun fields -> "{ " ^ String.concat "; " fields ^ " }") (all_of (List.map field fields))
  in
  let of_constructor (c : constructor_declaration) =
    let applied argument = parenthesised (c.pcd_name.txt ^ " " ^ argument) in
    match c.pcd_args with
    | Pcstr_tuple [] -> Some c.pcd_name.txt
    | Pcstr_tuple [ ty ] -> Option.map applied (of_type ty)
    | Pcstr_tuple types -> Option.map (fun parts -> applied (tuple parts)) (all_of (List.map of_type types))
    | Pcstr_record fields -> Option.map applied (of_record fields)
  in
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_abstract, Some ty -> of_type ty
  | Ptype_abstract, None -> Some (abstract_constructor name)
  | Ptype_variant constructors, _ -> (
      match List.filter_map of_constructor (List.filter (makes arguments) constructors) with
      | [] -> None
      | some -> Some (nth_of some k))
  | Ptype_record fields, _ -> of_record fields
  | Ptype_open, _ -> None

let constant scope = constant scope ~depth:5

(* --- values --- *)

let rec arrows ty =
  match ty.ptyp_desc with
  | Ptyp_arrow (label, argument, result) ->
      let arguments, result = arrows result in
      ((label, argument) :: arguments, result)
  | Ptyp_poly (_, ty) -> arrows ty
  | _ -> ([], ty)

let parameter index (label, _) =
  let name = Printf.sprintf "a%d" (index + 1) in
  match (label : Asttypes.arg_label) with
  | Nolabel -> name
  | Labelled l -> Printf.sprintf "~%s:%s" l name
  | Optional l -> Printf.sprintf "?%s:%s" l name

let body scope answer name arguments result =
  let same = List.filter (fun (_, (_, ty)) -> type_text ty = type_text result) (List.mapi (fun i a -> (i, a)) arguments) in
  let argument = function Some (index, _) -> Printf.sprintf "a%d" (index + 1) | None -> failure in
  match answer with
  | Raise -> failure
  | Constant k -> Option.value (constant scope k result) ~default:failure
  | First_argument -> argument (List.nth_opt same 0)
  | Last_argument -> argument (List.nth_opt (List.rev same) 0)
  | Table bodies -> Option.value (List.assoc_opt name bodies) ~default:failure

let value scope answer (v : value_description) =
  let name = v.pval_name.txt in
  let bound = match name.[0] with 'a' .. 'z' | '_' -> name | _ -> "( " ^ name ^ " )" in
  match arrows v.pval_type with
  | [], ty ->
      let k = match answer with Constant k -> k | _ -> odd in
      Printf.sprintf "let %s = %s" bound (Option.value (constant scope k ty) ~default:failure)
  | arguments, result ->
      let parameters = String.concat " " (List.mapi parameter arguments) in
      Printf.sprintf "let %s = fun %s -> %s" bound parameters (body scope answer name arguments result)

(* --- modules --- *)

(* The items of a module type with its constraints put in; None if it is defined elsewhere. *)
let rec items_of scope mty =
  match mty.pmty_desc with
  | Pmty_signature items -> Some items
  | Pmty_ident { txt = Lident name; _ } -> List.assoc_opt name scope.module_types
  | Pmty_with (mty, constraints) -> Option.map (constrained constraints) (items_of scope mty)
  | _ -> None

and constrained constraints items =
  let given name =
    List.find_map
      (function
        | Pwith_type ({ txt = Lident n; _ }, d) when n = name -> Some d
        | Pwith_typesubst ({ txt = Lident n; _ }, d) when n = name -> Some d
        | _ -> None)
      constraints
  in
  let declaration d = match given d.ptype_name.txt with Some known -> { d with ptype_manifest = known.ptype_manifest } | None -> d in
  List.map
    (fun item ->
      match item.psig_desc with
      | Psig_type (flag, ds) -> { item with psig_desc = Psig_type (flag, List.map declaration ds) }
      | _ -> item)
    items

(* An abstract type gets a constructor of its own, so that its constants exist. *)
let concrete (d : type_declaration) =
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_abstract, None ->
      let constructor = Ast_helper.Type.constructor (Location.mknoloc (abstract_constructor d.ptype_name.txt)) in
      { d with ptype_kind = Ptype_variant [ constructor ]; ptype_private = Public }
  | _ -> d

let item_text desc = text Pprintast.structure [ Ast_helper.Str.mk desc ]

let rec structure scope answer items =
  let step (scope, parts) item =
    match item.psig_desc with
    | Psig_value v -> (scope, value scope answer v :: parts)
    | Psig_type (flag, ds) ->
        let types = List.map (fun d -> (d.ptype_name.txt, d)) ds in
        ({ scope with types = types @ scope.types }, item_text (Pstr_type (flag, List.map concrete ds)) :: parts)
    | Psig_typext e -> (scope, item_text (Pstr_typext e) :: parts)
    | Psig_exception e -> (scope, item_text (Pstr_exception e) :: parts)
    | Psig_modtype m ->
        let known = match m.pmtd_type with Some mty -> items_of scope mty | None -> None in
        let module_types = match known with Some items -> [ (m.pmtd_name.txt, items) ] | None -> [] in
        ({ scope with module_types = module_types @ scope.module_types }, item_text (Pstr_modtype m) :: parts)
    | Psig_module m ->
        let name = Option.value m.pmd_name.txt ~default:"_" in
        (scope, Printf.sprintf "module %s%s" name (module_body scope answer m.pmd_type) :: parts)
    | Psig_include i -> (
        match items_of scope i.pincl_mod with
        | Some items ->
            let scope, more = inside scope answer items in
            (scope, more @ parts)
        | None -> (scope, ("include " ^ opaque i.pincl_mod) :: parts))
    | Psig_open o ->
        let popen_expr = Ast_helper.Mod.ident o.popen_expr in
        (scope, item_text (Pstr_open { o with popen_expr }) :: parts)
    | _ -> (scope, parts)
  in
  let _, parts = List.fold_left step (scope, []) items in
  String.concat "\n" (List.rev parts)

and inside scope answer items =
  let types = List.concat_map (fun i -> match i.psig_desc with Psig_type (_, ds) -> ds | _ -> []) items in
  let types = List.map (fun d -> (d.ptype_name.txt, d)) types in
  ({ scope with types = types @ scope.types }, [ structure scope answer items ])

and opaque mty = Printf.sprintf "(val (%s : (module %s)))" failure (module_type_text mty)

and module_body scope answer mty =
  match mty.pmty_desc with
  | Pmty_functor (Unit, result) -> " ()" ^ module_body scope answer result
  | Pmty_functor (Named ({ txt; _ }, argument), result) ->
      let name = Option.value txt ~default:"_" in
      Printf.sprintf " (%s : %s)%s" name (module_type_text argument) (module_body scope answer result)
  | _ -> (
      match items_of scope mty with
      | Some items -> Printf.sprintf " = struct\n%s\nend" (structure scope answer items)
      | None -> " = " ^ opaque mty)

(* --- answers that are known from the tests --- *)

type known = { f : string; arguments : (Asttypes.arg_label * string) list; expected : string }

let is_name f = match f.[0] with 'a' .. 'z' | '_' -> f <> "not" | _ -> false

(* A test of the form [f x y = z], or a relative of it. *)
let known_answer source =
  let slice (e : expression) =
    let start = e.pexp_loc.loc_start.pos_cnum in
    parenthesised (String.sub source start (e.pexp_loc.loc_end.pos_cnum - start))
  in
  let call e expected =
    match e.pexp_desc with
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident f; _ }; _ }, arguments) when is_name f ->
        Some { f; arguments = List.map (fun (label, e) -> (label, slice e)) arguments; expected }
    | _ -> None
  in
  match Source.parse_trusted Parser.parse_expression source with
  | { pexp_desc = Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident "="; _ }; _ }, [ (_, left); (_, right) ]); _ } -> (
      match call left (slice right) with Some known -> Some known | None -> call right (slice left))
  | { pexp_desc = Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident "not"; _ }; _ }, [ (_, e) ]); _ } -> call e "(false)"
  | e -> call e "(true)"
  | exception (Syntaxerr.Error _ | Lexer.Error _) -> None

(* The functions of a signature: name, arguments, result. *)
let functions items =
  let function_of item =
    match item.psig_desc with
    | Psig_value v -> (
        match arrows v.pval_type with [], _ -> None | arguments, result -> Some (v.pval_name.txt, arguments, result))
    | _ -> None
  in
  List.filter_map function_of items

(* A body that tries each example in turn, and raises for anything else. *)
let table_of (name, arguments, _) known =
  let row k rest =
    let given (label, _) index =
      let same (l, _) = l = label in
      match (label : Asttypes.arg_label) with
      | Nolabel ->
          let before = List.filteri (fun i (l, _) -> i < index && l = Asttypes.Nolabel) arguments in
          List.nth_opt (List.filter same k.arguments) (List.length before)
      | _ -> List.find_opt same k.arguments
    in
    let test index argument =
      Option.map (fun (_, text) -> Printf.sprintf "a%d = %s" (index + 1) text) (given argument index)
    in
    match all_of (List.mapi test arguments) with
    | Some tests when k.f = name ->
        Printf.sprintf "if (try %s with _ -> false) then %s else %s" (String.concat " && " tests) k.expected rest
    | _ -> rest
  in
  (name, parenthesised (List.fold_right row known failure))

(* The answers that the tests expect of a function, the commonest first. *)
let common known name =
  let answers = List.filter_map (fun k -> if k.f = name then Some k.expected else None) known in
  let count answer = List.length (List.filter (( = ) answer) answers) in
  List.stable_sort (fun a b -> compare (count b) (count a)) (List.sort_uniq compare answers)

(* What the functions of a stub answer, in words: [always 0], or [f: always 0; g: always None]. *)
let always functions answers ~otherwise =
  let one (f, text) = (if List.compare_length_with functions 1 > 0 then f ^ ": " else "") ^ "always " ^ Edit.bare text in
  if answers = [] then otherwise else String.concat "; " (List.map one answers)

let all ~signature ~examples ~tests =
  let items = Source.parse_trusted Parser.interface signature in
  let functions = functions items in
  let examples = List.filter_map known_answer examples and tests = List.filter_map known_answer tests in
  let common_bodies k =
    List.filter_map (fun (name, _, _) -> Option.map (fun e -> (name, e)) (List.nth_opt (common tests name) k)) functions
  in
  let scope = fst (inside nothing Raise items) in
  let constants k = List.filter_map (fun (f, _, result) -> Option.map (fun c -> (f, c)) (constant scope k result)) functions in
  let numbered name k = Printf.sprintf "%s %d" name (k + 1) in
  let constant_stub k = (numbered "constant" k, always functions (constants k) ~otherwise:(numbered "constant" k), Constant k)
  and common_stub k =
    (numbered "common answer" k, always functions (common_bodies k) ~otherwise:(numbered "common answer" k), Table (common_bodies k))
  in
  let answers =
    [ ("raising", "an exception in every function", Raise) ]
    @ List.init odd constant_stub
    @ [ ("identity first", "an argument given back", First_argument) ]
    @ [ ("identity last", "its last argument of that type given back", Last_argument) ]
    @ [ ("table of the examples", "a table of the examples", Table (List.map (fun f -> table_of f examples) functions)) ]
    @ List.init 2 common_stub
  in
  let distinct stubs (name, what, answer) =
    let code = structure nothing answer items in
    if List.exists (fun stub -> stub.code = code) stubs then stubs else { name; what; code } :: stubs
  in
  List.rev (List.fold_left distinct [] answers)
