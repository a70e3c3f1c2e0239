let compute f ~ran_out =
  match f () with
  | result -> Ok result
  | exception Stack_overflow -> Ok (ran_out "stack")
  | exception Out_of_memory -> Ok (ran_out "memory")
  | exception exn -> Error (Printexc.to_string exn)

let run (type a) (f : unit -> a) ~ran_out =
  let from_child, to_parent = Unix.pipe ~cloexec:true () in
  let cpu_limit = Unix.getitimer ITIMER_PROF (* which a fork does not inherit *) in
  let child =
    Fork.child (fun () ->
        ignore (Unix.setitimer ITIMER_PROF cpu_limit);
        Wire.send to_parent (Marshal.to_string (compute f ~ran_out) []))
  in
  Unix.close to_parent;
  let received = Wire.receive from_child in
  Unix.close from_child;
  (match Fork.wait child with WSIGNALED signal -> Fork.end_by signal | WEXITED _ | WSTOPPED _ -> ());
  match received with
  | None -> raise (Outcome.Fault "a trial ended without an answer")
  | Some bytes -> (
      match (Marshal.from_string bytes 0 : (a, string) result) with
      | Ok result -> result
      | Error what -> raise (Outcome.Fault ("a trial raised " ^ what)))
