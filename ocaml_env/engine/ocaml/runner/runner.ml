external start : unit -> unit = "ocaml_env_runner_start"
external probe_layers : unit -> (string * int) array = "ocaml_env_probe_layers"
external receive : unit -> string = "ocaml_env_receive"
external received_image : int -> Task.image option = "ocaml_env_received_image"
external reply : string -> unit = "ocaml_env_reply"
external fork_jailed : Task.request -> int = "ocaml_env_fork"
external await : int -> int -> bool * bool * int * int * int = "ocaml_env_await"
external arm : int -> unit = "ocaml_env_arm"
external report_value : Obj.t -> unit = "ocaml_env_report_value"
external report_text : char -> string -> unit = "ocaml_env_report_text"
external _report_leaves : int -> Obj.t -> unit = "ocaml_env_report_leaves" (* for the tests' own code *)
external _report_raised : int -> Obj.t -> bool -> exn -> unit = "ocaml_env_report_raised"
external note_library : int -> unit = "ocaml_env_note_library"
external note_tests : (unit -> Obj.t) array -> unit = "ocaml_env_note_tests"
external note_code : (unit -> Obj.t) -> string -> unit = "ocaml_env_note_code"
external is_intact : (unit -> Obj.t) array -> bool -> bool = "ocaml_env_is_intact"
external tidy : unit -> unit = "ocaml_env_tidy"
external leave : int -> 'a = "ocaml_env_leave"
external global_data : unit -> Obj.t array = "caml_get_global_data"
external realloc_global_data : int -> unit = "caml_realloc_global"

let candidate = 0
let tests = 1

(* Inside the jail: unmarshals an image that came with the request, and runs its toplevel. *)
let load which =
  match received_image which with
  | None -> ()
  | Some (image : Task.image) ->
      if image.globals > Array.length (global_data ()) then realloc_global_data image.globals;
      let globals = global_data () in
      Array.iter (fun (slot, constant) -> globals.(slot) <- constant) image.literals;
      let closure = Reify.closure image.code in
      if which = tests then note_code closure image.code;
      ignore (closure ())

(* The text of an exception is for people; a hostile one may raise again or be endless. *)
let describe exn =
  let text = try Printexc.to_string_default exn with _ -> "an exception" in
  if String.length text > 500 then String.sub text 0 500 else text

let call (closure : unit -> Obj.t) =
  match closure () with value -> report_value value | exception exn -> report_text 'X' (describe exn)

(* Everything below runs inside the jail. *)

let run_calls ~suite ~schedule ~has_inside ~test_cpu_us ~nonce =
  arm test_cpu_us;
  match
    load candidate;
    load tests
  with
  | exception exn ->
      report_text 'X' (describe exn);
      leave 0
  | () ->
      let unit_block = (global_data ()).(suite) in
      let closures : (unit -> Obj.t) array = Obj.obj (Obj.field unit_block (Obj.size unit_block - 1)) in
      note_tests closures;
      report_text 'I' "";
      Array.iter
        (fun index ->
          arm test_cpu_us;
          call closures.(index);
          tidy ())
        schedule;
      (* Tests mean nothing when the candidate has changed them or the library: the report stays without its end. *)
      if is_intact closures has_inside then report_text 'Z' nonce;
      leave 0

let run_main ~test_cpu_us =
  arm test_cpu_us;
  match
    load candidate;
    Stdlib.do_at_exit ()
  with
  | () -> leave 0
  | exception exn ->
      report_text 'X' (describe exn);
      (try Stdlib.do_at_exit () with _ -> ());
      leave 2

let work (request : Task.request) =
  let test_cpu_us = request.test_cpu_us in
  match request.work with
  | Calls { suite; schedule; has_inside; nonce } -> run_calls ~suite ~schedule ~has_inside ~test_cpu_us ~nonce
  | Main -> run_main ~test_cpu_us

let serve (request : Task.request) : Task.death =
  match fork_jailed request with
  | 0 -> work request
  | child ->
      let killed, exited, code, cpu_us, late_us = await child request.total_cpu_us in
      {
        ending = (if killed then Killed else if exited then Exited code else Signaled code);
        cpu_us;
        late_us = (if late_us = 0 then None else Some late_us);
      }

let () =
  start ();
  Gc.full_major ();
  note_library (Array.length (global_data ()));
  reply (Marshal.to_string (probe_layers ()) []);
  let rec loop () =
    match receive () with
    | "" -> ()
    | bytes ->
        reply (Marshal.to_string (serve (Marshal.from_string bytes 0)) []);
        (* Always the same few pages of the minor heap are in use, so there is little to copy for a child. *)
        Gc.minor ();
        loop ()
  in
  loop ()
