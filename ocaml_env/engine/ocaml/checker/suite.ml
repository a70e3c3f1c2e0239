type test =
  | Value of { closure : int; expected : string }
  | Boolean of { closure : if_true:bool -> if_false:bool -> int }

type t = {
  unit_name : string;
  interface : Types.signature;
  image : string;
  slot : int;
  tests : test array;
  decoys : (int * bool) array;
  tables : Lowering.tables;
}

type error = { test : int option; message : string }

exception Invalid of error

let invalid ?test fmt = Printf.ksprintf (fun message -> raise (Invalid { test; message })) fmt

let interface_count = ref 0

let fresh_interface_name () =
  incr interface_count;
  Generated.unit_name !interface_count

let tests_unit = "Tests#"
let expected_unit = "Expected#"

(* --- parsing: each part knows its name, so that an error can say where --- *)

let describe_error exn =
  match Diagnostic.of_exn ~source:"" exn with
  | Some d ->
      (* The generated unit names mean nothing to a reader. *)
      let words = String.split_on_char '#' d.message in
      String.concat "" words
  | None -> Printexc.to_string exn

let parse ?test what parser text =
  try Source.parse_trusted parser text
  with exn when Diagnostic.location_of_exn exn <> None -> invalid ?test "%s does not parse: %s" what (describe_error exn)

(* --- typing --- *)

let typed ?test what f = try f () with exn when Diagnostic.location_of_exn exn <> None ->
  invalid ?test "%s does not typecheck: %s" what (describe_error exn)

let loc = Location.none
let lid name = { Location.txt = Longident.Lident name; loc }

(* [open Solution], an alias by which the tests may also name it, and the prelude. *)
let opening unit_name =
  let open Ast_helper in
  [
    Str.module_ (Mb.mk { txt = Some "Solution"; loc } (Mod.ident (lid unit_name)));
    Str.open_ (Opn.mk (Mod.ident (lid unit_name)));
  ]

let bool_type = Ast_helper.Typ.constr (lid "bool") []

(* --- expected values --- *)

let trusted_cpu_us = 20_000_000

(* The encodings of the right sides of the tests in [split], computed away from any candidate. *)
let evaluate ~oracle image ~slot split =
  let schedule = Array.init (Array.length split) Fun.id in
  let request =
    {
      Task.work = Calls { suite = slot; schedule; nonce = "" };
      stdin = None;
      keep_stdout = false;
      output_bytes = 0;
      memory_bytes = 512 * 1024 * 1024;
      test_cpu_us = trusted_cpu_us;
      total_cpu_us = trusted_cpu_us;
      cpu_grace = None;
    }
  in
  let answer = oracle request ~tests:image in
  match (Report.parse answer.Task.report).frames with
  | { tag = Ready; _ } :: frames when List.length frames = Array.length split + 1 ->
      let encoding position =
        let test = split.(position) in
        match List.nth frames position with
        | { tag = Value; payload; _ } -> payload
        | { tag = Opaque; payload; _ } -> invalid ~test "it can never pass: its right side is %s" payload
        | { tag = Raised; payload; _ } -> invalid ~test "its right side raises %s" payload
        | _ -> invalid ~test "its right side could not be computed"
      in
      Array.init (Array.length split) encoding
  | { tag = Raised; payload; _ } :: _ -> invalid "the prelude raises %s" payload
  | _ ->
      invalid "the right sides of the tests could not be computed (within %d s of CPU time): %s" (trusted_cpu_us / 1_000_000)
        (match answer.ending with
        | Exited code -> Printf.sprintf "the process exited with code %d (%S)" code answer.report
        | Signaled signal -> Printf.sprintf "the process died of signal %d" signal
        | Killed -> "the process was killed over its limits")

(* --- the units --- *)

let suite_name = "suite#"
let thunk = Compiler.thunk

let suite_item thunks =
  Ast_helper.(Str.value Nonrecursive [ Vb.mk (Pat.var { txt = suite_name; loc }) (Exp.array thunks) ])

