open Typedtree

exception Unsupported of string

type variables = (Ident.t * int) list

let unsupported () = raise (Unsupported "a pattern that bytes cannot answer")

let constant : Asttypes.constant -> Data.t = function
  | Const_int n -> Data.of_int n
  | Const_char c -> Data.of_int (Char.code c)
  | Const_string (text, _, _) -> Data.of_string text
  | Const_float text -> Data.of_float (float_of_string text)
  | Const_int32 n -> Data.of_char_code 'l' (Int64.of_int32 n)
  | Const_int64 n -> Data.of_char_code 'L' n
  | Const_nativeint n -> Data.of_char_code 'N' (Int64.of_nativeint n)

let numbered patterns = List.mapi (fun i p -> (i, p)) patterns
let is_any (_, pattern) = pattern = Predicate.Any

(* Either pattern of an or-pattern binds the same names: by one number each. *)
let unify_variables names (pattern : Predicate.pattern) other_names =
  let number_of other =
    match List.find_opt (fun (_, n) -> n = other) other_names with
    | Some (id, _) -> (
        match List.find_opt (fun (name, _) -> Ident.name name = Ident.name id) names with
        | Some (_, n) -> n
        | None -> other)
    | None -> other
  in
  let rec rename : Predicate.pattern -> Predicate.pattern = function
    | Bind (p, n) -> Bind (rename p, number_of n)
    | Block b -> Block { b with fields = List.map (fun (i, p) -> (i, rename p)) b.fields }
    | Floats f -> Floats { f with fields = List.map (fun (i, p) -> (i, rename p)) f.fields }
    | Either (a, b) -> Either (rename a, rename b)
    | (Any | Same _ | Between _) as p -> p
  in
  rename pattern

let rec pattern ~fresh (p : Typedtree.pattern) : Predicate.pattern * variables =
  let sub = pattern ~fresh in
  let block ?size tag parts =
    let fields = List.map (fun (i, p) -> (i, sub p)) parts in
    let variables = List.concat_map (fun (_, (_, variables)) -> variables) fields in
    let fields = List.filter (fun f -> not (is_any f)) (List.map (fun (i, (p, _)) -> (i, p)) fields) in
    (Predicate.Block { tag; size; fields }, variables)
  in
  let as_floats (found, variables) =
    match found with
    | Predicate.Block { size; fields; _ } -> (Predicate.Floats { size; fields }, variables)
    | other -> (other, variables)
  in
  match p.pat_desc with
  | Tpat_any -> (Any, [])
  | Tpat_constant c -> (Same (constant c), [])
  | Tpat_tuple parts -> block 0 (numbered parts)
  | Tpat_construct (_, { cstr_tag; cstr_inlined; _ }, parts, _) -> (
      match (cstr_tag, cstr_inlined, parts) with
      | Cstr_constant n, _, _ -> (Same (Data.of_int n), [])
      | Cstr_unboxed, _, [ part ] -> sub part
      (* The record stands in the block of the constructor itself. *)
      | Cstr_block tag, Some _, [ part ] -> (
          match part.pat_desc with Tpat_any -> block tag [] | _ -> sub part)
      | Cstr_block tag, None, parts -> block tag (numbered parts)
      | _ -> unsupported ())
  | Tpat_variant (label, argument, _) -> (
      let hash = Predicate.Same (Data.of_int (Btype.hash_variant label)) in
      match argument with
      | None -> (hash, [])
      | Some part ->
          let found, variables = sub part in
          (Block { tag = 0; size = Some 2; fields = [ (0, hash); (1, found) ] }, variables))
  | Tpat_record (((_, { lbl_repres; _ }, _) :: _ as fields), _) -> (
      let parts = List.map (fun (_, (l : Types.label_description), p) -> (l.lbl_pos, p)) fields in
      match lbl_repres with
      | Record_regular -> block 0 parts
      | Record_inlined tag -> block tag parts
      | Record_float -> as_floats (block 0 parts)
      | Record_unboxed _ -> sub (snd (List.hd parts))
      | Record_extension _ -> unsupported ())
  | Tpat_array parts ->
      let size = List.length parts in
      let found = block ~size 0 (numbered parts) in
      let is_float =
        match Compiler.constructor (Ctype.expand_head p.pat_env p.pat_type) with
        | Some (_, [ element ]) -> (
            match Compiler.constructor (Ctype.expand_head p.pat_env element) with
            | Some (path, []) -> Path.same path Predef.path_float
            | _ -> false)
        | _ -> false
      in
      if is_float && size > 0 then as_floats found else found
  | Tpat_or (a, b, _) ->
      let a, names = sub a in
      let b, other_names = sub b in
      (Either (a, unify_variables names b other_names), names)
  | _ -> (
      match Compiler.binder p with
      | `Variable id ->
          let number = fresh () in
          (Bind (Any, number), [ (id, number) ])
      | `Alias (id, p) ->
          let number = fresh () in
          let found, variables = sub p in
          (Bind (found, number), (id, number) :: variables)
      | `Other -> unsupported ())

type handled = { pattern : Predicate.handled; variables : variables; exceptions : variables }

let rec handled ~fresh ~slot (p : Typedtree.pattern) =
  let named id inner =
    let number = fresh () in
    ignore (fresh ());
    { inner with pattern = Predicate.Named (inner.pattern, number); exceptions = (id, number) :: inner.exceptions }
  in
  let nameless pattern = { pattern; variables = []; exceptions = [] } in
  match p.pat_desc with
  | Tpat_any -> nameless Anything
  | Tpat_or (a, b, _) -> (
      match (handled ~fresh ~slot a, handled ~fresh ~slot b) with
      | { pattern = a; variables = []; exceptions = [] }, { pattern = b; _ } -> nameless (One_of (a, b))
      | _ -> unsupported ())
  | Tpat_construct (_, { cstr_tag = Cstr_extension (path, _); cstr_inlined = None; _ }, parts, _) ->
      let parts = List.map (fun p -> (p, pattern ~fresh p)) parts in
      let check ((p : Typedtree.pattern), (found, _)) =
        if found <> Predicate.Any then
          Option.iter (fun clause -> raise (Unsupported clause)) (Plain_type.obstacle p.pat_env p.pat_type)
      in
      List.iter check parts;
      let arguments = numbered (List.map (fun (_, (found, _)) -> found) parts) in
      let variables = List.concat_map (fun (_, (_, variables)) -> variables) parts in
      let arguments = List.filter (fun a -> not (is_any a)) arguments in
      { (nameless (Known { which = slot path; arguments })) with variables }
  | _ -> (
      match Compiler.binder p with
      | `Variable id -> named id (nameless Anything)
      | `Alias (id, p) -> named id (handled ~fresh ~slot p)
      | `Other -> unsupported ())
