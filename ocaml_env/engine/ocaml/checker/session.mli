(** The warm compiler: its settings, its environment, and its reset between two candidates. *)

(** Sets the compiler up and types a program that touches the usual modules, so that their interfaces are loaded. *)
val start : Policy.profile -> filtered:bool -> unit

(** The environment in which candidates and tests are typed: the filtered standard library, opened. *)
val environment : unit -> Env.t

(** Reads all interfaces anew, from memory. The compiler remembers with a functor of the standard library every argument
    that it was ever applied to, so [module M = Map.Make (Key)] of each candidate would be kept for good. *)
val refresh : unit -> unit

(** [register name signature] makes an interface in memory available under a unit's name. *)
val register : string -> Types.signature -> unit

val forget : string -> unit

(** [isolated unit_name f] runs [f] as the compilation of one unit: warnings, flags and caches are restored after it,
    whatever it does, and so is every type that it changed, unless the types are to be kept. (Undoing also empties the
    compiler's log of changes, whose old head would otherwise keep the whole of it alive through a collection.) After
    {!Guard.Compiler_raised} nothing is restored. *)
val isolated : ?keep_types:bool -> string -> (unit -> 'a) -> 'a
