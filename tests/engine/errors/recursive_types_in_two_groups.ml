(* Two groups of types; the second one, which mentions the first, has the mistake.
   signature:
     type a = A of b
     and b = B of int
     type c = C of a * d
     and d = D of string | Last of c
     val depth : c -> int
   tests:
     depth (C (A (B 1), D "x")) = 1
   error: ill-typed-item d: D carries an int
     - D of int
     + D of string
*)
type a = A of b
and b = B of int

type c = C of a * d
and d = D of int | Last of c

let rec depth (C (_, d)) = match d with D _ -> 1 | Last c -> 1 + depth c
