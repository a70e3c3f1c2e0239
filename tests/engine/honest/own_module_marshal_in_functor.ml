(* Parameters and inner modules may be called what they like.
   signature:
     val encode : int list -> string
   tests:
     encode [1; 2] = "1;2"
     encode [] = ""
*)
module type MARSHAL = sig val to_string : int list -> string end
module Codec (Marshal : MARSHAL) = struct let encode = Marshal.to_string end
module Thread = Codec (struct let to_string l = String.concat ";" (List.map string_of_int l) end)

let encode = Thread.encode
