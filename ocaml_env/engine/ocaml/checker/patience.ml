let share = 8
let times = 6
let frames (answer : Task.answer) = (Report.parse answer.report).frames

let was_out_of_time (answer : Task.answer) =
  match answer.ending with
  | Killed -> true
  | Signaled signal -> Outcome.is_for_time signal
  | Exited _ -> false

let is_near_another_limit (request : Task.request) (answer : Task.answer) =
  answer.peak_bytes >= request.memory_bytes / share
  || (request.keep_stdout && String.length answer.stdout >= request.output_bytes / share)

let met_another_limit (answer : Task.answer) =
  match (answer.ending, List.rev (frames answer)) with
  | Signaled signal, _ -> Outcome.is_for_output signal
  | _, { Report.tag = Exhausted; _ } :: _ -> true
  | _ -> false

(* Frames but the one that tells the limit: one that says that the calls begin, and one for each call. *)
let answered answer = List.length (List.filter (fun (f : Report.frame) -> f.tag <> Exhausted) (frames answer))

let at_the_same_place first again = answered first = answered again

(* The work up to the call that the first run did not answer: what comes after it says nothing of its limit. *)
let up_to_the_end_of first (work : Task.work) : Task.work =
  match work with
  | Main -> Main
  | Calls calls ->
      let length = min (answered first) (Array.length calls.schedule) in
      Calls { calls with schedule = Array.sub calls.schedule 0 length }

let runner (run : Child.runner) : Child.runner =
  let is_worth_it = ref true in
  fun request ~candidate ~tests ->
    let first = run request ~candidate ~tests in
    if !is_worth_it && was_out_of_time first && is_near_another_limit request first then (
      let more = (times - 1) * request.test_cpu_us in
      let test_cpu_us = request.test_cpu_us + more and total_cpu_us = request.total_cpu_us + more in
      let work = up_to_the_end_of first request.work in
      let again = run { request with work; test_cpu_us; total_cpu_us } ~candidate ~tests in
      is_worth_it := met_another_limit again && at_the_same_place first again;
      if !is_worth_it then { again with cpu_us = first.cpu_us } else first)
    else first
