open Bencode

let strings_of texts = List (List.map (fun text -> String text) texts)

let of_mutant (m : Mutant.t) =
  List [ String m.operator; Int m.line; Int m.column; String m.before; String m.after; String m.code ]

let mutants message = [ ("mutants", List (List.map of_mutant (Mutant.of_source (string "code" message)))) ]

let stubs message =
  let all =
    Stub.all ~signature:(string "signature" message) ~examples:(strings "examples" message)
      ~tests:(strings "tests" message)
  in
  [ ("stubs", List (List.map (fun (stub : Stub.t) -> strings_of [ stub.name; stub.code ]) all)) ]

let tests source =
  let found = Dissect.tests source in
  [
    ("prelude", String found.prelude);
    ("expressions", strings_of found.expressions);
    ("ignored", strings_of found.ignored);
    ("repaired", Int found.repaired);
  ]

let header source =
  match Session.isolated "Header" (fun () -> Dissect.header source) with
  | Some { signature; name; annotated } ->
      [ ("signature", String signature); ("name", String name); ("annotated", Int (Bool.to_int annotated)) ]
  | None -> [ ("invalid", String "it defines no function") ]

let about message =
  match string "op" message with
  | "mutants" -> mutants message
  | "stubs" -> stubs message
  | _ -> (
      match string "what" message with
      | "tests" -> tests (string "code" message)
      | "header" -> header (string "code" message)
      | what -> raise (Malformed ("nothing to dissect: " ^ what)))

let answer message =
  try about message
  with exn when Judge.is_report exn ->
    let said = match Diagnostic.of_exn ~source:"" exn with Some d -> d.message | None -> Printexc.to_string exn in
    [ ("invalid", String said) ]
