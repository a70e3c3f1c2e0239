(* The type of a field is unbound, and so the record does not match the signature either.
   signature:
     type member = { name : string; born : int }
     val age : int -> member -> int
   tests:
     age 2000 { name = "Ida"; born = 1980 } = 20
   error: unbound-module-type S: there is no module type S
     - { name : (module S); born : int }
     + { name : string; born : int }
*)
type member = { name : (module S); born : int }

let age year member = year - member.born
