(* Does the detail of a test say more than which limit was met? Then it was written where hidden tests were. *)
let is_told (test : Outcome.test) =
  match test.status with
  | Passed | Wrong | Raised | Overflow | Crashed -> test != Outcome.unrun
  | Timeout | Out_of_memory | Output_limit | Ran _ | Not_run -> false

let detail known (examples : Suite.t) ((call : Child.call), frame) =
  let (outcome : Outcome.test) = Child.assess call frame in
  match (outcome.status, examples.tests.(call.test)) with
  | Passed, _ -> ""
  | _, Shown { example; _ } -> (
      match Example.explain known example frame with "" -> outcome.detail | explained -> explained)
  | _ -> outcome.detail

let explain ~runner limits (suite : Suite.t) candidate (tests : Outcome.test array) =
  match suite.examples with
  | Some (examples, known)
    when List.exists (fun i -> tests.(i).status <> Passed && is_told tests.(i)) (List.init (Array.length examples.tests) Fun.id) ->
      let budget = Budget.create limits and details = Hashtbl.create 4 in
      let note paired = List.iter (fun (call, frame) -> Hashtbl.replace details call.Child.test (detail known examples (call, frame))) paired in
      let rec go = function
        | [] -> ()
        | _ when Budget.is_used_up budget -> ()
        | (first :: _) as left -> (
            match Child.run ~runner ~limits ~budget examples candidate (List.map (Child.ask examples) left) with
            | Complete paired -> note paired
            | Tampered -> List.iter (fun test -> Hashtbl.replace details test Outcome.tampered.detail) left
            | Not_started outcome -> List.iter (fun test -> Hashtbl.replace details test outcome.detail) left
            | Stopped (paired, outcome) ->
                note paired;
                Budget.charge budget (Budget.price budget outcome);
                let rest = List.filteri (fun i _ -> i >= List.length paired) left in
                List.iteri (fun i test -> if i = 0 then Hashtbl.replace details test outcome.detail) rest;
                go (match rest with [] -> [] | _ :: rest -> rest)
            | exception (Outcome.Refused _ | Outcome.Shared _) -> ignore first)
      in
      let of_examples = List.init (Array.length examples.tests) Fun.id in
      go (List.filter (fun i -> is_told tests.(i)) of_examples);
      let with_detail i (test : Outcome.test) =
        if i < Array.length examples.tests && test.status <> Passed && is_told test then
          { test with detail = Option.value (Hashtbl.find_opt details i) ~default:"" }
        else test
      in
      (Array.mapi with_detail tests, Budget.spent budget)
  | _ -> (tests, 0)
