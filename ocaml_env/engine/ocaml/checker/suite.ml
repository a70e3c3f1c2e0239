type test =
  | Value of { closure : int; expected : string }
  | Leaves of { closure : int; predicate : Predicate.t; constants : Data.outcome array }
  | Inside of { closure : if_true:bool -> if_false:bool -> int; clause : string }
  | Shown of { closure : int; example : Example.t }

type t = {
  unit_name : string;
  interface : Types.signature;
  given : Given.t;
  constructors : Task.constructors;
  image : string;
  slot : int;
  tests : test array;
  uses : Dependence.uses array;
  prelude_uses : Dependence.uses list;
  seeds : int array;
  decoys : (int * bool) array;
  tables : Lowering.tables;
  examples : (t * Value_shape.known) option;
}

type error = { test : int option; message : string }

exception Invalid of error

let invalid ?test fmt = Printf.ksprintf (fun message -> raise (Invalid { test; message })) fmt

let interface_count = ref 0

let fresh_interface_name () =
  incr interface_count;
  Generated.unit_name !interface_count

let tests_unit = Generated.tests
let expected_unit = "Expected#"
let examples_unit = Generated.examples

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

(* What the first [count] thunks of a unit give, computed away from any candidate: a frame for each. *)
let evaluate ~oracle image ~slot ~seeds count =
  let schedule = Array.init count Fun.id in
  let request =
    {
      Task.work = Calls { constructors = [||]; suite = slot; schedule; seeds; has_inside = false; nonce = "" };
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
  | { tag = Ready; _ } :: frames when List.length frames = count + 1 -> List.filteri (fun i _ -> i < count) frames
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
let constants_of ~test (frame : Report.frame) =
  if frame.tag = Raised then invalid ~test "it can never pass: it raises %s" frame.payload;
  Array.of_list (List.map (fun payload -> snd (Data.atom payload)) frame.leaves)

(* --- the units --- *)

let suite_name = "suite#"
let hole_name = "hole#"
let thunk = Compiler.lambda Nolabel
let literal value = Ast_helper.Exp.construct (lid (if value then "true" else "false")) None
let versions = [ (true, false); (false, true); (true, true); (false, false) ]

(* The structure with the elements of its suite rewritten. *)
let map_suite ~elements (item : Typedtree.structure_item) =
  match item.str_desc with
  | Tstr_value (flag, [ ({ vb_expr = { exp_desc = Texp_array thunks; _ } as e; _ } as binding) ]) ->
      let vb_expr = { e with exp_desc = Typedtree.Texp_array (elements thunks) } in
      { item with str_desc = Tstr_value (flag, [ { binding with vb_expr } ]) }
  | _ -> assert false

(* Closures around a hole, typed once for all tests: [fun _ -> hole], those of [versions] that ask what is in the hole,
   and those that answer without asking. *)
let templates =
  let open Ast_helper in
  let hole = Exp.ident (lid hole_name) in
  let version (if_true, if_false) = thunk (Exp.ifthenelse hole (literal if_true) (Some (literal if_false))) in
  let closures = (thunk hole :: List.map version versions) @ [ thunk (literal true); thunk (literal false) ] in
  let define name e = Str.value Nonrecursive [ Vb.mk (Pat.var { txt = name; loc }) e ] in
  [ define hole_name (literal true); define suite_name (Exp.array closures) ]

(* They are typed once for all problems: no prelude can have a word in them. *)
let typed_templates =
  lazy
    (Session.isolated ~keep_types:true tests_unit (fun () ->
         match Compiler.type_structure (Session.environment ()) templates with
         | { str_items = [ hole; suite ]; _ }, signature, _, _ -> (hole, suite, signature)
         | _ -> assert false))

(* A template with its hole filled. *)
let fill template (e : Typedtree.expression) =
  let is_hole = function Path.Pident id -> Ident.name id = hole_name | _ -> false in
  let expr mapper (inner : Typedtree.expression) =
    match inner.exp_desc with
    | Texp_ident (path, _, _) when is_hole path -> e
    | _ -> Tast_mapper.default.expr mapper inner
  in
  let mapper = { Tast_mapper.default with expr } in
  mapper.expr mapper template

(* Everything that is typed: both units are made of it. *)
type typed = {
  items : Typedtree.structure_item list;  (** before the tests *)
  tests : Typedtree.expression array;
  suite : Typedtree.structure_item;  (** of the templates *)
  defined : Types.signature;
  env : Env.t;
}

(* Compiles a unit that exports its suite and nothing else, without the items that define [gone]. *)
let build ~unit_name { defined; env; suite; _ } items ~gone ~elements =
  let structure = { Typedtree.str_items = items @ [ map_suite suite ~elements ]; str_type = defined; str_final_env = env } in
  let left = List.filter (fun item -> not (Dependence.Names.mem (Conformance.ident_of item) gone)) defined in
  let exported = List.filter (fun item -> Ident.name (Conformance.ident_of item) = suite_name) left in
  Lowering.compile ~unit_name structure (Compiler.coerce env left ~expected:exported)

(* --- *)

type parsed = { prelude : Parsetree.structure; expressions : Parsetree.expression array }

let parse_all ~prelude tests =
  {
    prelude = parse "the prelude" Parser.implementation prelude;
    expressions =
      Array.of_list
        (List.mapi (fun test text -> parse ~test "it" Parser.parse_expression text) tests);
  }

let type_test env test expression =
  typed ~test "it" (fun () ->
      let item = Ast_helper.(Str.eval (Exp.constraint_ expression bool_type)) in
      match Compiler.type_structure env [ item ] with
      | { str_items = [ { str_desc = Tstr_eval (e, _); _ } ]; _ }, _, _, _ ->
          Compiler.force_delayed_checks ();
          e
      | _ -> assert false)

(* Types the parts one after another, so that an error names its part. *)
let type_all ~unit_name { prelude; expressions } =
  let step what (env, items, defined) item =
    let structure, signature, _, env = typed what (fun () -> Compiler.type_structure env [ item ]) in
    (env, List.rev_append structure.str_items items, List.rev_append signature defined)
  in
  let start = List.fold_left (step "the signature") (Session.environment (), [], []) (opening unit_name) in
  let env, items, defined = List.fold_left (step "the prelude") start prelude in
  let tests = Array.mapi (type_test env) expressions in
  let hole, suite, signature = Lazy.force typed_templates in
  { items = List.rev (hole :: items); tests; suite; defined = List.rev_append defined signature; env }

(* How a test is decided: by what crosses from the candidate's process, a value or leaves, or beside the candidate. *)
type way =
  | By_value of { left : Typedtree.expression; right : Typedtree.expression }
  | By_leaves of Leaves.split
  | Beside of string

let way_of scope e =
  match Compiler.split_equality e with
  | Some (left, right) when not (Leaves.needs_candidate scope right) -> By_value { left; right }
  | _ -> ( match Leaves.split scope e with Ok split -> By_leaves split | Error clause -> Beside clause)

(* What is computed away from any candidate, if anything is. *)
let asked_of_oracle = function
  | By_value { right; _ } -> Some right
  | By_leaves { constants; has_constants = true; _ } -> Some constants
  | By_leaves _ | Beside _ -> None

let no_encoding = "i" ^ String.make 8 '\000'
let encoding value = "i" ^ String.make 1 (if value then '\001' else '\000') ^ String.make 7 '\000'

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

let rec goes_through_random : Path.t -> bool = function
  | Pident id -> List.mem (Ident.name id) [ "Random"; "Stdlib__Random" ]
  | Pdot (prefix, name) -> name = "Random" || goes_through_random prefix
  | _ -> false

(* May the tests, or the prelude, draw at random? *)
let draws_at_random { items; tests; _ } =
  let of_items = List.concat_map Dependence.paths_of_item items in
  let of_tests = List.concat_map Dependence.paths_of_expression (Array.to_list tests) in
  List.exists goes_through_random (of_items @ of_tests)

(* The first [public] tests, in a unit of their own that tells what their parts come to: its slot, its image, the tests and
   what their shapes refer to. *)
let examples_of ~unit_name ~scope ~interface ~texts ~public all =
  let table = Value_shape.table () in
  let texts = Array.of_list texts in
  let example test = Example.make table ~unit_name scope ~text:texts.(test) all.tests.(test) in
  let examples = List.init public example in
  let elements templates = List.map (fun (_, code) -> fill (List.hd templates) code) examples in
  let slot = Compiler.slot_of_unit examples_unit in
  let image = Lowering.link (build ~unit_name:examples_unit all all.items ~gone:Dependence.Names.empty ~elements) in
  let names = List.map (fun item -> Ident.name (Conformance.ident_of item)) (interface @ all.defined) in
  let shown closure (example, _) = Shown { closure; example } in
  (slot, image, Array.of_list (List.mapi shown examples), Value_shape.known table ~unit_name all.env names)

let install_exn ~oracle ~base ~unit_name ~signature ~prelude ~public texts =
  let parsed_interface = parse "the signature" Parser.interface signature in
  let typed_interface =
    Session.isolated ~keep_types:true unit_name (fun () ->
        typed "the signature" (fun () -> Typemod.type_interface (Session.environment ()) parsed_interface))
  in
  let interface = typed_interface.sig_type in
  Session.register unit_name interface;
  ignore (Lazy.force typed_templates);
  let parsed = parse_all ~prelude texts in
  Session.isolated tests_unit @@ fun () ->
  let all = type_all ~unit_name parsed in
  let kept, tainted = Dependence.purify ~unit_name all.items in
  let scope = Leaves.scope ~unit_name ~tainted all.items in
  let ways = Array.map (way_of scope) all.tests in
  let seeds = if draws_at_random all then Array.of_list (List.mapi (fun i text -> Hashtbl.hash (i, text)) texts) else [||] in
  let seeds_of tests = if seeds = [||] then [||] else Array.of_list (List.map (Array.get seeds) tests) in
  Lowering.restore base;
  let constructors =
    Constructors.of_signature (Session.environment ()) ~slot:(Compiler.slot_of_unit unit_name) interface
  in
  (* Before the tests, so that nothing in its image depends on those that are hidden. *)
  let examples = if public = 0 then None else Some (examples_of ~unit_name ~scope ~interface ~texts ~public all) in
  let slot = Compiler.slot_of_unit tests_unit in
  (* What is expected, in a unit without anything of the candidate: for each test the frame that it gave. *)
  let given = Array.make (Array.length ways) None in
  let asked = List.filter (fun i -> Option.is_some (asked_of_oracle ways.(i))) (List.init (Array.length ways) Fun.id) in
  if asked <> [] then (
    let elements templates =
      List.map (fun i -> fill (List.hd templates) (Option.get (asked_of_oracle ways.(i)))) asked
    in
    let bytecode = build ~unit_name:expected_unit all kept ~gone:tainted ~elements in
    if List.mem unit_name (Compiler.units_referred_to bytecode) then
      failwith "Suite: an expected value depends on the candidate";
    let before = Lowering.tables () in
    let slot = Compiler.slot_of_unit expected_unit in
    let image = Lowering.link bytecode in
    Lowering.restore before;
    List.iter2 (fun i frame -> given.(i) <- Some frame) asked (evaluate ~oracle image ~slot ~seeds:(seeds_of asked) (List.length asked)));
  let is_inside = function Beside _ -> true | By_value _ | By_leaves _ -> false in
  let decoys = if Array.exists is_inside ways then [| true; false; Random.bool (); Random.bool () |] else [||] in
  (* Each test's closures, one after another, and the decoys; then in an order that is a secret of this process. The test
     stands in each version anew: a closure that they shared could be replaced for all of them at once. *)
  let closures_of_test = Array.map (fun way -> if is_inside way then List.length versions else 1) ways in
  let count = Array.fold_left ( + ) (Array.length decoys) closures_of_test in
  let order = shuffled count in
  let place = Array.make count 0 in
  Array.iteri (fun at original -> place.(original) <- at) order;
  let elements templates =
    let template = Array.of_list templates in
    let closures test = function
      | By_value { left; _ } -> [ fill template.(0) left ]
      | By_leaves { code; _ } -> [ fill template.(0) code ]
      (* Typed anew for each: the compiler counts on it that no two bindings of a unit share an identifier. *)
      | Beside _ -> List.mapi (fun i _ -> fill template.(i + 1) (type_test all.env test parsed.expressions.(test))) versions
    in
    let decoy value = template.(Array.length template - if value then 2 else 1) in
    let by_test = List.concat (Array.to_list (Array.mapi closures ways)) in
    let written = Array.append (Array.of_list by_test) (Array.map decoy decoys) in
    Array.to_list (Array.map (Array.get written) order)
  in
  let image = Lowering.link (build ~unit_name:tests_unit all all.items ~gone:Dependence.Names.empty ~elements) in
  let next_closure = ref 0 in
  let test index way =
    let first = !next_closure in
    next_closure := first + closures_of_test.(index);
    match way with
    | By_value _ -> Value { closure = place.(first); expected = expected_value ~test:index (Option.get given.(index)) }
    | By_leaves { predicate; _ } ->
        let constants = Option.fold ~none:[||] ~some:(constants_of ~test:index) given.(index) in
        Leaves { closure = place.(first); predicate; constants }
    | Beside clause ->
        let rank ~if_true ~if_false =
          match (if_true, if_false) with true, false -> 0 | false, true -> 1 | true, true -> 2 | false, false -> 3
        in
        Inside { closure = (fun ~if_true ~if_false -> place.(first + rank ~if_true ~if_false)); clause }
  in
  let tests = Array.mapi test ways in
  let decoys = Array.mapi (fun i value -> (place.(!next_closure + i), value)) decoys in
  let prelude_uses, uses = Dependence.uses ~unit_name all.items (Array.to_list all.tests) in
  let uses = Array.of_list uses in
  let given = Given.of_interface parsed_interface in
  let tables = Lowering.tables () in
  let suite =
    {
      unit_name; interface; given; constructors; image; slot; tests; uses; prelude_uses; seeds; decoys; tables;
      examples = None;
    }
  in
  let with_examples (slot, image, tests, known) = ({ suite with slot; image; tests }, known) in
  { suite with examples = Option.map with_examples examples }

let install ~oracle ~base ~signature ~prelude ~public tests =
  let unit_name = fresh_interface_name () in
  match install_exn ~oracle ~base ~unit_name ~signature ~prelude ~public tests with
  | suite -> Ok suite
  | exception Invalid error ->
      Session.forget unit_name;
      Error error

let remove suite = Session.forget suite.unit_name
