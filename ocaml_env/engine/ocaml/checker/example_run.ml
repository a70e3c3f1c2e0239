(* Was its detail written where hidden tests were? Of a limit only the name is told. *)
let speaks (test : Outcome.test) =
  match test.status with
  | Wrong | Raised | Overflow | Crashed -> test != Outcome.unrun
  | Passed | Timeout | Out_of_memory | Output_limit | Ran _ | Not_run -> false

(* What comes before a failing example can change how it fails, so those that passed run, too. *)
let runs (test : Outcome.test) = test.status = Passed || speaks test

let detail known (examples : Suite.t) ((call : Child.call), frame) =
  let outcome = Child.assess call frame in
  match (outcome.status, examples.tests.(call.test)) with
  | Passed, _ -> ""
  | _, Shown { example; _ } -> (
      match Example.explain known example frame with "" -> outcome.detail | explained -> explained)
  | _ -> outcome.detail

(* The details of some examples, by their number. *)
let details ~runner ~limits ~budget examples known candidate wanted =
  let rec go = function
    | [] -> []
    | _ when Budget.is_used_up budget -> []
    | tests -> (
        let of_paired = List.map (fun ((call : Child.call), frame) -> (call.test, detail known examples (call, frame))) in
        let all (outcome : Outcome.test) = List.map (fun test -> (test, outcome.detail)) tests in
        match Child.run ~runner ~limits ~budget examples candidate (List.map (Child.ask examples) tests) with
        | Complete paired -> of_paired paired
        | Not_started outcome -> all outcome
        | Tampered -> all Outcome.tampered
        | Stopped (paired, outcome) -> (
            Budget.charge budget (Budget.price budget outcome);
            of_paired paired
            @
            match List.filteri (fun i _ -> i >= List.length paired) tests with
            | [] -> []
            | blamed :: rest -> (blamed, outcome.detail) :: go rest)
        (* A lie, as the first run went well. *)
        | exception (Outcome.Refused _ | Outcome.Shared _) -> [])
  in
  go wanted

let explain ~runner limits (suite : Suite.t) candidate (tests : Outcome.test array) =
  let public = match suite.examples with Some (examples, _) -> Array.length examples.tests | None -> 0 in
  let numbers = List.init public Fun.id in
  match suite.examples with
  | Some (examples, known) when List.exists (fun i -> speaks tests.(i)) numbers ->
      let budget = Budget.create limits in
      let wanted = List.filter (fun i -> runs tests.(i)) numbers in
      let found = details ~runner ~limits ~budget examples known candidate wanted in
      let with_detail i (test : Outcome.test) =
        if i < public && speaks test then { test with detail = Option.value (List.assoc_opt i found) ~default:"" } else test
      in
      (Array.mapi with_detail tests, Budget.spent budget)
  | _ -> (tests, 0)
