(* A list reference is first used for integers, then for strings.
   signature:
     val note : string -> int
   tests:
     note "a" = 2
   error: type-clash note: the list holds integers already
     - seen := String.trim text :: !seen
     + seen := String.length text :: !seen
*)
let seen = ref []
let () = seen := 1 :: !seen

let note text =
  seen := String.trim text :: !seen;
  List.length !seen
