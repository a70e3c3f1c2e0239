(** Bytecode in memory to a closure of the running virtual machine. Differs by version: see [compat/]. *)

val closure : string -> unit -> Obj.t
