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
external _show : int -> 'a -> 'a = "ocaml_env_show" (* for the examples' *)
external _show_raised : int -> exn -> 'a = "ocaml_env_show_raised"
external note_library : int -> unit = "ocaml_env_note_library"
external note_tests : (unit -> Obj.t) array -> unit = "ocaml_env_note_tests"
external note_code : (unit -> Obj.t) -> string -> unit = "ocaml_env_note_code"
external is_intact : (unit -> Obj.t) array -> bool -> bool = "ocaml_env_is_intact"
external empty_minor_heap : unit -> unit = "ocaml_env_empty_minor_heap"
external tidy : unit -> unit = "ocaml_env_tidy"
external fresh_id : int -> int = "caml_fresh_oo_id"
external leave : int -> 'a = "ocaml_env_leave"
external blit_bytes : bytes -> int -> bytes -> int -> int -> unit = "ocaml_env_blit_bytes"
external blit_string : string -> int -> bytes -> int -> int -> unit = "ocaml_env_blit_string"
external fill_bytes : bytes -> int -> int -> char -> unit = "ocaml_env_fill_bytes"
external char_of_int : int -> char = "ocaml_env_char_of_int"
external uchar_of_int : int -> Uchar.t = "ocaml_env_uchar_of_int"
external missing : unit -> 'a = "ocaml_env_missing"
external global_data : unit -> Obj.t array = "caml_get_global_data"
external realloc_global_data : int -> unit = "caml_realloc_global"

(* Only what is used here is in the table of primitives, against which candidates are linked. *)
let _ = (blit_bytes, blit_string, fill_bytes, char_of_int, uchar_of_int, missing)

let candidate = 0
let tests = 1

(* What the parent keeps of a request is a few words. *)
let requests_between_collections = 4096

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

(* The constructor of an exception is a block with its name and its number. *)
let constructor_at path =
  match path with
  | [] -> Obj.repr 0
  | slot :: fields -> List.fold_left Obj.field (global_data ()).(slot) fields

let name_of constructor : string = Obj.obj (Obj.field constructor 0)
let number_of constructor : int = Obj.obj (Obj.field constructor 1)

(* Which constructor was there before under another name? Those of the library have numbers below [first]. *)
let find_shared ~first constructors =
  let rec look seen = function
    | [] -> None
    | (name, path) :: rest -> (
        let constructor = constructor_at path in
        match List.assq_opt constructor seen with
        | Some other -> Some (name, other)
        | None when number_of constructor < first -> Some (name, name_of constructor)
        | None -> look ((constructor, name) :: seen) rest)
  in
  look [] (Array.to_list constructors)

(* What tests draw at random is not for the candidate to choose: each call draws from its own seed, whatever was drawn or
   seeded before. *)
let unseeded = Random.get_state ()

let run_calls ~first ~constructors ~suite ~schedule ~seeds ~has_inside ~test_cpu_us ~nonce =
  arm test_cpu_us;
  match
    load candidate;
    let shared = find_shared ~first constructors in
    if seeds <> [||] then Random.set_state unseeded;
    if shared = None then load tests;
    shared
  with
  | exception exn ->
      report_text 'X' (describe exn);
      leave 0
  | Some (name, other) ->
      report_text 'S' (name ^ "\n" ^ other);
      leave 0
  | None ->
      let unit_block = (global_data ()).(suite) in
      let closures : (unit -> Obj.t) array = Obj.obj (Obj.field unit_block (Obj.size unit_block - 1)) in
      note_tests closures;
      report_text 'I' "";
      Array.iteri
        (fun i index ->
          arm test_cpu_us;
          if seeds <> [||] then Random.full_init [| seeds.(i) |];
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

let work ~first (request : Task.request) =
  let test_cpu_us = request.test_cpu_us in
  match request.work with
  | Calls { constructors; suite; schedule; seeds; has_inside; nonce } ->
      run_calls ~first ~constructors ~suite ~schedule ~seeds ~has_inside ~test_cpu_us ~nonce
  | Main -> run_main ~test_cpu_us

let serve ~first (request : Task.request) : Task.death =
  match fork_jailed request with
  | 0 -> work ~first request
  | child ->
      let killed, exited, code, cpu_us, late_us = await child request.total_cpu_us in
      {
        ending = (if killed then Killed else if exited then Exited code else Signaled code);
        cpu_us;
        late_us = (if late_us = 0 then None else Some late_us);
      }

let () =
  start ();
  let first = fresh_id 0 in
  Gc.full_major ();
  note_library (Array.length (global_data ()));
  reply (Marshal.to_string (probe_layers ()) []);
  let rec loop served =
    match receive () with
    | "" -> ()
    | bytes ->
        reply (Marshal.to_string (serve ~first (Marshal.from_string bytes 0)) []);
        empty_minor_heap ();
        if served mod requests_between_collections = 0 then Gc.full_major ();
        loop (served + 1)
  in
  loop 1
