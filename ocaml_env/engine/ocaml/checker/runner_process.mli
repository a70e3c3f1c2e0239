(** A runner, seen from the checker: a process that executes what it is sent in a jail of its own. *)

type t

(** Tries of the layers, as the runner reports them at its start: name and 0 (on), 1 (this kernel has none), 2 (broken). *)
type layers = (string * int) array

exception Died

val start : string -> t
val layers : t -> layers

(** [run t request ~candidate ~tests] executes two marshalled images.
    @raise Died when the runner is gone; {!t} starts a new one at the next call. *)
val run : t -> Task.request -> candidate:string -> tests:string -> Task.answer

val stop : t -> unit
