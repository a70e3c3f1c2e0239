(* Complex arithmetic and float formatting.
   signature:
     val escapes : float -> float -> bool
     val roots : float -> float -> float -> Complex.t list
   tests:
     escapes 2.0 2.0 = true
     escapes 0.0 0.0 = false
     roots 1.0 0.0 (-4.0) = [{ Complex.re = 2.0; im = 0.0 }; { Complex.re = -2.0; im = 0.0 }]
*)
let escapes re im =
  let c = { Complex.re; im } in
  let rec go z n = n > 0 && (Complex.norm2 z > 4.0 || go Complex.(add (mul z z) c) (n - 1)) in
  go Complex.zero 50

let roots a b c =
  let open Complex in
  let disc = sqrt { re = (b *. b) -. (4.0 *. a *. c); im = 0.0 } in
  let over z = div z { re = 2.0 *. a; im = 0.0 } in
  let minus_b = { re = -.b; im = 0.0 } in
  [ over (add minus_b disc); over (sub minus_b disc) ]
