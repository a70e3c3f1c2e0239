(* Structures that do not fit the module types given to them; what uses them is right.
   signature:
     val show : int -> string
     val equal : string -> string -> bool
   tests:
     show 3 = "3"
     equal "a" "a"
   error: module-mismatch Number: to_string is missing
     - let print n = string_of_int n
     + let to_string n = string_of_int n
   error: module-mismatch Name: to_string returns an int
     - let to_string s = String.length s
     + let to_string s = s
*)
module type PRINTABLE = sig
  type t

  val to_string : t -> string
end

module Number : PRINTABLE with type t = int = struct
  type t = int

  let print n = string_of_int n
end

module Name : PRINTABLE with type t = string = struct
  type t = string

  let to_string s = String.length s
end

let show n = Number.to_string n
let equal a b = Name.to_string a = Name.to_string b
