(* One run, with its outcome. *)
let attempt ~runner (limits : Outcome.limits) ~test_cpu_us ~budget input candidate : Task.answer * Outcome.test =
  let request =
    {
      Task.work = Main;
      stdin = Some input;
      keep_stdout = true;
      output_bytes = limits.output_bytes;
      memory_bytes = limits.memory_bytes;
      test_cpu_us;
      total_cpu_us = max 1 (Budget.left budget);
      cpu_grace = None;
    }
  in
  let answer : Task.answer = runner request ~candidate ~tests:"" in
  Budget.spend budget answer.cpu_us;
  let outcome : Outcome.test =
    match (Report.parse answer.report, answer.ending) with
    | { frames = { tag = Refused; payload; _ } :: _; _ }, _ -> raise (Outcome.Refused payload)
    | { frames = { tag = Exhausted; _ } :: _; _ }, _ -> Outcome.out_of_memory
    | { frames = []; clean = true }, Exited 0 -> Outcome.test (Ran answer.stdout) ""
    | { frames = []; clean = true }, Exited code -> Outcome.test Raised (Printf.sprintf "exit code %d" code)
    | { frames = [ ({ tag = Raised; _ } as frame) ]; clean = true }, Exited _ ->
        Outcome.raised frame ~context:"uncaught exception "
    | _, (Killed | Signaled _) -> Outcome.of_ending request answer
    | _ -> Outcome.tampered
  in
  (answer, outcome)

let run ~runner (limits : Outcome.limits) inputs candidate =
  let budget = Budget.create limits in
  let rec run input again : Outcome.test =
    if Budget.is_used_up budget then Outcome.too_slow
    else
      let answer, outcome = attempt ~runner limits ~test_cpu_us:(2 * limits.test_cpu_us) ~budget input candidate in
      let met_a_limit = List.mem outcome.status [ Outcome.Timeout; Out_of_memory; Output_limit; Overflow ] in
      (* As in {!Test_run}: a run over its limit that was not killed is made again, and the fastest counts. *)
      if answer.cpu_us <= limits.test_cpu_us || met_a_limit then outcome
      else if again > 0 then run input (again - 1)
      else Outcome.too_slow
  in
  let run input =
    let outcome = run input 2 in
    Budget.charge budget (Budget.price budget outcome);
    outcome
  in
  (* Not Array.map: the order of the runs must be that of the inputs. *)
  let tests = List.map run inputs in
  (Array.of_list tests, Budget.spent budget)

let until_failure ~runner (limits : Outcome.limits) inputs candidate : Test_run.found =
  let budget = Budget.to_the_letter limits and slowest = ref 0 and failed = ref false in
  let run (input, expected) =
    if !failed then Outcome.not_run
    else if Budget.is_used_up budget then (
      failed := true;
      Outcome.too_slow)
    else
      let answer, outcome = attempt ~runner limits ~test_cpu_us:limits.test_cpu_us ~budget input candidate in
      slowest := max !slowest answer.cpu_us;
      (match (outcome.status, expected) with
      | Ran _, None -> ()
      | Ran stdout, Some expected -> failed := not (String.equal stdout expected)
      | _ -> failed := true);
      outcome
  in
  let tests = List.map run inputs in
  { tests = Array.of_list tests; cpu_us = Budget.spent budget; slowest_us = !slowest }
