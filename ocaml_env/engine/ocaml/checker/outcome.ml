type limits = { test_cpu_us : int; total_cpu_us : int; memory_bytes : int; output_bytes : int }
type status =
  | Passed
  | Wrong
  | Raised
  | Overflow
  | Crashed
  | Timeout
  | Out_of_memory
  | Output_limit
  | Ran of string
  | Not_run

type test = { status : status; detail : string }

let test status detail = { status; detail }

(* An exception of the candidate or of the prelude is called as the problem calls it. *)
let without_unit text =
  let prefixes = List.map (fun unit -> unit ^ ".") Generated.[ solution; tests; examples ] in
  match List.find_opt (fun prefix -> String.starts_with ~prefix text) prefixes with
  | Some prefix -> String.sub text (String.length prefix) (String.length text - String.length prefix)
  | None -> text

let exception_name text = without_unit (Generated.hide text)

let raised (frame : Report.frame) ~context =
  test (if Report.is_stack_overflow frame then Overflow else Raised) (context ^ exception_name frame.payload)

let too_slow = test Timeout "over its CPU time"
let out_of_memory = test Out_of_memory "out of memory"
let tampered = test Crashed "the process reported what no honest run reports"
let not_run = test Not_run ""
let unrun = test Raised "it uses what is missing or has an error"

exception Fault of string
exception Refused of string
exception Shared of { constructor : string; other : string }

(* The operating system's numbers of signals on Linux. *)
let sigprof = 27
let sigxcpu = 24
let sigkill = 9
let sigxfsz = 25

let is_for_output signal = signal = sigxfsz
let is_for_time signal = signal = sigprof || signal = sigxcpu

let of_ending (request : Task.request) (answer : Task.answer) =
  match answer.ending with
  | Killed -> too_slow
  | Signaled signal when is_for_time signal -> too_slow
  | Signaled signal when signal = sigkill ->
      if answer.cpu_us >= request.total_cpu_us then too_slow
      else raise (Fault "a jailed process was killed from outside (is the machine out of memory?)")
  | Signaled signal when is_for_output signal -> test Output_limit "printed too much"
  | Signaled signal -> test Crashed (Printf.sprintf "the process died of signal %d" signal)
  | Exited code -> test Crashed (Printf.sprintf "the process ended with code %d before its tests were done" code)
