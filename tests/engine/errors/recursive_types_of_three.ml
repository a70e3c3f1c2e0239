(* Three types that mention each other: one field has another type.
   signature:
     type person = { name : string; home : house option }
     and house = { street : street; owner : person }
     and street = { title : string; houses : house list }
     val inhabitants : street -> string list
   tests:
     inhabitants { title = "Elm"; houses = [] } = []
   error: ill-typed-item house: the street is a list
     - street : street list;
     + street : street;
*)
type person = { name : string; home : house option }
and house = { street : street list; owner : person }
and street = { title : string; houses : house list }

let inhabitants street = List.map (fun house -> house.owner.name) street.houses
