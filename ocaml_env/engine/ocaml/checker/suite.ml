type test =
  | Value of { closure : int; expected : string }
  | Leaves of { closure : int; predicate : Predicate.t; constants : Data.outcome array }
  | Inside of { closure : if_true:bool -> if_false:bool -> int; clause : string }

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
let constrained expression = Ast_helper.Exp.constraint_ expression bool_type

(* --- expected values --- *)

let trusted_cpu_us = 20_000_000

(* What the thunks of a unit for the tests in [asked] give, computed away from any candidate: a frame for each. *)
let evaluate ~oracle image ~slot asked =
  let schedule = Array.init (Array.length asked) Fun.id in
  let request =
    {
      Task.work = Calls { suite = slot; schedule; has_inside = false; nonce = "" };
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
  | { tag = Ready; _ } :: frames when List.length frames = Array.length asked + 1 ->
      Array.sub (Array.of_list frames) 0 (Array.length asked)
  | { tag = Raised; payload; _ } :: _ -> invalid "the prelude raises %s" payload
  | _ ->
      invalid "the right sides of the tests could not be computed (within %d s of CPU time): %s" (trusted_cpu_us / 1_000_000)
        (match answer.ending with
        | Exited code -> Printf.sprintf "the process exited with code %d (%S)" code answer.report
        | Signaled signal -> Printf.sprintf "the process died of signal %d" signal
        | Killed -> "the process was killed over its limits")

let expected_value ~test (frame : Report.frame) =
  match frame.tag with
  | Value -> frame.payload
  | Opaque -> invalid ~test "it can never pass: its right side is %s" frame.payload
  | Raised -> invalid ~test "its right side raises %s" frame.payload
  | _ -> invalid ~test "its right side could not be computed"

(* The constants of a test, which are reported in their order. *)
let constants_of (frame : Report.frame) =
  Array.of_list (List.map (fun payload -> snd (Data.atom payload)) frame.leaves)

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

(* A thunk with another body. *)
let with_body change (thunk : Typedtree.expression) =
  let expr (mapper : Tast_mapper.mapper) e = if e == thunk then Tast_mapper.default.expr mapper e else change e in
  let mapper = { Tast_mapper.default with expr } in
  mapper.expr mapper thunk

(* Compiles a unit that exports its suite and nothing else. [rewrite] sees it when it is typed and says, beside the new
   structure, which of its names are gone. *)
let build ~unit_name items ~rewrite =
  Session.isolated unit_name (fun () ->
      let structure, inferred, _, env = Compiler.type_structure (Session.environment ()) items in
      Typecore.force_delayed_checks ();
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

(* How a test is decided. *)
type way = By_value | By_leaves of Leaves.split | Beside of string

let way_of (scope : Leaves.scope) (structure : Typedtree.structure) =
  match structure.str_items with
  | [ { str_desc = Tstr_eval (e, _); _ } ] -> (
      match Compiler.split_equality e with
      | Some (_, right) when not (Leaves.needs_candidate scope right) -> By_value
      | _ -> ( match Leaves.split scope e with Ok split -> By_leaves split | Error clause -> Beside clause))
  | _ -> Beside "another form"

(* Types the parts one after another, so that an error names its part: how each test is decided. It is found out here, as
   the types are those of now. *)
let ways ~unit_name { prelude; expressions } =
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
            let item = Ast_helper.Str.eval (constrained expression) in
            let structure, _, _, _ = Compiler.type_structure env [ item ] in
            Typecore.force_delayed_checks ();
            structure)
      in
      let typed_tests = Array.mapi type_test expressions in
      Array.map (way_of (Leaves.scope ~unit_name (List.rev items))) typed_tests)

(* The body of a test's thunk, as it is to be computed by a candidate's process, or away from it. *)

let split_of scope e = match Leaves.split scope e with Ok split -> split | Error clause -> failwith ("Suite: " ^ clause)

let sides e = match Compiler.split_equality e with Some sides -> sides | None -> failwith "Suite: no equality"

let asked_of_candidate scope way e =
  match way with By_value -> fst (sides e) | By_leaves _ -> (split_of scope e).code | Beside _ -> e

let asked_of_oracle scope way e =
  match way with By_value -> snd (sides e) | By_leaves _ -> (split_of scope e).constants | Beside _ -> e

let no_encoding = "i" ^ String.make 8 '\000'
let encoding value = "i" ^ String.make 1 (if value then '\001' else '\000') ^ String.make 7 '\000'

