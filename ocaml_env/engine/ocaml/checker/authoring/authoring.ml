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
  [ ("stubs", List (List.map (fun (stub : Stub.t) -> strings_of [ stub.name; stub.what; stub.code ]) all)) ]

let measure message =
  let source = string "code" message in
  let found = Code_metrics.of_source source in
  let is_stateless =
    Stateless.holds ~definitions:[ string "prelude" message; source ] ~tests:(strings "tests" message)
  in
  [
    ("nodes", Int found.nodes); ("constructs", strings_of found.constructs); ("modules", strings_of found.modules);
    ("stateless", Int (Bool.to_int is_stateless));
  ]

let known message =
  let argument (label, text) =
    match (label : Asttypes.arg_label) with Nolabel -> text | Labelled l -> "~" ^ l ^ ":" ^ text | Optional l -> "?" ^ l ^ ":" ^ text
  in
  let row (k : Stub.known) = List [ String k.f; strings_of (List.map argument k.arguments); String k.expected ] in
  let of_test text = match Stub.known_answer text with Some k -> row k | None -> List [] in
  [ ("known", List (List.map of_test (strings "tests" message))) ]

let tests source =
  let found = Split_tests.tests source in
  [
    ("prelude", String found.prelude);
    ("expressions", strings_of found.expressions);
    ("ignored", strings_of found.ignored);
    ("repaired", Int found.repaired);
  ]

let header source =
  match Session.isolated "Header" (fun () -> Split_tests.header source) with
  | Some { signature; name; annotated } ->
      [ ("signature", String signature); ("name", String name); ("annotated", Int (Bool.to_int annotated)) ]
  | None -> [ ("invalid", String "it defines no function") ]

let about message =
  match string "op" message with
  | "mutants" -> mutants message
  | "stubs" -> stubs message
  | "measure" -> measure message
  | _ -> (
      match string "what" message with
      | "answers" -> known message
      | "tests" -> tests (string "code" message)
      | "header" -> header (string "code" message)
      | what -> raise (Malformed ("nothing to split: " ^ what)))

let answer message =
  try about message
  with exn when Guard.is_report exn ->
    let said = match Diagnostic.of_exn ~source:"" exn with Some d -> d.message | None -> Printexc.to_string exn in
    let is_program = List.mem (string "op" message) [ "mutants"; "measure" ] in
    let what = if is_program then "it does not parse: " else "" in
    [ ("invalid", String (what ^ said)) ]
