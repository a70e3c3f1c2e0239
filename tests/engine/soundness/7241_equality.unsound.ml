(* below 5.3 *)
type (_, _) eq = Refl : ('a, 'a) eq
type (_, _) two = Two : ('a, 'x) eq option * ('x, 'b) eq option -> ('a, 'b) two
type ('a, 'b) t = { a : bool; mutable b : ('a, 'b) two; mutable c : int Lazy.t }
let both (type a b) : (a, b) t -> (a, b) eq = function
  | { a = true; b = Two (None, _) }
  | { a = true; b = Two (Some _, _); c = lazy 1 }
  | { a = false }
  | { b = Two (_, None) } -> assert false
  | { b = Two (Some Refl, Some Refl) } -> Refl
let wrong () =
  let r = { a = true; b = Two (Some Refl, None); c = lazy 1 } in
  r.c <- lazy (r.b <- Two (None, Some Refl); 2);
  both r
let cast (type a b) (Refl : (a, b) eq) (x : a) : b = x
let conv (n : int) : string = cast (wrong ()) n
