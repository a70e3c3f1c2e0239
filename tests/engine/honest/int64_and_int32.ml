(* Arithmetic on boxed integers, with literals, shifts and conversions.
   signature:
     val fnv1a : string -> int64
     val wrap : int32 -> int32
     val bits : nativeint -> int
   tests:
     fnv1a "" = 0xcbf29ce484222325L
     fnv1a "a" = 0xaf63dc4c8601ec8cL
     wrap 0x7FFFFFFFl = -2147483648l
     bits 255n = 8
*)
let fnv1a s =
  let h = ref 0xcbf29ce484222325L in
  String.iter
    (fun c -> h := Int64.mul (Int64.logxor !h (Int64.of_int (Char.code c))) 0x100000001b3L)
    s;
  Printf.printf "%Lx\n" !h;
  !h

let wrap n = Int32.add n 1l

let rec bits n =
  if n = 0n then 0
  else Nativeint.(to_int (logand n 1n)) + bits (Nativeint.shift_right_logical n 1)

let () =
  assert (Int64.to_string 12L = "12");
  assert (Int64.of_string "0xff" = 255L);
  assert (Int32.to_float 3l = 3.0);
  assert (Int64.compare 1L 2L < 0)
