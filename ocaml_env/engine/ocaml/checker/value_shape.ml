type t =
  | Int
  | Char
  | Float
  | String
  | Bytes
  | Int32
  | Int64
  | Nativeint
  | Tuple of t list
  | List of t
  | Array of t
  | Tags of (string * int * t option) list
  | Exception
  | Declared of int * t list
  | Parameter of int
  | Mark of string

type declaration =
  | Variant of { constants : string array; blocks : (string * arguments) array }
  | Record of (string * t) list
  | Floats of string list
  | Unboxed_constructor of string * arguments
  | Unboxed_record of string * t
  | Same_as of t

and arguments = Plain of t list | Inline of (string * t) list

type known = { declarations : declaration array; exceptions : (string * arguments) list }
type table = {
  mutable numbers : (Path.t * int) list;
  mutable rows : (Types.type_expr * int) list;  (** polymorphic variants, which can be recursive without a name *)
  known : (int, declaration) Hashtbl.t;
  mutable next : int;
}

let abstract = Mark "<abstr>"
let polymorphic = Mark "<poly>"
let table () = { numbers = []; rows = []; known = Hashtbl.create 16; next = 0 }

let new_number table =
  table.next <- table.next + 1;
  table.next - 1

(* More of a type is not looked at: some have no end. *)
let most_parts = 2_000

let scalars =
  Predef.
    [
      (path_int, Int);
      (path_char, Char);
      (path_float, Float);
      (path_string, String);
      (path_bytes, Bytes);
      (path_int32, Int32);
      (path_int64, Int64);
      (path_nativeint, Nativeint);
      (path_exn, Exception);
      (path_lazy_t, Mark "<lazy>");
      (path_floatarray, abstract);
    ]

(* The modules on the way to a type, as they are written. *)
let rec modules ~unit_name : Path.t -> string list = function
  | Pident id when Ident.persistent id ->
      let name = Ident.name id and library = "Stdlib__" in
      if name = unit_name || name = "Stdlib" then []
      else if String.starts_with ~prefix:library name then
        [ String.sub name (String.length library) (String.length name - String.length library) ]
      else [ name ]
  | Pident id -> [ Ident.name id ]
  | Pdot (prefix, name) -> modules ~unit_name prefix @ [ name ]
  | Papply (f, _) -> modules ~unit_name f
  | _ -> []

(* A constructor or label of a type, with modules before it unless its name alone means it. *)
let written ~unit_name (path : Path.t) name ~meant =
  match path with
  | Pdot (prefix, _) -> (
      match Compiler.constructor (meant (Longident.Lident name)) with
      | Some (other, _) when Path.same path other -> name
      | _ | (exception Not_found) -> String.concat "." (modules ~unit_name prefix @ [ name ]))
  | _ -> name

let is_constant (c : Types.constructor_declaration) =
  match c.cd_args with Cstr_tuple [] -> true | Cstr_tuple _ | Cstr_record _ -> false

