type reading =
  | Equal of string
  | Satisfies of { predicate : Predicate.t; constants : Data.outcome array }
  | Holds of string
  | Always of string
  | Decoy of string
  | Tells

type call = { closure : int; test : int; reading : reading }

let ask (suite : Suite.t) test =
  match suite.tests.(test) with
  | Value { closure; expected } -> { closure; test; reading = Equal expected }
  | Leaves { closure; predicate; constants } -> { closure; test; reading = Satisfies { predicate; constants } }
  | Shown { closure; _ } -> { closure; test; reading = Tells }
  | Inside { closure; _ } ->
      let if_true = Random.bool () in
      { closure = closure ~if_true ~if_false:(not if_true); test; reading = Holds (Suite.encoding if_true) }

let ask_for_nothing (suite : Suite.t) test =
  match suite.tests.(test) with
  | Value _ | Leaves _ | Shown _ -> ask suite test
  | Inside { closure; _ } ->
      let answer = Random.bool () in
      { closure = closure ~if_true:answer ~if_false:answer; test; reading = Always (Suite.encoding answer) }

let is_inside (suite : Suite.t) test =
  match suite.tests.(test) with Inside _ -> true | Value _ | Leaves _ | Shown _ -> false

(* The calls in order, and where an answer could be guessed some decoys among them. *)
let with_decoys (suite : Suite.t) calls =
  if not (List.exists (fun call -> is_inside suite call.test) calls) then calls
  else
    let decoy _ =
      let closure, answer = suite.decoys.(Random.int (Array.length suite.decoys)) in
      { closure; test = -1; reading = Decoy (Suite.encoding answer) }
    in
    let rec mix = function
      | [] -> List.init (Random.int 2) decoy
      | call :: rest -> List.init (Random.int 3) decoy @ (call :: mix rest)
    in
    decoy () :: mix calls

type t =
  | Complete of (call * Report.frame) list
  | Stopped of (call * Report.frame) list * Outcome.test
  | Not_started of Outcome.test
  | Tampered

type runner = Task.request -> candidate:string -> tests:string -> Task.answer

let nonce_bytes = 16
let random_string n = String.init n (fun _ -> Char.chr (Random.int 256))

let rec pair calls (frames : Report.frame list) =
  match (calls, frames) with
  | call :: calls, ({ tag = Value | Opaque | Raised; _ } as frame) :: frames ->
      let paired, calls, frames = pair calls frames in
      ((call, frame) :: paired, calls, frames)
  | _ -> ([], calls, frames)

let read_report ~request ~calls ~nonce (answer : Task.answer) =
  let report = Report.parse answer.report in
  match report.frames with
  | { tag = Refused; payload; _ } :: _ -> raise (Outcome.Refused payload)
  | _ when not report.clean -> Tampered
  | { tag = Ready; _ } :: frames -> (
      match pair calls frames with
      | paired, [], [ { tag = Done; payload; _ } ] when payload = nonce && answer.ending = Exited 0 -> Complete paired
      | paired, _ :: _, [] -> Stopped (paired, Outcome.of_ending request answer)
      | paired, [], [] when (match answer.ending with Exited _ -> false | Signaled _ | Killed -> true) ->
          Stopped (paired, Outcome.of_ending request answer)
      | paired, _ :: _, [ { tag = Exhausted; _ } ] -> Stopped (paired, Outcome.out_of_memory)
      | paired, _ :: _, [ { tag = Missing; _ } ] -> Stopped (paired, Outcome.unrun)
      | _ -> Tampered)
  | [ ({ tag = Raised; _ } as frame) ] -> Not_started (Outcome.raised frame ~context:"while the code was initialised: ")
  | [ { tag = Exhausted; _ } ] -> Not_started Outcome.out_of_memory
  | [ { tag = Missing; _ } ] -> Not_started Outcome.unrun
  | [ { tag = Shared; payload; _ } ] -> (
      match String.split_on_char '\n' payload with
      | [ constructor; other ] -> raise (Outcome.Shared { constructor; other })
      | _ -> Tampered)
  | [] -> Not_started (Outcome.of_ending request answer)
  | _ -> Tampered