(* The structure with the elements of its suite rewritten. *)
let map_suite ~elements (structure : Typedtree.structure) =
  let rewrite (item : Typedtree.structure_item) =
    match item.str_desc with
    | Tstr_value (flag, [ ({ vb_expr = { exp_desc = Texp_array thunks; _ } as e; _ } as binding) ])
      when List.exists (fun id -> Ident.name id = suite_name) (Typedtree.let_bound_idents [ binding ]) ->
        let vb_expr = { e with exp_desc = Typedtree.Texp_array (elements thunks) } in
        { item with str_desc = Tstr_value (flag, [ { binding with vb_expr } ]) }
    | _ -> item
  in
  { structure with str_items = List.map rewrite structure.str_items }

(* In a thunk around [left = right]: the thunk around one of them. *)
let take side (e : Typedtree.expression) =
  let mapper =
    {
      Tast_mapper.default with
      expr =
        (fun mapper inner ->
          match Compiler.split_equality inner with
          | Some sides -> side sides
          | None -> Tast_mapper.default.expr mapper inner);
    }
  in
  mapper.expr mapper e

(* Compiles a unit that exports its suite and nothing else. [rewrite] sees it when it is typed and says, beside the new
   structure, which of its names are gone. *)
let build ~unit_name items ~rewrite =
  Session.isolated unit_name (fun () ->
      let structure, inferred, _, env = Compiler.type_structure (Session.environment ()) items in
      Compiler.force_delayed_checks ();
      let structure, gone = rewrite structure in
      let left = List.filter (fun item -> not (Dependence.Names.mem (Conformance.ident_of item) gone)) inferred in
      let exported = List.filter (fun item -> Ident.name (Conformance.ident_of item) = suite_name) left in
      let coercion = Compiler.coerce env left ~expected:exported in
      Lowering.compile ~unit_name structure coercion)

(* --- *)

type parsed = { prelude : Parsetree.structure; expressions : Parsetree.expression array }

let parse_all ~prelude tests =
  {
    prelude = parse "the prelude" Parser.implementation prelude;
    expressions =
      Array.of_list
        (List.mapi (fun test text -> parse ~test "it" Parser.parse_expression text) tests);
  }

(* Types the parts one after another, so that an error names its part. *)
let type_apart ~unit_name { prelude; expressions } =
  Session.isolated tests_unit (fun () ->
      let step what (env, items) item =
        let structure, _, _, env = typed what (fun () -> Compiler.type_structure env [ item ]) in
        (env, List.rev_append structure.str_items items)
      in
      let start = (Session.environment (), []) in
      let start = List.fold_left (step "the signature") start (opening unit_name) in
      let env, items = List.fold_left (step "the prelude") start prelude in
      let type_test test expression =
        typed ~test "it" (fun () ->
            let item = Ast_helper.(Str.eval (Exp.constraint_ expression bool_type)) in
            let structure, _, _, _ = Compiler.type_structure env [ item ] in
            Compiler.force_delayed_checks ();
            structure)
      in
      (List.rev items, Array.mapi type_test expressions))

let can_be_split ~unit_name ~tainted (structure : Typedtree.structure) =
  match structure.str_items with
  | [ { str_desc = Tstr_eval (e, _); _ } ] -> (
      match Compiler.split_equality e with
      | Some (_, right) -> not (Dependence.expression_needs_candidate ~unit_name ~tainted right)
      | None -> false)
  | _ -> false

let encoding value = "i" ^ String.make 1 (if value then '\001' else '\000') ^ String.make 7 '\000'

(* --- the closures of a suite, as they are written --- *)

let literal value = Ast_helper.Exp.construct (lid (if value then "true" else "false")) None
let versions = [ (true, false); (false, true); (true, true); (false, false) ]
(* [fun _ -> if test then if_true else if_false]. The test stands in each version anew: a closure that they shared could
   be replaced for all of them at once. *)
let version expression (if_true, if_false) =
  let open Ast_helper in
  thunk (Exp.ifthenelse (Exp.constraint_ expression bool_type) (literal if_true) (Some (literal if_false)))

(* A random order of [0 .. n - 1]. *)
let shuffled n =
  let order = Array.init n Fun.id in
  for i = n - 1 downto 1 do
    let j = Random.int (i + 1) in
    let other = order.(j) in
    order.(j) <- order.(i);
    order.(i) <- other
  done;
  order

