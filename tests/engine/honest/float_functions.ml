(* Float's functions, special values and arrays.
   signature:
     val mean : float list -> float
     val deviation : float list -> float
     val classify : float -> string
   tests:
     mean [1.0; 2.0; 3.0] = 2.0
     abs_float (deviation [1.0; 3.0] -. 1.0) < 1e-9
     List.map classify [0.0; nan; infinity; 1.5] = ["zero"; "nan"; "inf"; "normal"]
*)
let mean l = List.fold_left ( +. ) 0. l /. Float.of_int (List.length l)

let deviation l =
  let m = mean l in
  sqrt (mean (List.map (fun x -> Float.pow (x -. m) 2.) l))

let classify x =
  match classify_float x with
  | FP_zero -> "zero" | FP_nan -> "nan" | FP_infinite -> "inf" | FP_normal -> "normal" | FP_subnormal -> "tiny"

let () =
  assert (Float.round 2.5 = 3. && floor (-1.5) = -2. && ceil 1.2 = 2. && truncate 1.9 = 1);
  assert (Float.is_nan nan && Float.compare nan nan = 0 && not (nan = nan));
  assert (Float.to_string 0.5 = "0.5" && float_of_string "1e3" = 1000. && 0x1p-2 = 0.25);
  assert (Float.Array.length (Float.Array.make 3 1.) = 3);
  assert (Float.equal (fst (modf 1.5)) 0.5 && Float.min 1. 2. = 1. && hypot 3. 4. = 5.)
