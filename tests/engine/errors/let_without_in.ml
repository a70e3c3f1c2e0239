(* A local let without in: the next line is reported.
   signature:
     val hypotenuse : float -> float -> float
     val half : int -> int
   tests:
     hypotenuse 3. 4. = 5.
     half 4 = 2
   error: syntax hypotenuse: in is missing after the second let
     - let b2 = b *. b
     + let b2 = b *. b in
*)
let hypotenuse a b =
  let a2 = a *. a in
  let b2 = b *. b
  sqrt (a2 +. b2)

let half n = n / 2
