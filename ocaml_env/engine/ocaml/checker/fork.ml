external die_with_parent : unit -> unit = "ocaml_env_die_with_parent"

let child f =
  let parent = Unix.getpid () in
  match Unix.fork () with
  | 0 ->
      die_with_parent ();
      if Unix.getppid () = parent then f ();
      Unix._exit 0
  | pid -> pid

let rec wait pid = try snd (Unix.waitpid [] pid) with Unix.Unix_error (EINTR, _, _) -> wait pid
let end_by signal = Unix.kill (Unix.getpid ()) signal
