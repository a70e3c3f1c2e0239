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

(* Does a signature ask for exceptions where [below] does not look: of what functors return, of modules that are values? *)
let rec asks_elsewhere env items =
  let env = lazy (Env.add_signature items env) in
  let asks : Types.signature_item -> bool = function
    | Sig_module (_, _, { md_type; _ }, _, _) -> (
        let env = Lazy.force env in
        match Mtype.scrape env md_type with
        | Mty_signature items -> asks_elsewhere env items
        | Mty_functor (_, result) -> asks_anywhere env result
        | _ -> false)
    | Sig_modtype (_, { mtd_type = Some mty; _ }, _) -> asks_anywhere (Lazy.force env) mty
    | _ -> false
  in
  List.exists asks items

and asks_anywhere env mty =
  match Mtype.scrape env mty with
  | Mty_signature items ->
      let is_constructor : Types.signature_item -> bool = function Sig_typext _ -> true | _ -> false in
      List.exists is_constructor items || asks_elsewhere env items
  | Mty_functor (_, result) -> asks_anywhere env result
  | _ -> false

let is_of_runtime path = List.exists (fun id -> Ident.name id = Path.last path) Predef.all_predef_exns

let check env (structure : Typedtree.structure) ~expected =
  if asks_elsewhere env expected then
    let default = Tast_iterator.default_iterator in
    let extension_constructor it (c : Typedtree.extension_constructor) =
      (match c.ext_kind with
      | Text_rebind (path, _) when is_of_runtime path ->
          let what = "The signature asks for new exceptions, and this one is another name of " ^ Path.last path in
          raise (Location.Error (Location.error ~loc:c.ext_loc what))
      | _ -> ());
      default.extension_constructor it c
    in
    let it = { default with extension_constructor } in
    it.structure it structure
