(* Assigns to a field that is not mutable, and to a variable that is not a reference.
   signature:
     type counter = { mutable hits : int; mutable misses : int }
     val hit : counter -> unit
     val count : bool list -> int
   tests:
     (let c = { hits = 0; misses = 0 } in hit c; c.hits) = 1
     count [true; false; true] = 2
   error: immutable best: the field is not mutable
     - best : int
     + mutable best : int
   error: type-clash count: total is an int, not a reference
     - let total = 0 in
     + let total = ref 0 in
   hidden: type-clash count: it must be read with ! once it is a reference
     -   total + 0
     +   !total + 0
*)
type counter = { mutable hits : int; mutable misses : int }
type record = { best : int }

let hit c = c.hits <- c.hits + 1
let improve r n = if n > r.best then r.best <- n

let count flags =
  let total = 0 in
  List.iter (fun flag -> if flag then total := !total + 1) flags;
  total + 0
