(* Each case by itself: the engine makes the match read anew between them. *)
type r = { mutable b : int option; c : int Lazy.t }
let read = function
  | { b = None; _ } -> "none"
  | { b = Some _; c = lazy 1 } -> "one"
  | { b = Some n; _ } -> string_of_int n
let conv (n : int) : string = read { b = Some n; c = lazy 2 }
