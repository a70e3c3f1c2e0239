type problem = Functions of Suite.t | Program of { inputs : string list; public : int }

type t =
  | Syntax_error of Diagnostic.t list
  | No_binding of Diagnostic.t list
  | Forbidden of Diagnostic.t list
  | Type_error of Diagnostic.t list * int
  | Partly of { diagnostics : Diagnostic.t list; errors : int; kept : string list; tests : Outcome.test array; cpu_us : int }
  | Compile_error of Diagnostic.t list
  | Tested of { tests : Outcome.test array; cpu_us : int }
  | Probed of { found : Test_run.found; image : string }

type probe = { first : int; arrangement : Test_run.arrangement; outputs : string list }

(* Where a signature is not met at all, or the checker gave up, the count is this much at least. *)
let saturated = 5
let unit_name = function Functions _ -> Generated.solution | Program _ -> Generated.program
let interface = function Functions suite -> suite.Suite.interface | Program _ -> []

let binds (item : Parsetree.structure_item) =
  match item.pstr_desc with Pstr_eval _ | Pstr_attribute _ | Pstr_open _ -> false | _ -> true

let type_candidate ~problem ~type_structure structure =
  let typed, signature, env = type_structure (Session.environment ()) structure in
  Soundness.check typed;
  Constructors.check env typed ~expected:(interface problem);
  Conformance.check_arities env signature ~expected:(interface problem);
  let coercion = Compiler.coerce env signature ~expected:(interface problem) in
  Compiler.force_delayed_checks ();
  (typed, coercion)

let by_position (a : Diagnostic.t) (b : Diagnostic.t) = compare (a.line, a.column) (b.line, b.column)

let type_whole env structure =
  let typed, signature, _, env = Compiler.type_structure env structure in
  (typed, signature, env)

(* All that is wrong, after a first attempt that stopped at [first]; and how the rest can be evaluated, if it can. Where the
   compiler raised on the whole, errors of items are why, if there are some. *)
let explain ~apart ~partly ~source ~problem structure first =
  let recovered = Recover.structure ~apart ~source (Session.environment ()) structure in
  let fit =
    Conformance.check recovered.environment recovered.signature ~broken:recovered.broken ~expected:(interface problem)
  in
  let found = List.stable_sort by_position recovered.diagnostics @ fit.diagnostics in
  let diagnostics = if found <> [] then found else first in
  match List.find_opt (fun (d : Diagnostic.t) -> d.kind = "forbidden") diagnostics with
  | Some _ -> (Forbidden diagnostics, None)
  | None ->
      let count = max 1 (Diagnostic.count diagnostics) in
      let defines_nothing = interface problem <> [] && fit.defined = 0 in
      let completed =
        if apart || (not partly) || List.exists Diagnostic.is_compiler diagnostics then None
        else Completion.complete structure ~places:recovered.places ~unmet:fit.unmet ~interface:(interface problem)
      in
      (Type_error (diagnostics, if defines_nothing then max saturated count else count), completed)

let lower ~problem ~typed ~coercion =
  let bytecode = Lowering.compile ~unit_name:(unit_name problem) typed coercion in
  Lowering.link bytecode

(* A candidate that took its process over may claim that its jail was never shut. Then an empty child tells. *)
let jail_holds ~runner =
  let request =
    {
      Task.work = Main;
      stdin = None;
      keep_stdout = false;
      output_bytes = 0;
      memory_bytes = 64 * 1024 * 1024;
      test_cpu_us = 1_000_000;
      total_cpu_us = 1_000_000;
      cpu_grace = None;
    }
  in
  let answer : Task.answer = runner request ~candidate:"" ~tests:"" in
  answer.ending = Exited 0 && answer.report = ""

(* What the tests gave, or [tampered] if the candidate pretends that its jail did not hold. *)
let in_jail ~runner run ~tampered =
  try run ()
  with Outcome.Refused layer ->
    if jail_holds ~runner then tampered ()
    else raise (Outcome.Fault (Printf.sprintf "the %s layer could not be installed" layer))

(* What a name of the signature has to be, and is not. *)
let shared ~constructor ~other =
  let message =
    Printf.sprintf "the signature asks for a new %s, and here it is another name of %s" constructor (Generated.hide other)
  in
  Type_error
    ( [ { kind = "shared-exception"; name = constructor; message; line = 0; column = 0; cascade = false } ],
      1 )