let of_type table ~unit_name env ty =
  let parts = ref 0 in
  (* [parameters] of the declaration around. *)
  let rec shape ~parameters ty =
    incr parts;
    let expanded = Ctype.expand_head env ty in
    match (Compiler.description expanded, Compiler.constructor ty) with
    | _ when !parts > most_parts -> abstract
    | Tvariant _, Some (path, arguments) -> declared path (List.map (shape ~parameters) arguments)
    | description, _ -> of_description ~parameters expanded description
  and of_description ~parameters expanded : Types.type_desc -> t = function
    | Tvar _ | Tunivar _ -> parameter ~parameters expanded 0
    | Tarrow _ -> Mark "<fun>"
    | Tobject _ -> Mark "<obj>"
    | Tpackage _ -> Mark "<module>"
    | Ttuple parts -> Tuple (List.map (shape ~parameters) parts)
    | Tpoly (ty, _) -> shape ~parameters ty
    | Tvariant row -> (
        let same = List.mapi (fun i _ -> Parameter i) parameters in
        match List.assq_opt expanded table.rows with
        | Some number -> Declared (number, same)
        | None ->
            let number = new_number table in
            table.rows <- (expanded, number) :: table.rows;
            let tag (label, argument) = (label, Btype.hash_variant label, Option.map (shape ~parameters) argument) in
            let tags = List.map tag (Compiler.present_tags row) in
            Hashtbl.replace table.known number (Same_as (Tags tags));
            Declared (number, same))
    | Tconstr (path, arguments, _) -> (
        let arguments = List.map (shape ~parameters) arguments in
        match (List.find_opt (fun (other, _) -> Path.same path other) scalars, arguments) with
        | Some (_, shape), _ -> shape
        | None, [ element ] when Path.same path Predef.path_list -> List element
        | None, [ element ] when Path.same path Predef.path_array -> Array element
        | None, _ -> declared path arguments)
    | _ -> abstract
  and parameter ~parameters ty i =
    match parameters with
    | [] -> polymorphic
    | first :: _ when first == ty -> Parameter i
    | _ :: parameters -> parameter ~parameters ty (i + 1)
  and declared path arguments =
    match List.find_opt (fun (other, _) -> Path.same path other) table.numbers with
    | Some (_, number) -> Declared (number, arguments)
    | None -> (
        match Env.find_type path env with
        | exception Not_found -> abstract
        | { type_kind; type_manifest = None; _ } when Compiler.is_abstract type_kind -> abstract
        | declaration ->
            let number = new_number table in
            table.numbers <- (path, number) :: table.numbers;
            Hashtbl.replace table.known number (declaration_of path declaration);
            Declared (number, arguments))
  and declaration_of path (d : Types.type_declaration) =
    let heads = List.map (Ctype.expand_head env) in
    let constructor_name (c : Types.constructor_declaration) =
      let meant name = (Env.find_constructor_by_name name env).cstr_res in
      written ~unit_name path (Ident.name c.cd_id) ~meant
    in
    let labels ~parameters (labels : Types.label_declaration list) =
      List.map (fun (l : Types.label_declaration) -> (Ident.name l.ld_id, shape ~parameters l.ld_type)) labels
    in
    let arguments (c : Types.constructor_declaration) =
      let parameters =
        match Option.bind c.cd_res Compiler.constructor with Some (_, result) -> heads result | None -> heads d.type_params
      in
      match c.cd_args with
      | Cstr_tuple types -> Plain (List.map (shape ~parameters) types)
      | Cstr_record fields -> Inline (labels ~parameters fields)
    in
    let block c = (constructor_name c, arguments c) in
    let parameters = heads d.type_params in
    (* Only the first label of a record has modules before it. *)
    let fields found =
      match labels ~parameters found with
      | (first, shape) :: rest ->
          let meant name = (Env.find_label_by_name name env).lbl_res in
          (written ~unit_name path first ~meant, shape) :: rest
      | [] -> []
    in
    match (d.type_kind, d.type_manifest) with
    | Type_variant ([ c ], representation), _ when representation = Compiler.unboxed_variant ->
        Unboxed_constructor (constructor_name c, arguments c)
    | Type_variant (constructors, _), _ ->
        let constants, blocks = List.partition is_constant constructors in
        let constants = Array.of_list (List.map constructor_name constants) in
        Variant { constants; blocks = Array.of_list (List.map block blocks) }
    | Type_record (found, Record_float), _ -> Floats (List.map fst (fields found))
    | Type_record (found, Record_unboxed _), _ -> (
        match fields found with [ (name, shape) ] -> Unboxed_record (name, shape) | _ -> Same_as abstract)
    | Type_record (found, _), _ -> Record (fields found)
    | Type_open, _ -> Same_as Exception
    | _, Some ty -> Same_as (shape ~parameters ty)
    | _, None -> Same_as abstract
  in
  shape ~parameters:[] ty

let known table ~unit_name env names =
  let exception_ name =
    match Env.find_constructor_by_name (Longident.Lident name) env with
    | { cstr_tag = Cstr_extension _; cstr_inlined = None; cstr_args; _ } ->
        Some (name, Plain (List.map (of_type table ~unit_name env) cstr_args))
    | _ | (exception Not_found) -> None
  in
  let exceptions = List.filter_map exception_ names in
  { declarations = Array.init (Hashtbl.length table.known) (Hashtbl.find table.known); exceptions }
