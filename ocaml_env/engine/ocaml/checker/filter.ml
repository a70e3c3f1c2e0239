open Types

let suffix = " (withheld)"
let knows_unit = Policy.knows_unit

(* The same block position, a name that cannot be written. *)
let hide ident = Ident.create_local (Ident.name ident ^ suffix)

let rename_primitive (primitive : Primitive.description) name =
  Primitive.make ~name ~alloc:primitive.prim_alloc ~native_name:primitive.prim_native_name
    ~native_repr_args:primitive.prim_native_repr_args ~native_repr_res:primitive.prim_native_repr_res

let dotted path name = String.concat "." (List.rev (name :: path))

let value profile ~unit path (id, (description : value_description), visibility) =
  let name = Ident.name id in
  let hidden = Sig_value (hide id, description, visibility) in
  let as_primitive primitive = { description with val_kind = Val_prim primitive } in
  if not (Policy.allows profile ~unit (dotted path name)) then [ hidden ]
  else
    match (description.val_kind, Policy.stand_in ~unit (dotted path name)) with
    | _, Some stand_in ->
        (* A value has a slot in its module's block, an external has none: the slot stays, hidden. *)
        let primitive = Primitive.simple ~name:stand_in ~arity:1 ~alloc:true in
        [ hidden; Sig_value (Ident.create_local name, as_primitive primitive, visibility) ]
    | Val_prim primitive, None -> (
        match Policy.checked_primitive primitive.prim_name with
        | Some checked -> [ Sig_value (id, as_primitive (rename_primitive primitive checked), visibility) ]
        | None when Policy.is_safe_primitive primitive.prim_name -> [ Sig_value (id, description, visibility) ]
        | None -> [ hidden ])
    | _, None -> [ Sig_value (id, description, visibility) ]

let rec signature profile ~unit path items = List.concat_map (item profile ~unit path) items

and item profile ~unit path (item : signature_item) =
  match item with
  | Sig_value (id, description, visibility) -> value profile ~unit path (id, description, visibility)
  | Sig_module (id, presence, ({ md_type = Mty_alias (Pident target); _ } as declaration), recursive, visibility)
    when Ident.persistent target && not (Policy.offers_unit (Ident.name target)) ->
      [ Sig_module (hide id, presence, declaration, recursive, visibility) ]
  | Sig_module (id, presence, declaration, recursive, visibility) ->
      let md_type = module_type profile ~unit (Ident.name id :: path) declaration.md_type in
      [ Sig_module (id, presence, { declaration with md_type }, recursive, visibility) ]
  | Sig_modtype (id, declaration, visibility) ->
      let mtd_type = Option.map (module_type profile ~unit (Ident.name id :: path)) declaration.mtd_type in
      [ Sig_modtype (id, { declaration with mtd_type }, visibility) ]
  | Sig_type _ | Sig_typext _ | Sig_class _ | Sig_class_type _ -> [ item ]

and module_type profile ~unit path = function
  | Mty_signature items -> Mty_signature (signature profile ~unit path items)
  | Mty_functor (parameter, result) ->
      (* What a functor asks for is the candidate's to give; only what it gives back is filtered. *)
      Mty_functor (parameter, module_type profile ~unit path result)
  | (Mty_ident _ | Mty_alias _) as other -> other

let cmi profile unit (interface : Cmi_format.cmi_infos) =
  { interface with cmi_sign = signature profile ~unit [] interface.cmi_sign }

let is_not_found = function Not_found -> true | _ -> false
let found f = match Guard.compiler ~expected:is_not_found f with _ -> true | exception Not_found -> false

let rec text : Longident.t -> string = function
  | Lident name -> name
  | Ldot (prefix, name) -> text prefix ^ "." ^ name
  | Lapply (functor_, argument) -> Printf.sprintf "%s(%s)" (text functor_) (text argument)

let rec withheld env (lid : Longident.t) =
  let full = text lid in
  let hidden lid =
    found (fun () -> Env.find_value_by_name lid env) || found (fun () -> Env.find_module_by_name lid env)
  in
  match lid with
  | Lident name -> if hidden (Lident (name ^ suffix)) || List.mem name Policy.foreign_units then Some full else None
  | Ldot (prefix, name) ->
      if found (fun () -> Env.find_module_by_name prefix env) then
        if hidden (Ldot (prefix, name ^ suffix)) then Some full else None
      else Option.map (fun _ -> full) (withheld env prefix)
  | Lapply _ -> None
