(* A type of a module that was never made: one error, at the type and wherever it is used.
   signature:
     type env
     val empty : env
     val bind : string -> int -> env -> env
     val find : string -> env -> int option
   tests:
     find "x" (bind "x" 1 empty) = Some 1
     find "y" empty = None
   error: unbound-module StringMap: Map.Make (String) was not applied
     - type env = int StringMap.t
     + module StringMap = Map.Make (String) type env = int StringMap.t
*)
type env = int StringMap.t

let empty : env = StringMap.empty
let bind name value (env : env) = StringMap.add name value env
let find name (env : env) = StringMap.find_opt name env
