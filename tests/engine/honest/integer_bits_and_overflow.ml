(* Bit twiddling and the edges of native integers.
   signature:
     val popcount : int -> int
     val wraps : bool
     val gray : int -> int
   tests:
     popcount 255 = 8
     popcount (-1) = 63
     wraps = true
     List.map gray [0; 1; 2; 3] = [0; 1; 3; 2]
*)
let rec popcount n = if n = 0 then 0 else (n land 1) + popcount (n lsr 1)
let wraps = max_int + 1 = min_int && lnot 0 = -1 && -7 / 2 = -3 && -7 mod 2 = -1 && 1 lsl 62 = min_int
let gray n = n lxor (n asr 1)