let all_tampered problem =
  let count = match problem with Functions suite -> Array.length suite.tests | Program { inputs; _ } -> List.length inputs in
  Array.make count Outcome.tampered

let run_tests ~runner ~example_runner ~without limits problem candidate =
  let run () =
    match problem with
    | Functions suite ->
        let tests, cpu_us = Test_run.run ~runner:(Cpu_grace.runner runner) ~without limits suite candidate in
        let tests, more_us = Example_run.explain ~runner:example_runner limits suite candidate tests in
        (tests, cpu_us + more_us)
    | Program { inputs; public } ->
        let examples = List.filteri (fun i _ -> i < public) inputs in
        let is_example (request : Task.request) = List.exists (fun input -> request.stdin = Some input) examples in
        let either request = (if is_example request then example_runner else runner) request in
        Execution.run ~runner:(Cpu_grace.runner either) limits inputs candidate
  in
  in_jail ~runner run ~tampered:(fun () -> (all_tampered problem, 0))

let run_probe ~runner { first; arrangement; outputs } limits problem candidate =
  let run () =
    match problem with
    | Functions suite -> Test_run.until_failure ~runner ~first ~arrangement limits suite candidate
    | Program { inputs; _ } ->
        let expected = if outputs = [] then List.map (fun _ -> None) inputs else List.map Option.some outputs in
        Execution.until_failure ~runner limits (List.combine inputs expected) candidate
  in
  let tampered () = { Test_run.tests = all_tampered problem; cpu_us = 0; slowest_us = 0 } in
  Probed { found = in_jail ~runner run ~tampered; image = Digest.to_hex (Digest.string candidate) }

(* The tree without the lines and columns that [assert] and matches that are not exhaustive put into the bytecode: texts
   that differ in layout only have the same digest. *)
let without_places structure =
  let mapper = { Ast_mapper.default_mapper with location = (fun _ _ -> Location.none) } in
  mapper.structure mapper structure

let gave_up ~kind ~name message =
  Type_error ([ { kind; name; message; line = 0; column = 0; cascade = false } ], saturated)

let ran_out_of what = gave_up ~kind:"checker-limit" ~name:what ("the checker ran out of " ^ what ^ " on this code")

(* Code to run; with what is wrong with the rest, if it is a part of a candidate. *)
type compiled = { image : string; rest : rest option }
and rest = { diagnostics : Diagnostic.t list; errors : int; lost : string list; kept : string list }

(* Is there a test that can be run? A prelude that uses what must not be used at all would run before any. *)
let has_runnable_tests problem ({ lost; placeholders; _ } : Completion.t) =
  match problem with
  | Program _ -> false
  | Functions suite ->
      let is_free_of names uses = not (Dependence.overlap uses names) in
      List.for_all (is_free_of placeholders) suite.prelude_uses && Array.exists (is_free_of lost) suite.uses

