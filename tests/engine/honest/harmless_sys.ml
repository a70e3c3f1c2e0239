(* Looks at the platform without touching it.
   signature:
     val bits : unit -> int * int
     val safe_double : int -> int option
     val named : unit -> bool
   tests:
     bits () = (64, 63)
     safe_double 4 = Some 8
     safe_double max_int = None
     named () = true
*)
let started = Sys.time ()
let bits () = Sys.word_size, Sys.int_size
let safe_double n = if n > max_int / 2 then None else Some (2 * n)

let named () =
  let elapsed = Sys.time () -. started in
  ignore (Sys.getenv_opt "HOME");
  ignore (Array.length Sys.argv);
  elapsed >= 0.0
  && String.length Sys.ocaml_version > 0
  && List.mem Sys.os_type [ "Unix"; "Win32"; "Cygwin" ]
  && Sys.max_string_length > 1000
  && Sys.max_array_length > 1000
  && (Sys.big_endian || not Sys.big_endian)
  && Sys.opaque_identity true
