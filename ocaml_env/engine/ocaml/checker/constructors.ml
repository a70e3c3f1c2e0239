(* The fields of a module's block are the items of its signature that are there when the program runs. *)
let rec below env ~prefix ~path items =
  let env = Env.add_signature items env in
  let constructors field (item : Types.signature_item) =
    let path = path @ [ field ] in
    match item with
    | Sig_typext (id, _, status, _) ->
        let kind = if status = Text_exception then "exception " else "constructor " in
        [ (kind ^ prefix ^ Ident.name id, path) ]
    | Sig_module (id, _, { md_type; _ }, _, _) -> (
        match Mtype.scrape env md_type with
        | Mty_signature items -> below env ~prefix:(prefix ^ Ident.name id ^ ".") ~path items
        | _ -> [])
    | _ -> []
  in
  List.concat (List.mapi constructors (List.filter Includemod.is_runtime_component items))

let of_signature env ~slot items = Array.of_list (below env ~prefix:"" ~path:[ slot ] items)
