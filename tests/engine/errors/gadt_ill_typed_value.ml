(* Values of a GADT that its types rule out.
   signature:
     type _ value = Number : int -> int value | Text : string -> string value
     val get : 'a value -> 'a
     val three : int value
     val hello : string value
   tests:
     get three = 3
     get hello = "hello"
   error: type-clash three: a text is no int value
     - Text "3"
     + Number 3
   error: type-clash hello: Text holds a string
     - Text 'h'
     + Text "hello"
*)
type _ value = Number : int -> int value | Text : string -> string value

let get : type a. a value -> a = function
  | Number n -> n
  | Text s -> s

let three : int value = Text "3"
let hello = Text 'h'
