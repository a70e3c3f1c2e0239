type layers = (string * int) array

type process = {
  pid : int;
  requests : Unix.file_descr;
  answers : Unix.file_descr;
  reports : Unix.file_descr;
  stdout : Unix.file_descr;
}

type t = { executable : string; mutable process : process option; mutable layers : layers }

exception Died

external memory_file : unit -> Unix.file_descr = "ocaml_env_memory_file"
external widen_pipe : Unix.file_descr -> unit = "ocaml_env_widen_pipe"

(* The VM stack is fixed in words so that recursion goes equally deep on every version: a million calls of one argument,
   twice as deep as native code with the usual 8 MB. Not deeper: each minor collection scans the whole stack, and
   recursion without end shall overflow well before its time is over, or chance decides which of the two limits it meets.
   The minor heap is large for the same reason. On a busy machine, recursion that conses overflows after 0.14 s with 2M
   words, and after 0.31 s with 512k; some then met its limit on time.
   Nothing of the user's environment reaches the runner. A descriptor is its number: the runner has no other way to
   learn of it. *)
let environment ~report ~stdout =
  let number (fd : Unix.file_descr) : int = Obj.magic fd in
  [|
    "OCAMLRUNPARAM=l=4M,s=2M,b=0,O=1000000";
    Printf.sprintf "REPORT_FD=%d" (number report);
    Printf.sprintf "STDOUT_FD=%d" (number stdout);
  |]

let launch t =
  let request_end, requests = Unix.pipe ~cloexec:true () in
  let answers, answer_end = Unix.pipe ~cloexec:true () in
  let reports, report_end = Unix.pipe ~cloexec:true () in
  let stdout = memory_file () in
  widen_pipe report_end;
  Unix.set_nonblock reports;
  Unix.clear_close_on_exec report_end;
  let pid =
    Unix.create_process_env t.executable [| "program" |] (environment ~report:report_end ~stdout) request_end answer_end
      Unix.stderr
  in
  Unix.set_close_on_exec stdout;
  List.iter Unix.close [ request_end; answer_end; report_end ];
  let process = { pid; requests; answers; reports; stdout } in
  match Wire.receive answers with
  | Some bytes ->
      t.layers <- Marshal.from_string bytes 0;
      t.process <- Some process;
      process
  | None -> raise Died

let start executable =
  let t = { executable; process = None; layers = [||] } in
  ignore (launch t);
  t

let layers t = t.layers

let stop t =
  match t.process with
  | None -> ()
  | Some { pid; requests; answers; reports; stdout } ->
      t.process <- None;
      List.iter Unix.close [ requests; answers; reports; stdout ];
      (* It ends by itself at end of file. *)
      ignore (Unix.waitpid [] pid)

(* --- what a child writes --- *)

let report_max = 1 lsl 26
let chunk = Bytes.create 65536

(* Takes what stands in the pipe of reports. What is over the maximum is thrown away. Returns how much there was. *)
let drain process report =
  let rec go total =
    match Unix.read process.reports chunk 0 (Bytes.length chunk) with
    | 0 -> total
    | count ->
        if Buffer.length report < report_max then Buffer.add_subbytes report chunk 0 count;
        go (total + count)
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> total
    | exception Unix.Unix_error (EINTR, _, _) -> go total
  in
  go 0

(* Waits for the runner's answer. Meanwhile the report is only looked at now and then: a frame need not wake us up, and a
   child that fills the pipe waits for the next look. *)
let rec await process report pause =
  match Unix.select [ process.answers ] [] [] pause with
  | [], _, _ ->
      let was_filling = drain process report > Bytes.length chunk / 2 in
      await process report (if was_filling then 0.0005 else min 0.05 (2. *. pause))
  | _ -> Wire.receive process.answers
  | exception Unix.Unix_error (EINTR, _, _) -> await process report pause

(* Takes what was printed, and leaves nothing of it for the next child. *)
let take_stdout process =
  let length = Unix.lseek process.stdout 0 SEEK_END in
  ignore (Unix.lseek process.stdout 0 SEEK_SET);
  let text = Bytes.create length in
  let rec read at = if at < length then read (at + Unix.read process.stdout text at (length - at)) in
  read 0;
  Unix.ftruncate process.stdout 0;
  ignore (Unix.lseek process.stdout 0 SEEK_SET);
  Bytes.unsafe_to_string text

let run t (request : Task.request) ~candidate ~tests : Task.answer =
  let process = match t.process with Some process -> process | None -> launch t in
  let report = Buffer.create 1024 in
  match
    Wire.send_parts process.requests [ Marshal.to_string request []; candidate; tests ];
    await process report 0.005
  with
  | Some bytes ->
      let death : Task.death = Marshal.from_string bytes 0 in
      ignore (drain process report);
      let ending = if Buffer.length report >= report_max then Task.Killed else death.ending in
      let stdout = if request.keep_stdout then take_stdout process else "" in
      { report = Buffer.contents report; stdout; ending; cpu_us = death.cpu_us; late_us = death.late_us }
  | None | (exception Unix.Unix_error (EPIPE, _, _)) ->
      stop t;
      raise Died
