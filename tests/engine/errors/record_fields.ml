(* A field left out, a field that does not exist, and a field of the wrong type.
   signature:
     type person = { name : string; age : int; email : string }
     val make : string -> int -> person
     val birthday : person -> person
     val is_adult : person -> bool
   tests:
     (make "x" 3).email = ""
     (birthday (make "x" 3)).age = 4
     is_adult (make "x" 3) = false
   error: missing-field email: left out of the record
     - { name; age }
     + { name; age; email = "" }
   error: unbound-field years: the field is age
     - years = person.age + 1
     + age = person.age + 1
   error: type-clash is_adult: age is compared with a string
     - person.age >= "18"
     + person.age >= 18
*)
type person = { name : string; age : int; email : string }

let make name age = { name; age }
let birthday person = { person with years = person.age + 1 }
let is_adult person = person.age >= "18"
