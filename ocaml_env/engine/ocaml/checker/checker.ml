open Bencode

external fix_addresses : unit -> unit = "ocaml_env_fix_addresses"
external enlarge_stack : unit -> bool = "ocaml_env_enlarge_stack"
external bound_memory : unit -> unit = "ocaml_env_bound_memory"

(* CPU seconds that one message may take here, tests apart; then the process is killed by the signal's default action,
   which no code of a candidate can catch. *)
let evaluate_cpu_seconds = 2.0
let install_cpu_seconds = 20.0

let with_cpu_limit seconds f =
  let set it_value = ignore (Unix.setitimer ITIMER_PROF { it_interval = it_value; it_value }) in
  set seconds;
  Fun.protect f ~finally:(fun () -> set 0.)

(* --- answers --- *)

let of_diagnostic (d : Diagnostic.t) =
  List [ String d.kind; String d.name; String d.message; Int d.line; Int d.column; Int (Bool.to_int d.cascade) ]

let max_diagnostics = 20

let of_diagnostics diagnostics = List (List.filteri (fun i _ -> i < max_diagnostics) diagnostics |> List.map of_diagnostic)

(* Most tests pass, and then there is nothing more to say. *)
let of_test (test : Outcome.test) =
  let row ?(stdout = "") status = List [ String status; String test.detail; String stdout ] in
  match test.status with
  | Passed -> String "passed"
  | Wrong -> row "wrong"
  | Raised | Overflow -> row "raised"
  | Crashed -> row "crashed"
  | Timeout -> row "timeout"
  | Out_of_memory -> row "memory"
  | Output_limit -> row "output"
  | Ran stdout -> row "ran" ~stdout
  | Not_run -> row "not-run"

let of_result (result : Evaluation.t) =
  let early status diagnostics errors =
    [ ("status", String status); ("diagnostics", of_diagnostics diagnostics); ("errors", Int errors) ]
  in
  let tested tests cpu_us =
    [ ("status", String "tested"); ("tests", List (Array.to_list (Array.map of_test tests))); ("cpu_us", Int cpu_us) ]
  in
  match result with
  | Syntax_error diagnostics -> early "syntax" diagnostics 0
  | No_binding diagnostics -> early "no-binding" diagnostics 0
  | Forbidden diagnostics -> early "forbidden" diagnostics 0
  | Type_error (diagnostics, errors) -> early "type" diagnostics errors
  | Partly { diagnostics; errors; kept; tests; cpu_us } ->
      early "type" diagnostics errors
      @ [ ("kept", List (List.map (fun name -> String name) kept)) ]
      @ List.filter (fun (key, _) -> key <> "status") (tested tests cpu_us)
  | Compile_error diagnostics -> early "compile" diagnostics 0
  | Tested { tests; cpu_us } -> tested tests cpu_us
  | Probed { found = { tests; cpu_us; slowest_us }; image } ->
      ("slowest_us", Int slowest_us) :: ("image", String image) :: tested tests cpu_us

let of_answer (result, given) =
  of_result result @ if given = [] then [] else [ ("given", List (List.map (fun name -> String name) given)) ]

(* --- messages --- *)

