(* One run, with its outcome. *)
let attempt ~runner (limits : Outcome.limits) input ~test_cpu_us ~total_cpu_us candidate : Task.answer * Outcome.test =
  let request =
    {
      Task.work = Main;
      stdin = Some input;
      keep_stdout = true;
      output_bytes = limits.output_bytes;
      memory_bytes = limits.memory_bytes;
      test_cpu_us;
      total_cpu_us;
    }
  in
  let answer : Task.answer = runner request ~candidate ~tests:"" in
  let outcome : Outcome.test =
    match (Report.parse answer.report, answer.ending) with
    | { frames = { tag = Refused; payload; _ } :: _; _ }, _ -> raise (Outcome.Refused payload)
    | { frames = { tag = Exhausted; _ } :: _; _ }, _ -> Outcome.out_of_memory
    | { frames = []; clean = true }, Exited 0 -> Outcome.test (Ran answer.stdout) ""
    | { frames = []; clean = true }, Exited code -> Outcome.test Raised (Printf.sprintf "exit code %d" code)
    | { frames = [ { tag = Raised; payload; _ } ]; clean = true }, Exited _ ->
        Outcome.test Raised ("uncaught exception " ^ Generated.hide payload)
    | _, (Killed | Signaled _) -> Outcome.of_ending limits answer
    | _ -> Outcome.tampered
  in
  (answer, outcome)

let run ~runner (limits : Outcome.limits) inputs candidate =
  let spent = ref 0 in
  let rec run input again : Outcome.test =
    if !spent >= limits.total_cpu_us then Outcome.too_slow
    else
      let left = limits.total_cpu_us - !spent in
      let test_cpu_us = min (2 * limits.test_cpu_us) left in
      let answer, outcome = attempt ~runner limits input ~test_cpu_us ~total_cpu_us:left candidate in
      (* As in {!Child.run}: a run that met a limit is charged all that it was allowed. *)
      let met_a_limit = List.mem outcome.status [ Outcome.Timeout; Out_of_memory; Output_limit ] in
      spent := !spent + if met_a_limit then max answer.cpu_us test_cpu_us else answer.cpu_us;
      (* As in {!Examination}: a run over its limit that was not killed is made again, and the fastest counts. *)
      if answer.cpu_us <= limits.test_cpu_us || met_a_limit then outcome
      else if again > 0 then run input (again - 1)
      else Outcome.too_slow
  in
  (* Not Array.map: the order of the runs must be that of the inputs. *)
  let tests = List.map (fun input -> run input 2) inputs in
  (Array.of_list tests, !spent)

let until_failure ~runner (limits : Outcome.limits) inputs candidate : Examination.found =
  let spent = ref 0 and slowest = ref 0 and failed = ref false in
  let run (input, expected) =
    if !failed then Outcome.not_run
    else if !spent >= limits.total_cpu_us then (
      failed := true;
      Outcome.too_slow)
    else
      let answer, outcome =
        attempt ~runner limits input ~test_cpu_us:limits.test_cpu_us ~total_cpu_us:(limits.total_cpu_us - !spent)
          candidate
      in
      spent := !spent + answer.cpu_us;
      slowest := max !slowest answer.cpu_us;
      (match (outcome.status, expected) with
      | Ran _, None -> ()
      | Ran stdout, Some expected -> failed := not (String.equal stdout expected)
      | _ -> failed := true);
      outcome
  in
  let tests = List.map run inputs in
  { tests = Array.of_list tests; cpu_us = !spent; slowest_us = !slowest }
