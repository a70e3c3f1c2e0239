(* An abstract type is used as what it stands for, in two functions.
   signature:
     val start : int
     val doubled : int
   tests:
     start = 1
     doubled = 2
   error: type-clash start: a Counter.t is no int
     - let start : int = Counter.zero
     + let start : int = Counter.get Counter.zero + 1
   error: type-clash doubled: an int is no Counter.t
     - Counter.get 2
     + 2
*)
module Counter : sig
  type t

  val zero : t
  val get : t -> int
end = struct
  type t = int

  let zero = 0
  let get n = n
end

let start : int = Counter.zero
let doubled = Counter.get 2
