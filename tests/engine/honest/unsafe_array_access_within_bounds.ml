(* The checked meaning of unsafe_get is enough for a program that stays within bounds.
   signature:
     val sum : int array -> int
     val upper : string -> string
   tests:
     sum [|1; 2; 3|] = 6
     upper "abc" = "ABC"
*)
let sum a =
  let total = ref 0 in
  for i = 0 to Array.length a - 1 do total := !total + Array.unsafe_get a i done;
  !total

let upper s =
  let b = Bytes.of_string s in
  for i = 0 to String.length s - 1 do
    Bytes.unsafe_set b i (Char.uppercase_ascii (String.unsafe_get s i))
  done;
  Bytes.unsafe_to_string b
