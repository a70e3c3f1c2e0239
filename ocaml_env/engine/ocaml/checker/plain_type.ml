exception Found of string

let scalars =
  Predef.[ path_int; path_char; path_string; path_bytes; path_float; path_int32; path_int64; path_nativeint; path_floatarray ]

let mutable_scalars = Predef.[ path_array; path_bytes; path_floatarray ]

let search ~mutability env ty =
  let seen = ref [] and seen_rows = ref [] in
  (* [closed] inside a declaration: a variable there that is none of its parameters can be anything. *)
  let rec look ~allowed ty =
    match Compiler.constructor ty with
    | Some (path, arguments) when List.exists (Path.same path) !seen -> List.iter (look ~allowed) arguments
    | Some (path, _) ->
        seen := path :: !seen;
        look_expanded ~allowed (Ctype.expand_head env ty)
    | None -> look_expanded ~allowed (Ctype.expand_head env ty)
  and look_expanded ~allowed ty =
    match Compiler.description ty with
    | Tvar _ | Tunivar _ -> if not (allowed ty) then raise (Found "an existential type")
    | Tarrow _ -> raise (Found "a function")
    | Tobject _ -> raise (Found "an object")
    | Tpackage _ -> raise (Found "a module")
    | Ttuple parts -> List.iter (look ~allowed) parts
    | Tpoly (ty, _) -> look ~allowed ty
    | Tvariant row ->
        (* It can be recursive without a name. *)
        if not (List.memq ty !seen_rows) then (
          seen_rows := ty :: !seen_rows;
          Btype.iter_row (look ~allowed) row)
    | Tconstr (path, arguments, _) ->
        List.iter (look ~allowed) arguments;
        let is other = Path.same path other in
        if is Predef.path_lazy_t then raise (Found "a lazy value");
        if is Predef.path_exn then raise (Found "an exception");
        if mutability && List.exists is mutable_scalars then raise (Found "something mutable");
        if not (List.exists is scalars || is Predef.path_array) then (
          match Env.find_type path env with
          | declaration -> look_declaration declaration
          | exception Not_found -> raise (Found "an abstract type"))
    | _ -> raise (Found "an abstract type")
  and look_declaration (d : Types.type_declaration) =
    let among parameters ty = List.memq ty (List.map (Ctype.expand_head env) parameters) in
    let look_label look (l : Types.label_declaration) =
      if mutability && l.ld_mutable = Mutable then raise (Found "something mutable");
      look l.ld_type
    in
    match d.type_kind with
    | Type_variant (constructors, _) ->
        let look_constructor (c : Types.constructor_declaration) =
          let parameters =
            match c.cd_res with None -> d.type_params | Some result -> Ctype.free_variables result
          in
          let look = look ~allowed:(among parameters) in
          match c.cd_args with
          | Cstr_tuple types -> List.iter look types
          | Cstr_record labels -> List.iter (look_label look) labels
        in
        List.iter look_constructor constructors
    | Type_record (labels, _) ->
        let look = look ~allowed:(among d.type_params) in
        List.iter (look_label look) labels
    | Type_open -> raise (Found "an exception")
    | _ -> raise (Found "an abstract type")
  in
  match look ~allowed:(fun _ -> true) ty with () -> None | exception Found what -> Some what

let obstacle env ty = search ~mutability:false env ty
let is_immutable env ty = search ~mutability:true env ty = None
