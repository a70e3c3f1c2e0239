(* Passed tests that run inside need confirmation by a second child with other questions: a random half of its tests
   are decoys that run the test and then give one fixed answer. Code that answers in place of the tests, from what
   they say to a wrong answer, gives itself away there. The child runs the same tests in the same order as the first,
   so that answers that depend on earlier ones are the same. *)
let confirmed ~runner ~(limits : Outcome.limits) suite candidate (results : Outcome.test array) tests =
  let inside = List.filter (Child.is_inside suite) tests in
  let sure = List.nth inside (Random.int (List.length inside)) in
  let call test =
    (* A lone one is asked for truly half the time, or else it would be known never to be. *)
    let is_sure = test = sure && (List.length inside > 1 || Random.bool ()) in
    if is_sure || Random.bool () then Child.ask_for_nothing suite test else Child.ask suite test
  in
  let agrees ((call : Child.call), frame) =
    match (call.reading, (Child.assess call frame).status) with
    | (Equal _ | Satisfies _ | Decoy _ | Tells), _ -> true
    | _, status -> (
        match (call.reading, results.(call.test).status) with
        | Always _, (Passed | Wrong) -> status = Passed
        | _, ((Passed | Wrong | Raised | Overflow) as before) -> status = before
        | _ -> true (* it was over a limit, which says nothing of its answer *))
  in
  (* Twice what the first run was given: noise must not fail an honest candidate. *)
  let limits = { limits with test_cpu_us = 2 * limits.test_cpu_us; total_cpu_us = 2 * limits.total_cpu_us } in
  let budget = Budget.create limits in
  match Child.run ~runner ~limits ~budget suite candidate (List.map call tests) with
  | Complete paired -> List.for_all agrees paired
  | Stopped _ | Not_started _ | Tampered -> false

(* Tests that use the same items of a candidate, and may come upon what it lacks. *)
let most_missing = 3

let run ~runner ~without (limits : Outcome.limits) (suite : Suite.t) candidate =
  let needs_lost test = Dependence.overlap suite.uses.(test) without in
  let results = Array.make (Array.length suite.tests) None in
  let budget = Budget.create limits in
  let ask tests = Child.run ~runner ~limits ~budget suite candidate (List.map (Child.ask suite) tests) in
  let answer_of test paired = List.find (fun ((call : Child.call), _) -> call.test = test) paired in
  (* A test that ended over its limit, yet before it was killed, is run again by itself: a busy machine inflates CPU
     time, so the fastest run counts. An overflow of the stack is a limit, too, and was met first. *)
  let rec settle test (call, (frame : Report.frame)) again : Outcome.test =
    let outcome = Child.assess call frame in
    if frame.cpu_us <= limits.test_cpu_us || outcome.status = Overflow then outcome
    else if again = 0 || Budget.is_used_up budget then Outcome.too_slow
    else
      match ask [ test ] with
      | Complete paired -> settle test (answer_of test paired) (again - 1)
      | Tampered -> Outcome.tampered
      | Stopped (_, outcome) | Not_started outcome -> outcome
  in
  let prices = Array.make (Array.length suite.tests) 0 in
  let set test outcome =
    prices.(test) <- Budget.price budget outcome;
    Budget.charge budget prices.(test);
    results.(test) <- Some outcome
  in
  (* Each test that comes upon something missing ends a child. Those that use the same items of the candidate as some that
     did so fail without a child of their own. *)
  let met = ref [] in
  let without_likes test rest =
    met := suite.uses.(test) :: !met;
    let is_like other = suite.uses.(other) = suite.uses.(test) in
    if List.length (List.filter (( = ) suite.uses.(test)) !met) < most_missing then rest
    else (
      let likes, rest = List.partition is_like rest in
      List.iter (fun like -> results.(like) <- Some Outcome.unrun) likes;
      rest)
  in
  (* The end of one child, which costs once. *)
  let share tests outcome =
    set (List.hd tests) outcome;
    List.iter (fun test -> results.(test) <- Some outcome) tests
  in
  (* The tests of each child that came to its end. *)
  let groups = ref [] in
  let set_all tests paired =
    groups := tests :: !groups;
    List.iter (fun test -> set test (settle test (answer_of test paired) 2)) tests
  in
  let rec go = function
    | [] -> ()
    | tests when Budget.is_used_up budget -> share tests Outcome.too_slow
    | tests -> (
        match ask tests with
        | Not_started outcome -> share tests outcome
        | Tampered -> share tests Outcome.tampered
        | Complete paired -> set_all tests paired
        | Stopped (paired, outcome) ->
            (* A value cannot be forged, what a test inside says can be guessed: those of a child that did not end well
               are asked for again, without the test that ended it. *)
            let answered, rest =
              List.partition (fun test -> List.exists (fun ((call : Child.call), _) -> call.test = test) paired) tests
            in
            let again, kept = List.partition (Child.is_inside suite) answered in
            List.iter (fun test -> set test (settle test (answer_of test paired) 2)) kept;
            if again <> [] then ask_again again;
            match rest with
            | [] -> ()
            | blamed :: rest ->
                set blamed outcome;
                go (if outcome == Outcome.unrun then without_likes blamed rest else rest))
  and ask_again tests =
    match ask tests with
    | Complete paired -> set_all tests paired
    | Tampered -> share tests Outcome.tampered
    | Stopped (_, outcome) | Not_started outcome -> share tests outcome
  in
  let unrun, runnable = List.partition needs_lost (List.init (Array.length suite.tests) Fun.id) in
  List.iter (fun test -> set test Outcome.unrun) unrun;
  go runnable;
  let result = function Some test -> test | None -> raise (Outcome.Fault "a test was left without a result") in
  let results = Budget.cut limits (Array.map result results) ~prices in
  let guessed test = results.(test).status = Passed && Child.is_inside suite test in
  let doubtful = List.filter (List.exists guessed) (List.rev !groups) in
  let refuted = List.filter (fun tests -> not (confirmed ~runner ~limits suite candidate results tests)) doubtful in
  let outcome test result = if guessed test && List.exists (List.mem test) refuted then Outcome.tampered else result in
  (Array.mapi outcome results, Budget.spent budget)