type state = {
  filtered : bool;
  runner : Runner_process.t Lazy.t;
  example_runner : Runner_process.t Lazy.t;
      (** for what is shown: receives candidates and examples, and never a hidden test. What a request leaves in a
          runner's memory is in each child that it forks later *)
  oracle : Runner_process.t Lazy.t;
      (** for expected values: never sees a candidate, so the processes that take each other's place share one *)
  base : Lowering.tables;
  problems : (string, Evaluation.problem) Hashtbl.t;
}

(* The tests that run inside, each with the clause that forbids to split it. *)
let of_inside (suite : Suite.t) =
  let row index : Suite.test -> _ = function
    | Inside { clause; _ } -> Some (List [ Int index; String clause ])
    | Value _ | Leaves _ | Shown _ -> None
  in
  List (List.filter_map Fun.id (List.mapi row (Array.to_list suite.tests)))

let install state message =
  let key = string "key" message in
  match string "kind" message with
  | "program" ->
      Hashtbl.replace state.problems key (Program { inputs = strings "inputs" message; public = int "public" message });
      [ ("ok", Int 1) ]
  | _ -> (
      let oracle request ~tests = Runner_process.run (Lazy.force state.oracle) request ~candidate:"" ~tests in
      let installed =
        Suite.install ~oracle ~base:state.base ~signature:(string "signature" message)
          ~prelude:(string "prelude" message) ~public:(int "public" message) (strings "tests" message)
      in
      match installed with
      | Ok suite ->
          Hashtbl.replace state.problems key (Functions suite);
          [ ("ok", Int 1); ("inside", of_inside suite) ]
      | Error { test; message } ->
          [ ("invalid", String message); ("test", Int (match test with Some index -> index | None -> -1)) ])

let forget state message =
  let key = string "key" message in
  (match Hashtbl.find_opt state.problems key with Some (Functions suite) -> Suite.remove suite | _ -> ());
  Hashtbl.remove state.problems key;
  [ ("ok", Int 1) ]

let evaluate state message =
  let limits =
    {
      Outcome.test_cpu_us = int "test_cpu_us" message;
      total_cpu_us = int "total_cpu_us" message;
      memory_bytes = int "memory_bytes" message;
      output_bytes = int "output_bytes" message;
    }
  in
  match Hashtbl.find_opt state.problems (string "key" message) with
  | None -> [ ("fault", String "this problem is not installed") ]
  | Some problem ->
      let runner request = Runner_process.run (Lazy.force state.runner) request in
      let example_runner request = Runner_process.run (Lazy.force state.example_runner) request in
      let probe =
        match optional "first_failure" message with
        | Some (Int first) when first > 0 ->
            let arrangement : Test_run.arrangement =
              match string "arrangement" message with "reversed" -> Reversed | "alone" -> Alone | _ -> In_order
            in
            Some { Evaluation.first; arrangement; outputs = strings "outputs" message }
        | _ -> None
      in
      let second = optional "second" message = Some (Int 1) in
      let partly = optional "whole" message <> Some (Int 1) in
      of_answer
        (Evaluation.evaluate ~filtered:state.filtered ~second ~partly ~runner ~example_runner ~base:state.base ~probe limits problem
           (string "code" message))

exception Retire of (string * Bencode.t) list

(* What an exhausted checker says: the candidate asked too much of it. *)
let ran_out_of what = of_result (Evaluation.ran_out_of what) @ [ ("retire", Int 1) ]

let handle state message =
  match string "op" message with
  | "install" -> with_cpu_limit install_cpu_seconds (fun () -> install state message)
  | "forget" -> forget state message
  | "mutants" | "split" | "stubs" | "measure" -> with_cpu_limit evaluate_cpu_seconds (fun () -> Authoring.answer message)
  | "evaluate" -> (
      try with_cpu_limit evaluate_cpu_seconds (fun () -> evaluate state message) with
      | Stack_overflow -> raise (Retire (ran_out_of "stack"))
      | Out_of_memory -> raise (Retire (ran_out_of "memory"))
      | Outcome.Fault message -> [ ("fault", String message) ]
      | Runner_process.Died -> [ ("fault", String "the runner died") ])
  | op -> raise (Malformed ("unknown op " ^ op))

let large_heap_words = 8 * 1024 * 1024

(* A refresh costs the next candidate 3 ms; what is kept until then was seen to be 32 KB a candidate at most. *)
let candidates_between_refreshes = 300

(* A heap that is never compacted creeps: by a tenth over 10,000 candidates. A compaction takes 30 ms. *)
let candidates_between_compactions = 1_000

(* A problem that was installed has to stay: its candidates are what retires such a process. *)
let wears_out fields = Compiler.is_worn (Session.environment ()) && not (List.mem_assoc "ok" fields)

let has_large_heap () = (Gc.quick_stat ()).heap_words > large_heap_words

let serve state =
  let served = ref 0 in
  (* Something of the candidates before is kept that no compaction frees. *)
  let is_full = ref false in
  let answer fields = Wire.send Unix.stdout (Bencode.to_string (Dict fields)) in
  let rec loop () =
    match Wire.receive Unix.stdin with
    | None -> ()
    | Some bytes -> (
        match
          let message = Bencode.of_string bytes in
          (handle state message, string "op" message)
        with
        | fields, op when (op = "evaluate" && !is_full) || wears_out fields ->
            answer (("retire", Int 1) :: fields);
            Reserve.leave ()
        | fields, _ ->
            answer fields;
            incr served;
            if !served mod candidates_between_refreshes = 0 then Session.refresh ();
            (* Now, with the candidate dead, next to nothing survives a collection; in the middle of the next one, half
               of its trees would be copied. The slice keeps pace with what little is promoted, as the runtime would by
               itself if the minor heap ever filled up. *)
            Gc.minor ();
            ignore (Gc.major_slice 0);
            (* A candidate whose types exploded leaves a large and empty heap behind. *)
            if !served mod candidates_between_compactions = 0 || has_large_heap () then (
              Gc.compact ();
              is_full := has_large_heap ());
            loop ()
        | exception Retire fields ->
            answer fields;
            Reserve.leave ()
        | exception Guard.Compiler_raised what ->
            answer [ ("raised", String what); ("retire", Int 1) ];
            Reserve.leave ()
        | exception Malformed what -> answer [ ("fault", String ("malformed message: " ^ what)) ]
        | exception exn -> answer [ ("fault", String (Printexc.to_string exn)); ("retire", Int 1) ])
  in
  loop ()

let layer_status = function 0 -> "on" | 1 -> "absent" | _ -> "broken"

let start runner_path profile ~filtered =
  Session.start profile ~filtered;
  Compiler.load_tables runner_path;
  {
    filtered;
    runner = lazy (Runner_process.start runner_path);
    example_runner = lazy (Runner_process.start runner_path);
    oracle = lazy (Runner_process.start runner_path);
    base = Lowering.tables ();
    problems = Hashtbl.create 64;
  }

let () =
  fix_addresses ();
  if enlarge_stack () then Unix.execv Sys.executable_name Sys.argv;
  Sys.set_signal Sys.sigpipe Signal_ignore;
  let profile = if Sys.argv.(2) = "program" then Policy.Program else Policy.Function in
  let filtered = not (Array.exists (( = ) "unfiltered") Sys.argv) in
  let say fields = Wire.send Unix.stdout (Bencode.to_string (Dict fields)) in
  let greet state =
    let layer (name, status) = List [ String name; String (layer_status status) ] in
    let layers = List.map layer (Array.to_list (Runner_process.layers (Lazy.force state.runner))) in
    say [ ("ocaml", String Sys.ocaml_version); ("layers", List layers) ]
  in
  match start Sys.argv.(1) profile ~filtered with
  | exception exn -> say [ ("fault", String (Printexc.to_string exn)) ]
  | state ->
      bound_memory ();
      if profile = Policy.Function then ignore (Lazy.force state.oracle);
      Reserve.keep (fun ~first ->
          Random.self_init ();
          match if first then greet state with
          | exception exn -> say [ ("fault", String (Printexc.to_string exn)) ]
          | () -> serve state)
