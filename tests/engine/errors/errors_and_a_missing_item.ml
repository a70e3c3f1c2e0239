(* A type clash in one function, and another function forgotten altogether.
   signature:
     val encode : string -> int list
     val decode : int list -> string
     val size : string -> int
   tests:
     encode "a" = [97]
     decode [97] = "a"
     size "ab" = 2
   error: type-clash encode: Char.code of a string
     - Char.code (String.make 1 c)
     + Char.code c
   error: missing-item decode: forgotten
     - let size s =
     + let decode l = String.concat "" (List.map (fun n -> String.make 1 (Char.chr n)) l) let size s =
*)
let encode s = List.map (fun c -> Char.code (String.make 1 c)) (List.of_seq (String.to_seq s))
let size s = List.length (encode s)