type found = { tests : Outcome.test array; cpu_us : int; slowest_us : int }

type arrangement = In_order | Reversed | Alone

let until_failure ~runner ~first ~arrangement (limits : Outcome.limits) (suite : Suite.t) candidate =
  let count = Array.length suite.tests in
  let nth place = if arrangement = Reversed then count - 1 - place else place in
  let results = Array.make count Outcome.not_run in
  let budget = Budget.to_the_letter limits and slowest = ref 0 in
  (* A child is left alone until twice the limit that it is given. *)
  let given = { limits with test_cpu_us = (limits.test_cpu_us + 1) / 2 } in
  let set test (outcome : Outcome.test) =
    results.(test) <- outcome;
    outcome.status = Passed
  in
  (* Notes answers until one is not right. Were all of them? *)
  let rec note = function
    | [] -> true
    | ((call : Child.call), (frame : Report.frame)) :: rest ->
        slowest := max !slowest frame.cpu_us;
        let outcome = if frame.cpu_us > limits.test_cpu_us then Outcome.too_slow else Child.assess call frame in
        (call.test < 0 || set call.test outcome) && note rest
  in
  let rec go from size =
    if from < count then
      let size = min size (count - from) in
      let calls = List.init size (fun i -> Child.ask suite (nth (from + i))) in
      let passed =
        (not (Budget.is_used_up budget))
        &&
        match Child.run ~runner ~limits:given ~budget suite candidate calls with
        | Complete paired -> note paired
        | Stopped (paired, outcome) ->
            let answered = List.length (List.filter (fun ((call : Child.call), _) -> call.test >= 0) paired) in
            note paired && answered < size && set (nth (from + answered)) outcome
        | Not_started outcome -> set (nth from) outcome
        | Tampered -> set (nth from) Outcome.tampered
      in
      if passed then go (from + size) (if arrangement = Alone then 1 else 2 * size)
      else if results.(nth from).status = Not_run then ignore (set (nth from) Outcome.too_slow)
  in
  go 0 (if arrangement = Alone then 1 else max 1 first);
  { tests = results; cpu_us = Budget.spent budget; slowest_us = !slowest }