(* --- the closures of a suite, as they are written --- *)

let literal value = Ast_helper.Exp.construct (lid (if value then "true" else "false")) None
let versions = [ (true, false); (false, true); (true, true); (false, false) ]
(* [fun _ -> if test then if_true else if_false]. The test stands in each version anew: a closure that they shared could
   be replaced for all of them at once. *)
let version expression (if_true, if_false) =
  let open Ast_helper in
  thunk (Exp.ifthenelse (constrained expression) (literal if_true) (Some (literal if_false)))

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
  let ways = ways ~unit_name parsed in
  Lowering.restore base;
  ignore (Compiler.slot_of_unit unit_name);
  let slot = Compiler.slot_of_unit tests_unit in
  (* What is expected, in a unit without anything of the candidate. *)
  let needs_oracle i = match ways.(i) with By_value -> true | By_leaves split -> split.has_constants | Beside _ -> false in
  let asked = Array.of_list (List.filter needs_oracle (List.init (Array.length ways) Fun.id)) in
  let given =
    if asked = [||] then [||]
    else
      let thunks = List.map (fun i -> thunk (constrained parsed.expressions.(i))) (Array.to_list asked) in
      let rewrite (structure : Typedtree.structure) =
        let scope = Leaves.scope ~unit_name structure.str_items in
        let body i = with_body (asked_of_oracle scope ways.(i)) in
        let elements = List.map2 body (Array.to_list asked) in
        Dependence.purify ~unit_name (map_suite structure ~elements)
      in
      let bytecode = build ~unit_name:expected_unit (opening unit_name @ parsed.prelude @ [ suite_item thunks ]) ~rewrite in
      if List.mem unit_name (Compiler.units_referred_to bytecode) then
        failwith "Suite: an expected value depends on the candidate";
      let before = Lowering.tables () in
      let slot = Compiler.slot_of_unit expected_unit in
      let image = Lowering.link bytecode in
      Lowering.restore before;
      evaluate ~oracle image ~slot asked
  in
  let given_to test =
    let rec find place = if asked.(place) = test then given.(place) else find (place + 1) in
    find 0
  in
  let is_inside = function Beside _ -> true | By_value | By_leaves _ -> false in
  let decoys = if Array.exists is_inside ways then [| true; false; Random.bool (); Random.bool () |] else [||] in
  (* Each test's closures, one after another, and the decoys; then in an order that is a secret of this process. *)
  let closures index expression =
    match ways.(index) with
    | Beside _ as way -> List.map (fun answers -> (version expression answers, way)) versions
    | way -> [ (thunk (constrained expression), way) ]
  in
  let by_test = Array.mapi closures parsed.expressions in
  let all =
    Array.append
      (Array.of_list (List.concat (Array.to_list by_test)))
      (Array.map (fun value -> (thunk (literal value), Beside "a decoy")) decoys)
  in
  let order = shuffled (Array.length all) in
  let place = Array.make (Array.length all) 0 in
  Array.iteri (fun at original -> place.(original) <- at) order;
  let suite = Array.to_list (Array.map (fun original -> all.(original)) order) in
  let rewrite (structure : Typedtree.structure) =
    let scope = Leaves.scope ~unit_name structure.str_items in
    let element (_, way) = with_body (asked_of_candidate scope way) in
    (map_suite structure ~elements:(List.map2 element suite), Dependence.Names.empty)
  in
  let bytecode =
    build ~unit_name:tests_unit
      (opening unit_name @ parsed.prelude @ [ suite_item (List.map fst suite) ])
      ~rewrite
  in
  let image = Lowering.link bytecode in
  let next_closure = ref 0 in
  let test index way =
    let first = !next_closure in
    next_closure := first + List.length by_test.(index);
    match way with
    | By_value -> Value { closure = place.(first); expected = expected_value ~test:index (given_to index) }
    | By_leaves { predicate; has_constants; _ } ->
        let constants = if has_constants then constants_of (given_to index) else [||] in
        Leaves { closure = place.(first); predicate; constants }
    | Beside clause ->
        let rank ~if_true ~if_false =
          match (if_true, if_false) with true, false -> 0 | false, true -> 1 | true, true -> 2 | false, false -> 3
        in
        Inside { closure = (fun ~if_true ~if_false -> place.(first + rank ~if_true ~if_false)); clause }
  in
  let tests = Array.mapi test ways in
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
