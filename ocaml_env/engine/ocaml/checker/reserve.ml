let replace_me = 3
let leave () = Unix._exit replace_me

let rec keep_next ~first serve =
  match Fork.wait (Fork.child (fun () -> serve ~first)) with
  | WEXITED code when code = replace_me -> keep_next ~first:false serve
  | WEXITED code -> Unix._exit code
  | WSIGNALED signal | WSTOPPED signal -> Fork.end_by signal

let keep serve = keep_next ~first:true serve
