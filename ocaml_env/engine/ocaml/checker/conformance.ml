type t = { diagnostics : Diagnostic.t list; defined : int; unmet : Types.signature }

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

let diagnostic ~cascade kind item message =
  let space, name = key item in
  { Diagnostic.kind; name = space ^ " " ^ name; message; line = 0; column = 0; cascade }

(* Does an item mention one of these types, modules, ...? *)
let mentions idents = Compiler.mentions_path (fun path -> List.exists (fun head -> List.exists (Ident.same head) idents) (Path.heads path))

(* What is counted once: an item with what it brings along, as a class brings its types. *)
type member = { item : Types.signature_item; parts : Types.signature }

let members ({ pre_ghosts; group } : Signature_group.rec_group) =
  let member (item : Signature_group.sig_item) = { item = item.src; parts = Signature_group.flatten item } in
  match List.map member (Signature_group.rec_items group) with
  | first :: rest -> { first with parts = pre_ghosts @ first.parts } :: rest
  | [] -> []

(* The later of two definitions hides the earlier one. *)
let find signature item = List.find_opt (fun other -> key other = key item) (List.rev signature)

(* The candidate's own definition, as if the signature asked for it. *)
let own signature item : Types.signature_item option =
  match (item, find signature item) with
  | Types.Sig_type (id, _, _, _), Some (Sig_type (_, declaration, recursive, visibility)) ->
      Some (Sig_type (id, declaration, recursive, visibility))
  | Sig_module (id, _, _, _, _), Some (Sig_module (_, presence, declaration, recursive, visibility)) ->
      Some (Sig_module (id, presence, declaration, recursive, visibility))
  | Sig_class (id, _, _, _), Some (Sig_class (_, declaration, recursive, visibility)) ->
      Some (Sig_class (id, declaration, recursive, visibility))
  | Sig_class_type (id, _, _, _), Some (Sig_class_type (_, declaration, recursive, visibility)) ->
      Some (Sig_class_type (id, declaration, recursive, visibility))
  | _ -> None

(* May the candidate's definition stand where others mention that of the signature? Not with other numbers of type
   parameters, for which the compiler is not made. *)
let rec has_shape signature (item : Types.signature_item) =
  match (item, find signature item) with
  | Sig_type (_, asked, _, _), Some (Sig_type (_, given, _, _)) -> asked.type_arity = given.type_arity
  | Sig_module (_, _, asked, _, _), Some (Sig_module (_, _, given, _, _)) -> (
      match (asked.md_type, given.md_type) with
      | Mty_signature asked, Mty_signature given -> List.for_all (has_shape given) asked
      | _ -> false)
  | (Sig_type _ | Sig_module _), _ -> false
  | _ -> true

let check_arities env signature ~expected =
  let check (item : Types.signature_item) =
    match (item, find signature item) with
    | Sig_type _, Some _ when not (has_shape signature item) -> Compiler.includes env signature ~expected:[ item ]
    | _ -> ()
  in
  List.iter check expected

type progress = {
  accepted : Types.signature;
  rejected : Ident.t list;
  shaky : Ident.t list;  (** of items that are defined with an error *)
  found : Diagnostic.t list;
  count : int;
  unmet : Types.signature;
}

type finding = Fits | Misfit of string | Missing | Follows  (** from an item that is counted already *)

let check env signature ~broken ~expected =
  let misfit member expected =
    match Compiler.includes env signature ~expected with
    | () -> Fits
    | exception (Includemod.Error _ as exn) -> (
        let space, name = key member.item in
        match Diagnostic.of_exn ~source:"" exn with
        | Some d when Diagnostic.is_about_hole d -> Follows
        | Some d -> Misfit d.message
        | None -> Misfit (Printf.sprintf "the %s %s does not fit the signature" space name))
  in
  let check_group before group =
    let members = members group in
    let parts_of = List.concat_map (fun member -> member.parts) in
    let idents_of = List.concat_map (fun member -> List.map ident_of member.parts) in
    let is_missing member = find signature member.item = None in
    let sound, lost = List.partition (fun member -> List.for_all (has_shape signature) member.parts) members in
    let gone = idents_of lost @ before.rejected in
    (* Definitions that mention each other are looked at one by one, each beside the others as the candidate has them. *)
    let look member =
      let others = List.filter (( != ) member) sound in
      let gone = if List.memq member lost then before.rejected else gone in
      if is_missing member then Missing
      else if List.exists (mentions gone) member.parts then Follows
      else misfit member (before.accepted @ List.filter_map (own signature) (parts_of others) @ member.parts)
    in
    let whole =
      match members with
      | first :: _ :: _ when lost = [] && not (List.exists (mentions gone) (parts_of members)) ->
          misfit first (before.accepted @ parts_of members)
      | _ -> Follows
    in
    let findings = List.map (fun member -> (member, if whole = Fits then Fits else look member)) members in
    let findings =
      match (findings, whole) with
      | (first, _) :: rest, Misfit _ when List.for_all (fun (_, finding) -> finding = Fits) findings ->
          (first, whole) :: rest
      | _ -> findings
    in
    let add after (member, finding) =
      let idents = List.map ident_of member.parts in
      let is_broken = List.mem (snd (key member.item)) broken in
      let cascade = is_broken || List.exists (mentions after.shaky) member.parts in
      let diagnose kind message = [ diagnostic ~cascade kind member.item message ] in
      let accepted, rejected, found =
        match finding with
        | Fits -> (member.parts, [], [])
        | Follows -> ([], idents, [])
        | Missing ->
            let space, name = key member.item in
            let message = Printf.sprintf "the signature asks for the %s %s, which is not defined" space name in
            ([], idents, diagnose "missing-item" message)
        | Misfit message ->
            let accepted = if List.memq member lost then [] else List.filter_map (own signature) member.parts in
            (accepted, idents, diagnose "ill-typed-item" message)
      in
      {
        accepted = after.accepted @ accepted;
        rejected = rejected @ after.rejected;
        shaky = (if is_broken then idents else []) @ after.shaky;
        found = after.found @ found;
        count = (if finding = Missing && not is_broken then after.count else after.count + 1);
        unmet = (if finding = Fits then after.unmet else member.item :: after.unmet);
      }
    in
    List.fold_left add before findings
  in
  let start = { accepted = []; rejected = []; shaky = []; found = []; count = 0; unmet = [] } in
  let { found; count; unmet; _ } = Signature_group.fold check_group start expected in
  { diagnostics = found; defined = count; unmet }
