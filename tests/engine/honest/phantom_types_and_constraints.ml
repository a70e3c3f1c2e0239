(* Phantom parameters, variance, constraints and injectivity.
   signature:
     type 'unit length
     type metre
     type foot
     val metres : float -> metre length
     val feet : float -> foot length
     val to_metres : foot length -> metre length
     val add : 'u length -> 'u length -> 'u length
     val value : 'u length -> float
   tests:
     value (add (metres 1.0) (metres 2.0)) = 3.0
     abs_float (value (to_metres (feet 10.0)) -. 3.048) < 1e-9
*)
type metre = Metre
type foot = Foot
type 'unit length = float
type (+'a, -'b) arrow = Arrow of ('b -> 'a)
type 'a pair = 'b * 'c constraint 'a = < left : 'b; right : 'c >

let metres x : metre length = x
let feet x : foot length = x
let to_metres x = x *. 0.3048
let add = ( +. )
let value x = x
let swap ((a, b) : < left : int; right : string > pair) : < left : string; right : int > pair = b, a
let () = match swap (1, "x"), Arrow succ with ("x", 1), Arrow f -> assert (f 1 = 2) | _ -> assert false
