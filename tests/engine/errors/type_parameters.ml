(* Type constructors with too few and too many parameters.
   signature:
     type 'a stack = 'a list
     val empty : int stack
     val lookup : (string * int) list -> string -> int
   tests:
     empty = []
     lookup ["a", 1] "a" = 1
   error: type-arity stack: one parameter is missing
     - let empty : stack = []
     + let empty : int stack = []
   error: type-arity Hashtbl.t: two parameters, not one
     - (string Hashtbl.t)
     + (string, int) Hashtbl.t
*)
type 'a stack = 'a list

let empty : stack = []

let lookup pairs key =
  let table : (string Hashtbl.t) = Hashtbl.create 8 in
  List.iter (fun (k, v) -> Hashtbl.replace table k v) pairs;
  Hashtbl.find table key