(* Types and lowers what was parsed, in a unit of its own. *)
let compile_structure ~apart ~partly ~base ~probing problem ~source structure =
  let lowered (typed, coercion) =
    Lowering.restore (match problem with Functions suite -> suite.tables | Program _ -> base);
    lower ~problem ~typed ~coercion
  in
  let compile_rest checkpoint result = function
    | { Completion.structure; lost; kept; _ } as completed when has_runnable_tests problem completed -> (
        let diagnostics, errors =
          match result with Type_error (diagnostics, errors) -> (diagnostics, errors) | _ -> assert false
        in
        Compiler.rollback ~apart checkpoint;
        match lowered (type_candidate ~problem ~type_structure:Completion.type_structure structure) with
        | image -> Ok { image; rest = Some { diagnostics; errors; lost; kept } }
        | exception (Completion.Beyond | Symtable.Error _) -> Error result
        | exception exn when Guard.is_report exn -> Error result)
    | _ -> Error result
  in
  let explained checkpoint first =
    if probing then Error (Type_error (first, 1))
    else
      match explain ~apart ~partly ~source ~problem structure first with
      | result, None -> Error result
      | result, Some completed -> compile_rest checkpoint result completed
  in
  let typed_and_lowered checkpoint =
    match type_candidate ~problem ~type_structure:type_whole structure with
    | exception exn when Guard.is_report exn ->
        (* Its message first: the types in it are those of now, and are undone with the rest. *)
        let first = Option.to_list (Diagnostic.of_exn ~source exn) in
        Compiler.rollback ~apart checkpoint;
        explained checkpoint first
    | candidate -> (
        match lowered candidate with
        | image -> Ok { image; rest = None }
        | exception (Location.Error _ as refusal) ->
            Error (Type_error (Option.to_list (Diagnostic.of_exn ~source refusal), 1))
        | exception exn when Guard.is_report exn -> Error (Compile_error (Option.to_list (Diagnostic.of_exn ~source exn)))
        | exception Symtable.Error error ->
            let message = Format.asprintf "%a" Symtable.report_error error in
            Error (Compile_error [ { kind = "compile"; name = ""; message; line = 0; column = 0; cascade = false } ]))
  in
  (* Apart, the process ends with this candidate and has nothing to go back to; and OCaml below 5.4 cannot go back from
     every program that it takes (ocaml/ocaml 13808). *)
  Session.isolated ~keep_types:apart (unit_name problem) (fun () ->
      let checkpoint = Compiler.checkpoint () in
      try typed_and_lowered checkpoint
      with Guard.Compiler_raised what when apart ->
        Compiler.rollback ~apart checkpoint;
        explained checkpoint [ Diagnostic.compiler ~source Location.none what ])

let compile_parsed ~filtered ~apart ~partly ~base ~probing ~note_given problem source =
  match Source.implementation ~filtered source with
  | Error (Syntax diagnostics) -> Error (Syntax_error diagnostics)
  | Error (Forbidden diagnostic) -> Error (Forbidden [ diagnostic ])
  | Ok structure -> (
      let has_bindings = List.exists binds structure in
      let structure, given = match problem with Functions suite -> Given.add suite.given structure | Program _ -> (structure, []) in
      note_given given;
      let structure = if probing then without_places structure else structure in
      match problem with
      | Functions _ when not has_bindings -> Error (No_binding [])
      | _ -> (
          match (compile_structure ~apart ~partly ~base ~probing problem ~source structure, problem) with
          | Error (Type_error (diagnostics, _)), Program _
            when (not has_bindings) && not (List.exists Diagnostic.is_compiler diagnostics) ->
              Error (No_binding diagnostics)
          | Ok _, Program _ when structure = [] -> Error (No_binding [])
          | result, _ -> result))

let compile ~filtered ~second ~partly ~base ~probing ~note_given problem source =
  try compile_parsed ~filtered ~apart:second ~partly ~base ~probing ~note_given problem source
  with Guard.Compiler_raised what when second ->
    let d = Diagnostic.compiler ~source Location.none what in
    Error (gave_up ~kind:d.kind ~name:d.name d.message)

let evaluate ~filtered ~second ~partly ~runner ~example_runner ~base ~probe limits problem source =
  let compile () =
    let given = ref [] in
    let note_given names = given := names in
    let compiled = compile ~filtered ~second ~partly ~base ~probing:(probe <> None) ~note_given problem source in
    (compiled, !given)
  in
  let compiled, given =
    if second then Trial.run compile ~ran_out:(fun what -> (Error (ran_out_of what), [])) else compile ()
  in
  let result =
    match (compiled, probe) with
    | Error result, _ -> result
    | Ok { image; rest = None }, probe -> (
        try
          match probe with
          | None ->
              let tests, cpu_us = run_tests ~runner ~example_runner ~without:[] limits problem image in
              Tested { tests; cpu_us }
          | Some probe -> run_probe ~runner probe limits problem image
        with Outcome.Shared { constructor; other } -> shared ~constructor ~other)
    | Ok { image; rest = Some { diagnostics; errors; lost; kept } }, _ -> (
        (* One test that does not end is enough to know that it is not right. *)
        let limits = { limits with total_cpu_us = limits.test_cpu_us } in
        match run_tests ~runner ~example_runner ~without:lost limits problem image with
        | tests, cpu_us -> Partly { diagnostics; errors; kept; tests; cpu_us }
        | exception Outcome.Shared _ -> Type_error (diagnostics, errors))
  in
  (result, given)
