type t = { diagnostics : Diagnostic.t list; defined : int }

let ident_of : Types.signature_item -> Ident.t = function
  | Sig_value (id, _, _)
  | Sig_type (id, _, _, _)
  | Sig_typext (id, _, _, _)
  | Sig_module (id, _, _, _, _)
  | Sig_modtype (id, _, _)
  | Sig_class (id, _, _, _)
  | Sig_class_type (id, _, _, _) ->
      id

(* Items live in name spaces: a type and a value of one name are two items. *)
let space : Types.signature_item -> string = function
  | Sig_value _ -> "value"
  | Sig_type _ -> "type"
  | Sig_typext _ -> "exception"
  | Sig_module _ -> "module"
  | Sig_modtype _ -> "module type"
  | Sig_class _ -> "class"
  | Sig_class_type _ -> "class type"

let key item = (space item, Ident.name (ident_of item))

let diagnostic ~broken kind item message =
  let space, name = key item in
  { Diagnostic.kind; name = space ^ " " ^ name; message; line = 0; column = 0; cascade = List.mem name broken }

(* Does an item mention one of these types, modules, ...? *)
let mentions idents = Compiler.mentions_path (fun path -> List.exists (fun head -> List.exists (Ident.same head) idents) (Path.heads path))

let check env signature ~broken ~expected =
  let defined = List.map key signature in
  let rec go accepted rejected diagnostics count = function
    | [] -> { diagnostics = List.rev diagnostics; defined = count }
    | item :: rest -> (
        let space, name = key item in
        let reject kind message = go accepted (ident_of item :: rejected) (diagnostic ~broken kind item message :: diagnostics) in
        if not (List.mem (key item) defined) then
          reject "missing-item" (Printf.sprintf "the signature asks for the %s %s, which is not defined" space name)
            count rest
        else if mentions rejected item then
          (* Whatever is wrong with it follows from an item that was already counted. *)
          go accepted rejected diagnostics (count + 1) rest
        else
          match Compiler.includes env signature ~expected:(accepted @ [ item ]) with
          | () -> go (accepted @ [ item ]) rejected diagnostics (count + 1) rest
          | exception (Includemod.Error _ as exn) ->
              let message =
                match Diagnostic.of_exn ~source:"" exn with
                | Some d -> d.message
                | None -> Printf.sprintf "the %s %s does not fit the signature" space name
              in
              reject "ill-typed-item" message (count + 1) rest)
  in
  go [] [] [] 0 expected
