(* Integer arithmetic where the values are floats: one mistake in each of two functions.
   signature:
     val average : float -> float -> float
     val perimeter : float -> float
   tests:
     average 1. 2. = 1.5
     perimeter 2. = 8.
   error: type-clash average: / and + are for integers
     - (a + b) / 2.0
     + (a +. b) /. 2.0
   error: type-clash perimeter: * is for integers
     - 4.0 * side
     + 4.0 *. side
*)
let average (a : float) (b : float) : float = (a + b) / 2.0
let perimeter side = 4.0 * side