let install_exn ~oracle ~base ~unit_name ~signature ~prelude tests =
  let interface =
    Session.isolated ~keep_types:true unit_name (fun () ->
        let parsed = parse "the signature" Parser.interface signature in
        (typed "the signature" (fun () -> Typemod.type_interface (Session.environment ()) parsed)).sig_type)
  in
  Session.register unit_name interface;
  let parsed = parse_all ~prelude tests in
  let items, typed_tests = type_apart ~unit_name parsed in
  let tainted = Dependence.taint ~unit_name items in
  let split = Array.map (can_be_split ~unit_name ~tainted) typed_tests in
  let has_booleans = Array.exists not split in
  Lowering.restore base;
  ignore (Compiler.slot_of_unit unit_name);
  let slot = Compiler.slot_of_unit tests_unit in
  (* The right sides, in a unit without anything of the candidate. *)
  let split_tests = Array.of_list (List.filter (Array.get split) (List.init (Array.length split) Fun.id)) in
  let expected =
    if split_tests = [||] then [||]
    else
      let items =
        opening unit_name @ parsed.prelude
        @ [ suite_item (List.map (fun i -> thunk parsed.expressions.(i)) (Array.to_list split_tests)) ]
      in
      let rewrite structure = Dependence.purify ~unit_name (map_suite structure ~elements:(List.map (take snd))) in
      let bytecode = build ~unit_name:expected_unit items ~rewrite in
      if List.mem unit_name (Compiler.units_referred_to bytecode) then
        failwith "Suite: an expected value depends on the candidate";
      let before = Lowering.tables () in
      let slot = Compiler.slot_of_unit expected_unit in
      let image = Lowering.link bytecode in
      Lowering.restore before;
      evaluate ~oracle image ~slot split_tests
  in
  let decoys = if has_booleans then [| true; false; Random.bool (); Random.bool () |] else [||] in
  (* Each test's closures, one after another, and the decoys; then in an order that is a secret of this process. *)
  let closures index expression =
    if split.(index) then [ (thunk (Ast_helper.Exp.constraint_ expression bool_type), true) ]
    else List.map (fun answers -> (version expression answers, false)) versions
  in
  let by_test = Array.mapi closures parsed.expressions in
  let all =
    Array.append
      (Array.of_list (List.concat (Array.to_list by_test)))
      (Array.map (fun value -> (thunk (literal value), false)) decoys)
  in
  let order = shuffled (Array.length all) in
  let place = Array.make (Array.length all) 0 in
  Array.iteri (fun at original -> place.(original) <- at) order;
  let suite = Array.to_list (Array.map (fun original -> all.(original)) order) in
  let left_sides = List.map2 (fun (_, is_split) closure -> if is_split then take fst closure else closure) suite in
  let rewrite structure = (map_suite structure ~elements:left_sides, Dependence.Names.empty) in
  let bytecode =
    build ~unit_name:tests_unit
      (opening unit_name @ parsed.prelude @ [ suite_item (List.map fst suite) ])
      ~rewrite
  in
  let image = Lowering.link bytecode in
  let next_closure = ref 0 and next_expected = ref 0 in
  let test index =
    let first = !next_closure in
    next_closure := first + List.length by_test.(index);
    if split.(index) then (
      incr next_expected;
      Value { closure = place.(first); expected = expected.(!next_expected - 1) })
    else
      let rank ~if_true ~if_false = match (if_true, if_false) with
        | true, false -> 0
        | false, true -> 1
        | true, true -> 2
        | false, false -> 3
      in
      Boolean { closure = (fun ~if_true ~if_false -> place.(first + rank ~if_true ~if_false)) }
  in
  let tests = Array.init (Array.length split) test in
  let decoys = Array.mapi (fun i value -> (place.(!next_closure + i), value)) decoys in
  { unit_name; interface; image; slot; tests; decoys; tables = Lowering.tables () }

let install ~oracle ~base ~signature ~prelude tests =
  let unit_name = fresh_interface_name () in
  match install_exn ~oracle ~base ~unit_name ~signature ~prelude tests with
  | suite -> Ok suite
  | exception Invalid error ->
      Session.forget unit_name;
      Error error

let remove suite = Session.forget suite.unit_name