(* What the leaves of a test say, and whether it came to its end. *)
let assess_leaves predicate ~constants (frame : Report.frame) =
  let unread = "it returned " in
  match Predicate.evaluate predicate ~constants ~atoms:(List.map Data.atom frame.leaves) with
  | exception Data.Malformed -> Outcome.tampered
  | Fails -> Outcome.test Wrong ""
  | Unreadable what -> Outcome.test Wrong (unread ^ what)
  | Holds when frame.tag = Value -> Outcome.test Passed ""
  | Raises text when frame.tag = Value -> Outcome.raised { frame with tag = Raised; payload = text } ~context:""
  | Holds | Raises _ | Unknown -> if frame.tag = Raised then Outcome.raised frame ~context:"" else Outcome.tampered

(* What one answer means, CPU time apart. *)
let assess (call : call) (frame : Report.frame) =
  match (frame.tag, call.reading) with
  | _, Satisfies { predicate; constants } -> assess_leaves predicate ~constants frame
  | Value, Tells -> Outcome.test (if String.equal frame.payload (Suite.encoding true) then Passed else Wrong) ""
  | Value, (Equal expected | Holds expected | Always expected | Decoy expected) ->
      Outcome.test (if String.equal frame.payload expected then Passed else Wrong) ""
  | Opaque, _ -> Outcome.test Wrong ("it returned " ^ frame.payload)
  | _ -> Outcome.raised frame ~context:""

(* No honest process gives anything but true or false for a test that runs inside, no decoy that runs nothing misses its
   answer, and only tests by leaves report some. *)
let honest (call, (frame : Report.frame)) =
  match (call.reading, frame.tag) with
  | Satisfies _, Raised -> true
  | Satisfies _, Value -> frame.payload = Suite.no_encoding
  | Satisfies _, _ -> false
  | Tells, _ -> true
  | _ when frame.leaves <> [] -> false
  | Equal _, _ | (Holds _ | Always _), Raised -> true
  | Decoy expected, _ -> frame.tag = Value && String.equal frame.payload expected
  | (Holds _ | Always _), Value -> frame.payload = Suite.encoding true || frame.payload = Suite.encoding false
  | (Holds _ | Always _), _ -> false

(* Executes calls in one child. *)
let run ~runner ~(limits : Outcome.limits) ~budget (suite : Suite.t) candidate calls =
  let has_inside = List.exists (fun call -> is_inside suite call.test) calls in
  let calls = with_decoys suite calls in
  let nonce = random_string nonce_bytes in
  let schedule = Array.of_list (List.map (fun call -> call.closure) calls) in
  (* Of a decoy it looks like that of a test. *)
  let seed call = if call.test < 0 then Random.bits () else suite.seeds.(call.test) in
  let seeds = if suite.seeds = [||] then [||] else Array.of_list (List.map seed calls) in
  let request =
    {
      Task.work = Calls { constructors = suite.constructors; suite = suite.slot; schedule; seeds; has_inside; nonce };
      stdin = None;
      keep_stdout = false;
      output_bytes = 0;
      memory_bytes = limits.memory_bytes;
      (* The process is left alone until twice the limit, since a busy machine inflates CPU time, too. *)
      test_cpu_us = 2 * limits.test_cpu_us;
      total_cpu_us = max 1 (Budget.left budget);
      cpu_grace = None;
    }
  in
  let answer : Task.answer = runner request ~candidate ~tests:suite.image in
  Budget.spend budget answer.cpu_us;
  match read_report ~request ~calls ~nonce answer with
  | (Complete paired | Stopped (paired, _)) when not (List.for_all honest paired) -> Tampered
  | child -> child

